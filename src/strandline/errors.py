"""The base of every error that a person can put right."""


class StrandlineError(Exception):
    """Something was refused. The message is whole: who, what was given, what to do instead.

    It is shown without a traceback, for the reader's own code and settings are to blame.
    """
