"""`python -m bench.detection`: see --help."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path

import click
from bench.detection.readings import AVERAGE, RATIOS, ROW, SHARE, WINDOW
from bench.figures import count, full_refresh, increments
from bench.occasion import Occasion, occasion
from bench.options import measuring, workplace
from bench.project import DbtProject
from bench.results import Result, save
from rich.console import Console

console = Console()
MODEL = """
from strandline.detection import detect


def model(dbt, session):
    dbt.config(materialized="incremental", unique_key="detection_id", file_format="delta")
    return detect(
        dbt, session, name="bench", source=dbt.source("feed", "readings"), ts="ts",
        keys=["sensor"], window_size="{window} ms", step="{step} ms",
        metrics=["temp > {row}", "avg(temp) > {average}", "temp > percentile(temp, {share})"],
    )
"""
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
@click.option(
    "--ratio", type=click.Choice(list(map(str, RATIOS))), default="10",
    help="Steps of a window of 100 seconds.",
)  # fmt: skip
@click.option("--growth", is_flag=True, help="Instead: windows of 1 to 100 steps; one warms up.")
@measuring("readings")
def main(
    readings: tuple[int, ...], ratio: str, growth: bool, rounds: int, new: int, repeat: int,
    memory: str, json_file: Path | None, home: Path | None,
) -> None:  # fmt: skip
    """One metric of each class by 1,000 keys, engine after engine.

    The first round warms up, and in it the detections are compared row by row.
    """
    from bench.detection import measured

    on, found = occasion(), []
    ratios = RATIOS if growth else (int(ratio),)
    with workplace(home) as folder:
        for number, steps in product(readings, ratios):
            schema = f"readings_{number}"
            project = DbtProject(
                folder / schema / f"project_{steps}", folder / "home", schema, memory, "readings",
                {"models/detections.py": model(steps)},
            )  # fmt: skip
            warm_up = not growth or steps == ratios[0]
            told = measured.measure(
                project, folder / schema, number, steps, rounds, new, repeat, console.print, warm_up
            )
            show(told)
            for one in results_of(told, on, new):
                found.append(replace(one, series="ratio", x=steps) if growth else one)
            if json_file is not None:
                save(json_file, found)


def model(ratio: int) -> str:
    """The text of the model: windows of so many steps."""
    step = WINDOW // ratio
    return MODEL.format(window=WINDOW, step=step, row=ROW, average=AVERAGE, share=SHARE)


def results_of(told: dict, on: Occasion, new: int) -> list[Result]:
    """The full refresh, and the runs with new readings and with none."""
    number, steps = told["readings"], told["ratio"]
    what = f"first build, {count(number)} readings, windows of {steps} steps"
    full = full_refresh("detection", what, told, on, number)
    return [
        full,
        *increments("detection", "detections", told["increments"], on, number, new, "readings"),
    ]


def show(told: dict) -> None:
    """One table of one screen."""
    from bench.shown import show_increments, show_refreshes

    title = (
        f"{told['readings']:,} readings, windows of {told['ratio']} steps, "
        f"{told['detections']:,} detections; seconds"
    )
    show_refreshes(console, title, NAMES, told["seconds"], told["heap"])
    show_increments(console, told["increments"])


if __name__ == "__main__":
    main()
