"""counter_agg, its accessors and its table on Spark against the oracle."""

from __future__ import annotations

import random
from collections import defaultdict
from fractions import Fraction
from typing import Any

import pytest
from tests.engine.runs.kill import killing
from tests.engine.time_weight.cases import HOUR, MINUTE, chance_of, load, micros
from tests.engine.time_weight.oracle import SECOND
from tests.engine.time_weight.oracle_counters import Counter, counter_agg, interpolated
from tests.unit.jinja_macros import macros

m = macros()
START = micros("2013-01-01 00:00:00")
BUCKET = 15 * MINUTE
MONDAY = 946_857_600 * SECOND
Point = tuple[int, float | None, int]


def history(chance: random.Random, points: int) -> list[Point]:
    """A counter that grows, rests and begins again; in disorder, with points of one time."""
    t, value, found = START + chance.randrange(HOUR), 0.0, []
    for arrival in range(points):
        t += chance.choice([0, 1, 7 * SECOND, 5 * MINUTE, 40 * MINUTE])
        value += chance.choice([0, 0.25, 3, 1_000_000])
        if chance.random() < 0.15:
            value = chance.choice([0, 0.5, 2])
        found.append((t, chance.choice([float(value)] * 12 + [None]), arrival))
    times = [each[0] for each in found]
    chance.shuffle(found)
    return [(t, value, arrival) for arrival, (t, value, _) in enumerate(found)] if times else []


def shown(summary: Counter | None) -> tuple | None:
    if summary is None:
        return None
    return (
        float(summary.delta), summary.elapsed, summary.resets, summary.changes, summary.points,
        summary.first[0], float(summary.first[1]), summary.last[0], float(summary.last[1]),
    )  # fmt: skip


SUMMARY = (
    "{0}.delta, {0}.elapsed, {0}.num_resets, {0}.num_changes, {0}.num_points, unix_micros({0}.first_time),"
    " {0}.first_value, unix_micros({0}.last_time), {0}.last_value"
)


@pytest.fixture(scope="module")
def cases(spark) -> dict[str, list[Point]]:
    chance, found, rows = chance_of("counters"), {}, []
    for number in range(400):
        points = history(chance, chance.choice([1, 2, 5, 40]))
        found[f"c{number}"] = points
        rows += [(f"c{number}", *each) for each in points]
    load(spark, "counted", "case_id string, t bigint, value double, arrival bigint", rows, chance)
    return found


def test_a_counter_and_its_parts(spark, cases):
    """All points at once, and by hours that are rolled up, are the same."""
    whole = m.counter_agg("timestamp_micros(t)", "value", "arrival")
    parts = m.rollup("part", of="counter_agg")
    at_once = f"select case_id, {whole} as s from counted group by case_id"
    by_hours = (
        f"select case_id, {parts} as s from (select case_id, {whole} as part from counted"
        f" group by case_id, t div {HOUR}) group by case_id"
    )
    accessors = f"{m.rate('s', 'hour')}, {m.delta('s')}, {m.num_resets('s')}, {m.num_changes('s')}"
    for query in (at_once, by_hours):
        found = {
            row[0]: row[1:]
            for row in spark.sql(f"select case_id, {SUMMARY.format('s')}, {accessors} from ({query})").collect()
        }  # fmt: skip
        assert found.keys() == cases.keys()
        for case, points in cases.items():
            expected = counter_agg(points)
            if expected is None:
                assert set(found[case]) == {None}, case
                continue
            rate = None if expected.rate is None else pytest.approx(float(expected.rate * 3600))
            read = (float(expected.delta), expected.resets, expected.changes)
            *summary, found_rate = found[case][:10]
            assert found_rate == rate, (case, points)
            wanted = pytest.approx((*shown(expected), *read), rel=1e-12)
            assert (*summary, *found[case][10:]) == wanted, (case, points)


def test_a_bucket_with_its_neighbours(spark, cases):
    """Every hour of every case, empty ones included; the share of a bucket is that of its time."""
    hour = f"t - pmod(t - {MONDAY}, {HOUR})"
    summary = m.counter_agg("timestamp_micros(t)", "value", "arrival")
    spark.sql(
        f"select case_id, timestamp_micros({hour}) as agg_timestamp, {summary} as summary from counted"
        " where value is not null group by 1, 2"
    ).createOrReplaceTempView("counted_hours")
    every = m.interpolated_table(
        "counted_hours", "1 hour", ["2013-01-01 00:00:00", "2013-01-02 12:00:00"], ["case_id"],
        of="counter_agg",
    )  # fmt: skip
    found = spark.sql(
        f"select case_id, unix_micros(agg_timestamp), {m.delta('interpolated')}, interpolated.elapsed,"
        f" {m.rate('interpolated')} from {every}"
    ).collect()
    assert len(found) > 2_000
    for case, start, delta, elapsed, rate in found:
        known = [(t, v, a) for t, v, a in cases[case] if v is not None]
        inside = counter_agg([p for p in known if start <= p[0] < start + HOUR])
        before = counter_agg([p for p in known if p[0] < start])
        after = counter_agg([p for p in known if p[0] >= start + HOUR])
        wanted = interpolated(
            inside, before and before.last, after and after.first, start, start + HOUR
        )
        if wanted is None or wanted[0] is None:
            assert (delta, rate) == (None, None), case
            continue
        assert (delta, elapsed) == (pytest.approx(float(wanted[0]), rel=1e-9, abs=1e-9), wanted[1])
        seconds = Fraction(wanted[1], SECOND)
        assert rate == (pytest.approx(float(wanted[0] / seconds), rel=1e-9) if seconds else None)


@pytest.mark.parametrize(
    ("query", "message"),
    [
        (f"select {m.counter_agg('ts', 'v')} from values (timestamp'2024-01-01', -1D) as t(ts, v)",
         "counter_agg: the counter is -1.0 at 2024-01-01 00:00:00; a counter is a number from 0 up"),
        (f"select {m.counter_agg('ts', 'v')} from values (timestamp'2024-01-01', double('NaN')) as t(ts, v)",
         "counter_agg: the counter is NaN at 2024-01-01 00:00:00"),
        (f"select {m.rollup('s', of='counter_agg')} from (select {m.counter_agg('ts', 'v')} as s from values"
         " (1, timestamp'2024-01-01 01:00:00', 1D), (1, timestamp'2024-01-01 03:00:00', 2D), (2, timestamp'2024-01-01 02:00:00', 3D)"
         " as t(k, ts, v) group by k)",
         "counter_agg: parts overlap: one lasts to 2024-01-01 03:00:00 and the next begins at 2024-01-01 02:00:00"),
        ("select " + m.interpolated_delta("s", "timestamp'2024-01-01 02:00:00'", "1 hour") + f" from (select {m.counter_agg('ts', 'v')}"
         " as s from values (timestamp'2024-01-01 01:00:00', 1D) as t(ts, v))",
         "interpolated_delta: the summary of the bucket lasts from 2024-01-01 01:00:00 to 2024-01-01 01:00:00,"
         " and the bucket is [2024-01-01 02:00:00, 2024-01-01 03:00:00); are its start and length right?"),
    ],
)  # fmt: skip
def test_what_no_counter_can_be(spark, query, message):
    with pytest.raises(Exception, match=r"counter_agg|interpolated_delta") as refused:
        spark.sql(query).collect()
    assert message in str(refused.value)


COLUMNS = "arrival bigint, ts timestamp, sensor string, value double"
CALL = "{{{{ strandline.counter_agg_{kind}(source=source('feed', 'feed_meter'), keys=['sensor'], ts='ts', value='value', bucket='15 minutes'{more}) }}}}"
STORED = f"select sensor, unix_micros(agg_timestamp), agg_arrival, agg_count, {SUMMARY.format('summary')} from small.meter"


def insert(small: Any, rows: list[tuple]) -> None:
    frame = small.spark.createDataFrame(
        rows, "arrival bigint, t bigint, sensor string, value double"
    ).selectExpr("arrival", "timestamp_micros(t) as ts", "sensor", "value")
    frame.coalesce(1).writeTo("small.feed_meter").append()


def expected_rows(given: list[tuple]) -> dict[tuple, tuple]:
    buckets: dict[tuple, list[Point]] = defaultdict(list)
    for arrival, t, sensor, value in given:
        if value is not None and value >= 0:
            buckets[sensor, t - (t - MONDAY) % BUCKET].append((t, value, arrival))
    return {
        key: (max(p[2] for p in points), len(points), *shown(counter_agg(points)))
        for key, points in buckets.items()
    }


def test_a_table_of_counters_is_that_of_all_points(small):
    """Four runs, one of them empty and one killed; then all at once."""
    small.model("meter", COLUMNS, CALL.format(kind="table", more=""))
    small.change("meter_late", CALL.format(kind="late", more=", table=ref('meter')"))
    chance = chance_of("meters")
    given = []
    for sensor in ("a", "b", None):
        given += [(t, sensor, value) for t, value, _ in history(chance, 120)]
    chance.shuffle(given)
    given = [(n, *each) for n, each in enumerate(given, start=1)]
    given[40] = (*given[40][:3], -1.0)
    given[41] = (*given[41][:3], float("nan"))
    for first, end in ((0, 100), (100, 100), (100, 250), (250, 360)):
        insert(small, given[first:end]) if end > first else None
        if first == 100 and end == 250:
            with killing("small", 1, before=False) as crash:
                small.fails("--select", "meter")
            assert crash.happened
        small.run()
        assert_table(small, given[:end])
    small.run("--full-refresh")
    assert_table(small, given)
    reasons = dict(small.rows("select late_reason, count(*) from small.meter_late group by 1"))
    missing = sum(value is None for *_, value in given)
    assert reasons == {"no value: value is null": missing, "no value: value is below 0 or NaN": 2}


def assert_table(small: Any, given: list[tuple]) -> None:
    found = {row[:2]: row[2:] for row in small.rows(STORED)}
    expected = expected_rows(given)
    assert found.keys() == expected.keys()
    for key, row in expected.items():
        assert found[key] == pytest.approx(row, rel=1e-12), key


def test_new_points_of_a_bucket_whose_points_the_source_has_removed(small):
    small.model("meter", COLUMNS, CALL.format(kind="table", more=""))
    at = START
    insert(small, [(1, at + MINUTE, "a", 5.0), (2, at + 2 * MINUTE, "a", 7.0)])
    small.run()
    small.spark.sql("delete from small.feed_meter")
    insert(small, [(3, at + 3 * MINUTE, "a", 1.0), (4, at + 90 * SECOND, "a", 6.0)])
    small.run()
    [row] = small.rows(
        "select summary.delta, summary.num_resets, agg_count, size(agg_late) from small.meter"
    )
    assert row == (3.0, 1, 3, 1)  # 5, 7, and 1 after a reset; 6 lies between points that are gone
