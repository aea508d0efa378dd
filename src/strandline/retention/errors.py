"""The error of the purge."""


class PurgeError(Exception):
    """The purge was refused before any row was removed; the message says why and what to do."""
