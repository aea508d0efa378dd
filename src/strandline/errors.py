"""The errors that a person can correct. None of them ever has the URL of a receiver in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from strandline.generated import SYNONYMS


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


def nearest(name: str, known: Sequence[str]) -> str:
    """A hint for an unknown name: its synonym; else the nearest known name; else a near synonym.

    Of a synonym one letter may be wrong. The macro `_nearest` is the same rule in Jinja.
    """
    meant = {word: [name for name in names if name in known] for word, names in SYNONYMS.items()}
    synonyms = {word: names[0] for word, names in meant.items() if names}
    wanted = name.lower()
    found = synonyms.get(wanted) or nearest_name(wanted, known)
    if not found:
        found = synonyms.get(nearest_name(wanted, synonyms, min(1, len(wanted) // 3)) or "")
    return f"; did you mean `{found}`?" if found else ""


def nearest_name(name: str, known: Iterable[str], most: int | None = None) -> str | None:
    """The known name that a typing error meant; None if none is near.

    It has the smallest edit distance, if that is at most `most`, by default a third of the name's
    length; of several the first. An edit is a letter inserted, deleted or replaced, or two letters
    swapped. Case does not count. The macro `_nearest_name` is the same rule in Jinja.
    """
    wanted = name.lower()
    found, limit = None, len(wanted) // 3 if most is None else most
    for candidate in known:
        other = candidate.lower()
        if abs(len(other) - len(wanted)) <= limit:
            distance = _distance(wanted, other)
            if distance <= limit:
                found, limit = candidate, distance - 1
    return found


def _distance(one: str, other: str) -> int:
    """The number of edits between two texts, as `nearest_name` counts them."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one):
        row = [i + 1]
        for j, against in enumerate(other):
            costs = [row[j] + 1, last[j + 1] + 1, last[j] + (letter != against)]
            if i and j and letter == other[j - 1] and one[i - 1] == against:
                costs.append(before[j - 1] + 1)
            row.append(min(costs))
        before, last = last, row
    return last[-1]
