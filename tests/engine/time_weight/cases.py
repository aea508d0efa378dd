"""Random signals for Spark: every case is a key of one table, so that one query reads them all."""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable, Iterable
from datetime import datetime, timezone
from typing import Any, NamedTuple

import pytest
from tests.engine.time_weight.oracle import SECOND, Exact, TimeWeight, signal_of

SEED = 787
MINUTE, HOUR = 60 * SECOND, 3600 * SECOND
GAPS = {None: None, "1 us": 1, "2 seconds": 2 * SECOND, "PT1H30M": 90 * MINUTE}
"""As a person writes them, and in microseconds."""
Case = tuple[str, list[tuple]]


def chance_of(name: str) -> random.Random:
    """Each set of cases has its own numbers, whatever other tests draw."""
    return random.Random(f"{SEED} {name}")  # noqa: S311


def micros(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=timezone.utc).timestamp()) * SECOND


class Near(NamedTuple):
    """A double that may differ by rounding: 1e-12 of the magnitudes that were summed."""

    value: Exact | None
    magnitude: Exact

    def __repr__(self) -> str:
        return "None" if self.value is None else f"~{_double(self.value)!r}"


def same(found: Any, expected: Any) -> bool:
    """Null only like null, NaN like NaN; all but `Near` exactly."""
    if isinstance(expected, Near):
        if found is None or expected.value is None:
            return found is expected.value
        wanted = _double(expected.value)
        if math.isfinite(wanted) and math.isfinite(found):
            return abs(found - wanted) <= 1e-12 * min(
                _double(expected.magnitude), sys.float_info.max
            )
        return same(found, wanted)
    if isinstance(expected, (tuple, list)):
        return (
            isinstance(found, (tuple, list))
            and len(found) == len(expected)
            and all(map(same, found, expected))
        )
    if isinstance(expected, float) and math.isnan(expected):
        return isinstance(found, float) and math.isnan(found)
    return found == expected


def _double(value: Exact) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def compare(found: dict, expected: dict, given: Callable[[Any], Any]) -> None:
    """Every key on both sides, with the same content; else the first that differ are shown."""
    assert found.keys() == expected.keys()
    wrong = [key for key in expected if not same(found[key], expected[key])]
    shown = "".join(
        f"\n{key}\n  of       {given(key)}\n  found    {found[key]}\n  expected {expected[key]}"
        for key in wrong[:3]
    )
    if wrong:
        pytest.fail(f"seed {SEED}: {len(wrong)} of {len(expected)} differ:{shown}")


# Points.


def random_points(chance: random.Random, unit: int, start: int, most: int) -> list[tuple]:
    """(time, value, arrival) in no order: often of equal times, often one gap apart exactly."""
    kind = chance.choice(["small", "small", "any", "huge", "wild", "ending"])
    time, points = start + unit * chance.randrange(-5, 6), []
    for _ in range(chance.choice([0, 1, 1, 2, 3, 5, most])):
        time += unit * chance.choice([0, 1, 1, 2, 3, 4, chance.randrange(50)])
        time += chance.choice([0, 0, 0, 0, 1])
        points.append((time, _random_value(chance, kind), chance.choice([1, 2, 2, 3, None])))
    for _ in range(chance.randrange(3)):  # what is no point
        points.append(chance.choice([(None, 1.0, 1), (time, None, 1), (None, None, None)]))
    chance.shuffle(points)
    return points


def _random_value(chance: random.Random, kind: str) -> float | None:
    if kind == "ending":
        return chance.choice([None, 1.0, 2.0, 3.0])
    if kind == "small":
        return float(chance.randrange(-9, 10))
    if kind == "any":
        return chance.uniform(-1e3, 1e3)
    if kind == "huge":
        return chance.choice([1e300, -1e300, 1e-300, 1e16, 0.1, 0.0])
    return chance.choice([math.nan, math.inf, -math.inf, 1.0, 2.0, -0.0])


UNITS = [1, 1_000, SECOND, 2 * SECOND, 30 * MINUTE]
STARTS = [0, -3 * HOUR, micros("2013-03-10 07:00:00"), micros("1890-01-01 00:00:00")]


def point_cases(name: str, count: int, most: int = 20) -> list[Case]:
    chance = chance_of(name)
    return [
        (f"{name} {i}", random_points(chance, chance.choice(UNITS), chance.choice(STARTS), most))
        for i in range(count)
    ]


STATES = {"texts": ["off", "on", "it's \\ ü", ""], "numbers": [0, 1, -7, 2**40]}


def random_states(chance: random.Random, states: list, start: int) -> list[tuple]:
    """(time, state), one state an instant, some given twice, in no order."""
    unit = chance.choice([1, SECOND, 30 * MINUTE])
    time, points = start + chance.choice([15 * MINUTE, 1]) * chance.randrange(-8, 9), []
    for _ in range(chance.choice([1, 1, 2, 3, 6, 15])):
        points.append((time, chance.choice(states[: chance.choice([2, 4])])))
        time += unit * chance.choice([1, 1, 2, 3, 4, chance.randrange(1, 50)])
    points += chance.choices(points, k=chance.randrange(3))
    points += chance.choices([(None, states[0]), (time, None), (None, None)], k=chance.randrange(3))
    chance.shuffle(points)
    return points if chance.random() < 0.95 else [(time, None)]


# Tables and queries.


def load(spark: Any, view: str, columns: str, rows: Iterable[tuple], chance: random.Random) -> None:
    """Rows in random order as a temp view."""
    rows = list(rows)
    chance.shuffle(rows)
    spark.createDataFrame(rows, columns).createOrReplaceTempView(view)


def each(settings: dict[str, str], keys: str, source: str) -> str:
    """Aggregates of every setting over the same groups: one row a setting, its name first."""
    sums = ",\n".join(f"{text} as s{i}" for i, text in enumerate(settings.values()))
    rows = ", ".join(
        f"struct('{name}' as setting, s{i} as summary)" for i, name in enumerate(settings)
    )
    return (
        f"select {keys}, inline(array({rows}))"
        f" from (select {keys}, {sums} from {source} group by {keys})"
    )


def read(
    spark: Any, query: str, columns: str, keys: str = "case_id, setting"
) -> dict[tuple, tuple]:
    """The columns of a query by its keys, of which there must be one row each."""
    rows, size = (
        spark.sql(f"select {keys}, {columns} from ({query})").collect(),
        keys.count(",") + 1,
    )
    found = {tuple(row[:size]): tuple(row[size:]) for row in rows}
    assert len(found) == len(rows)
    return found


SHOWN = """if(summary is null, null, struct(summary.method, summary.gap, summary.weighted_sum,
    summary.elapsed, summary.num_gaps, unix_micros(summary.first_time), summary.first_value,
    unix_micros(summary.last_time), summary.last_value))"""
"""A time weight as a query gives it, instants in microseconds."""


def shown_weight(summary: TimeWeight | None, magnitude: Exact) -> tuple | None:
    """A time weight of the oracle as `SHOWN` would have it."""
    if summary is None:
        return None
    values = (Near(summary.weighted_sum, magnitude), summary.elapsed, summary.num_gaps)
    first, last = (
        None if value is None else float(value)
        for value in (summary.first_value, summary.last_value)
    )
    return summary.method, summary.gap, *values, summary.first_time, first, summary.last_time, last


def without_signs(points: list[tuple], nulls: str = "ignore") -> list[tuple]:
    """The signal of which sums are the magnitudes that were summed."""
    return [
        (time, None if value is None else abs(value)) for time, value in signal_of(points, nulls)
    ]
