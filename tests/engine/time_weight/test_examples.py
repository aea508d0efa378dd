"""What is worked out by hand in `examples.py`: the oracle gives it, and Spark gives it."""

from __future__ import annotations

import math
from typing import Any

import pytest
from tests.engine.time_weight import oracle as weights
from tests.engine.time_weight import oracle_heartbeats as heartbeats
from tests.engine.time_weight import oracle_states as states
from tests.engine.time_weight.examples import (
    BEATS,
    STATES,
    WEIGHTS,
    Beats,
    Carried,
    Example,
    Narrowed,
    Rollup,
    States,
    Weight,
)
from tests.engine.time_weight.oracle import SECOND
from tests.engine.time_weight.oracle_interpolated import interpolated
from tests.unit.jinja_macros import macros

m = macros()
DURATIONS = ("elapsed_time", "gap_time", "duration_in", "uptime", "downtime")
RANGES = ("live_ranges", "dead_ranges", "state_periods")
TIMELINES = ("state_timeline",)


def alike(found: Any, expected: Any) -> bool:
    """Null only like null, NaN like NaN, numbers but for rounding."""
    if isinstance(expected, list | tuple):
        return (
            found is not None and len(found) == len(expected) and all(map(alike, found, expected))
        )
    if expected is None or found is None or isinstance(expected, str | bool):
        return found == expected
    return math.isclose(found, expected, rel_tol=1e-12) or (
        math.isnan(found) and math.isnan(expected)
    )


# By the oracle, in microseconds.


def micros(seconds: int | None) -> int | None:
    return None if seconds is None else seconds * SECOND


def summary_of(given: Any) -> Any:
    match given:
        case Weight(points, method, gap):
            points = [(micros(time), *rest) for time, *rest in points]
            return weights.time_weight(points, method, micros(gap))
        case States(points, gap):
            return states.state_agg([(micros(t), state) for t, state in points], micros(gap))
        case Beats(points, start, length, interval):
            return heartbeats.heartbeat_agg(
                map(micros, points), *map(micros, (start, length, interval))
            )
        case Narrowed(whole, start, length):
            return heartbeats.trim_to(summary_of(whole), micros(start), micros(length))
        case Carried(own, prev):
            return heartbeats.interpolate(summary_of(own), summary_of(prev))
    rollups = {
        Weight: weights.rollup,
        States: states.rollup_states,
        Beats: heartbeats.rollup_heartbeats,
    }
    return rollups[type(given.parts[0])](map(summary_of, given.parts))


def by_oracle(module: Any, example: Example) -> Any:
    """The result of a call, its durations and instants in seconds."""
    call, summary, given = example.call, summary_of(example.summary), {}
    for name, value in example.given.items():
        if name in ("prev", "next"):
            given["next_" if name == "next" else name] = summary_of(value)
        else:
            given["time" if name == "ts" else name] = (
                value if isinstance(value, str) else micros(value)
            )
    if call == "first_val":
        return float(summary.first_value)
    kind = call.removeprefix("interpolated_")
    if module is weights and kind != call:
        found = getattr(weights, kind)(interpolated(summary, **given))
    else:
        found = getattr(module, call)(summary, **given)
    if found is None:
        return None
    if kind in DURATIONS:
        return found / SECOND
    if kind in RANGES:
        return [(start / SECOND, end / SECOND) for start, end in found]
    if kind in TIMELINES:
        return [(state, start / SECOND, end / SECOND) for state, start, end in found]
    return [(state, sum_ / SECOND) for state, sum_ in found] if kind == "into_values" else found


@pytest.mark.parametrize(
    ("module", "example"),
    [
        *((weights, example) for example in WEIGHTS),
        *((states, example) for example in STATES),
        *((heartbeats, example) for example in BEATS),
    ],
    ids=str,
)
def test_by_the_oracle(module: Any, example: Example) -> None:
    found = by_oracle(module, example)
    assert alike(found, example.expected), found


# By Spark, all examples of a table in one query.


def stamp(seconds: int) -> str:
    return f"timestamp_seconds({seconds})"


def literal(value: Any) -> str:
    if isinstance(value, float):
        return f"double('{value}')"
    return "null" if value is None else repr(value)


def rows(points: tuple[tuple, ...], columns: dict[str, str]) -> str:
    """The points as a relation; one more row, which is left out, makes that of no points valid."""
    size = len(columns)
    given = [", ".join(map(literal, (*point, *[None] * (size - len(point))))) for point in points]
    values = ", ".join(f"({each}, true)" for each in given)
    values += (", " if given else "") + f"({', '.join(['null'] * size)}, false)"
    picked = ", ".join(f"cast({name} as {kind}) as {name}" for name, kind in columns.items())
    named = f"given({', '.join(columns)}, is_point)"
    return f"(select {picked} from values {values} as {named} where is_point)"


def query(given: Any) -> str:
    """A query of one row, whose column `summary` is the summary."""
    at = "timestamp_seconds(t)"
    match given:
        case Weight(points, method, gap):
            arrival = "arrival" if any(len(point) == 3 for point in points) else None
            columns = {"t": "bigint", "v": "double", "arrival": "int"}
            aggregate = m.time_weight(at, "v", method=method, gap=length(gap), arrival=arrival)
        case States(points, gap):
            columns = {"t": "bigint", "v": "string"}
            aggregate = m.state_agg(at, "v", gap=length(gap))
        case Beats(points, start, size, interval):
            points, columns = tuple((time,) for time in points), {"t": "bigint"}
            aggregate = m.heartbeat_agg(at, stamp(start), length(size), length(interval))
        case Narrowed(whole, start, size):
            narrowed = m.trim_to("summary", start=stamp(start), length=length(size))
            return f"select {narrowed} as summary from ({query(whole)})"
        case Carried(own, prev):
            both = f"({query(own)}) as own cross join ({query(prev)}) as prev"
            return f"select {m.interpolate('own.summary', 'prev.summary')} as summary from {both}"
        case Rollup(parts):
            kind = {Weight: "time_weight", States: "state_agg", Beats: "heartbeat_agg"}[
                type(parts[0])
            ]
            every = " union all ".join(map(query, parts))
            return f"select {m.rollup('summary', of=kind)} as summary from ({every})"
    return f"select {aggregate} as summary from {rows(points, columns)}"


def length(seconds: int | None) -> str | None:
    return None if seconds is None else f"{seconds} seconds"


def call_of(example: Example, name_of: dict[Any, str]) -> str:
    given = {}
    for name, value in example.given.items():
        if name in ("prev", "next"):
            given[name] = name_of[value]
        elif name in ("start", "ts"):
            given[name] = stamp(value)
        else:
            given[name] = length(value) if name == "length" else value
    text = getattr(m, example.call)(name_of[example.summary], **given)
    kind = example.call.removeprefix("interpolated_")
    seconds = "unix_seconds(x.start), unix_seconds(x.end)"
    if kind in RANGES:
        return f"transform({text}, x -> struct({seconds}))"
    return f"transform({text}, x -> struct(x.state, {seconds}))" if kind in TIMELINES else text


@pytest.mark.parametrize("examples", [WEIGHTS, STATES, BEATS], ids=["weights", "states", "beats"])
def test_by_spark(spark: Any, examples: list[Example]) -> None:
    given = [(each.summary, each.given.get("prev"), each.given.get("next")) for each in examples]
    summaries = {one for some in given for one in some if one is not None}
    name_of = {one: f"s['{number}']" for number, one in enumerate(summaries)}
    every = " union all ".join(
        f"select '{number}' as name, summary from ({query(one)})"
        for number, one in enumerate(summaries)
    )
    columns = ", ".join(f"{call_of(each, name_of)} as c{n}" for n, each in enumerate(examples))
    collected = f"select map_from_entries(collect_list(struct(name, summary))) as s from ({every})"
    [found] = spark.sql(f"select {columns} from ({collected})").collect()
    wrong = [
        f"{example}\n  found {one}, expected {example.expected}"
        for example, one in zip(examples, found, strict=True)
        if not alike(one, example.expected)
    ]
    assert not wrong, "\n".join(wrong)
