"""`python -m bench.correlation`: see --help."""

from __future__ import annotations

from pathlib import Path

import click
from bench.figures import beside_fewer, count, full_refresh, increments
from bench.occasion import Occasion, occasion
from bench.options import measuring, workplace
from bench.project import DbtProject
from bench.results import Result, save
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

    on, found = occasion(), []
    with workplace(home) as folder:
        for number in numbers:
            schema = f"streams_{number}"
            place = folder / schema
            project = DbtProject(
                place / "project", folder / "home", schema, memory, "events", measured.files()
            )
            told = measured.measure(project, place, number, rounds, new, repeat, console.print)
            show(told)
            found += results_of(told, on, number, new)
            if json_file is not None:
                save(json_file, beside_fewer(found, min(numbers)))


def results_of(told: dict, on: Occasion, number: int, new: int) -> list[Result]:
    """Both patterns with and without their windows, and the increments of each.

    `number` counts each id three times, those that never come included.
    """
    seconds, heap = told["seconds"], told["heap"]
    both = [sum(pair) for pair in zip(seconds["windows"], seconds["strandline"], strict=True)]
    whole = told | {"seconds": seconds | {"both": both}}
    whole |= {"heap": heap | {"both": max(heap["windows"], heap["strandline"])}}
    of = f"{count(number)} events of three streams"
    found = [
        full_refresh("correlation", f"full refresh, {name}, {of}", whole, on, number, ours=engine)
        for engine, name in (("strandline", "two patterns"), ("both", "windows and patterns"))
    ]
    for name, took in told["increments"].items():
        models = "three windows" if name == "windows" else "two patterns"
        found += increments("correlation", models, took, on, number, new)
    return found


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
