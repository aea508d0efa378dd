"""Where the first window starts, from the alignment tables of the source.

The tables stand in `golden/alignment_sizes.csv`, cell by cell as they are printed; both ends of a
range belong to it, an empty end is open. Choices, where the source is silent or at odds:

- Two printed ranges share an end (60 minutes; 1 ms, 10 ms, … of nanoseconds): the first one applies,
  since in every other table the upper end belongs to its range.
- Nanoseconds with round_time print nothing below 1000 ns: there the table without it applies, as
  the other precisions say in words. 1000 ns itself is printed in the range of 1 ms.
- "/" keeps the integer part, so that times before 1970 are rounded towards zero, not down.
- DATE "is not adjusted" and MONTH "begins in January": the same formula with x itself, and with
  January of x's year, in the place of x / alignment * alignment.
- There is no table for microseconds or hours: they need an explicit alignment.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path

GOLDEN = Path(__file__).parent / "golden" / "alignment_sizes.csv"
Ranges = list[tuple[int, int | None, int]]
"""From, to (None: no end), alignment; in the order of the source."""


@cache
def tables() -> dict[tuple[str, bool], Ranges]:
    read: dict[tuple[str, bool], Ranges] = {}
    with GOLDEN.open(newline="") as file:
        for row in csv.DictReader(file):
            table = read.setdefault((row["precision"], row["round_time"] == "true"), [])
            end = int(row["step_to"]) if row["step_to"] else None
            table.append((int(row["step_from"]), end, int(row["alignment"])))
    return read


def alignment_size(precision: str, round_time: bool, step: int) -> int:
    """The alignment of a step, both in units of the precision: m, s, ms or ns."""
    if (precision, round_time) not in tables():
        raise ValueError(f"the source has no alignment table for precision {precision!r}")
    for start, end, alignment in tables()[precision, round_time]:
        if start <= step and (end is None or step <= end):
            return alignment
    raise ValueError(f"step {step!r} is in no range of precision {precision!r}")


def first_window_start(
    x: int,
    window_size: int,
    step: int,
    round_time: bool = True,
    precision: str = "ms",
    alignment: int | None = None,
) -> int:
    """Start of the first window, when the first row of the source has the time x (in its unit)."""
    if alignment is None and precision == "DATE":
        aligned = x
    elif alignment is None and precision == "MONTH":  # months since January 1970; a year before
        aligned = x // 12 * 12  # it begins in January too, so no rounding towards zero
    else:
        size = alignment or alignment_size(precision, round_time, step)
        aligned = abs(x) // size * size * (-1 if x < 0 else 1)
    return aligned + step - window_size
