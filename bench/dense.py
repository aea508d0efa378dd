"""A dense table: what a tick writes, with partitions as wide as rows want, and as wide as a week.

    python -m bench.dense                      # 100 million events of a day, about an hour
    python -m bench.dense --events 2000000     # some minutes

Both tables read the same source: a day of events of 1,000 keys. A tick adds five minutes of it.
Afterwards both have the same rows.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
from bench.project import workplace
from bench.results import Result, Runs, occasion, save
from bench.rounds import memory_option, processor, table_of
from bench.scale_out.project import (
    SOURCE,
    Place,
    Project,
    append_events,
    compared,
    described,
    make_events,
)
from rich.console import Console

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

console = Console()
MODELS = ("trades_seconds", "trades_minutes")
CHOSEN, WEEK = "chosen", "week"
SHARED = "dense"  # the schema of the source
TICKS_A_DAY = 288
MIB = 2**20


@dataclass(frozen=True)
class Tick:
    """One run: seconds of its models and of the processor, and bytes written by model."""

    seconds: float
    processor: float
    written: dict[str, int]


@click.command(context_settings={"show_default": True})
@click.option("--events", type=click.IntRange(100_000), default=100_000_000, help="Of a day.")
@click.option("--ticks", type=click.IntRange(1), default=5, help="That count, after one more.")
@click.option(
    "--width", "widths", type=click.Choice((CHOSEN, WEEK)), multiple=True, default=(CHOSEN, WEEK),
    help="Of the partitions.",
)  # fmt: skip
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--home", type=click.Path(file_okay=False, path_type=Path), default=None,
    help="Where everything is; kept, and a source that is there is used.",
)  # fmt: skip
@memory_option("8g")
def main(
    events: int, ticks: int, widths: tuple[str, ...], json_file: Path | None, home: Path | None,
    memory: str,
) -> None:  # fmt: skip
    """What a tick of five minutes writes into tables by seconds and minutes."""
    on = occasion()
    done: dict[str, list[Tick]] = {width: [] for width in widths}
    with workplace(home) as folder:
        folder.mkdir(parents=True, exist_ok=True)
        projects = {width: _project(folder, width, memory) for width in widths}
        spark = projects[widths[0]].session()
        if not spark.catalog.tableExists(f"{SHARED}.{SOURCE}"):
            make_events(spark, f"{SHARED}.{SOURCE}", events, 1.0)
        for width, project in projects.items():
            with _as_wide(width):
                began = time.monotonic()
                project.run(MODELS, full_refresh=True)
                console.print(f"{width}: built in {time.monotonic() - began:.0f} s")
            show_tables(spark, width)
        for count in range(ticks + 1):
            at = spark.sql(f"select max(arrival) from {SHARED}.{SOURCE}").first()[0]
            append_events(spark, f"{SHARED}.{SOURCE}", events, 1.0, at, events // TICKS_A_DAY)
            for width, project in projects.items():
                found = tick(spark, project, width)
                if count:  # the first warms up
                    done[width].append(found)
                console.print(f"{width}, tick {count} of {ticks}: {found.seconds:.1f} s")
        show(done)
        for width in widths:
            show_tables(spark, width)
        if len(widths) == 2:
            for model in MODELS:
                rows = compared(spark, model, *(f"{width}.{model}" for width in widths))
                console.print(f"{model}: {rows:,} rows, the same in both")
    if json_file is not None:
        results = [
            Result("dense", f"tick, {width}", f"a tick of five minutes, {events:,} events a day",
                   Runs.of(one.seconds for one in found), on, rows=events)
            for width, found in done.items()
        ] + [
            Result("dense", f"{model}, {width}", f"written into {model} by a tick",
                   Runs.of(one.written[model] / MIB for one in found), on, rows=events, unit="MiB")
            for width, found in done.items() for model in MODELS
        ]  # fmt: skip
        save(json_file, results)


def _project(folder: Path, width: str, memory: str) -> Project:
    settings = {"spark.driver.memory": memory}
    project = Project(folder, folder / "home", SHARED, Place(width, "local[2]", settings))
    project.deps()
    return project


@contextmanager
def _as_wide(width: str) -> Iterator[None]:
    """The width of the tables that are built: chosen by their rows, or given."""
    if width == CHOSEN:
        yield
        return
    os.environ["STRANDLINE_PARTITION"] = width
    try:
        yield
    finally:
        del os.environ["STRANDLINE_PARTITION"]


def tick(spark: SparkSession, project: Project, width: str) -> Tick:
    """A run over what was appended."""
    used = processor(spark)
    took = project.run(MODELS)
    seconds = sum(it.seconds for it in took)
    return Tick(seconds, processor(spark) - used, {it: written(spark, width, it) for it in MODELS})


def written(spark: SparkSession, width: str, model: str) -> int:
    """The bytes of the newest commit of a table."""
    metrics = spark.sql(f"describe history {width}.{model} limit 1").first()["operationMetrics"]
    return int(metrics["numOutputBytes"])


def show_tables(spark: SparkSession, width: str) -> None:
    """Rows, files and partitions of the tables."""
    table = table_of(width, "table", "rows", "MiB", "files", "partitions")
    for model in MODELS:
        one = described(spark, width, model)
        numbers = (one["rows"], one["bytes"] // MIB, one["files"], one["partitions"])
        table.add_row(model, *(f"{it:,}" for it in numbers))
    console.print(table)


def show(done: dict[str, list[Tick]]) -> None:
    """A line for each width, medians of the ticks."""
    table = table_of("a tick, medians", "width", "s", "CPU", *(f"{it}, MiB" for it in MODELS))
    for width, found in done.items():
        table.add_row(
            width, f"{Runs.of(it.seconds for it in found).median:.1f}",
            f"{Runs.of(it.processor for it in found).median:.1f}",
            *(
                f"{Runs.of(it.written[model] / MIB for it in found).median:,.1f}"
                for model in MODELS
            ),
        )  # fmt: skip
    console.print(table)


if __name__ == "__main__":
    main()
