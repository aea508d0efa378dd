"""`python -m bench.time_weight`: see --help."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import click
from bench.figures import count, full_refresh, increments
from bench.occasion import Occasion, occasion
from bench.options import measuring, workplace
from bench.project import CORES, DbtProject
from bench.results import Result, save
from bench.time_weight.points import KEYS
from rich.console import Console

console = Console()
TABLE, EXPRESSION = "table", "expression"
FILES = {
    "models/signal_table.sql": (
        "{{ strandline.time_weight_table(source=source('feed', 'signal'), keys=['sensor'], "
        "ts='ts', value='value', method='locf', gap='90 minutes', bucket='1 hour') }}\n"
    ),
    "models/signal_expression.sql": (
        "{{ config(materialized='table', file_format='delta') }}\n"
        "select sensor, date_trunc('hour', ts) as bucket, "
        "{{ strandline.time_weight('ts', 'value', method='locf', gap='90 minutes') }} as summary\n"
        "from {{ source('feed', 'signal') }} group by all\n"
    ),
}
NAMES = {
    TABLE: "Strandline, time_weight_table",
    EXPRESSION: "Strandline, in a group by",
    "spark-as-is": "plain Spark, equal times twice",
    "spark": "plain Spark, window functions",
    "duckdb-as-is": "DuckDB, equal times twice",
    "duckdb": "DuckDB, to Parquet",
    "polars": "Polars, to Parquet",
}


GROWTH = (10, 100, 1_000, 10_000, 100_000)  # keys of a million points


@click.command(context_settings={"show_default": True})
@click.option("--points", type=click.IntRange(10_000), default=10_000_000, help="Points.")
@click.option("--keys", type=click.IntRange(1, 1_000_000), default=KEYS, help="Keys of them.")
@click.option(
    "--growth", is_flag=True,
    help="Instead: a million points of 10 to 100,000 keys, of which the first warms up.",
)  # fmt: skip
@click.option(
    "--without", type=click.Choice(list(NAMES)), multiple=True, help="Engines that are left out."
)
@measuring("points")
def main(
    points: int, keys: int, growth: bool, without: tuple[str, ...], rounds: int, new: int,
    repeat: int, memory: str, json_file: Path | None, home: Path | None,
) -> None:  # fmt: skip
    """Hourly LOCF by key with a gap of 90 minutes, engine after engine, on the same points.

    The first round warms up, and in it the tables are compared row by row.
    """
    os.environ["POLARS_MAX_THREADS"] = str(CORES)  # read when polars is imported
    from bench.time_weight import measured

    on, found = occasion(), []
    with workplace(home) as folder:
        for nth, number in enumerate(GROWTH if growth else (keys,)):
            schema = f"points_{points}_{number}"
            project = DbtProject(
                folder / schema / "project", folder / "home", schema, memory, "signal", FILES
            )
            told = measured.measure(
                project, folder / schema, 1_000_000 if growth else points, number, without,
                rounds, new, repeat, console.print, warm_up=not nth,
            )  # fmt: skip
            show(told)
            results = results_of(told, on, new)
            found += (
                [replace(one, series="keys", x=number) for one in results] if growth else results
            )
            if json_file is not None:
                save(json_file, found)


def results_of(told: dict, on: Occasion, new: int) -> list[Result]:
    """The table, the expression beside the same peers, and the increments of the table."""
    number = told["points"]
    of = f"{count(number)} points of {count(told['keys'])} keys"
    engines = {TABLE: "full refresh", EXPRESSION: "expression in a group by"}
    found = [
        replace(full_refresh("time_weight", f"{kind}, {of}", told, on, number, engine), kind=kind)
        for engine, kind in engines.items()
        if engine in told["seconds"]
    ]
    return found + increments(
        "time_weight", "hourly table", told["increments"], on, number, new, "points"
    )


def show(told: dict) -> None:
    """One table of one screen."""
    from bench.shown import show_increments, show_refreshes

    title = f"{told['points']:,} points of {told['keys']:,} keys, {told['rows']:,} rows; seconds"
    show_refreshes(console, title, NAMES, told["seconds"])
    show_increments(console, told["increments"])


if __name__ == "__main__":
    main()
