"""`python -m bench.aggregation`: see --help."""

from __future__ import annotations

from pathlib import Path

import click
from bench.aggregation import events, increments, refreshes, report
from bench.aggregation.project import BUFFERED, DURATIONS, TRADES, Project
from bench.options import measuring, workplace
from bench.source import export
from pyspark.sql import SparkSession
from rich.console import Console

from strandline.cli.progress import Steps

console = Console()


@click.command(context_settings={"show_default": True})
@click.option(
    "--events", "numbers", type=click.IntRange(1_000), multiple=True, default=(10_000_000,),
    help="Events in the source, at ten million a year; several times for several sizes.",
)  # fmt: skip
@click.option("--warm-up", type=click.IntRange(0), default=3, help="Increments before that.")
@click.option("--buffer", is_flag=True, help="Refresh a definition with buffer_size=5 as well.")
@measuring("events")
def main(
    numbers: tuple[int, ...], rounds: int, new: int, repeat: int, warm_up: int, buffer: bool,
    memory: str, json_file: Path | None, home: Path | None,
) -> None:  # fmt: skip
    """Strandline beside plain Spark and DuckDB, on the same events, in one process.

    Six tables, seconds to years, by 1,000 keys: first full refreshes, interleaved, then runs with
    a few new events. The tables are compared row by row before anything counts.
    """
    with workplace(home) as folder:
        sizes = []
        for number in numbers:
            names = (TRADES, BUFFERED) if buffer else (TRADES,)
            schema = f"events_{number}"
            project = Project(folder / schema / "project", folder / "home", schema, names, memory)
            steps = Steps(console, of=3 if repeat else 2)
            console.print(f"[bold]{number:,} events[/]")
            spark = _prepare(steps, project, number, folder / schema)
            with steps.step("full refreshes") as line:
                parquet = folder / schema / "events"
                full = refreshes.measure(spark, project, parquet, rounds, buffer, line.report)
                line.report(f"{rounds} of each engine, and one to warm up")
            rows = _rows(spark, project)
            more = None
            if repeat:
                with steps.step("increments") as line:
                    more = increments.measure(
                        spark, project, number, new, repeat, warm_up, line.report
                    )
                    line.report(f"{repeat} of each kind, and {warm_up} to warm up")
            sizes.append(report.Size(number, new, rows, full, more))
            report.show(console, sizes[-1])
            if json_file is not None:
                report.write(json_file, spark, sizes)


def _prepare(steps: Steps, project: Project, number: int, folder: Path) -> SparkSession:
    with steps.step("events, made once"):
        project.deps()
        spark = project.session()
        source = f"{project.schema}.events"
        events.make(spark, source, number)
        export(spark, source, folder / "events")
    return spark


def _rows(spark: SparkSession, project: Project) -> dict[str, int]:
    """The rows of each table."""
    names = {duration: f"{project.schema}.{TRADES}_{duration}" for duration in DURATIONS}
    return {duration: spark.table(name).count() for duration, name in names.items()}


if __name__ == "__main__":
    main()
