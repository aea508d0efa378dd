"""Full refreshes of one table, interleaved, and runs that add a few points."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.measure import timed, version
from bench.project import DbtProject
from bench.source import export
from bench.time_weight import engines
from bench.time_weight import points as made

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def measure(
    project: DbtProject, folder: Path, points: int, rounds: int, new: int, repeat: int,
    tell: Callable[[str], None],
) -> dict[str, Any]:  # fmt: skip
    """Seconds of each round of each engine, after one to warm up, and of each increment."""
    project.deps()
    spark = project.session()
    source, parquet = f"{project.schema}.signal", folder / "points"
    made.make(spark, source, points)
    export(spark, source, parquet)
    actions = {
        "table": lambda: project.select("signal_table", 1, full_refresh=True),
        "expression": lambda: project.select("signal_expression", 1, full_refresh=True),
        # Each writes over what it wrote as is: what `check` compares keeps the rule of equal times.
        "spark as is": lambda: engines.plain_spark(spark, source, as_is=True),
        "spark": lambda: engines.plain_spark(spark, source),
        "duckdb as is": lambda: engines.duckdb(parquet, folder / "duckdb.parquet", as_is=True),
        "duckdb": lambda: engines.duckdb(parquet, folder / "duckdb.parquet"),
        "polars": lambda: engines.polars(parquet, folder / "polars.parquet"),
    }
    seconds: dict[str, list[float]] = {engine: [] for engine in actions}
    for number in range(rounds + 1):
        tell(f"full refresh, {f'{number} of {rounds}' if number else 'warm-up'}")
        for engine, action in actions.items():
            took = timed(action)
            if number:
                seconds[engine].append(took)
        if not number:
            rows = check(spark, project.schema, folder)
    return {
        "points": spark.table(source).count(), "rows": rows, "seconds": seconds,
        "increments": increments(spark, project, source, points, new, repeat, tell),
    }  # fmt: skip


def increments(
    spark: SparkSession, project: DbtProject, source: str, points: int, new: int, repeat: int,
    tell: Callable[[str], None],
) -> dict[str, list[float]]:  # fmt: skip
    """Runs with new points at the end and with none, each after the one before; two warm up."""
    took: dict[str, list[float]] = {f"{new:,} new points": [], "nothing new": []}
    start = version(spark, f"{project.schema}.signal_table")
    for number in range(repeat + 2):
        tell(f"increments, {number + 1} of {repeat + 2}")
        made.append(spark, source, points + number * new, new)
        runs = [project.select("signal_table", 1).work for _ in took]
        if number >= 2:
            for kind, one in zip(took, runs, strict=True):
                took[kind].append(one)
    if version(spark, f"{project.schema}.signal_table") != start + repeat + 2:
        raise RuntimeError("an increment did not make one commit")
    return took


FLAT = """
    select
        sensor, bucket, summary.weighted_sum, summary.elapsed, summary.num_gaps,
        summary.first_time, summary.first_value, summary.last_time, summary.last_value
    from
"""


def check(spark: SparkSession, schema: str, folder: Path) -> int:
    """Compares the tables of all engines with Strandline's, both ways; gives their rows."""
    told = f"{FLAT} (select *, agg_timestamp as bucket from {schema}.signal_table)"
    others = {
        "expression": f"{FLAT} {schema}.signal_expression",
        "spark": f"select * from {engines.SCHEMA}.signal_hours",
        "duckdb": f"select * from parquet.`{folder / 'duckdb.parquet'}`",
        "polars": f"select * from parquet.`{folder / 'polars.parquet'}`",
    }
    for name, other in others.items():
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
            from ({told}) as one
            full outer join ({other}) as other
                on one.sensor = other.sensor and one.bucket = cast(other.bucket as timestamp)
        """).collect()
        if different or not rows:
            raise RuntimeError(f"{different} of {rows} rows of {name} differ from Strandline's")
    return rows
