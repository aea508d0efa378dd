"""`python -m bench.time_weight`: gap-aware time weights beside plain Spark, DuckDB and Polars.

Each key is heard every half hour or so, at times of its own, and is silent for some hours now and
then: 10 million points of 1,000 keys are about seven months. They are made by a formula, so that
they are the same on every machine.

By hand it is the same table: hourly LOCF by key with a gap. Of two points of one time the first to
arrive counts, as in Strandline's. With `as_is` the points are taken as they are: two of one time
would both count. No later point can be added to any.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from bench.project import (
    BY_HAND_SCHEMA,
    CORES,
    DbtProject,
    append,
    duckdb_query,
    export,
    make_source,
    workplace,
)
from bench.results import Occasion, Result, in_words, occasion, save
from bench.rounds import (
    full_refresh,
    increments,
    measure_increments,
    measure_refreshes,
    measuring,
    show_increments,
    show_refreshes,
    warm_up_option,
)
from rich.console import Console

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

KEYS = 1_000
GAP_MICROS = 90 * 60 * 1_000_000
_START = 1_735_689_600 * 1_000_000  # 1 January 2025, a multiple of an hour
_STEP = 30 * 60 * 1_000_000
_FILE = 1_250_000
COLUMNS = "arrival bigint, sensor string, ts timestamp, value double"
console = Console()
TABLE, EXPRESSION = "table", "expression"
FILES = {
    "models/signal_table.sql": (
        "{{ strandline.time_weight_table(source=source('feed', 'signal'), keys=['sensor'], "
        "ts='ts', value='value', method='locf', gap='90 minutes', bucket='1 hour') }}\n"
    ),
    "models/signal_expression.sql": (
        "{{ config(materialized='table', file_format='delta') }}\n"
        "select sensor, date_trunc('hour', ts) as bucket, "
        "{{ strandline.time_weight('ts', 'value', method='locf', gap='90 minutes') }} as summary\n"
        "from {{ source('feed', 'signal') }} group by all\n"
    ),
}
NAMES = {
    TABLE: "Strandline, time_weight_table",
    EXPRESSION: "Strandline, in a group by",
    "spark-as-is": "plain Spark, equal times twice",
    "spark": "plain Spark, window functions",
    "duckdb-as-is": "DuckDB, equal times twice",
    "duckdb": "DuckDB, to Parquet",
    "polars": "Polars, to Parquet",
}


GROWTH = (10, 100, 1_000, 10_000, 100_000)  # keys of a million points


@click.command(context_settings={"show_default": True})
@click.option("--points", type=click.IntRange(10_000), default=10_000_000, help="Points.")
@click.option("--keys", type=click.IntRange(1, 1_000_000), default=KEYS, help="Keys of them.")
@click.option(
    "--growth", is_flag=True,
    help="Instead: a million points of 10 to 100,000 keys, of which the first warms up.",
)  # fmt: skip
@click.option(
    "--without", type=click.Choice(list(NAMES)), multiple=True, help="Engines that are left out."
)
@warm_up_option("points")
@measuring("points")
def main(
    points: int, keys: int, growth: bool, without: tuple[str, ...], warm_up_on: int | None,
    rounds: int, new: int, repeat: int, memory: str, json_file: Path | None, home: Path | None,
) -> None:  # fmt: skip
    """Hourly LOCF by key with a gap of 90 minutes, engine after engine, on the same points.

    The first round warms up, and in it the tables are compared row by row.
    """
    os.environ["POLARS_MAX_THREADS"] = str(CORES)  # read when polars is imported

    on, found = occasion(), []
    with workplace(home) as folder:
        sizes = [(1_000_000, each) for each in GROWTH] if growth else [(points, keys)]
        small = [(warm_up_on, sizes[0][1])] if warm_up_on else []
        for nth, (size, number) in enumerate(small + sizes):
            counts = not small or nth > 0
            schema = f"points_{size}_{number}"
            project = DbtProject(
                folder / schema / "project", folder / "home", schema, memory, "signal", FILES
            )
            measured = measure(
                project, folder / schema, size, number, without, rounds if counts else 0, new,
                repeat if counts else 0, console.print, warm_up=not nth,
            )  # fmt: skip
            if not counts:
                continue
            show(measured)
            results = results_of(measured, on, new)
            found += (
                [replace(one, series="keys", x=number) for one in results] if growth else results
            )
            if json_file is not None:
                save(json_file, found)


def results_of(measured: dict, on: Occasion, new: int) -> list[Result]:
    """The table, the expression beside the same peers, and the increments of the table."""
    number = measured["points"]
    of = f"{in_words(number)} points of {in_words(measured['keys'])} keys"
    engines = {TABLE: "full refresh", EXPRESSION: "expression in a group by"}
    found = [
        replace(
            full_refresh("time_weight", f"{kind}, {of}", measured, on, number, engine), kind=kind
        )
        for engine, kind in engines.items()
        if engine in measured["seconds"]
    ]
    return found + increments(
        "time_weight", "hourly table", measured["increments"], on, number, new, "points"
    )


def show(measured: dict) -> None:
    """One table of one screen."""
    title = (
        f"{measured['points']:,} points of {measured['keys']:,} keys, {measured['rows']:,} rows; "
        "seconds"
    )
    show_refreshes(console, title, NAMES, measured["seconds"])
    show_increments(console, measured["increments"])


def points_sql(first: int, count: int, keys: int = KEYS) -> str:
    """`count` points of so many keys from the `first` on, arriving about in the order of time."""
    return f"""
        select
            id + 1 as arrival,
            concat('key_', lpad(pmod(id, {keys}), 7, '0')) as sensor,
            timestamp_micros(
                {_START} + (id div {keys}) * {_STEP}L + pmod(xxhash64(id, 'jitter'), {_STEP})
            ) as ts,
            pmod(xxhash64(id, 'value'), 100000) / 100.0D - 300 as value
        from range({first}, {first + count}, 1, {max(1, round(count / _FILE))})
        -- one range of ten in twelve of each key is silent
        where pmod(xxhash64(pmod(id, {keys}), id div {keys} div 10), 12) > 0
    """


def spark_by_hand(spark: SparkSession, source: str, as_is: bool = False) -> None:
    """`by_hand.signal_hours`, by window functions and a group by."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    spark.sql(f"create schema if not exists {BY_HAND_SCHEMA}")
    points = spark.table(source).withColumn("bucket", f.date_trunc("hour", "ts"))
    if not as_is:
        first = Window.partitionBy("sensor", "bucket", "ts").orderBy("arrival")
        points = points.withColumn("nth", f.row_number().over(first)).where("nth = 1")
    hour = Window.partitionBy("sensor", "bucket").orderBy("ts")
    length = f.unix_micros(f.lead("ts").over(hour)) - f.unix_micros("ts")
    points = points.withColumn("length", length).withColumn(
        "valid", f.when(f.col("length").isNotNull(), f.least("length", f.lit(GAP_MICROS)))
    )
    points.groupBy("sensor", "bucket").agg(
        f.max("arrival").alias("arrival"),
        f.sum(f.col("value") * f.col("valid") / 1e6).alias("weighted_sum"),
        f.sum("valid").alias("elapsed"),
        f.count_if(f.col("length") > GAP_MICROS).alias("num_gaps"),
        f.min("ts").alias("first_time"),
        f.min_by("value", "ts").alias("first_value"),
        f.max("ts").alias("last_time"),
        f.max_by("value", "ts").alias("last_value"),
    ).write.format("delta").mode("overwrite").saveAsTable(f"{BY_HAND_SCHEMA}.signal_hours")


def duckdb_by_hand(points: Path, table: Path, as_is: bool = False) -> None:
    """The table as a Parquet file."""
    first = "qualify row_number() over (partition by sensor, ts order by arrival) = 1"
    sql = f"""
        select
            sensor, bucket, max(arrival) as arrival,
            sum(value * valid / 1e6) as weighted_sum, cast(sum(valid) as bigint) as elapsed,
            count_if(length > {GAP_MICROS}) as num_gaps,
            min(ts) as first_time, arg_min(value, ts) as first_value,
            max(ts) as last_time, arg_max(value, ts) as last_value
        from (
            select
                *, epoch_us(lead(ts) over w) - epoch_us(ts) as length,
                if(length is null, null, least(length, {GAP_MICROS})) as valid
            from (
                select *, time_bucket(interval '1 hour', ts) as bucket
                from '{points}/*.parquet'
                {"" if as_is else first}
            )
            window w as (partition by sensor, bucket order by ts)
        )
        group by all
    """
    duckdb_query(sql, table)


def polars_by_hand(points: Path, table: Path) -> None:
    """The table as a Parquet file; the threads are those of $POLARS_MAX_THREADS."""
    import polars as pl

    ts, value, keys = pl.col("ts").cast(pl.Int64), pl.col("value"), ["sensor", "bucket"]
    length = ts.shift(-1) - ts
    valid = length.clip(upper_bound=GAP_MICROS)
    (
        pl.scan_parquet(points / "*.parquet")
        .with_columns(
            ts=pl.col("ts").dt.cast_time_unit("us"), bucket=pl.col("ts").dt.truncate("1h")
        )
        .sort("sensor", "ts", "arrival")
        .unique(["sensor", "ts"], keep="first", maintain_order=True)
        .group_by(keys, maintain_order=True)
        .agg(
            arrival=pl.col("arrival").max(),
            weighted_sum=(value * valid / 1e6).sum(),
            elapsed=valid.sum(),
            num_gaps=(length > GAP_MICROS).sum(),
            first_time=pl.col("ts").first(),
            first_value=value.first(),
            last_time=pl.col("ts").last(),
            last_value=value.last(),
        )
        .sink_parquet(table)
    )


def measure(
    project: DbtProject, folder: Path, points: int, keys: int, without: Container[str],
    rounds: int, new: int, repeat: int, report: Callable[[str], None], warm_up: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """Seconds of each round of each engine, and of each increment; some are left out."""
    project.deps()
    spark = project.session()
    source, parquet = f"{project.schema}.signal", folder / "points"
    make_source(spark, source, COLUMNS, points_sql(0, points, keys))
    export(spark, source, parquet)
    actions: dict[str, Callable[[], object]] = {
        "table": lambda: project.select("signal_table", 1, full_refresh=True),
        "expression": lambda: project.select("signal_expression", 1, full_refresh=True),
        # Each writes over what it wrote as is: what `check` compares keeps the rule of equal times.
        "spark-as-is": lambda: spark_by_hand(spark, source, as_is=True),
        "spark": lambda: spark_by_hand(spark, source),
        "duckdb-as-is": lambda: duckdb_by_hand(parquet, folder / "duckdb.parquet", as_is=True),
        "duckdb": lambda: duckdb_by_hand(parquet, folder / "duckdb.parquet"),
        "polars": lambda: polars_by_hand(parquet, folder / "polars.parquet"),
    }
    actions = {name: action for name, action in actions.items() if name not in without}
    check_rows = lambda: check(spark, project.schema, folder, actions)  # noqa: E731
    measured = measure_refreshes(
        spark, "time weights", actions, rounds, check_rows, report, warm_up
    )
    stored = spark.table(source).count()
    found = measure_increments(
        spark, project, {"table": ["signal_table"]},
        lambda run: append(spark, source, points_sql(points + run * new, new, keys)), repeat,
        report,
    )  # fmt: skip
    return measured | {"points": stored, "keys": keys, "increments": found["table"]}


FLAT = """
    select
        sensor, bucket, summary.weighted_sum, summary.elapsed, summary.num_gaps,
        summary.first_time, summary.first_value, summary.last_time, summary.last_value
    from
"""


def check(spark: SparkSession, schema: str, folder: Path, engines_run: Container[str]) -> int:
    """Compares the tables of all engines with Strandline's, both ways; gives their rows."""
    ours = f"{FLAT} (select *, agg_timestamp as bucket from {schema}.signal_table)"
    others = {
        "expression": f"{FLAT} {schema}.signal_expression",
        "spark": f"select * from {BY_HAND_SCHEMA}.signal_hours",
        "duckdb": f"select * from parquet.`{folder / 'duckdb.parquet'}`",
        "polars": f"select * from parquet.`{folder / 'polars.parquet'}`",
    }
    for name, other in others.items():
        if name not in engines_run:
            continue
        [(rows, different)] = spark.sql(f"""
            select count(*), count_if(not (
                coalesce(one.elapsed, -1) = coalesce(other.elapsed, 0)
                and one.num_gaps <=> other.num_gaps
                and abs(one.weighted_sum - coalesce(other.weighted_sum, 0))
                    <= 1e-9 * greatest(abs(one.weighted_sum), 1)
                and one.first_time <=> cast(other.first_time as timestamp)
                and one.last_time <=> cast(other.last_time as timestamp)
                and one.first_value <=> other.first_value
                and one.last_value <=> other.last_value))
            from ({ours}) as one
            full outer join ({other}) as other
                on one.sensor = other.sensor and one.bucket = cast(other.bucket as timestamp)
        """).collect()
        if different or not rows:
            raise RuntimeError(f"{different} of {rows} rows of {name} differ from Strandline's")
    return rows


if __name__ == "__main__":
    main()
