"""Examples worked out by hand, for the oracle and for Spark alike: `test_examples.py`.

Instants and lengths are seconds. `Example(call, summary, expected, …)` is what a macro gives for a
summary; its further arguments are named as the macro names them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf, nan
from typing import Any, NamedTuple

MIN, HOUR = 60, 3600


class Weight(NamedTuple):
    """A time weight of points (instant, value) or (instant, value, arrival)."""

    points: tuple[tuple, ...]
    method: str = "locf"
    gap: int | None = None


class States(NamedTuple):
    """States of points (instant, state)."""

    points: tuple[tuple, ...]
    gap: int | None = 15


class Beats(NamedTuple):
    """Heartbeats of a range, each alive for `interval`."""

    points: tuple[int | None, ...]
    start: int
    length: int
    interval: int = 4


class Rollup(NamedTuple):
    """The rollup of parts, which come in any order."""

    parts: tuple


class Narrowed(NamedTuple):
    """Heartbeats, trimmed to a range."""

    summary: Any
    start: int
    length: int


class Carried(NamedTuple):
    """Heartbeats, interpolated from the summary before them."""

    summary: Any
    prev: Any


@dataclass(frozen=True)
class Example:
    call: str
    summary: Any
    expected: Any
    given: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        given = "".join(f", {name}={value}" for name, value in self.given.items())
        return f"{self.call}({self.summary}{given})"


def of(call: str, summary: Any, expected: Any, **given: Any) -> Example:
    return Example(call, summary, expected, given)


def each(call: str, summary: Any, **by_argument: dict[Any, Any]) -> list[Example]:
    """One example for each value of one argument."""
    [(name, results)] = by_argument.items()
    return [Example(call, summary, result, {name: value}) for value, result in results.items()]


# Gaps longer than 90 minutes in the hourly weather of 2013.
WEATHER_GAPS = {"EWR": 17, "JFK": 14, "LGA": 14}


# Time weights. The signal of golden/: 1 at 00:00, 2 at 02:00, 0 at 02:30. With a gap of 30 minutes
# 1 counts for half an hour (1 x 1800), 2 for its half hour (2 x 1800): 5400 over an hour.

SIGNAL = ((0, 1), (2 * HOUR, 2), (150 * MIN, 0))
BY_LOCF = Weight(SIGNAL, "locf", 30 * MIN)
LASTING = Weight(((50 * MIN, 4),), gap=90 * MIN)  # valid until 02:20, over two full hours
RISING = (
    Weight(((30 * MIN, 0),), "linear", 3 * HOUR),
    Weight(((210 * MIN, 6),), "linear", 3 * HOUR),
)
NO_POINT = Weight((), "locf", 90 * MIN)
NO_LINE = Weight((), "linear", 3 * HOUR)


def first(*points: tuple, expected: float) -> Example:
    return of("first_val", Weight(points), expected)


def summed(*values: float, expected: float) -> Example:
    points = tuple(enumerate((*values, 0)))
    return of("integral", Weight(points), expected)


WEIGHTS = [
    of("average", BY_LOCF, 1.5),
    of("num_gaps", BY_LOCF, 1),
    of("gap_time", BY_LOCF, 90 * MIN),
    of("elapsed_time", BY_LOCF, HOUR),
    *each("integral", BY_LOCF, unit={"microsecond": 5_400_000_000, "ms": 5_400_000, "Seconds": 5400,
                                     "MIN": 90, "hr": 1.5, "days": 1 / 16}),
    of("average", Weight(SIGNAL[:1]), None),
    of("gap_time", Weight(SIGNAL, "linear", 30 * MIN), 120 * MIN),
    of("integral", Weight(SIGNAL, "Trapezoidal", 30 * MIN), 1800),
    of("integral", Weight(SIGNAL, "LINEAR", 30 * MIN), 1800),
    # The hole between two parts is measured from the last point of the earlier one: 1 counts for
    # 7200 s and 2 for 1800 s, not from 00:00 on for 9000 s.
    of("integral", Rollup((Weight(SIGNAL[2:]), Weight(SIGNAL[:2]))), 7200 + 2 * 1800),
    of("elapsed_time", Rollup((Weight(SIGNAL[2:]), Weight(SIGNAL[:2]))), 9000),
    *(of(call, Rollup((Weight((), "locf", gap), *(Weight((point,), "locf", gap) for point in SIGNAL))), expected)
      for gap, area, elapsed in ((30 * MIN, 5400, 3600), (90 * MIN, 9000, 7200), (120 * MIN, 10800, 9000))
      for call, expected in (("integral", area), ("elapsed_time", elapsed))),
    # 4 at 00:50, valid for 90 minutes: ten minutes of the first hour, the second, 20 minutes of the third.
    of("interpolated_integral", LASTING, 4 * 600, start=0, length=HOUR),
    of("interpolated_integral", NO_POINT, 4 * 3600, start=HOUR, length=HOUR, prev=LASTING),
    of("interpolated_integral", NO_POINT, 4 * 1200, start=2 * HOUR, length=HOUR, prev=LASTING),
    of("interpolated_integral", NO_POINT, 0, start=3 * HOUR, length=HOUR, prev=LASTING),
    *(of("interpolated_elapsed_time", own, 60 * minutes, start=hour * HOUR, length=HOUR, **before)
      for hour, minutes, own, before in (
          (0, 10, LASTING, {}), (1, 60, NO_POINT, {"prev": LASTING}),
          (2, 20, NO_POINT, {"prev": LASTING}), (3, 0, NO_POINT, {"prev": LASTING}))),
    # The line from 0 at 00:30 to 6 at 03:30 rises by 2 an hour, and both ends may be outside.
    *(of("interpolated_average", NO_LINE, mean, start=start, length=HOUR, prev=RISING[0], next=RISING[1])
      for start, mean in ((HOUR, 2), (2 * HOUR, 4))),
    of("interpolated_average", Weight((), "linear", 3 * HOUR - 1), None, start=HOUR, length=HOUR,
       **{side: one._replace(gap=3 * HOUR - 1) for side, one in zip(("prev", "next"), RISING, strict=True)}),
    # Points of one instant: the first to arrive, the smallest of one arrival; NaN is the largest.
    first((0, 5, 2), (0, 7, 1), (1, 0, 3), expected=7),
    first((0, 7, 1), (0, 5, 1), (1, 0, 3), expected=5),
    first((0, 7), (0, 5), expected=5),
    first((0, nan), (0, inf), expected=inf),
    first((0, nan), (0, nan), expected=nan),
    # Nulls are no points.
    *(of(call, summary, None) for call in ("average", "integral", "elapsed_time", "gap_time", "num_gaps")
      for summary in (Weight(((None, 1), (0, None))), Weight(()), Rollup((Weight(()),)))),
    of("integral", Weight(((None, 9), *SIGNAL, (1, None))), 7200 + 2 * 1800),
    of("num_gaps", Weight(((None, 9), *SIGNAL, (1, None)), gap=HOUR), 1),
    # Values that are no numbers; an interval that does not count adds nothing, whatever its values.
    summed(1, inf, expected=inf),
    summed(1, nan, expected=nan),
    summed(inf, -inf, expected=nan),
    of("integral", Weight(((0, nan), (3, 1)), "linear", 2), 0),
]  # fmt: skip


# States. The machine is `on` at 0, `off` at 10, `on` at 30 and again at 35, `off` at 50; the gap is 15.
#
#     0   10     25  30   35      50
#     ├on─┼─off──┤   ├─on─┼──on───┤off

MACHINE = ((0, "on"), (10, "off"), (30, "on"), (35, "on"), (50, "off"))
WHOLE, UNBROKEN = States(MACHINE), States(MACHINE, None)
AGAIN = States(((0, "on"), (10, "on"), (12, "on")), 5)
ALONE = States(((5, "on"),))
TIMELINE = [("on", 0, 10), ("off", 10, 25), ("on", 30, 50), ("off", 50, 50)]
# Buckets of 20: [0, 20), [20, 40), [40, 60).
FIRST, SECOND, THIRD = (
    States(tuple(p for p in MACHINE if at <= p[0] < at + 20)) for at in (0, 20, 40)
)
NO_STATE = States(())


def bucket(call: str, own: States, start: int, expected: Any, prev: States = NO_STATE, **given: Any) -> Example:  # fmt: skip
    return of(call, own, expected, start=start, length=20, prev=prev, **given)


STATES = [
    of("into_values", WHOLE, [("off", 15), ("on", 30)]),
    of("state_timeline", WHOLE, TIMELINE),
    *each("state_periods", WHOLE, state={"on": [(0, 10), (30, 50)], "off": [(10, 25), (50, 50)], "broken": []}),
    *each("duration_in", WHOLE, state={"on": 30, "off": 15, "broken": 0}),
    # Without a gap a state lasts until the next one; 35 to 50 is exactly 15, 10 to 30 longer.
    of("into_values", UNBROKEN, [("off", 20), ("on", 30)]),
    of("into_values", States(MACHINE, 20), [("off", 20), ("on", 30)]),
    # Equal states with a gap between them are two periods.
    of("state_timeline", AGAIN, [("on", 0, 5), ("on", 10, 12)]),
    of("into_values", AGAIN, [("on", 7)]),
    # The last state has no duration yet.
    of("into_values", ALONE, [("on", 0)]),
    of("state_timeline", ALONE, [("on", 5, 5)]),
    of("state_at", ALONE, "on", ts=5),
    of("duration_in", WHOLE, 5 + 5, state="on", start=5, length=30),
    of("duration_in", WHOLE, 5, state="off", start=20, length=100),
    of("duration_in", WHOLE, 5 + 20, state="on", start=5, length=45),
    *each("state_at", WHOLE, ts={-1: None, 0: "on", 9: "on", 10: "off", 24: "off", 25: None, 29: None,
                                   30: "on", 49: "on", 50: "off", 51: None}),
    # In [20, 40) `off` of 10 lasts until 25, and `on` of 35 to the bound.
    bucket("interpolated_duration_in", FIRST, 0, 10, state="off"),
    bucket("interpolated_duration_in", SECOND, 20, 5, FIRST, state="off"),
    bucket("interpolated_duration_in", SECOND, 20, 10, FIRST, state="on"),
    bucket("interpolated_duration_in", THIRD, 40, 10, SECOND, state="on"),
    bucket("interpolated_duration_in", THIRD, 40, 10, SECOND, state="off"),
    bucket("interpolated_state_timeline", FIRST, 0, [("on", 0, 10), ("off", 10, 20)]),
    bucket("interpolated_state_timeline", SECOND, 20, [("off", 20, 25), ("on", 30, 40)], FIRST),
    bucket("interpolated_state_timeline", THIRD, 40, [("on", 40, 50), ("off", 50, 60)], SECOND),
    bucket("interpolated_state_timeline", THIRD, 40, [("off", 50, 60)]),
    bucket("interpolated_state_periods", THIRD, 40, [(40, 50)], SECOND, state="on"),
    # Buckets without a point: `off` of 50 is carried on until 65.
    bucket("interpolated_duration_in", NO_STATE, 60, 5, THIRD, state="off"),
    bucket("interpolated_duration_in", NO_STATE, 80, 0, THIRD, state="off"),
    bucket("interpolated_duration_in", NO_STATE, 0, None, state="off"),
    bucket("interpolated_state_timeline", NO_STATE, 60, [("off", 60, 65)], THIRD),
    bucket("interpolated_state_timeline", NO_STATE, 80, [], THIRD),
    bucket("interpolated_state_timeline", NO_STATE, 0, None),
    # A rollup carries the last state of a part: from 10 to 30 the machine is `off` for 15.
    *(of("state_timeline", Rollup(parts), TIMELINE) for parts in (
        (States(MACHINE[2:]), NO_STATE, States(MACHINE[:2])),
        (States(MACHINE[:3]), States(MACHINE[2:])),  # parts that share a point adjoin
        (WHOLE,),
    )),
    of("into_values", Rollup((States(MACHINE[2:]), States(MACHINE[:2]))), [("off", 15), ("on", 30)]),
    # Nulls are no points, and the same point twice is one.
    of("state_timeline", States((*MACHINE, (None, "on"), (33, None), (10, "off"))), TIMELINE),
    *(of("duration_in", summary, None, state="on")
      for summary in (NO_STATE, States(((None, "on"), (3, None))), Rollup((NO_STATE,)))),
    of("state_at", NO_STATE, None, ts=0),
]  # fmt: skip


# Heartbeats. Beats at 2, 5, 9 and 16 in [0, 20), each alive for 4:
#
#     2    5 6    9    13   16     20
#     ├────┼─┤    ├────┤    ├──────┤
#       2 to 6 and 5 to 9 overlap, 9 to 13 adjoins them: one live range from 2 to 13

DAY = Beats((16, 2, 9, 5, None, 5), 0, 20)
DEAD, ALIVE = Beats((None,), 10, 20), Beats((10, 15), 10, 10, 5)
EARLIER, LATER = Beats((17, 18), 0, 20), Beats((23, 30), 20, 20)
THREE, NO_BEAT = Beats((3,), 0, 5, 9), Beats((None,), 5, 5, 9)
TRIMMED = Beats((2, 10, 13, 18), 0, 20)  # alive in 2-6, 10-17, 18-22
HALVES = (Beats((2, 18), 0, 20), Beats((30,), 25, 10))

BEATS = [
    of("live_ranges", DAY, [(2, 13), (16, 20)]),
    of("dead_ranges", DAY, [(0, 2), (13, 16)]),
    of("uptime", DAY, 11 + 4),
    of("downtime", DAY, 2 + 3),
    of("num_gaps", DAY, 2),
    # Life ends with the range.
    of("live_ranges", Beats((18,), 0, 20), [(18, 20)]),
    of("dead_ranges", Beats((18,), 0, 20), [(0, 18)]),
    # Without a beat all of the range is dead.
    of("live_ranges", DEAD, []),
    of("dead_ranges", DEAD, [(10, 30)]),
    of("uptime", DEAD, 0),
    of("downtime", DEAD, 20),
    of("num_gaps", DEAD, 1),
    of("live_ranges", ALIVE, [(10, 20)]),
    of("dead_ranges", ALIVE, []),
    of("num_gaps", ALIVE, 0),
    *each("live_at", DAY, ts={-1: None, 0: False, 2: True, 12: True, 13: False, 16: True, 19: True, 20: None}),
    # 18 lives until 22; 23 begins a range of its own.
    of("live_ranges", Carried(LATER, EARLIER), [(20, 22), (23, 27), (30, 34)]),
    of("interpolated_uptime", LATER, 2 + 4 + 4, prev=EARLIER),
    of("interpolated_downtime", LATER, 20 - 10, prev=EARLIER),
    of("live_ranges", Carried(LATER, Beats((19,), 0, 20)), [(20, 27), (30, 34)]),  # 19 adjoins 23
    of("live_ranges", Carried(LATER, Beats((16,), 0, 20)), [(23, 27), (30, 34)]),  # long dead
    # A life may cross a range without a beat.
    of("live_ranges", Carried(NO_BEAT, THREE), [(5, 10)]),
    of("live_ranges", Carried(Beats((None,), 10, 5, 9), Carried(NO_BEAT, THREE)), [(10, 12)]),
    of("live_ranges", Narrowed(TRIMMED, 4, 10), [(4, 6), (10, 14)]),
    of("dead_ranges", Narrowed(TRIMMED, 4, 10), [(6, 10)]),
    of("live_ranges", Narrowed(TRIMMED, 0, 20), [(2, 6), (10, 17), (18, 20)]),
    of("dead_ranges", Narrowed(TRIMMED, 6, 4), [(6, 10)]),
    # 10-17 ends with the beat of 13, which is before 14: its life beyond the end is known. Whether
    # the last beat before 12 was that of 10 is not.
    of("interpolated_uptime", Beats((None,), 14, 6), 3, prev=Narrowed(TRIMMED, 4, 10)),
    of("interpolated_uptime", Beats((None,), 12, 8), 0, prev=Narrowed(TRIMMED, 4, 8)),
    # 18 lives until 22, in the hole between two parts.
    of("live_ranges", Rollup(HALVES[::-1]), [(2, 6), (18, 22), (30, 34)]),
    of("dead_ranges", Rollup(HALVES), [(0, 2), (6, 18), (22, 30), (34, 35)]),
    # Parts may overlap: [0, 20) and [10, 30) both have 18, one of them 12 as well.
    of("live_ranges", Rollup((HALVES[0], Beats((12, 18), 10, 20))), [(2, 6), (12, 16), (18, 22)]),
    of("dead_ranges", Rollup((HALVES[0], Beats((12, 18), 10, 20))), [(0, 2), (6, 12), (16, 18), (22, 30)]),
]  # fmt: skip
