"""`python -m bench.correlation`: see --help."""

from __future__ import annotations

import json
from pathlib import Path

import click
from bench.options import measuring, workplace
from bench.project import DbtProject
from rich.console import Console

console = Console()
NAMES = {
    "windows": "three windows",
    "strandline": "correlation",
    "spark": "plain Spark, joins",
    "duckdb": "DuckDB, to Parquet",
    "both": "windows and correlation",
}


@click.command(context_settings={"show_default": True})
@click.option(
    "--events", "numbers", type=click.IntRange(10_000), multiple=True, default=[6_000_000],
    help="Events of the three streams; several are measured one after the other.",
)  # fmt: skip
@measuring("events")
def main(
    numbers: tuple[int, ...], rounds: int, new: int, repeat: int, memory: str,
    json_file: Path | None, home: Path | None,
) -> None:  # fmt: skip
    """Two patterns over three streams, one of them with `not`, engine after engine.

    The first round warms up, and in it the rows are compared, both ways.
    """
    from bench.correlation import measured

    all_told: list[dict] = []
    with workplace(home) as folder:
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


def show(told: dict) -> None:
    """One table of one screen."""
    from bench.shown import show_increments, show_refreshes

    title = f"{told['events']:,} events of three streams, {told['rows']:,} rows; seconds"
    windows, correlation = (told["seconds"][engine] for engine in ("windows", "strandline"))
    both = {"both": [sum(pair) for pair in zip(windows, correlation, strict=True)]}
    show_refreshes(console, title, NAMES, told["seconds"] | both, told["heap"])
    for name, took in told["increments"].items():
        show_increments(console, took, of=f"{name}, ")


if __name__ == "__main__":
    main()
