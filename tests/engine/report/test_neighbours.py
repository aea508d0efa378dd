"""What the report reads of time weights and states on Spark: whole buckets, by key."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.unit.jinja_macros import macros

from strandline.report.found import Measure, Series, States, Table
from strandline.report.series import extent_of, limits_of, rows_of
from strandline.report.states import read_states

m = macros()
DAY, HOUR = 86_400_000_000, 3_600_000_000
HOURS = 60  # from midnight, so that the third day has its first half


def points(every: int = 1) -> str:
    """A point each hour of two keys; the second one has nothing from six to ten of the first day."""
    return f"""(
        select k, timestamp_seconds(1767571200 + id * 3600) as at,
            if(id % 5 = 0, 'idle', 'busy') as state, double(id % 24) as v
        from range(0, {HOURS}, {every}) lateral view explode(array('a', 'b')) as k
        where k = 'a' or id not between 6 and 10
    )"""


def buckets(spark: Any, name: str, summary: str, unit: str, keys: str = "k, ") -> None:
    of = "" if keys else "where k = 'a'"
    spark.sql(f"""
        create or replace temp view {name} as
        select {keys}date_trunc('{unit}', at) as agg_timestamp, {summary} as summary
        from {points()} {of} group by all
    """)


@pytest.mark.parametrize("keys", [("k",), ()])
def test_the_states_of_a_day_add_up_to_24_hours(spark: Any, keys: tuple[str, ...]) -> None:
    """Less a gap of five hours, of which three are in the last state before it."""
    buckets(spark, "modes", m.state_agg("at", "state", gap="3 hours"), "day", "k, " * bool(keys))
    sql = m._points_report(TASK | {"summary": "state_agg", "bucket": DAY})["states"]
    shown = read_states(spark, States("modes", "modes", keys, DAY, sql), 1_000)
    sums = [
        (json.dumps(shown["keys"][key]), sum(hours for _, hours in states))
        for key, states in zip(shown["key"], shown["states"], strict=True)
    ]
    a, b = ('{"k": "a"}', '{"k": "b"}') if keys else ("{}", "")
    # The third day is known until its last point, at eleven.
    expected = [(a, 24), (b, 21), (a, 24), (b, 24), (a, 11), (b, 11)]
    assert sorted(sums, key=lambda each: each[0]) == sorted(
        (each for each in expected if each[0]), key=lambda each: each[0]
    )


TASK = {"kind": "points", "value": "v", "method": "locf", "bucket": HOUR}


def series(spark: Any, keys: tuple[str, ...], task: dict[str, Any]) -> dict[str, list[Any]]:
    """By key the starts, values and known shares of all buckets."""
    given = m._points_report(TASK | task)
    one = Series("w", keys, "UTC", (
        Table("weights", "hour", given["ends"], tuple(Measure(**it) for it in given["measures"])),
    ))  # fmt: skip
    extent = extent_of(spark, one)
    [limit] = limits_of(one, extent, 100_000)
    shown = rows_of(spark, one, extent, one.tables[0], limit)
    [measure] = shown["measures"]
    found: dict[str, list[Any]] = {}
    for key, v, known in zip(shown["key"], measure["v"], measure["known"], strict=True):
        found.setdefault(json.dumps(shown["keys"][key]), []).append((v, known))
    return found


def test_an_hour_with_one_point_is_known_until_the_next(spark: Any) -> None:
    buckets(spark, "weights", m.time_weight("at", "v", method="locf", gap="90 minutes"), "hour", "")
    found = series(spark, (), {"summary": "time_weight"})["{}"]
    assert len(found) == HOURS
    assert found[:-1] == [(n % 24, 1) for n in range(HOURS - 1)]
    assert found[-1][1] == pytest.approx(0, abs=1e-6)  # nothing is known after its point


def test_before_a_gap_a_value_is_valid_for_the_gap(spark: Any) -> None:
    buckets(spark, "weights", m.time_weight("at", "v", method="locf", gap="30 minutes"), "hour")
    found = series(spark, ("k",), {"summary": "time_weight"})['{"k": "b"}']
    assert [known for _, known in found[:-1]] == [0.5] * (HOURS - 6)


def test_linear_has_the_line_to_the_next_bucket(spark: Any) -> None:
    buckets(spark, "weights", m.time_weight("at", "v", method="linear", gap="2 hours"), "hour")
    found = series(spark, ("k",), {"summary": "time_weight", "method": "linear"})['{"k": "b"}']
    assert found[:7] == [(0.5, 1), (1.5, 1), (2.5, 1), (3.5, 1), (4.5, 1), (None, 0), (11.5, 1)]


def test_an_aggregation_of_days_has_its_own_bounds(spark: Any) -> None:
    """In New York, on the day on which clocks go forward: 23 hours."""
    summary = m.time_weight("at", "v", method="locf")
    spark.sql(f"""
        create or replace temp view zoned as
        select m.day as agg_timestamp, {summary} as w
        from (
            select timestamp_seconds(1772946000 + id * 3600) as at, double(1) as v,
                if(id < 23, timestamp_seconds(1772946000), timestamp_seconds(1773028800)) as day
            from range(40)
        ) as m
        group by 1
    """)
    output = {"name": "w", "text": "time_weight(v, 'locf')", "function": "time_weight",
              "columns": {"time_weight": "w"}}  # fmt: skip
    task = {
        "outputs": [output],
        "is_base": False,
        "duration": "days",
        "time_zone": "America/New_York",
    }
    given = macros_reading("w")._aggregation_report(task)
    one = Series("z", (), "America/New_York", (
        Table("zoned", "days", given["ends"], tuple(Measure(**it) for it in given["measures"])),
    ))  # fmt: skip
    extent = extent_of(spark, one)
    shown = rows_of(spark, one, extent, one.tables[0], 1_000)
    [measure] = shown["measures"]
    assert measure["v"] == [1, 1]
    assert measure["known"] == [1, pytest.approx(16 / 24, abs=1e-6)]


def macros_reading(column: str) -> Any:
    from tests.unit.jinja_macros import macros_with

    return macros_with(_read_output=lambda *_: column)
