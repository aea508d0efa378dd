"""Patterns of times in files: only letters by which a text is the same time everywhere.

Java finds out what a zone's name means, differently from version to version: in the hour that is
repeated in autumn, Java 17 reads `CET` as summer time. Names of days and weeks depend on a locale.
What a pattern leaves out Spark adds by a guess: 1970, the morning. So such patterns are refused.
"""

from __future__ import annotations

import re
from itertools import groupby

# Letter: how often it may stand in a row.
DATE = {"G": 3, "y": 6, "M": 4, "d": 2, "D": 3}
CLOCK = {"H": 2, "k": 2, "h": 2, "K": 2, "m": 2, "s": 2, "S": 6, "a": 1}
OFFSET = {"X": 3, "x": 3, "Z": 3}
ZONE = (
    "is the name of a zone, which is no instant in the hour that is repeated in autumn, and "
    "differs between versions of Java; write offsets such as +02:00 into the files (XXX), or land "
    "a STRING"
)
WEEK = "counts weeks or names days, which depends on a locale; write the date with y, M and d"
REFUSED = {
    **dict.fromkeys("zvVO", ZONE),
    **dict.fromkeys("EecuYwWFQq", WEEK),
    "B": "is a part of the day in words; write H, or h with a",
    "L": "is the name of a month that stands alone; write M",
    **dict.fromkeys("AnN", "counts parts of a day; write H, m, s and S"),
}
TOO_OFTEN = {
    "M": "one letter is no name of a month",
    "S": "a TIMESTAMP has microseconds, and more would be cut; land a STRING and cut it in SQL",
    "Z": "more of them are the name of a zone, or another letter: XXX reads +02:00 and Z",
}
QUOTED = re.compile(r"'(?:[^']|'')*'")


def pattern_faults(key: str, pattern: str) -> list[str]:
    """What is wrong with the pattern of an option."""
    shown = f"option {key}='{pattern}'"
    rest = QUOTED.sub(" ", pattern)
    if "'" in rest:
        return [f"{shown}: a quote is opened and not closed; a quote itself is ''"]
    runs = [(letter, len(list(run))) for letter, run in groupby(rest)]
    letters = {letter for letter, _ in runs}
    faults = [
        f"{letter * count}: {why}"
        for letter, count in runs
        if (why := _why_not(key, letter, count))
    ]
    if "y" not in letters:
        faults.append("it has no year (y), so that each time would be in 1970")
    if letters & set("hK") and "a" not in letters:
        faults.append("h and K count 12 hours, and need a (AM or PM); H counts 24")
    return [f"{shown}: {fault}" for fault in dict.fromkeys(faults)]


def has_offset(pattern: str) -> bool:
    """Whether texts of a pattern say how far they are from UTC."""
    return bool(set(QUOTED.sub("", pattern)) & OFFSET.keys())


def _why_not(key: str, letter: str, count: int) -> str | None:
    if letter in "{}#":
        return "is reserved; write it in quotes"
    if not (letter.isascii() and letter.isalpha()):
        return None
    if letter in REFUSED:
        return REFUSED[letter]
    most = {**DATE, **CLOCK, **OFFSET}.get(letter)
    if most is None:
        return "stands for nothing; write text in quotes, as in 'T'"
    if key == "date_format" and letter not in DATE:
        return "a DATE has no time of day, and it would be cut; land a TIMESTAMP"
    if count > most:
        return f"at most {letter * most}" + (
            f": {TOO_OFTEN[letter]}" if letter in TOO_OFTEN else ""
        )
    return None
