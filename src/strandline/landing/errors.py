"""The one error of the landing."""

from collections.abc import Sequence


class LandingError(Exception):
    """The landing was refused or failed; the message names every fault and what to do."""


def refuse(who: str, faults: Sequence[str]) -> None:
    """Raise one error that names all faults; do nothing when there are none.

    Raises:
        LandingError: there is a fault.
    """
    if faults:
        raise LandingError(f"{who}:\n" + "\n".join(f"- {fault}" for fault in faults))
