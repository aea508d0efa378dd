"""Full refreshes of one table, interleaved, and runs that add a few points."""

from __future__ import annotations

from collections.abc import Callable, Container
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import rounds as rounds_of
from bench.project import DbtProject
from bench.source import export
from bench.time_weight import engines
from bench.time_weight import points as made

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def measure(
    project: DbtProject, folder: Path, points: int, keys: int, without: Container[str],
    rounds: int, new: int, repeat: int, tell: Callable[[str], None], warm_up: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """Seconds of each round of each engine, and of each increment; some are left out."""
    project.deps()
    spark = project.session()
    source, parquet = f"{project.schema}.signal", folder / "points"
    made.make(spark, source, points, keys)
    export(spark, source, parquet)
    actions: dict[str, Callable[[], object]] = {
        "table": lambda: project.select("signal_table", 1, full_refresh=True),
        "expression": lambda: project.select("signal_expression", 1, full_refresh=True),
        # Each writes over what it wrote as is: what `check` compares keeps the rule of equal times.
        "spark-as-is": lambda: engines.plain_spark(spark, source, as_is=True),
        "spark": lambda: engines.plain_spark(spark, source),
        "duckdb-as-is": lambda: engines.duckdb(parquet, folder / "duckdb.parquet", as_is=True),
        "duckdb": lambda: engines.duckdb(parquet, folder / "duckdb.parquet"),
        "polars": lambda: engines.polars(parquet, folder / "polars.parquet"),
    }
    actions = {name: action for name, action in actions.items() if name not in without}
    check_rows = lambda: check(spark, project.schema, folder, actions)  # noqa: E731
    told = rounds_of.refreshes(spark, "time weights", actions, rounds, check_rows, tell, warm_up)
    stored = spark.table(source).count()
    found = rounds_of.increments(
        spark, project, {"table": ["signal_table"]},
        lambda run: made.append(spark, source, points + run * new, new, keys), repeat, tell,
    )  # fmt: skip
    return told | {"points": stored, "keys": keys, "increments": found["table"]}


FLAT = """
    select
        sensor, bucket, summary.weighted_sum, summary.elapsed, summary.num_gaps,
        summary.first_time, summary.first_value, summary.last_time, summary.last_value
    from
"""


def check(spark: SparkSession, schema: str, folder: Path, engines_run: Container[str]) -> int:
    """Compares the tables of all engines with Strandline's, both ways; gives their rows."""
    told = f"{FLAT} (select *, agg_timestamp as bucket from {schema}.signal_table)"
    others = {
        "expression": f"{FLAT} {schema}.signal_expression",
        "spark": f"select * from {engines.SCHEMA}.signal_hours",
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
            from ({told}) as one
            full outer join ({other}) as other
                on one.sensor = other.sensor and one.bucket = cast(other.bucket as timestamp)
        """).collect()
        if different or not rows:
            raise RuntimeError(f"{different} of {rows} rows of {name} differ from Strandline's")
    return rows
