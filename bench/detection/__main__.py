"""`python -m bench.detection`: see --help."""

from __future__ import annotations

import json
import logging
import shutil
import tempfile
from pathlib import Path

import click
from bench.detection.readings import AVERAGE, ROW, SHARE, STEP, WINDOW
from bench.heap import memory_option
from bench.project import DbtProject
from rich.console import Console
from rich.table import Table

console = Console()
FILES = {
    "models/detections.py": f"""
from strandline.detection import detect


def model(dbt, session):
    dbt.config(materialized="incremental", unique_key="detection_id", file_format="delta")
    return detect(
        dbt, session, name="bench", source=dbt.source("feed", "readings"), ts="ts",
        keys=["sensor"], window_size="{WINDOW} ms", step="{STEP} ms",
        metrics=["temp > {ROW}", "avg(temp) > {AVERAGE}", "temp > percentile(temp, {SHARE})"],
    )
"""
}
NAMES = {
    "strandline": "Strandline, detect",
    "spark": "plain Spark, percentile_disc",
    "duckdb": "DuckDB, to Parquet",
}


@click.command(context_settings={"show_default": True})
@click.option(
    "--readings", type=click.IntRange(100_000), multiple=True, default=[1_000_000, 10_000_000],
    help="Readings; several are measured one after the other.",
)  # fmt: skip
@click.option("--rounds", type=click.IntRange(1), default=3, help="Rounds that count.")
@click.option("--new", type=click.IntRange(1), default=10_000, help="Readings of an increment.")
@click.option("--repeat", type=click.IntRange(0), default=5, help="Increments that count.")
@memory_option("6g")
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--home", type=click.Path(file_okay=False, path_type=Path), default=None,
    help="Where readings and tables lie; kept, and its readings used again. Else it is removed.",
)  # fmt: skip
def main(
    readings: tuple[int, ...], rounds: int, new: int, repeat: int, memory: str,
    json_file: Path | None, home: Path | None,
) -> None:  # fmt: skip
    """One metric of each class by 1,000 keys, windows of ten steps, engine after engine.

    The first round warms up, and in it the detections are compared row by row.
    """
    from bench.detection import measured

    from strandline.spark import close

    logging.getLogger("py4j").setLevel(logging.CRITICAL)
    folder = (home or Path(tempfile.mkdtemp(prefix="strandline-bench-"))).resolve()
    all_told = []
    try:
        for number in readings:
            schema = f"readings_{number}"
            project = DbtProject(
                folder / schema / "project", folder / "home", schema, memory, "readings", FILES
            )
            all_told.append(
                measured.measure(
                    project, folder / schema, number, rounds, new, repeat, console.print
                )
            )
            show(all_told[-1])
            if json_file is not None:
                json_file.write_text(json.dumps(all_told, indent=2) + "\n")
    finally:
        close()
        if home is None:
            shutil.rmtree(folder, ignore_errors=True)


def show(told: dict) -> None:
    """One table of one screen."""
    from bench.measure import median

    title = f"{told['readings']:,} readings, {told['detections']:,} detections; seconds"
    table = Table(title=title, title_justify="left")
    columns = ("full refresh", "median", "of plain Spark's", "of DuckDB's", "heap, MiB")
    for number, name in enumerate(columns):
        table.add_column(name, justify="right" if number else "left")
    spark, duck = (median(told["seconds"][engine]) for engine in ("spark", "duckdb"))
    for engine, seconds in told["seconds"].items():
        one, heap = median(seconds), f"{told['heap'][engine]:,.0f}"
        table.add_row(
            NAMES[engine], f"{one:.2f}", f"{one / spark:.2f}", f"{one / duck:.2f}",
            "" if engine == "duckdb" else heap,
        )  # fmt: skip
    console.print(table)
    for kind, seconds in told["increments"].items():
        if seconds:
            console.print(f"{kind}: {median(seconds):.2f} s", highlight=False)


if __name__ == "__main__":
    main()
