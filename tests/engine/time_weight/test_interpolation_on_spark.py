"""What reaches from bucket to bucket, on Spark against the oracle: tables of a range, and accessors with `lag` and `lead`."""

from __future__ import annotations

import functools
import math

import pytest
from tests.engine.time_weight.cases import (
    GAPS,
    HOUR,
    MINUTE,
    SHOWN,
    Near,
    chance_of,
    compare,
    each,
    load,
    micros,
    random_points,
    read,
    same,
    shown_weight,
    without_signs,
)
from tests.engine.time_weight.oracle import SECOND, average, integral, time_weight
from tests.engine.time_weight.oracle_interpolated import interpolated_buckets
from tests.unit.jinja_macros import macros

m = macros()
START = micros("2022-01-03 04:30:00")
STOP = START + 8 * HOUR
WITHIN = ["2022-01-03 04:30:00", "2022-01-03 12:30:00"]
SETTINGS = {
    f"{method} {gap}, nulls {nulls}": (method, gap, nulls)
    for method in ("locf", "linear")
    for gap, nulls in [*((gap, "ignore") for gap in GAPS), ("PT1H30M", "end")]
}
SUMMARIES = {
    name: m.time_weight("timestamp_micros(t)", "v", method=method, gap=gap, nulls=nulls)
    for name, (method, gap, nulls) in SETTINGS.items()
}
KEYS = "case_id, room, bucket"


@pytest.fixture(scope="module")
def cases(spark):
    """400 signals around eight hours: often on a bucket's edge, some wholly before or after."""
    chance, cases = chance_of("buckets"), {}
    for i in range(400):
        unit = chance.choice([10 * MINUTE, 20 * MINUTE, 30 * MINUTE, 45 * MINUTE, 13 * SECOND])
        start = START + chance.choice([-5 * HOUR, -5 * HOUR, -HOUR, 0, 2 * HOUR, 7 * HOUR])
        points = [point[:2] for point in random_points(chance, unit, start, 25)]
        if any(None not in point for point in points):
            cases[f"case {i}" if i else None] = points  # a key may be null
    rows = [(case, "hall", *point) for case, points in cases.items() for point in points]
    load(spark, "reach", "case_id string, room string, t bigint, v double", rows, chance)
    return cases


def stored(minutes: int) -> str:
    """Summaries by case, setting and bucket, as a table has them."""
    length = f"{minutes * MINUTE}L"
    buckets = f"(select *, timestamp_micros(t - pmod(t - {START}L, {length})) as bucket from reach)"
    return f"(select * from ({each(SUMMARIES, KEYS, buckets)}) where summary is not null)"


@functools.cache
def table(spark, minutes: int) -> dict[tuple, tuple]:
    relation = m.interpolated_table(
        stored(minutes), f"{minutes} minutes", WITHIN, ["case_id", "setting", "room"], bucket="bucket"
    )  # fmt: skip
    columns = (
        f"{SHOWN}, interpolated.weighted_sum, interpolated.elapsed, {m.average('interpolated')},"
        f" {m.integral('interpolated', 'hr')}"
    )
    return read(
        spark, f"select * from {relation}", columns, "case_id, setting, unix_micros(bucket)"
    )


def oracle_of(cases, minutes: int) -> dict[tuple, tuple]:
    found = {}
    for case, points in cases.items():
        for name, (method, gap, nulls) in SETTINGS.items():
            given = [
                interpolated_buckets(each, method, GAPS[gap], START, STOP, minutes * MINUTE, nulls)
                for each in (points, without_signs(points, nulls))
            ]
            for (bucket, own, reached), (_, own_size, size) in zip(*given, strict=True):
                mean, area = average(size), integral(size, "hour")
                found[case, name, bucket] = (
                    shown_weight(own, own_size and own_size.weighted_sum),
                    Near(reached.weighted_sum, size.weighted_sum),
                    reached.elapsed,
                    Near(average(reached), mean),
                    Near(integral(reached, "hour"), area),
                )
    return found


@pytest.fixture(scope="module")
def expected_of(cases):
    return functools.cache(functools.partial(oracle_of, cases))


@pytest.mark.parametrize("minutes", [40, pytest.param(60, marks=pytest.mark.soak)])
def test_every_bucket_of_a_range(spark, cases, expected_of, minutes):
    found = table(spark, minutes)
    compare(found, expected_of(minutes), lambda key: sorted_points(cases[key[0]]))
    empty = [value for value in found.values() if value[0] is None]
    assert sum(value[2] > 0 for value in empty) > 1000  # what reaches into buckets without points


def sorted_points(points: list[tuple]) -> list[tuple]:
    known = sorted(point for point in points if None not in point)
    return [((time - START) / MINUTE, value) for time, value in known]


@pytest.mark.soak  # it follows, if every bucket is right
def test_sums_over_buckets_are_those_of_the_whole(spark, cases, expected_of):
    """The whole is the range as one bucket; and the summary, from its first point to its last."""
    whole = table(spark, 480)
    compare(whole, expected_of(480), lambda key: sorted_points(cases[key[0]]))
    for minutes in (60, 40):
        sums: dict[tuple, list] = {}
        for (case, name, _), (_, area, elapsed, *_) in table(spark, minutes).items():
            kept = sums.setdefault((case, name, START), [[], 0])
            kept[0].append(area)
            kept[1] += elapsed
        size = {key: value[1].magnitude for key, value in expected_of(480).items()}
        compare(
            {key: (total_of(areas), elapsed) for key, (areas, elapsed) in sums.items()},
            {key: (Near(value[1], size[key]), value[2]) for key, value in whole.items()},
            lambda key: sorted_points(cases[key[0]]),
        )


def total_of(areas: list[float]) -> float:
    return math.fsum(areas) if all(map(math.isfinite, areas)) else sum(areas)


def test_by_hand_with_lag_and_lead(spark, cases, expected_of):
    """The accessors over stored buckets; the table's answer is known to be right."""
    bounds = {"prev": "lag(summary) over w", "next": "lead(summary) over w"}
    by_length = {"start": "bucket", "length": "PT40M", **bounds}
    by_end = {"start": "bucket", "end": "bucket + interval 40 minutes", **bounds}
    columns = [
        *(m.interpolated_average("summary", **given) for given in (by_length, by_end)),
        m.interpolated_integral("summary", unit="hour", **by_length),
        m.interpolated_integral("summary", **by_end),
        m.interpolated_elapsed_time("summary", unit="us", **by_length),
        m.interpolated_elapsed_time("summary", **by_end),
    ]
    columns = [f"{text} as c{i}" for i, text in enumerate(columns)]
    query = (
        f"select case_id, setting, unix_micros(bucket) as bucket, {', '.join(columns)} from {stored(40)}"
        " window w as (partition by case_id, setting order by bucket)"
    )
    within = f"select * from ({query}) where bucket >= {START}L and bucket < {STOP}L"
    found = read(spark, within, "* except (case_id, setting, bucket)", "case_id, setting, bucket")
    expected = {}
    for key, (own, area, elapsed, mean, hours) in expected_of(40).items():
        if own is not None:
            seconds = elapsed / SECOND
            expected[key] = (mean, mean, hours, area, float(elapsed), seconds)
    compare(found, expected, lambda key: sorted_points(cases[key[0]]))


def test_no_neighbours(spark, cases):
    """From its own points, LOCF reaches to the bucket's end; linear ends with its last point."""
    elapsed = m.interpolated_elapsed_time(
        "summary", start=f"timestamp_micros({START}L)", length="PT8H"
    )
    inside = f"(select * from reach where t >= {START}L and t < {STOP}L)"
    expected = {}
    for case, points in cases.items():
        own_points = [
            point for point in points if point[0] is not None and START <= point[0] < STOP
        ]
        for name, (method, gap, nulls) in SETTINGS.items() if own_points else ():
            own = time_weight(own_points, method, GAPS[gap], nulls)
            is_ended = own is None or method == "linear" or own.last_value is None
            reach = 0 if is_ended else STOP - own.last_time
            counted = own and own.elapsed + min(reach, GAPS[gap] or reach)
            expected[case, name] = (None if own is None else counted / SECOND,)
    found = read(spark, each(SUMMARIES, "case_id", inside), elapsed)
    compare(found, expected, lambda key: sorted_points(cases[key[0]]))


def test_buckets_of_another_phase(spark):
    """Stored buckets begin at ten past: so do those of the range, from its start on."""
    weight = m.time_weight("ts", "v", method="locf", gap="90 minutes")
    source = "values (timestamp'2022-01-01 00:50:00', 4D), (timestamp'2022-01-01 05:00:00', 1D) as s(ts, v)"
    relation = (
        "(select case when ts < '2022-01-01 04:00' then timestamp'2022-01-01 00:10:00' else timestamp'2022-01-01 04:10:00' end"
        f" as agg_timestamp, {weight} as summary from {source} group by 1)"
    )
    day = ["2022-01-01 00:30:00", "2022-01-01 03:00:00"]
    query = f"select date_format(agg_timestamp, 'HH:mm'), interpolated.elapsed div 60000000 from {m.interpolated_table(relation, '1 hour', day)} order by 1"
    assert [tuple(row) for row in spark.sql(query).collect()] == [("01:10", 60), ("02:10", 10)]
    nothing = f"(select * from {relation} where false)"
    empty = f"select * from {m.interpolated_table(nothing, '1 hour', day)}"
    assert spark.sql(empty).collect() == []


def test_nothing_known_is_null(spark):
    weight = m.time_weight("ts", "v", method="locf")
    nothing = f"(select {weight} as tw from values (timestamp'2022-01-01', null) as s(ts, v))"
    bounds = {"start": "timestamp'2022-01-01'", "length": "1 hour"}
    [row] = spark.sql(
        f"select {m.interpolated_average('tw', **bounds)}, {m.interpolated_integral('tw', prev='tw', **bounds)},"
        f" {m.interpolated_elapsed_time('tw', prev='tw', next='tw', **bounds)} from {nothing}"
    ).collect()
    assert same(tuple(row), (None, None, None))
