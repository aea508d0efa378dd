"""`python -m bench.aggregation`: see --help."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click
from bench.aggregation import events, increments, refreshes, report
from bench.aggregation.events import KEYS, Series
from bench.aggregation.project import BUFFERED, TRADES, Project
from bench.occasion import occasion
from bench.options import measuring, workplace
from bench.results import Result, save
from bench.source import export
from pyspark.sql import SparkSession
from rich.console import Console

console = Console()
# What grows, and the series by which it does, from the smallest to the greatest.
GROWTH = {
    "events": [Series(1_000_000), Series(10_000_000), Series(30_000_000)],
    "keys": [Series(1_000_000, 10**power) for power in range(1, 7)],
    "skew": [Series(1_000_000), Series(1_000_000, skew=True)],
}


@click.command(context_settings={"show_default": True})
@click.option(
    "--events", "numbers", type=click.IntRange(1_000), multiple=True, default=(10_000_000,),
    help="Events in the source, at ten million a year; several times for several sizes.",
)  # fmt: skip
@click.option("--keys", type=click.IntRange(1, 1_000_000), default=KEYS, help="Keys of them.")
@click.option("--skew", is_flag=True, help="One key has half of all events.")
@click.option(
    "--growth", type=click.Choice(list(GROWTH)),
    help="Instead: 1, 10, 30 million events; 10 to 1,000,000 keys; one key with half of them."
    " Only the first of them is warmed up.",
)  # fmt: skip
@click.option("--warm-up", type=click.IntRange(0), default=3, help="Increments before that.")
@click.option(
    "--kind", "kinds", type=click.Choice(list(increments.LATE)), multiple=True,
    default=list(increments.LATE), help="Kinds of increments.",
)  # fmt: skip
@click.option("--buffer", is_flag=True, help="Refresh a definition with buffer_size=5 as well.")
@measuring("events")
def main(
    numbers: tuple[int, ...], keys: int, skew: bool, growth: str | None, rounds: int, new: int,
    repeat: int, warm_up: int, kinds: tuple[str, ...], buffer: bool, memory: str,
    json_file: Path | None, home: Path | None,
) -> None:  # fmt: skip
    """Strandline beside plain Spark and DuckDB, on the same events, in one process.

    Six tables, seconds to years: first full refreshes, interleaved, then runs with a few new
    events, beside merges by hand. The tables are compared row by row before anything counts.
    """
    on = occasion()
    all_series = GROWTH[growth] if growth else [Series(number, keys, skew) for number in numbers]
    found: list[Result] = []
    with workplace(home) as folder:
        for series in all_series:
            names = (TRADES, BUFFERED) if buffer else (TRADES,)
            place = folder / series.schema
            project = Project(place / "project", folder / "home", series.schema, names, memory)
            spark = _prepare(project, series, place)
            is_cold = not growth or series is all_series[0]
            full = refreshes.measure(
                spark, project, place / "events", rounds, buffer, is_cold, console.print
            )
            more = None
            if repeat:
                more = increments.measure(
                    spark, project, series, new, repeat, warm_up, kinds, console.print
                )
            size = report.Size(series, new, full, more)
            report.show(console, size)
            found += [_grown(one, growth, series) for one in report.results(size, on)]
            if json_file is not None:
                save(json_file, found)


def _prepare(project: Project, series: Series, folder: Path) -> SparkSession:
    console.print(f"making {series.number:,} events")
    project.deps()
    spark = project.session()
    source = f"{project.schema}.events"
    events.make(spark, source, series)
    export(spark, source, folder / "events")
    return spark


def _grown(result: Result, growth: str | None, series: Series) -> Result:
    """As a point of a growth series, if one is measured."""
    if growth is None:
        return result
    x = {"events": series.number, "keys": series.keys, "skew": int(series.skew)}[growth]
    return replace(result, series=growth, x=x)


if __name__ == "__main__":
    main()
