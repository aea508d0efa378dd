"""Where the first window begins, so that the windows of all keys have the same, round boundaries.

    first row x ──────────────┐
    ──┬───────────┬───────────┼─┬──────► time, in units of the precision
      │           └ x / alignment * alignment
      └ that + step - window_size: the first window begins here

Source: DolphinDB, anomaly detection engine, "Windowing Logic". Its worked date prints 01:01:00.000
where its own formula gives 01:00:00.000: the formula is followed.
"""

from __future__ import annotations

from strandline.detection.units import PRECISIONS

# (the largest step, in units of the precision; the alignment size, likewise); None: any larger step
Rows = tuple[tuple["int | None", int], ...]
MS, SECOND, MINUTE = 1_000_000, 1_000_000_000, 60_000_000_000  # in nanoseconds

_TO_30: Rows = ((2, 2), (3, 3), (5, 5), (10, 10), (15, 15), (20, 20), (30, 30))
_SIXTIES: Rows = (
    *_TO_30, (60, 60), (120, 120), (180, 180), (300, 300), (600, 600), (900, 900), (1_200, 1_200),
    (1_800, 1_800), (None, 3_600),
)  # fmt: skip
_TO_500: Rows = (
    (2, 2), (5, 5), (10, 10), (20, 20), (25, 25), (50, 50), (100, 100), (200, 200), (250, 250),
    (500, 500),
)  # fmt: skip
_TO_30_000: Rows = (
    *_TO_500, (1_000, 1_000), (2_000, 2_000), (3_000, 3_000), (5_000, 5_000), (10_000, 10_000),
    (15_000, 15_000), (20_000, 20_000), (30_000, 30_000),
)  # fmt: skip
# The rows of the source's last table touch (1ms~10ms, 10ms~100ms): as in its other tables, a row
# includes its upper bound. Below its first row, 1000ns~1ms, the table without round_time applies.
_NANOSECONDS: Rows = (
    *_TO_500, (999, 1_000), (MS, MS), (10 * MS, 10 * MS), (100 * MS, 100 * MS), (SECOND, SECOND),
    (2 * SECOND, 2 * SECOND), (3 * SECOND, 3 * SECOND), (5 * SECOND, 5 * SECOND),
    (10 * SECOND, 10 * SECOND), (15 * SECOND, 15 * SECOND), (20 * SECOND, 20 * SECOND),
    (30 * SECOND, 30 * SECOND), (None, MINUTE),
)  # fmt: skip

TABLES: dict[tuple[str, bool], Rows] = {  # (precision, round_time)
    ("minute", False): (*_TO_30, (None, 60)),
    ("minute", True): _SIXTIES,
    ("second", False): (*_TO_30, (None, 60)),
    ("second", True): _SIXTIES,
    ("ms", False): (*_TO_30_000, (None, 60_000)),
    ("ms", True): (
        *_TO_30_000, (60_000, 60_000), (120_000, 120_000), (300_000, 300_000), (600_000, 600_000),
        (900_000, 900_000), (1_200_000, 1_200_000), (1_800_000, 1_800_000), (None, 3_600_000),
    ),
    ("ns", False): (*_TO_500, (None, 1_000)),
    ("ns", True): _NANOSECONDS,
}  # fmt: skip


def alignment_size(step: int, precision: str, round_time: bool = True) -> int:
    """The alignment size, in units of the precision, of a step in the same units.

    `day` is not adjusted, so its size is 1; a year of `month` is 12.

    Raises:
        ValueError: the step is not positive, or the precision is none of PRECISIONS.
    """
    if step < 1:
        raise ValueError(f"a step is 1 or more, not {step}")
    if precision not in PRECISIONS:
        raise ValueError(f"a precision is one of {', '.join(PRECISIONS)}, not {precision!r}")
    if precision in ("month", "day"):
        return 12 if precision == "month" else 1
    rows = TABLES[precision, round_time]
    return next(size for largest, size in rows if largest is None or step <= largest)


def first_window_start(
    first: int, window_size: int, step: int, precision: str, round_time: bool = True
) -> int:
    """Where the first window begins, if the first row of all has the time `first`.

    All are in units of the precision, since 1970-01-01; months since January 1970. The boundaries
    of all windows follow from it: one every `step`, to both sides.

    As the source has it, "/" keeps the integer part, so times before 1970 are cut towards it.
    Months are cut to January of the first row's year, days are not cut.

    Raises:
        ValueError: as `alignment_size`.
    """
    size = alignment_size(step, precision, round_time)
    aligned = abs(first) // size * size * (-1 if first < 0 else 1)
    if precision == "month":
        aligned = first // size * size
    return aligned + step - window_size
