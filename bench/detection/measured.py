"""Full refreshes of one table of detections, interleaved, and runs that add a few readings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import rounds as rounds_of
from bench.detection import engines
from bench.detection import readings as made
from bench.measure import version
from bench.project import DbtProject
from bench.source import export

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def measure(
    project: DbtProject, folder: Path, number: int, rounds: int, new: int, repeat: int,
    tell: Callable[[str], None],
) -> dict[str, Any]:  # fmt: skip
    """Seconds of each round of each engine, after one to warm up, and of each increment."""
    project.deps()
    spark = project.session()
    source, parquet = f"{project.schema}.readings", folder / "readings"
    made.make(spark, source, number)
    export(spark, source, parquet)
    actions = {
        "strandline": lambda: project.select("detections", 1, full_refresh=True),
        "spark": lambda: engines.plain_spark(spark, source),
        "duckdb": lambda: engines.duckdb(parquet, folder / "duckdb.parquet"),
    }
    check_rows = lambda: check(spark, project.schema, folder)  # noqa: E731
    told = rounds_of.refreshes(spark, "detections", actions, rounds, check_rows, tell)
    return {
        "readings": number, "detections": told.pop("rows"), **told,
        "increments": increments(spark, project, source, number, new, repeat, tell),
    }  # fmt: skip


def increments(
    spark: SparkSession, project: DbtProject, source: str, number: int, new: int, repeat: int,
    tell: Callable[[str], None],
) -> dict[str, list[float]]:  # fmt: skip
    """Runs with new readings and with none, each after the one before; three warm up."""
    took: dict[str, list[float]] = {f"{new:,} new readings": [], "nothing new": []}
    start = version(spark, f"{project.schema}.bench_state")
    for count in range(repeat + 3):
        made.append(spark, source, number + count * new, new)
        runs = [project.select("detections", 1).work for _ in took]
        tell(f"increments, {count + 1} of {repeat + 3}: {runs[0]:.1f} and {runs[1]:.1f} s")
        if count >= 3:
            for kind, one in zip(took, runs, strict=True):
                took[kind].append(one)
    if version(spark, f"{project.schema}.bench_state") != start + repeat + 3:
        raise RuntimeError("an increment did not make one commit")
    return took


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
