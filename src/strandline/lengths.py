"""Lengths of time as a person writes them: '6 ms', '1 hour 30 min', 'PT90M'."""

from __future__ import annotations

import re

from strandline.errors import nearest
from strandline.generated import (
    LENGTH_ISO,
    LENGTH_ISO_UNITS,
    LENGTH_PART,
    LENGTH_WORDS,
    MONTHS,
    NANOSECONDS,
    SPELLINGS,
)

UNITS = (*NANOSECONDS, *MONTHS)
LARGEST = 2**63 - 1


def units_of(text: object, name: str, precision: str) -> int:
    """A duration as a whole number of units of `precision`, which is one of PRECISIONS.

    `text` has numbers and units, as '6 ms' or '1 hour 30 min', or is an ISO 8601 duration, as
    'PT90M'; `name` is what the message calls it.

    Raises:
        ValueError: the message says what was given and what is allowed, for a list of faults.
    """
    if isinstance(text, bool) or not isinstance(text, str):
        raise ValueError(f"`{name}` is {text!r}; write a number and a unit, as '6 ms'")
    parts = parts_of(text)
    if not parts:
        raise ValueError(f"`{name}` is {text!r}; write a whole number and a unit, as '6 ms'")
    total, table = 0, MONTHS if precision == "month" else NANOSECONDS
    for number, written in parts:
        unit = SPELLINGS.get(written.lower())
        if unit is None:
            near = nearest(written, UNITS)
            raise ValueError(f"`{name}` is {text!r}: its unit is one of {', '.join(UNITS)}{near}")
        if unit not in table and number:
            fixed = "a month has no fixed length; write days"
            hint = "write months" if precision == "month" else fixed
            raise ValueError(f"`{name}` is {text!r}, but the precision is {precision}: {hint}")
        total += number * table.get(unit, 0)
    if total == 0:
        raise ValueError(f"`{name}` is {text!r}; it must be longer than nothing")
    units, rest = divmod(total, table[precision])
    if rest:
        raise ValueError(
            f"`{name}` is {text!r}, which is no whole number of {precision}, the precision"
        )
    if units > LARGEST:
        raise ValueError(f"`{name}` is {text!r}, which no time column can hold")
    return units


def parts_of(text: str) -> list[tuple[int, str]]:
    """The numbers and units of a length of time; empty for a text that is none."""
    text = text.strip()
    iso = re.match(LENGTH_ISO, text)
    if iso:
        written = zip(iso.groups(), LENGTH_ISO_UNITS, strict=True)
        return [(int(number), unit) for number, unit in written if number is not None]
    if not re.match(LENGTH_WORDS, text):
        return []
    return [(int(number), unit) for number, unit in re.findall(LENGTH_PART, text)]
