"""Full refreshes of one table of detections, interleaved, and runs that add a few readings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import rounds as rounds_of
from bench.detection import engines
from bench.detection import readings as made
from bench.project import DbtProject
from bench.source import export

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def measure(
    project: DbtProject, folder: Path, number: int, ratio: int, rounds: int, new: int,
    repeat: int, tell: Callable[[str], None], warm_up: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """Seconds of each round of each engine, and of each increment. A window has `ratio` steps."""
    project.deps()
    spark = project.session()
    source, parquet = f"{project.schema}.readings", folder / "readings"
    made.make(spark, source, number)
    export(spark, source, parquet)
    actions = {
        "strandline": lambda: project.select("detections", 1, full_refresh=True),
        "spark": lambda: engines.plain_spark(spark, source, ratio),
        "duckdb": lambda: engines.duckdb(parquet, folder / "duckdb.parquet", ratio),
    }
    check_rows = lambda: check(spark, project.schema, folder)  # noqa: E731
    told = rounds_of.refreshes(spark, "detections", actions, rounds, check_rows, tell, warm_up)
    found = rounds_of.increments(
        spark, project, {"detections": ["detections"]},
        lambda run: made.append(spark, source, number + run * new, new), repeat, tell,
        committed=["bench_state"],
    )  # fmt: skip
    return {
        "readings": number, "ratio": ratio, "detections": told.pop("rows"), **told,
        "increments": found["detections"],
    }  # fmt: skip


def check(spark: SparkSession, schema: str, folder: Path) -> int:
    """Compares the detections of all engines with Strandline's, both ways; gives their number."""
    told = f"""
        select anomaly_type as metric, sensor, unix_millis(ts) as at,
            round(current_value, 9) as l, round(baseline_value, 9) as r
        from {schema}.detections
    """
    other = "select metric, sensor, {} as at, round(l, 9) as l, round(r, 9) as r from {}"
    others = {
        "spark": other.format("unix_millis(ts)", f"{engines.SCHEMA}.detections"),
        "duckdb": other.format(
            "unix_millis(cast(ts as timestamp))", f"parquet.`{folder / 'duckdb.parquet'}`"
        ),
    }
    for name, sql in others.items():
        rounds_of.assert_same_rows(spark, f"{name}, detections", told, sql)
    return spark.sql(told).count()
