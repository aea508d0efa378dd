"""`python -m bench.detection`: what detection costs, beside plain Spark and DuckDB, run after run.

A thousand sensors are read once a second each, in turn; none is late. The readings are made by a
formula, so that they are the same on every machine. By hand they are taken as they are: no sensor
misses a step, and nothing can be added to what was made.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from bench.project import (
    BY_HAND_SCHEMA,
    DbtProject,
    append,
    duckdb_query,
    export,
    make_source,
    workplace,
)
from bench.results import Occasion, Result, in_words, occasion, save
from bench.rounds import (
    assert_same_rows,
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

console = Console()
MODEL = """
from strandline.detection import detect


def model(dbt, session):
    dbt.config(materialized="incremental", unique_key="detection_id", file_format="delta")
    return detect(
        dbt, session, name="bench", source=dbt.source("feed", "readings"), ts="ts",
        keys=["sensor"], window_size="{window} ms", step="{step} ms",
        metrics=["temp > {row}", "avg(temp) > {average}", "temp > percentile(temp, {share})"],
    )
"""
NAMES = {
    "strandline": "Strandline, detect",
    "spark": "plain Spark, percentile_disc",
    "duckdb": "DuckDB, to Parquet",
}
KEYS = 1_000
WINDOW = 100_000  # milliseconds
RATIOS = (1, 2, 5, 10, 20, 50, 100)  # steps of a window
ROW, AVERAGE, SHARE = 99.9, 55, 99  # the bounds of the three metrics
START = 1_735_689_600_000  # 1 January 2025, a multiple of the window
_FILE = 1_250_000
COLUMNS = "arrival bigint, sensor string, ts timestamp, temp double"


@click.command(context_settings={"show_default": True})
@click.option(
    "--readings", type=click.IntRange(100_000), multiple=True, default=[1_000_000, 10_000_000],
    help="Readings; several are measured one after the other.",
)  # fmt: skip
@click.option(
    "--ratio", type=click.Choice(list(map(str, RATIOS))), default="10",
    help="Steps of a window of 100 seconds.",
)  # fmt: skip
@click.option("--growth", is_flag=True, help="Instead: windows of 1 to 100 steps; one warms up.")
@warm_up_option("readings")
@measuring("readings")
def main(
    readings: tuple[int, ...], ratio: str, growth: bool, warm_up_on: int | None, rounds: int,
    new: int, repeat: int, memory: str, json_file: Path | None, home: Path | None,
) -> None:  # fmt: skip
    """One metric of each class by 1,000 keys, engine after engine.

    The first round warms up, and in it the detections are compared row by row.
    """
    on, found = occasion(), []
    ratios = RATIOS if growth else (int(ratio),)
    with workplace(home) as folder:
        sizes = list(product(readings, ratios))
        small = [(warm_up_on, ratios[0])] if warm_up_on else []
        for nth, (number, steps) in enumerate(small + sizes):
            schema = f"readings_{number}"
            project = DbtProject(
                folder / schema / f"project_{steps}", folder / "home", schema, memory, "readings",
                {"models/detections.py": model(steps)},
            )  # fmt: skip
            counts = not small or nth > 0
            warm_up = not nth or not (small or growth)
            measured = measure(
                project, folder / schema, number, steps, rounds if counts else 0, new,
                repeat if counts else 0, console.print, warm_up,
            )  # fmt: skip
            if not counts:
                continue
            show(measured)
            for one in results_of(measured, on, new):
                found.append(replace(one, series="ratio", x=steps) if growth else one)
            if json_file is not None:
                save(json_file, found)


def model(ratio: int) -> str:
    """The text of the model: windows of so many steps."""
    step = WINDOW // ratio
    return MODEL.format(window=WINDOW, step=step, row=ROW, average=AVERAGE, share=SHARE)


def results_of(measured: dict, on: Occasion, new: int) -> list[Result]:
    """The full refresh, and the runs with new readings and with none."""
    number, steps = measured["readings"], measured["ratio"]
    what = f"first build, {in_words(number)} readings, windows of {steps} steps"
    full = full_refresh("detection", what, measured, on, number)
    return [
        full,
        *increments("detection", "detections", measured["increments"], on, number, new, "readings"),
    ]


def show(measured: dict) -> None:
    """One table of one screen."""
    title = (
        f"{measured['readings']:,} readings, windows of {measured['ratio']} steps, "
        f"{measured['detections']:,} detections; seconds"
    )
    show_refreshes(console, title, NAMES, measured["seconds"], measured["heap"])
    show_increments(console, measured["increments"])


def readings_sql(first: int, count: int) -> str:
    """`count` readings from the `first` on."""
    return f"""
        select
            id + 1 as arrival,
            concat('key_', lpad(pmod(id, {KEYS}), 4, '0')) as sensor,
            timestamp_millis({START} + (id div {KEYS}) * 1000L + pmod(id, {KEYS})) as ts,
            pmod(xxhash64(id, 'temp'), 100000) / 1000.0D as temp
        from range({first}, {first + count}, 1, {max(1, round(count / _FILE))})
    """


def spark_by_hand(spark: SparkSession, source: str, ratio: int) -> None:
    """`by_hand.detections`: each row in each of its windows, and one join back.

    A window has `ratio` steps.
    """
    from pyspark.sql import functions as f

    step = WINDOW // ratio
    spark.sql(f"create schema if not exists {BY_HAND_SCHEMA}")
    rows = spark.table(source).withColumn("step", f.expr(f"(unix_millis(ts) - {START}) div {step}"))
    last = rows.agg(f.max("step")).first()[0]
    windows = (
        rows.withColumn("k", f.explode(f.sequence(f.col("step") - (ratio - 1), f.col("step"))))
        .where(f.col("k") + ratio <= last)
        .groupBy("sensor", "k")
        .agg(
            f.avg("temp").alias("average"),
            f.expr(f"percentile_disc({SHARE / 100}) within group (order by temp)").alias("high"),
        )
    )
    end = f.timestamp_millis(START + (f.col("k") + ratio) * step)
    one = rows.where(f.col("temp") > ROW).select(
        f.lit(0).alias("metric"), "sensor", "ts", f.col("temp").alias("l"), f.lit(ROW).alias("r")
    )
    two = windows.where(f.col("average") > AVERAGE).select(
        f.lit(1).alias("metric"), "sensor", end.alias("ts"), f.col("average").alias("l"),
        f.lit(float(AVERAGE)).alias("r"),
    )  # fmt: skip
    three = (
        rows.join(windows.withColumn("step", f.col("k") + ratio), ["sensor", "step"])
        .where(f.col("temp") > f.col("high"))
        .select(
            f.lit(2).alias("metric"), "sensor", "ts", f.col("temp").alias("l"),
            f.col("high").alias("r"),
        )
    )  # fmt: skip
    found = one.unionAll(two).unionAll(three)
    found.write.format("delta").mode("overwrite").saveAsTable(f"{BY_HAND_SCHEMA}.detections")


def duckdb_by_hand(readings: Path, table: Path, ratio: int) -> None:
    """The detections as a Parquet file; a window has `ratio` steps."""
    step = WINDOW // ratio
    sql = f"""
        with readings as (
            select *, (epoch_ms(ts) - {START}) // {step} as step
            from '{readings}/*.parquet'
        ),
        windows as (
            select
                sensor, k, avg(temp) as average,
                quantile_disc(temp, {SHARE / 100}) as high
            from (
                select sensor, temp, unnest(range(step - {ratio - 1}, step + 1)) as k
                from readings
            )
            where k + {ratio} <= (select max(step) from readings)
            group by all
        )
        select 0 as metric, sensor, ts, temp as l, {ROW} as r from readings
        where temp > {ROW}
        union all
        select 1, sensor, make_timestamp(({START} + (k + {ratio}) * {step}) * 1000),
            average, {AVERAGE}
        from windows where average > {AVERAGE}
        union all
        select 2, sensor, ts, temp, high
        from readings join windows using (sensor)
        where readings.step = windows.k + {ratio} and temp > high
    """
    duckdb_query(sql, table)


def measure(
    project: DbtProject, folder: Path, number: int, ratio: int, rounds: int, new: int,
    repeat: int, report: Callable[[str], None], warm_up: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """Seconds of each round of each engine, and of each increment. A window has `ratio` steps."""
    project.deps()
    spark = project.session()
    source, parquet = f"{project.schema}.readings", folder / "readings"
    make_source(spark, source, COLUMNS, readings_sql(0, number))
    export(spark, source, parquet)
    actions = {
        "strandline": lambda: project.select("detections", 1, full_refresh=True),
        "spark": lambda: spark_by_hand(spark, source, ratio),
        "duckdb": lambda: duckdb_by_hand(parquet, folder / "duckdb.parquet", ratio),
    }
    check_rows = lambda: check(spark, project.schema, folder)  # noqa: E731
    measured = measure_refreshes(spark, "detections", actions, rounds, check_rows, report, warm_up)
    found = measure_increments(
        spark, project, {"detections": ["detections"]},
        lambda run: append(spark, source, readings_sql(number + run * new, new)), repeat, report,
        committed=["bench_state"],
    )  # fmt: skip
    return {
        "readings": number, "ratio": ratio, "detections": measured.pop("rows"), **measured,
        "increments": found["detections"],
    }  # fmt: skip


def check(spark: SparkSession, schema: str, folder: Path) -> int:
    """Compares the detections of all engines with Strandline's, both ways; gives their number."""
    ours = f"""
        select anomaly_type as metric, sensor, unix_millis(ts) as at,
            round(current_value, 9) as l, round(baseline_value, 9) as r
        from {schema}.detections
    """
    other = "select metric, sensor, {} as at, round(l, 9) as l, round(r, 9) as r from {}"
    others = {
        "spark": other.format("unix_millis(ts)", f"{BY_HAND_SCHEMA}.detections"),
        "duckdb": other.format(
            "unix_millis(cast(ts as timestamp))", f"parquet.`{folder / 'duckdb.parquet'}`"
        ),
    }
    for name, sql in others.items():
        assert_same_rows(spark, f"{name}, detections", ours, sql)
    return spark.sql(ours).count()


if __name__ == "__main__":
    main()
