"""The errors that a person can correct. None of them ever has the URL of a receiver in it."""

from __future__ import annotations

from collections.abc import Sequence


class StrandlineError(Exception):
    """Something was refused. The message is whole: who, what was given, what to do instead.

    It is shown without a traceback: the cause is in the reader's own code or settings.
    """


class LandingError(StrandlineError):
    """The landing was refused or failed; the message names every fault and what to do."""


class WrongUse(LandingError):
    """The request is invalid, whatever is in the files: correct the request."""


def refuse(who: str, faults: Sequence[str], kind: type[StrandlineError] = LandingError) -> None:
    """Raise one error that names all faults; do nothing when there are none.

    Raises:
        StrandlineError: there is a fault; of the class `kind`.
    """
    if faults:
        raise kind(f"{who}:\n" + "\n".join(f"- {fault}" for fault in faults))


class NotifyError(StrandlineError):
    """Notifying was refused or failed; the message says why and what to do."""


class WrongReceiver(NotifyError):
    """The environment names no receiver, or one that Apprise cannot use: correct it."""


class OutboxError(NotifyError):
    """The outbox, or the table of what was accepted, does not exist or has other columns."""


class PurgeError(StrandlineError):
    """The purge was refused before any row was removed; the message says why and what to do."""


class StarterError(StrandlineError):
    """`strandline init` was refused; the message names every fault and what to do."""
