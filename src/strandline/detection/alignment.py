"""Where the first window begins, so that the windows of all keys have the same, round boundaries.

    first row x ──────────────┐
    ──┬───────────┬───────────┼─┬──────► time, in units of the precision
      │           └ x / alignment * alignment
      └ that + step - window_size: the first window begins here

Source: DolphinDB, anomaly detection engine, "Windowing Logic". Its worked date prints 01:01:00.000
where its own formula gives 01:00:00.000: the formula is followed.
"""

from __future__ import annotations

from strandline.generated import ALIGNMENT_SIZES, PRECISIONS


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
    rows = ALIGNMENT_SIZES[precision, round_time]
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
