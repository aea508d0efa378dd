"""The errors of the landing."""

from collections.abc import Sequence

from strandline.errors import StrandlineError


class LandingError(StrandlineError):
    """The landing was refused or failed; the message names every fault and what to do."""


class WrongUse(LandingError):
    """What was asked for cannot be done, whatever the files hold: correct the request."""


def refuse(who: str, faults: Sequence[str], kind: type[LandingError] = LandingError) -> None:
    """Raise one error that names all faults; do nothing when there are none.

    Raises:
        LandingError: there is a fault; of the class `kind`.
    """
    if faults:
        raise kind(f"{who}:\n" + "\n".join(f"- {fault}" for fault in faults))
