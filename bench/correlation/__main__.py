"""`python -m bench.correlation`: see --help."""

from __future__ import annotations

import json
import logging
import shutil
import tempfile
from pathlib import Path

import click
from bench.heap import memory_option
from bench.project import DbtProject
from rich.console import Console
from rich.table import Table

console = Console()
NAMES = {
    "windows": "three windows",
    "strandline": "correlation",
    "spark": "plain Spark, joins",
    "duckdb": "DuckDB, to Parquet",
}


@click.command(context_settings={"show_default": True})
@click.option(
    "--events", "numbers", type=click.IntRange(10_000), multiple=True, default=[6_000_000],
    help="Events of the three streams; several are measured one after the other.",
)  # fmt: skip
@click.option("--rounds", type=click.IntRange(1), default=3, help="Rounds that count.")
@click.option("--new", type=click.IntRange(1), default=10_000, help="Events of an increment.")
@click.option("--repeat", type=click.IntRange(0), default=5, help="Increments that count.")
@memory_option("6g")
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--home", type=click.Path(file_okay=False, path_type=Path), default=None,
    help="Where events and tables lie; kept, and its events used again. Else it is removed.",
)  # fmt: skip
def main(
    numbers: tuple[int, ...], rounds: int, new: int, repeat: int, memory: str,
    json_file: Path | None, home: Path | None,
) -> None:  # fmt: skip
    """Two patterns over three streams, one of them with `not`, engine after engine.

    The first round warms up, and in it the rows are compared, both ways.
    """
    from bench.correlation import measured

    from strandline.spark import close

    logging.getLogger("py4j").setLevel(logging.CRITICAL)
    folder = (home or Path(tempfile.mkdtemp(prefix="strandline-bench-"))).resolve()
    all_told: list[dict] = []
    try:
        for number in numbers:
            schema = f"streams_{number}"
            place = folder / schema
            project = DbtProject(
                place / "project", folder / "home", schema, memory, "events", measured.files()
            )
            told = measured.measure(project, place, number, rounds, new, repeat, console.print)
            show(told)
            all_told.append(told)
            if json_file is not None:
                json_file.write_text(json.dumps(all_told, indent=2) + "\n")
    finally:
        close()
        if home is None:
            shutil.rmtree(folder, ignore_errors=True)


def show(told: dict) -> None:
    """One table of one screen."""
    from bench.measure import median

    title = f"{told['events']:,} events of three streams, {told['rows']:,} rows; seconds"
    table = Table(title=title, title_justify="left")
    columns = ("full refresh", "median", "of plain Spark's", "of DuckDB's", "heap, MiB")
    for number, name in enumerate(columns):
        table.add_column(name, justify="right" if number else "left")
    medians = {NAMES[engine]: median(seconds) for engine, seconds in told["seconds"].items()}
    heaps = {NAMES[engine]: heap for engine, heap in told["heap"].items() if engine != "duckdb"}
    spark, duckdb = medians[NAMES["spark"]], medians[NAMES["duckdb"]]
    both = medians[NAMES["windows"]] + medians[NAMES["strandline"]]
    for name, one in {**medians, "windows and correlation": both}.items():
        heap = f"{heaps[name]:,.0f}" if name in heaps else ""
        table.add_row(name, f"{one:.2f}", f"{one / spark:.2f}", f"{one / duckdb:.2f}", heap)
    console.print(table)
    for name, runs in told["increments"].items():
        for kind, seconds in runs.items():
            if seconds:
                console.print(f"{name}, {kind}: {median(seconds):.2f} s", highlight=False)


if __name__ == "__main__":
    main()
