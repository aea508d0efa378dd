"""The figures: a table for people, JSON for what comes after."""

from __future__ import annotations

import json
import platform
from dataclasses import asdict, dataclass
from importlib.metadata import version as version_of
from pathlib import Path

from bench.aggregation.increments import Measured
from bench.aggregation.project import CORES
from bench.aggregation.refreshes import BUFFER, SPARK, STRANDLINE, Refreshes
from pyspark.sql import SparkSession
from rich.console import Console
from rich.table import Table


@dataclass(frozen=True)
class Size:
    """All that was measured on one number of events; `increments` none when left out."""

    events: int
    new: int
    rows: dict[str, int]
    refreshes: list[Refreshes]
    increments: Measured | None


def show(console: Console, sizes: list[Size]) -> None:
    """Two tables of one screen: full refreshes and increments."""
    refreshes = Table("full refresh, six tables", title="Medians; wall and work in seconds")
    for name in ("events", "wall", "work", "of plain Spark", "heap MiB", "process MiB"):
        refreshes.add_column(name, justify="right")
    increments = Table("increment")
    for name in ("on", "new", "wall", "work", "of full refresh", "Spark jobs", "commits"):
        increments.add_column(name, justify="right")
    for size in sizes:
        by_engine = {each.engine: each for each in size.refreshes}
        for each in size.refreshes:
            share = f"{each.work / by_engine[SPARK].work:.2f}"
            if each.engine == BUFFER:
                share += f" ({each.work / by_engine[STRANDLINE].work:.2f} of none)"
            peaks = [f"{max(kind):.0f}" if kind else "" for kind in (each.heaps, each.processes)]
            seconds = f"{each.wall:.2f}", f"{each.work:.2f}"
            refreshes.add_row(each.engine, f"{size.events:,}", *seconds, share, *peaks)
        if size.increments is None:
            continue
        full = by_engine[STRANDLINE]
        for each in size.increments.kinds:
            new = size.new if each.kind != "nothing new" else 0
            increments.add_row(
                each.kind, f"{size.events:,}", f"{new:,}", f"{each.wall:.2f}", f"{each.work:.2f}",
                f"{each.work / full.work:.1%} ({each.wall / full.wall:.1%} of wall)",
                _range(each.jobs), _range(each.commits),
            )  # fmt: skip
    console.print(refreshes)
    if increments.row_count:
        console.print(increments)
    for size in sizes:
        if size.increments is not None:
            peaks = (
                f"heap {size.increments.heap:.0f} MiB, process {size.increments.process:.0f} MiB"
            )
            console.print(f"Increments on {size.events:,}: {peaks} at most.", highlight=False)


def write(path: Path, spark: SparkSession, sizes: list[Size]) -> None:
    """Every single run, and on what it was measured."""
    system = spark._jvm.java.lang.System
    told = {
        "on": {
            "cores": CORES,
            "python": platform.python_version(),
            "java": system.getProperty("java.version"),
            "spark": spark.version,
            "dbt-core": version_of("dbt-core"),
            "duckdb": version_of("duckdb"),
        },
        "sizes": [asdict(size) for size in sizes],
    }
    path.write_text(json.dumps(told, indent=2) + "\n")


def _range(values: list[int]) -> str:
    """`24`, or `24 to 26` where the runs differ."""
    low, high = min(values), max(values)
    return str(low) if low == high else f"{low} to {high}"
