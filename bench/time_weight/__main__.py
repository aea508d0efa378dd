"""`python -m bench.time_weight`: see --help."""

from __future__ import annotations

import json
import os
from pathlib import Path

import click
from bench.options import measuring, workplace
from bench.project import CORES, DbtProject
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
    "spark as is": "plain Spark, equal times twice",
    "spark": "plain Spark, window functions",
    "duckdb as is": "DuckDB, equal times twice",
    "duckdb": "DuckDB, to Parquet",
    "polars": "Polars, to Parquet",
}


@click.command(context_settings={"show_default": True})
@click.option("--points", type=click.IntRange(10_000), default=10_000_000, help="Points.")
@measuring("points")
def main(
    points: int, rounds: int, new: int, repeat: int, memory: str, json_file: Path | None,
    home: Path | None,
) -> None:  # fmt: skip
    """Hourly LOCF by 1,000 keys with a gap of 90 minutes, engine after engine, on the same points.

    The first round warms up, and in it the tables are compared row by row.
    """
    os.environ["POLARS_MAX_THREADS"] = str(CORES)  # read when polars is imported
    from bench.time_weight import measured

    with workplace(home) as folder:
        schema = f"points_{points}"
        project = DbtProject(
            folder / schema / "project", folder / "home", schema, memory, "signal", FILES
        )
        told = measured.measure(
            project, folder / schema, points, rounds, new, repeat, console.print
        )
        show(told)
        if json_file is not None:
            json_file.write_text(json.dumps(told, indent=2) + "\n")


def show(told: dict) -> None:
    """One table of one screen."""
    from bench.shown import show_increments, show_refreshes

    title = f"{told['points']:,} points, {told['rows']:,} rows; seconds"
    show_refreshes(console, title, NAMES, told["seconds"])
    show_increments(console, told["increments"])


if __name__ == "__main__":
    main()
