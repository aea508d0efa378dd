"""`python -m bench.detection`: see --help."""

from __future__ import annotations

import json
from pathlib import Path

import click
from bench.detection.readings import AVERAGE, ROW, SHARE, STEP, WINDOW
from bench.options import measuring, workplace
from bench.project import DbtProject
from rich.console import Console

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
@measuring("readings")
def main(
    readings: tuple[int, ...], rounds: int, new: int, repeat: int, memory: str,
    json_file: Path | None, home: Path | None,
) -> None:  # fmt: skip
    """One metric of each class by 1,000 keys, windows of ten steps, engine after engine.

    The first round warms up, and in it the detections are compared row by row.
    """
    from bench.detection import measured

    all_told = []
    with workplace(home) as folder:
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


def show(told: dict) -> None:
    """One table of one screen."""
    from bench.shown import show_increments, show_refreshes

    title = f"{told['readings']:,} readings, {told['detections']:,} detections; seconds"
    show_refreshes(console, title, NAMES, told["seconds"], told["heap"])
    show_increments(console, told["increments"])


if __name__ == "__main__":
    main()
