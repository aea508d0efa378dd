"""The error of the purge."""

from strandline.errors import StrandlineError


class PurgeError(StrandlineError):
    """The purge was refused before any row was removed; the message says why and what to do."""
