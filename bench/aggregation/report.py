"""The figures: a table for people, JSON for what comes after."""

from __future__ import annotations

import json
import os
import platform
from dataclasses import asdict, dataclass
from importlib.metadata import version as version_of
from pathlib import Path

from bench.aggregation.increments import Increments, Measured
from bench.aggregation.refreshes import BUFFER, SPARK, STRANDLINE, Refreshes
from bench.project import CORES
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


def show(console: Console, size: Size) -> None:
    """Two tables of one screen: full refreshes and increments."""
    by_engine = {each.engine: each for each in size.refreshes}
    full, spark = by_engine[STRANDLINE], by_engine[SPARK]
    rows = f"{size.events:,} events; medians, wall and work in seconds, peaks in MiB"
    refreshes = _table(
        "full refresh, six tables", "wall", "work", "of Spark's", "heap", "process", title=rows
    )
    for each in size.refreshes:
        peaks = [f"{max(kind):.0f}" if kind else "" for kind in (each.heaps, each.processes)]
        refreshes.add_row(each.engine, *_seconds(each), f"{each.work / spark.work:.2f}", *peaks)
    console.print(refreshes)
    if BUFFER in by_engine:
        ratio = by_engine[BUFFER].work / full.work
        console.print(f"{BUFFER}: {ratio:.2f} of what it takes without.", highlight=False)
    if size.increments is None:
        return
    increments = _table(f"{size.new:,} new", "wall", "work", "of full", "jobs", "commits")
    for each in size.increments.kinds:
        share = f"{each.work / full.work:.1%}"
        counts = _range(each.jobs), _range(each.commits)
        increments.add_row(each.kind, *_seconds(each), share, *counts)
    console.print(increments)
    peaks = f"heap {size.increments.heap:.0f}, process {size.increments.process:.0f}"
    console.print(f"Peaks of the increments: {peaks}.", highlight=False)


def write(path: Path, spark: SparkSession, sizes: list[Size]) -> None:
    """Every single run, and on what it was measured."""
    system = spark._jvm.java.lang.System
    told = {
        "on": {
            "cores": CORES,
            "load of the last 15 minutes": os.getloadavg()[2],
            "python": platform.python_version(),
            "java": system.getProperty("java.version"),
            "spark": spark.version,
            "dbt-core": version_of("dbt-core"),
            "duckdb": version_of("duckdb"),
        },
        "sizes": [asdict(size) for size in sizes],
    }
    path.write_text(json.dumps(told, indent=2) + "\n")


def _table(*names: str, title: str | None = None) -> Table:
    table = Table(title=title, title_justify="left")
    for number, name in enumerate(names):
        table.add_column(name, justify="right" if number else "left", no_wrap=True)
    return table


def _seconds(each: Refreshes | Increments) -> tuple[str, str]:
    return f"{each.wall:.2f}", f"{each.work:.2f}"


def _range(values: list[int]) -> str:
    """`24`, or `24 to 26` where the runs differ."""
    low, high = min(values), max(values)
    return str(low) if low == high else f"{low} to {high}"
