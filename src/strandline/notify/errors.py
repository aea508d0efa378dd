"""The errors of notifying. None of them ever holds the URL of a receiver."""

from strandline.errors import StrandlineError


class NotifyError(StrandlineError):
    """Notifying was refused or failed; the message says why and what to do."""


class WrongReceiver(NotifyError):
    """The environment names no receiver, or one that Apprise cannot use: put it right."""


class OutboxError(NotifyError):
    """The outbox, or the table of what was accepted, is not there or not what it must be."""
