"""Full refreshes of the same six tables, engine after engine, round after round."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench import rounds as rounds_of
from bench.aggregation import engines
from bench.aggregation.check import complete, same
from bench.aggregation.project import BUFFERED, DURATIONS, TRADES, Project
from pyspark.sql import SparkSession

NAMES = {
    "strandline": "Strandline",
    "buffered": "Strandline, buffer_size=5",
    "spark": "plain Spark",
    "duckdb": "DuckDB, to Parquet",
}


def measure(
    spark: SparkSession, project: Project, events: Path, rounds: int, buffer: bool, warm_up: bool,
    tell: Callable[[str], None],
) -> dict[str, Any]:  # fmt: skip
    """The rounds of all engines, interleaved; their tables are compared after the first one."""
    source, tables = f"{project.schema}.events", events.with_name("duckdb")
    actions: dict[str, Callable[[], object]] = {
        "strandline": lambda: project.run(TRADES, full_refresh=True),
        "spark": lambda: engines.plain_spark(spark, source),
        "duckdb": lambda: engines.duckdb(events, tables),
    }
    if buffer:
        actions["buffered"] = lambda: project.run(BUFFERED, full_refresh=True)
    check_rows = lambda: check(spark, project, tables, buffer)  # noqa: E731
    return rounds_of.refreshes(spark, "six tables", actions, rounds, check_rows, tell, warm_up)


def check(spark: SparkSession, project: Project, parquet: Path | None, buffer: bool) -> int:
    """All engines made the same rows; with a buffer, no event was lost.

    Gives the rows of the six tables together. Raises DifferentTables.
    """
    rows = 0
    for duration in DURATIONS:
        own = f"{project.schema}.{TRADES}_{duration}"
        rows += same(spark, own, f"{engines.SCHEMA}.trades_{duration}")
        if parquet is not None:
            same(spark, own, f"parquet.`{parquet / duration}.parquet`")
    if buffer:
        moved = [f"{project.schema}.{BUFFERED}_{duration}" for duration in DURATIONS]
        complete(spark, f"{project.schema}.events", moved)
    return rows
