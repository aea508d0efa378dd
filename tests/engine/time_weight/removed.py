"""A source of points from which old ones are removed, and the rows of the three tables, in plain Python.

Its columns have names that need quotes. Points are on a grid of minutes around a Monday, where one partition ends and
the next begins, so many have the time of another one.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from tests.engine.time_weight.cases import MINUTE
from tests.engine.time_weight.oracle import SECOND, time_weight
from tests.engine.time_weight.oracle_heartbeats import heartbeat_agg
from tests.engine.time_weight.oracle_states import state_agg
from tests.unit.jinja_macros import macros

BUCKET = 15 * MINUTE
MONDAY = 1_357_516_800 * SECOND  # 7 January 2013, where a partition begins
FUTURE = 3_786_912_000 * SECOND  # 2090
GAP = 10 * MINUTE

COLUMNS = (
    "newest bigint, `sensor.id` string, first timestamp, `air temp` double, upstream string, "
    "`größe` string, `when` timestamp"
)
NAMES = "keys=['sensor.id'], ts='first', arrival='newest', bucket='15 minutes', not_after='`when` + interval 1 hour'"
KINDS = {
    "time_weight": "value='air temp', method='locf', gap='10 minutes'",
    "state_agg": "state='upstream', gap='10 minutes'",
    "heartbeat_agg": "interval='10 minutes'",
}
TOO_NEW = "from the future: first is after `when` + interval 1 hour"
BETWEEN = "late: it lies between points of its bucket that were removed from the source"
NO_VALUE = {
    "time_weight": "no value: air temp is null",
    "state_agg": "no state: upstream is null",
}


@dataclass(frozen=True)
class Point:
    arrival: int
    sensor: str | None
    t: int
    value: float | None
    state: str | None

    def fault(self, kind: str, nulls: str = "ignore") -> str | None:
        """Why it does not count, whatever is stored."""
        if self.t == FUTURE:
            return TOO_NEW
        missing = {
            "time_weight": self.value is None and nulls == "ignore",
            "state_agg": self.state is None,
        }
        return NO_VALUE[kind] if missing.get(kind) else None

    @property
    def row(self) -> tuple:
        return (self.arrival, self.sensor, self.t, self.value, self.state)


def some_points(chance: random.Random, number: int, first_arrival: int) -> list[Point]:
    """Points of two hours; a state depends on the time, so that two at one instant are equal."""
    given = []
    for arrival in range(first_arrival, first_arrival + number):
        t = MONDAY + chance.randrange(-30, 30) * MINUTE
        if chance.random() < 0.06:
            t = FUTURE
        value = chance.choice([None, *[chance.randrange(-40, 40) / 4] * 9])
        state = chance.choice([None, *["ABC"[t // MINUTE % 3]] * 9])
        given.append(Point(arrival, chance.choice(["a", "b", None]), t, value, state))
    return given


@dataclass
class Bucket:
    counted: list[Point] = field(default_factory=list)
    refused: list[Point] = field(default_factory=list)
    is_pruned: bool = False


@dataclass
class Table:
    """The rows of one table after each run."""

    kind: str
    nulls: str = "ignore"
    buckets: dict[tuple, Bucket] = field(default_factory=dict)
    read: list[Point] = field(default_factory=list)
    unusable: list[tuple[Point, str]] = field(default_factory=list)

    def run(self, source: list[Point], arrived: list[Point]) -> None:
        """Counts the points that have arrived; `source` is all that it still has of earlier ones."""
        by_bucket: dict[tuple, list[Point]] = {}
        for point in arrived:
            fault = point.fault(self.kind, self.nulls)
            if fault:
                self.unusable.append((point, fault))
            else:
                by_bucket.setdefault(bucket_of(point), []).append(point)
        stored = [point for point in source if not point.fault(self.kind, self.nulls)]
        for key, new in by_bucket.items():
            bucket = self.buckets.setdefault(key, Bucket())
            left = sum(bucket_of(point) == key for point in stored)
            bucket.is_pruned = bucket.is_pruned or left < len(bucket.counted)
            for point in new:
                times = [each.t for each in bucket.counted]
                is_between = bucket.is_pruned and min(times) < point.t < max(times)
                is_refused = is_between and self.kind != "heartbeat_agg"
                (bucket.refused if is_refused else bucket.counted).append(point)

    def rows(self) -> dict[tuple, tuple]:
        """By key and bucket: the number of points, the last arrival, what is not added, and the summary."""
        return {
            key: (
                len(bucket.counted),
                max(point.arrival for point in bucket.counted + bucket.refused),
                sorted(point.arrival for point in bucket.refused) if bucket.is_pruned else None,
                *self._summary(key, bucket.counted),
            )
            for key, bucket in self.buckets.items()
        }

    def late(self) -> list[tuple]:
        """The rows of the table of late points."""
        refused = [
            (*point.row, BETWEEN) for bucket in self.buckets.values() for point in bucket.refused
        ]
        return sorted(refused + [(*point.row, fault) for point, fault in self.unusable])

    def _summary(self, key: tuple, points: list[Point]) -> tuple:
        if self.kind == "time_weight":
            given = [(point.t, point.value, point.arrival) for point in points]
            summary = time_weight(given, "locf", GAP, self.nulls)
            return (
                summary.elapsed, summary.num_gaps, summary.first_time, summary.last_time,
                round(float(summary.weighted_sum), 6), summary.first_value, summary.last_value,
            )  # fmt: skip
        if self.kind == "state_agg":
            states = state_agg([(point.t, point.state) for point in points], GAP)
            return (sorted(states.durations.items()),)
        return ([*heartbeat_agg([point.t for point in points], key[1], BUCKET, GAP).live],)


FOUND = {
    "time_weight": "summary.elapsed, summary.num_gaps, unix_micros(summary.first_time), unix_micros(summary.last_time),"
    " round(summary.weighted_sum, 6), summary.first_value, summary.last_value",
    "state_agg": "transform(summary.durations, x -> struct(x.state, x.duration))",
    "heartbeat_agg": f"transform({macros().live_ranges('summary')}, x -> struct(unix_micros(x.start), unix_micros(x.end)))",
}


def bucket_of(point: Point) -> tuple:
    return (point.sensor, point.t - (point.t - MONDAY) % BUCKET)


def plain(value: Any) -> Any:
    """Rows of Spark as tuples."""
    return [tuple(each) for each in value] if isinstance(value, list) else value


def stored(small: Any, kind: str) -> dict[tuple, tuple]:
    """The rows of the table, in the form of `Table.rows`."""
    rows = small.rows(
        "select `sensor.id`, unix_micros(agg_timestamp), agg_count, agg_arrival,"
        f" transform(agg_late, x -> x.arrival), {FOUND[kind]} from small.{kind}"
    )
    return {row[:2]: (*row[2:5], *(plain(each) for each in row[5:])) for row in rows}


def stored_late(small: Any, kind: str) -> list[tuple]:
    rows = small.rows(
        "select newest, `sensor.id`, unix_micros(first), `air temp`, upstream, late_reason"
        f" from small.{kind}_late order by newest"
    )
    return [tuple(row) for row in rows]


def project(small: Any, kinds: list[str], nulls: str = "ignore") -> None:
    """A table and its late points of each kind, over `feed_signal`."""
    small.model("signal", "n int", "{{ config(enabled=false) }} select 1 as n")
    small.spark.sql("drop table small.feed_signal")
    small.spark.sql(
        f"create table small.feed_signal ({COLUMNS}) using delta tblproperties ('delta.columnMapping.mode' = 'name')"
    )
    for kind in kinds:
        own = KINDS[kind] + (f", nulls='{nulls}'" if kind == "time_weight" else "")
        arguments = f"source=source('feed', 'feed_signal'), {NAMES}, {own}"
        small.change(kind, f"{{{{ strandline.{kind}_table({arguments}) }}}}")
        small.change(
            f"{kind}_late", f"{{{{ strandline.{kind}_late({arguments}, table=ref('{kind}')) }}}}"
        )


def insert(small: Any, points: list[Point]) -> None:
    """One commit."""
    rows = [(*point.row, "odd") for point in points]
    frame = small.spark.createDataFrame(
        rows, "newest bigint, sensor string, t bigint, value double, state string, size string"
    ).selectExpr(
        "newest", "sensor as `sensor.id`", "timestamp_micros(t) as first", "value as `air temp`",
        "state as upstream", "size as `größe`", f"timestamp_micros({MONDAY + 60 * MINUTE}) as `when`",
    )  # fmt: skip
    frame.coalesce(1).writeTo("small.feed_signal").append()
