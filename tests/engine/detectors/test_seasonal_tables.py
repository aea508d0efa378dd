"""Seasonal tables over several runs, against the oracle; the detector and the forecast that read them."""

from __future__ import annotations

import random
from datetime import datetime, timedelta, timezone
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from tests.engine.aggregation.conftest import small, small_project
from tests.engine.runs.kill import killing
from tests.seasons import Method, smoothed

__all__ = ["small", "small_project"]

COLUMNS = "arrival bigint, ts timestamp, carrier string, value double"
FIRST = datetime(2024, 2, 26, tzinfo=timezone.utc)  # a Monday
STEP = timedelta(hours=6)
CALL = (
    "{{{{ strandline.seasonal_table(source('feed', 'feed_hours'), keys=['carrier'], ts='ts', value='value',"
    " granularity='PT6H', seasonality='P1D', arrival='arrival'{more}) }}}}"
)
READ = "carrier, unix_micros(agg_timestamp), expected, deviation"
STORED = (
    "carrier, agg_timestamp, agg_arrival, value, expected, deviation, to_json(state), agg_partition"
)


class World:
    """The buckets that the source has now: {(carrier, number): (value, arrival)}."""

    def __init__(self, small, seed: object) -> None:
        self.small, self.arrival = small, 0
        self.chance = random.Random(f"{seed}")  # noqa: S311
        self.rows: dict[tuple[str | None, int], tuple[float | None, int]] = {}
        self.newest = dict.fromkeys(("AA", "UA", None), 0)

    def value(self, number: int) -> float | None:
        usual = 50 + 20 * (number % 4) + number / 20
        return self.chance.choice([None, 500.0, *[usual + self.chance.gauss(0, 2)] * 18])

    def put(self, carrier: str | None, number: int) -> None:
        self.arrival += 1
        self.rows[carrier, number] = (self.value(number), self.arrival)

    def go_on(self, buckets: int, corrections: int = 0, forgotten: int = 0) -> None:
        """New buckets of each carrier, with some missing, and others that change; the source has
        those from the number `forgotten` on."""
        for carrier, newest in self.newest.items():
            for number in range(newest, newest + buckets):
                if self.chance.random() < 0.95:
                    self.put(carrier, number)
            self.newest[carrier] += buckets
        for carrier, number in self.chance.sample(sorted(self.rows, key=str), corrections):
            self.put(carrier, number)
        self.write(forgotten)

    def write(self, after: int = 0, also: tuple[str | None, int] | None = None) -> None:
        rows = [
            (arrival, int((FIRST + number * STEP).timestamp()), carrier, value)
            for (carrier, number), (value, arrival) in self.rows.items()
            if number >= after or (carrier, number) == also
        ]
        frame = self.small.spark.createDataFrame(
            rows, "arrival bigint, t bigint, carrier string, value double"
        ).selectExpr("arrival", "timestamp_seconds(t) as ts", "carrier", "value")
        frame.coalesce(1).writeTo("small.feed_hours").overwritePartitions()

    def series(self, carrier: str | None, zone: str = "UTC") -> list[tuple]:
        numbers = sorted(number for key, number in self.rows if key == carrier)
        return [(n, place(n, zone), self.rows[carrier, n][0]) for n in numbers]

    def compare(self, method: Method, zone: str = "UTC") -> None:
        found = {row[:2]: row[2:] for row in self.small.rows(f"select {READ} from small.hours")}
        assert len(found) == len(self.rows)
        for carrier in self.newest:
            series = self.series(carrier, zone)
            expected, _ = smoothed(method, series)
            for (number, *_), one in zip(series, expected, strict=True):
                at = int((FIRST + number * STEP).timestamp()) * 1_000_000
                row = found[carrier, at]
                assert row == ((None, None) if one is None else pytest.approx(one, rel=1e-6))


def place(number: int, zone: str = "UTC") -> int:
    """By the clock of the zone, four places a day."""
    local = (FIRST + number * STEP).astimezone(ZoneInfo(zone)).replace(tzinfo=timezone.utc)
    return int((local - datetime(1970, 1, 1, tzinfo=timezone.utc)) / STEP) % 4


def stored(small) -> list[tuple]:
    return small.rows(f"select {STORED} from small.hours order by carrier, agg_timestamp")


def compare_with_full_refresh(small) -> None:
    before = stored(small)
    small.run("--full-refresh")
    after = [row[:6] for row in stored(small)]
    assert [row[:6] for row in before] == after


@pytest.mark.parametrize(
    ("more", "method"),
    [
        ("", {}),
        pytest.param(", method='multiplicative', alpha=0.3, beta=0.1, gamma=0.2, damping=0.9, limit=none",
         {"multiplicative": True, "alpha": 0.3, "beta": 0.1, "gamma": 0.2, "damping": 0.9, "limit": None}, marks=pytest.mark.soak),
    ],
)  # fmt: skip
def test_runs_give_what_all_buckets_give(small, more, method):
    small.model("hours", COLUMNS, CALL.format(more=more))
    world = World(small, more)
    for buckets, corrections in [(60, 0), (1, 0), (40, 0), (0, 1), (30, 3), (1, 0)]:
        world.go_on(buckets, corrections)
        small.run()
        world.compare(Method(4, **method))
    assert small.run() == {"hours": "nothing new"}
    compare_with_full_refresh(small)


def test_a_run_rewrites_from_the_first_changed_partition_on(small):
    small.model("hours", COLUMNS, CALL.format(more=""))
    world = World(small, 1)
    world.go_on(6 * 28)
    small.run()
    world.put("AA", 3 * 28 + 1)
    world.write()
    assert small.run() == {"hours": "rewrote 3 partitions, from 2024-03-18"}
    world.compare(Method(4))


def test_what_the_source_has_removed_stays(small):
    """Half of March is gone from the source, without a bucket of it being new; then one is late."""
    small.model("hours", COLUMNS, CALL.format(more=""))
    world = World(small, 7)
    world.go_on(4 * 40)
    small.run()
    world.write(after=4 * 20)
    small.run()
    world.compare(Method(4))
    world.go_on(4, forgotten=4 * 20)
    small.run()
    world.compare(Method(4))
    world.put("AA", 4 * 10)
    world.write(after=4 * 20, also=("AA", 4 * 10))
    small.run()
    world.compare(Method(4))


@pytest.mark.parametrize("before", [True, False])
def test_a_run_that_is_killed_loses_nothing(small, before):
    small.model("hours", COLUMNS, CALL.format(more=""))
    world = World(small, 2)
    world.go_on(90)
    small.run()
    world.go_on(30, 2)
    with killing("small", 1, before=before) as crash:
        small.fails()
    assert crash.happened
    small.run()
    world.compare(Method(4))


def test_days_are_those_of_the_zone(small):
    """The clock goes forward on 10 March: places move on by one hour of UTC, to the bucket before."""
    zone = "America/New_York"
    small.model("hours", COLUMNS, CALL.format(more=f", time_zone='{zone}'"))
    world = World(small, 3)
    world.go_on(100)
    small.run()
    world.compare(Method(4), zone)


def test_a_table_without_keys_and_with_days_or_months(small):
    body = (
        "{{ strandline.seasonal_table(source('feed', 'feed_hours'), ts='ts', value='value', granularity='P1M',"
        " seasonality='P1Y', arrival='arrival', limit=none) }}"
    )
    small.model("hours", COLUMNS, body)
    months = [(f"20{20 + at // 12}-{at % 12 + 1:02}-01", 10 * (at % 12)) for at in range(30)]
    small.feed(
        "hours",
        *(
            f"{at}, timestamp'{day} 00:00:00Z', 'AA', {value}"
            for at, (day, value) in enumerate(months)
        ),
    )
    small.run()
    assert small.rows("select string(agg_timestamp), round(expected) from small.hours order by 1")[23:27] == [
        ("2021-12-01 00:00:00", None), ("2022-01-01 00:00:00", 0.0), ("2022-02-01 00:00:00", 10.0),
        ("2022-03-01 00:00:00", 20.0),
    ]  # fmt: skip


def test_what_a_run_refuses(small):
    small.model("hours", COLUMNS, CALL.format(more=""))
    small.feed(
        "hours",
        "1, timestamp'2024-01-01 00:00:00Z', 'AA', 1",
        "2, timestamp'2024-01-01 00:00:00Z', 'AA', 2",
    )
    assert (
        'feed_hours has rows of {"carrier":"AA"} at 2024-01-01 00:00:00 and at 2024-01-01 00:00:00'
        in small.fails()
    )
    small.spark.sql("delete from small.feed_hours")
    small.feed("hours", "null, timestamp'2024-01-01 00:00:00Z', 'AA', 1")
    assert (
        "a row of feed_hours has no arrival; every row needs an arrival that only grows"
        in small.fails()
    )
    small.spark.sql("delete from small.feed_hours")
    small.feed("hours", "1, timestamp'2024-01-01 00:00:00Z', 'AA', 1")
    small.run()
    small.change("hours", CALL.format(more=", alpha=0.5"))
    assert "the definition has changed" in small.fails()


DETECTOR = (
    "{{ config(materialized='view') }}{{ strandline.seasonal_detector(ref('hours'), keys=['carrier'], ts='agg_timestamp',"
    " value='value', granularity='PT6H', deviations=4, min_change=5) }}"
)
FORECAST = (
    "{{ config(materialized='view') }}{{ strandline.forecast_table(ref('hours'), granularity='PT6H', seasonality='P1D',"
    " keys=['carrier'], ahead='P2D', deviations=2) }}"
)


def test_what_is_far_from_what_was_expected_is_found(small):
    small.model("hours", COLUMNS, CALL.format(more=""))
    small.change("unusual", DETECTOR)
    world = World(small, 4)
    world.go_on(100)
    small.run()
    wanted = set()
    for carrier in world.newest:
        series = world.series(carrier)
        for (number, _, value), one in zip(series, smoothed(Method(4), series)[0], strict=True):
            if one is not None and value is not None and abs(value - one[0]) > max(4 * one[1], 5):
                wanted.add((carrier, FIRST + number * STEP, round(one[0], 3)))
    found = small.rows(
        "select carrier, unix_seconds(starts_at), round(baseline_value, 3), description from small.unusual"
    )
    assert {
        (c, datetime.fromtimestamp(at, timezone.utc), mean) for c, at, mean, _ in found
    } == wanted
    assert any(text.startswith("value is 500, above ") for *_, text in found)


@pytest.mark.parametrize(
    "more", ["", ", damping=0.8, beta=0.2, alpha=0.4", ", method='multiplicative'"]
)
def test_a_forecast_is_what_the_model_expects_next(small, more):
    small.model("hours", COLUMNS, CALL.format(more=more))
    small.change("next", FORECAST)
    world = World(small, 5)
    world.go_on(60)
    small.run()
    method = Method(4, multiplicative="mult" in more)
    if "damping" in more:
        method = Method(4, damping=0.8, beta=0.2, alpha=0.4)
    wanted = []
    for carrier in world.newest:
        series = world.series(carrier)
        _, model = smoothed(method, series)
        start, (last, *_) = (model.level, model.trend, list(model.season)), series[-1]
        means = ahead(model, last, 8)
        model.level, model.trend, model.season = start
        effects = effect_of_an_error(model, last, 8) if not method.multiplicative else None
        for at, mean in enumerate(means, start=1):
            spread = None
            if effects:
                spread = (model.variance * (1 + sum(each**2 for each in effects[1:at]))) ** 0.5
            wanted.append((carrier, at, mean, spread))
    found = small.rows(
        "select carrier, ahead, expected, (upper_bound - lower_bound) / 4, unix_seconds(starts_at),"
        " unix_seconds(ends_at) from small.next order by carrier nulls last, ahead"
    )
    assert [row[:2] for row in found] == [row[:2] for row in wanted]
    for row, (carrier, at, mean, spread) in zip(found, wanted, strict=True):
        assert row[2] == pytest.approx(mean, rel=1e-6)
        assert spread is None or row[3] == pytest.approx(spread, rel=1e-6)
        last = world.series(carrier)[-1][0]
        starts = int((FIRST + (last + at) * STEP).timestamp())
        assert row[4:] == (starts, starts + 6 * 3600)


def ahead(model, last: int, count: int) -> list[float]:
    """What a model expects of the next buckets, if nothing more is known."""
    means = []
    for number in range(last + 1, last + 1 + count):
        means.append(model.expected(place(number)))
        model.learn(place(number), None)
    return means


def effect_of_an_error(model, last: int, count: int) -> list[float]:
    """By how much an error of 1 in the next bucket moves what is expected of it and of those after it."""
    level, trend, season = model.level, model.trend, list(model.season)
    method, model.method = model.method, Method(4, damping=model.method.damping, limit=None)
    usual = ahead(model, last, count)
    model.level, model.trend, model.season = level, trend, list(season)
    variance = model.variance
    moved = [model.expected(place(last + 1))]
    model.learn(place(last + 1), moved[0] + 1)
    moved += ahead(model, last + 1, count - 1)
    model.method, model.variance = method, variance
    return [other - one for one, other in zip(usual, moved, strict=True)]


def test_partitions_are_in_order(small):
    """The state at the end of each partition of a series is kept, and no other."""
    small.model("hours", COLUMNS, CALL.format(more=""))
    world = World(small, 6)
    world.go_on(90)
    small.run()
    world.go_on(10)
    small.run()
    kept = small.rows(
        "select carrier, agg_partition, count(state), count_if(state is not null and agg_timestamp = last)"
        " from (select *, max(agg_timestamp) over (partition by carrier, agg_partition) as last from small.hours)"
        " group by all order by all"
    )
    assert [row[2:] for row in kept] == [(1, 1)] * len(kept)
    assert all(one[:1] != other[:1] or one[1] < other[1] for one, other in pairwise(kept))
