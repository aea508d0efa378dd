"""What a time weight must be: plain Python over points, exact, written from the specification.

Instants are Unix microseconds, durations microseconds, weighted sums value x seconds. Sums are
fractions, so that no order of points or parts can change them. Nothing of the product is used.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

SECOND = 1_000_000
METHODS = {"locf": "locf", "linear": "linear", "trapezoidal": "linear"}
UNITS = {
    1: "us usec usecs usecond useconds microsecon microsecond microseconds",
    1_000: "ms msec msecs msecond mseconds millisecon millisecond milliseconds",
    SECOND: "s sec secs second seconds",
    60 * SECOND: "m min mins minute minutes",
    3600 * SECOND: "h hr hrs hour hours",
    86400 * SECOND: "d day days",
}
MICROS = {spelling: micros for micros, spellings in UNITS.items() for spelling in spellings.split()}
Value = int | float | Decimal | Fraction
Exact = Fraction | float
"""A float only when it is infinite or no number."""


class Point(NamedTuple):
    time: int
    value: Value | None  # none is known from here on


@dataclass(frozen=True)
class TimeWeight:
    """The summary of a part of a signal, from its first point to its last."""

    method: str
    gap: int | None
    weighted_sum: Exact
    elapsed: int
    num_gaps: int
    first_time: int
    first_value: Value | None
    last_time: int
    last_value: Value | None

    @property
    def first(self) -> Point:
        return Point(self.first_time, self.first_value)

    @property
    def last(self) -> Point:
        return Point(self.last_time, self.last_value)


@dataclass(frozen=True)
class Interpolated:
    """What counts within one bucket, its neighbours' part included."""

    weighted_sum: Exact
    elapsed: int


def time_weight(
    points: Iterable[tuple], method: str, gap: int | None, nulls: str = "ignore"
) -> TimeWeight | None:
    """The summary of points (time, value) or (time, value, arrival), in any order.

    With nulls "end" a point without a value ends the one before.
    """
    method, signal = _known(method), signal_of(points, nulls)
    _check_gap(gap)
    if not signal:
        return None
    counted = [counted_between(method, gap, left, right) for left, right in pairwise(signal)]
    return TimeWeight(
        method,
        gap,
        total(area for area, _ in counted),
        sum(micros for _, micros in counted),
        sum(_ends_gap(gap, left, right) for left, right in pairwise(signal)),
        *signal[0],
        *signal[-1],
    )


def rollup(parts: Iterable[TimeWeight | None]) -> TimeWeight | None:
    """One summary of all: the parts, and what counts between each and the next."""
    known = sorted((part for part in parts if part), key=lambda part: part.first_time)
    agree("rollup", known)
    if not known:
        return None
    for left, right in pairwise(known):
        if right.first_time <= left.last_time:
            raise ValueError(
                f"rollup: parts overlap or touch: one lasts from {left.first_time} to "
                f"{left.last_time}, another from {right.first_time} to {right.last_time}"
            )
    method, gap = known[0].method, known[0].gap
    holes = [(left.last, right.first) for left, right in pairwise(known)]
    counted = [counted_between(method, gap, *hole) for hole in holes]
    return TimeWeight(
        method,
        gap,
        total([*(part.weighted_sum for part in known), *(area for area, _ in counted)]),
        sum(part.elapsed for part in known) + sum(micros for _, micros in counted),
        sum(part.num_gaps for part in known) + sum(_ends_gap(gap, *hole) for hole in holes),
        *known[0].first,
        *known[-1].last,
    )


def average(counted: TimeWeight | Interpolated | None) -> Exact | None:
    """Null when no time counts: an average over nothing is unknown, not zero."""
    if counted is None or counted.elapsed == 0:
        return None
    return counted.weighted_sum / Fraction(counted.elapsed, SECOND)


def integral(counted: TimeWeight | Interpolated | None, unit: str = "second") -> Exact | None:
    """The weighted sum in value x unit."""
    if unit.lower() not in MICROS:
        raise ValueError(f"integral: unit {unit!r} is none of {', '.join(MICROS)}")
    if counted is None:
        return None
    return counted.weighted_sum / Fraction(MICROS[unit.lower()], SECOND)


def elapsed_time(counted: TimeWeight | Interpolated | None) -> int | None:
    return counted and counted.elapsed


def num_gaps(summary: TimeWeight | None) -> int | None:
    return summary and summary.num_gaps


def gap_time(summary: TimeWeight | None) -> int | None:
    """The time from the first point to the last that does not count."""
    return summary and summary.last_time - summary.first_time - summary.elapsed


def counted_between(
    method: str,
    gap: int | None,
    left: Point,
    right: Point | None,
    start: int | None = None,
    end: int | None = None,
) -> tuple[Exact, int]:
    """Value x seconds, and microseconds, that count from one point to the next within bounds.

    No right point: the signal has none (yet). What LOCF carries then ends at the bound.
    """
    ends = [right.time if right else None, end]
    if left.value is None:
        return Fraction(0), 0
    if method == "locf":
        ends.append(None if gap is None else left.time + gap)
    elif right is None or right.value is None or _is_gap(gap, left, right):
        return Fraction(0), 0
    stop = min(each for each in ends if each is not None)
    begin = left.time if start is None else max(left.time, start)
    if stop <= begin:
        return Fraction(0), 0
    height = _exact(left.value)
    if method == "linear":
        height = _line(left, right, Fraction(begin + stop, 2))
    return height * Fraction(stop - begin, SECOND), stop - begin


def _line(left: Point, right: Point, time: Fraction) -> Exact:
    """The value at an instant between two points, to which both add their share.

    So a line from or to infinity is infinite everywhere, whatever the bounds.
    """
    share = (time - left.time) / (right.time - left.time)
    return _exact(left.value) * (1 - share) + _exact(right.value) * share


def _is_gap(gap: int | None, left: Point, right: Point) -> bool:
    """Longer than the gap; exactly the gap is none."""
    return gap is not None and right.time - left.time > gap


def _ends_gap(gap: int | None, left: Point, right: Point) -> bool:
    """At a value, before which nothing was known for some time."""
    return right.value is not None and (left.value is None or _is_gap(gap, left, right))


def signal_of(points: Iterable[tuple], nulls: str = "ignore") -> list[Point]:
    """By time, one point an instant: the first to arrive, or the smallest value (NaN greatest).

    A null arrival is before all others, and so is a null value.
    """
    known = [
        point for point in points
        if point[0] is not None and (point[1] is not None or nulls == "end")
    ]  # fmt: skip
    if len({len(point) for point in known}) > 1:
        raise ValueError("time_weight: some points have an arrival and some have none")
    first: dict[int, tuple] = {}
    for time, value, *arrival in known:
        arrived = arrival[0] if arrival and arrival[0] is not None else -math.inf
        rank = (arrived, -1 if value is None else int(math.isnan(value)), value)
        if time not in first or _before(rank, first[time]):
            first[time] = rank
    return [Point(time, first[time][2]) for time in sorted(first)]


def _before(rank: tuple, other: tuple) -> bool:
    if rank[:2] != other[:2]:
        return rank[:2] < other[:2]
    return rank[2] is not None and rank[2] < other[2]


def _exact(value: Value) -> Exact:
    return Fraction(value) if math.isfinite(value) else float(value)


def total(terms: Iterable[Exact]) -> Exact:
    """Exact; as floats have it once a term is infinite or no number."""
    terms = list(terms)
    wild = [term for term in terms if isinstance(term, float)]
    return sum(wild) if wild else sum(terms, Fraction(0))


def _known(method: str) -> str:
    if method.lower() not in METHODS:
        raise ValueError(f"time_weight: method {method!r} is none of {', '.join(METHODS)}")
    return METHODS[method.lower()]


def _check_gap(gap: int | None) -> None:
    if gap is not None and gap <= 0:
        raise ValueError(f"time_weight: gap {gap} is not longer than 0")


def agree(caller: str, parts: list[TimeWeight]) -> None:
    """Sums of different meaning are never added."""
    for left, right in pairwise(parts):
        if left.method != right.method:
            raise ValueError(f"{caller}: methods {left.method} and {right.method} differ")
        if left.gap != right.gap:
            raise ValueError(f"{caller}: gaps {left.gap} and {right.gap} differ")
