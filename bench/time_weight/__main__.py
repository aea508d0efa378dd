"""`python -m bench.time_weight`: see --help."""

from __future__ import annotations

import json
import logging
import os
import shutil
import tempfile
from pathlib import Path

import click
from bench.heap import memory_option
from bench.project import CORES, DbtProject
from rich.console import Console
from rich.table import Table

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
@click.option("--rounds", type=click.IntRange(1), default=3, help="Rounds that count.")
@click.option("--new", type=click.IntRange(1), default=10_000, help="Points of an increment.")
@click.option("--repeat", type=click.IntRange(0), default=5, help="Increments that count.")
@memory_option("6g")
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--home", type=click.Path(file_okay=False, path_type=Path), default=None,
    help="Where points and tables lie; kept, and its points used again. Else it is removed.",
)  # fmt: skip
def main(
    points: int, rounds: int, new: int, repeat: int, memory: str, json_file: Path | None,
    home: Path | None,
) -> None:  # fmt: skip
    """Hourly LOCF by 1,000 keys with a gap of 90 minutes, engine after engine, on the same points.

    The first round warms up, and in it the tables are compared row by row.
    """
    os.environ["POLARS_MAX_THREADS"] = str(CORES)  # read when polars is imported
    from bench.time_weight import measured

    from strandline.spark import close

    logging.getLogger("py4j").setLevel(logging.CRITICAL)
    folder = (home or Path(tempfile.mkdtemp(prefix="strandline-bench-"))).resolve()
    schema = f"points_{points}"
    project = DbtProject(
        folder / schema / "project", folder / "home", schema, memory, "signal", FILES
    )
    try:
        told = measured.measure(
            project, folder / schema, points, rounds, new, repeat, console.print
        )
        show(told)
        if json_file is not None:
            json_file.write_text(json.dumps(told, indent=2) + "\n")
    finally:
        close()
        if home is None:
            shutil.rmtree(folder, ignore_errors=True)


def show(told: dict) -> None:
    """One table of one screen."""
    from bench.measure import median

    title = f"{told['points']:,} points, {told['rows']:,} rows; seconds"
    table = Table(title=title, title_justify="left")
    for number, name in enumerate(("full refresh", "median", "of plain Spark's", "of DuckDB's")):
        table.add_column(name, justify="right" if number else "left")
    spark, duck = (median(told["seconds"][engine]) for engine in ("spark", "duckdb"))
    for engine, seconds in told["seconds"].items():
        one = median(seconds)
        table.add_row(NAMES[engine], f"{one:.2f}", f"{one / spark:.2f}", f"{one / duck:.2f}")
    console.print(table)
    for kind, seconds in told["increments"].items():
        console.print(f"{kind}: {median(seconds):.2f} s", highlight=False)


if __name__ == "__main__":
    main()
