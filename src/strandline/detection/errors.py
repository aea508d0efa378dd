"""The error of detection, and the drawing of a fault under the text that has it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from strandline.errors import StrandlineError

SHOWN = 100  # characters of a long line that are shown, around the fault


class DetectionError(StrandlineError):
    """A definition was refused; the message names every fault and what to write instead."""


@dataclass(frozen=True)
class Fault:
    """What is wrong with a metric, and the characters [start, end) of its text that it is about.

    `note` is what several faults have in common, such as the names of all columns.
    """

    message: str
    start: int
    end: int
    note: str = ""

    def drawn(self, who: str, text: str) -> str:
        """The fault, the line of the text that has it, and carets below: three lines."""
        line, carets = _pointed(text, self.start, self.end)
        return f"{who}: {self.message}\n      {line}\n      {carets}"


def refuse(who: str, faults: Sequence[str], notes: Iterable[str] = ()) -> None:
    """Raise one error that names all faults, then each note once; nothing when there is no fault.

    Raises:
        DetectionError: there is a fault.
    """
    if faults:
        lines = [f"- {fault}" for fault in faults] + [f"  {note}" for note in dict.fromkeys(notes)]
        raise DetectionError(_printable(f"{who}:\n" + "\n".join(lines)))


SURROGATE = "a surrogate, which is half a character; write the whole character"


def surrogate(text: str) -> int | None:
    """Where a text has half a character, which neither a file nor Spark can store; None nowhere."""
    halves = (place for place, c in enumerate(text) if "\ud800" <= c <= "\udfff")
    return next(halves, None)


def a(noun: str) -> str:
    """The noun with its article: a number, an array<int>."""
    return f"{'an' if noun[:1] in 'aeio' else 'a'} {noun}"


def _printable(text: str) -> str:
    """Without control characters and surrogates, which a terminal or a file may not accept."""
    return "".join(c if c.isprintable() or c == "\n" else "�" for c in text)


def _pointed(text: str, start: int, end: int) -> tuple[str, str]:
    begun = text.rfind("\n", 0, start) + 1
    line = text[begun:].split("\n", 1)[0]
    start, end = start - begun, min(max(end, start + 1) - begun, max(len(line), start - begun + 1))
    cut = 0
    if len(line) > SHOWN:
        cut = max(0, min(start - SHOWN // 2, len(line) - SHOWN))
    shown = _printable(line[cut : cut + SHOWN])
    before, after = "…" if cut else "", "…" if cut + SHOWN < len(line) else ""
    start, end = start - cut, min(end - cut, max(SHOWN, start - cut + 1))
    lead = len(before) + sum(map(_width, shown[:start]))
    return before + shown + after, " " * lead + "^" * max(1, sum(map(_width, shown[start:end])))


def _width(character: str) -> int:
    """The width of a character, in columns of a terminal."""
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
