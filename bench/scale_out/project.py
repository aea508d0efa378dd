"""A model of each kind over one source of events, and a profile for any master.

The events are made by a formula. They come at a constant rate over `days` and end on a Thursday at
noon. Many of them in one day are what a large source looks like to one run: all new events are of
one week.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.aggregation import DURATIONS, MACRO, TRADES, same
from bench.project import DbtProject, append
from bench.rounds import assert_same_rows

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SOURCE = "events"
AGGREGATION = tuple(f"{TRADES}_{duration}" for duration in DURATIONS)
STREAMS = ("first", "second", "third")
# What is built after the aggregation; each reads the source, `matched` the three streams.
OTHERS = ("signal_hours", "last_100", "last_30_minutes", *STREAMS, "matched", "detections")
MODELS = AGGREGATION + OTHERS
KEYS = 1_000
FILES = 16  # of the source: as many tasks can read it
LATE_SHARE, LATE_BY = 0.05, 3_600 * 1_000_000  # at most an hour, in microseconds
END = int(datetime(2025, 8, 14, 12, tzinfo=timezone.utc).timestamp()) * 1_000_000
COLUMNS = (
    "arrival bigint, symbol string, ts timestamp, price double, quantity bigint, "
    "id bigint, stream int"
)


@dataclass(frozen=True)
class Place:
    """Where a project runs.

    Attributes:
        name: of the place, of its schema and of its folder.
        master: Spark's URL.
        settings: `server_side_parameters`.
    """

    name: str
    master: str
    settings: dict[str, str]


@dataclass(frozen=True)
class Took:
    """One model of a run: when it ran, in milliseconds since 1970, and what it said."""

    model: str
    began: int
    ended: int

    @property
    def seconds(self) -> float:
        return (self.ended - self.began) / 1000


class Project(DbtProject):
    """The project of one place; every place of a home reads the same source."""

    def __init__(self, folder: Path, home: Path, schema: str, place: Place) -> None:
        files = {
            "profiles/profiles.yml": _profile(home, place),
            "models/_sources.yml": (
                f"sources: [{{name: feed, schema: {schema}, tables: [{{name: {SOURCE}}}]}}]\n"
            ),
            "macros/trades_aggregation.sql": MACRO.format(name=TRADES, more=""),
        }
        for name, body in _bodies().items():
            files[f"models/{name}.sql"] = f"{{{{ {body} }}}}\n"
        files["models/detections.py"] = _DETECTIONS
        super().__init__(folder / place.name, home, place.name, "1g", SOURCE, files)

    def run(self, models: tuple[str, ...], full_refresh: bool = False) -> list[Took]:
        """Runs these models. Raises RuntimeError if one fails or is not there."""
        more = ("--full-refresh",) if full_refresh else ()
        results = self._dbt("run", "--select", *models, *more).results
        if len(results) != len(models):
            raise RuntimeError(f"dbt ran {len(results)} models, {len(models)} were meant")
        return [
            Took(each.node.name, *(_millis(time) for time in (step.started_at, step.completed_at)))
            for each in results
            for step in each.timing
            if step.name == "execute"
        ]


def _millis(time: object) -> int:
    """A time of dbt's, which is in UTC and may not say so."""
    assert isinstance(time, datetime)
    return round(time.replace(tzinfo=timezone.utc).timestamp() * 1000)


def _profile(home: Path, place: Place) -> str:
    """A profile as JSON, which is YAML."""
    output = {
        "type": "strandline", "method": "session", "master": place.master, "schema": place.name,
        "home": str(home), "java_options": "", "server_side_parameters": place.settings,
        "threads": 1,
    }  # fmt: skip
    return json.dumps({"bench": {"target": "here", "outputs": {"here": output}}}, indent=2)


def _bodies() -> dict[str, str]:
    """The calls of the package's macros, by model."""
    source = f"source=source('feed', '{SOURCE}'), ts='ts'"
    bodies = {
        f"{TRADES}_{duration}": f"strandline.aggregation_table(trades_aggregation(), '{duration}')"
        for duration in DURATIONS
    }
    bodies["signal_hours"] = (
        f"strandline.time_weight_table({source}, keys=['symbol'], value='price', method='locf', "
        "gap='90 minutes', bucket='1 hour')"
    )
    bodies["last_100"] = f"strandline.window_table({source}, keys=['symbol'], store='last 100')"
    bodies["last_30_minutes"] = (
        f"strandline.window_table({source}, keys=['symbol'], store='last 30 minutes', "
        "aggregates={'n': 'count(quantity)', 'total': 'sum(quantity)'})"
    )
    for number, name in enumerate(STREAMS, start=1):
        bodies[name] = (
            f"strandline.window_table({source}, store='last 30 seconds', where='stream = {number}')"
        )
    streams = ", ".join(f"'{it}': {{'window': ref('{it}'), 'on': 'id'}}" for it in STREAMS)
    bodies["matched"] = (
        f"strandline.correlation_table(streams={{{streams}}}, "
        "when=['first and second and third', 'first and second and not third'], "
        "select={'id': 'first.id', 'first_at': 'first.ts', 'third_at': 'third.ts', "
        "'quantity': 'first.quantity'})"
    )
    return bodies


_DETECTIONS = f"""
from strandline.detection import detect


def model(dbt, session):
    dbt.config(materialized="incremental", unique_key="detection_id", file_format="delta")
    return detect(
        dbt, session, name="prices", source=dbt.source("feed", "{SOURCE}"), ts="ts",
        keys=["symbol"], window_size="10 minutes", step="1 minute",
        metrics=["price > 999", "avg(price) > 700", "price > percentile(price, 99)"],
    )
"""


def events_sql(number: int, days: float, first: int, count: int, files: int = 1) -> str:
    """`count` events from the `first` on, of a series of which `number` are before `END`.

    An id comes once in each of three streams, one event after the other.
    """
    spacing = max(1, round(days * 86_400_000_000 / number))  # microseconds
    return f"""
        select
            id + 1 as arrival,
            concat('key_', lpad(pmod(xxhash64(id, 'key'), {KEYS}), 4, '0')) as symbol,
            timestamp_micros(
                {END} - ({number} - id) * {spacing}
                - if(pmod(xxhash64(id, 'late'), 10000) < {round(LATE_SHARE * 10_000)},
                    1 + pmod(xxhash64(id, 'by'), {LATE_BY}), 0)
            ) as ts,
            pmod(xxhash64(id, 'price'), 1000000) / 1000.0D as price,
            1 + pmod(xxhash64(id, 'quantity'), 1000) as quantity,
            id div 3 as id,
            int(pmod(id, 3) + 1) as stream
        from range({first}, {first + count}, 1, {files})
    """


def make_events(spark: SparkSession, table: str, number: int, days: float) -> None:
    """The source table of `number` events."""
    spark.sql(f"create schema if not exists {table.split('.')[0]}")
    spark.sql(f"create or replace table {table} ({COLUMNS}) using delta")
    append(spark, table, events_sql(number, days, 0, number, FILES))


def append_events(
    spark: SparkSession, table: str, number: int, days: float, at: int, count: int
) -> None:
    """`count` events more, the first of them being the `at`-th, in one commit."""
    append(spark, table, events_sql(number, days, at, count))


def described(spark: SparkSession, schema: str, model: str) -> dict[str, Any]:
    """Rows, live files and their bytes, partitions and the folder of a table."""
    table = f"{schema}.{model}"
    detail = spark.sql(f"describe detail {table}").first()
    columns = ", ".join(f"`{name}`" for name in detail["partitionColumns"])
    counted = f"count(distinct {columns})" if columns else "1"
    rows, partitions = spark.sql(f"select count(*), {counted} from {table}").first()
    return {
        "model": model, "rows": rows, "files": detail["numFiles"], "bytes": detail["sizeInBytes"],
        "partitions": partitions, "location": detail["location"],
    }  # fmt: skip


def compared(spark: SparkSession, model: str, one: str, other: str) -> int:
    """Compares all columns, both ways; sums of doubles of an aggregation to 1e-9. Gives the rows.

    Of a window and a correlation the rows that are no rows of theirs are left out: the identity of
    a build is in them.

    Raises:
        RuntimeError, DifferentTables: a row differs.
    """
    if model in AGGREGATION:
        return same(spark, one, other)
    only = " where row_kind = 'row'" if "row_kind" in spark.table(one).columns else ""
    queries = [f"select * from {table}{only}" for table in (one, other)]
    assert_same_rows(spark, model, *queries)
    return spark.sql(queries[0]).count()
