"""`python -m bench`: see --help.

Each step is one benchmark in a process of its own; what it gave is kept.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from bench import page as pages
from bench.results import (
    BENCHMARKS,
    QUICK_VARIABLE,
    RESULTS,
    ROOT,
    Result,
    load,
    merged,
    outcomes,
    save,
)
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from strandline.cli.progress import Line, Steps

PAGE = ROOT / "docs" / "performance.md"
LOGS = ROOT / "target" / "bench"
_LOOK = 0.5  # seconds between two looks at a log
QUICK_RESULTS = LOGS / "quick.json"
file = click.Path(dir_okay=False, path_type=Path)
console = Console(highlight=False)
# What several steps have.
PEERS_ALONE = "--without expression --without spark-as-is --without duckdb-as-is"
BASE = ("--kind", "increment", "--kind", "nothing new")


@click.command()
@click.option(
    "--quick", is_flag=True,
    help="Small sizes, in 10 to 15 minutes. No goal is checked, and nothing is written to "
    "the results or the page unless they are named.",
)  # fmt: skip
@click.option("--growth", is_flag=True, help="How costs grow, in some 40 minutes, instead.")
@click.option("--only", multiple=True, type=click.Choice(BENCHMARKS), help="This one. Repeatable.")
@click.option("--plan", "plan_only", is_flag=True, help="Show what would run, and for how long.")
@click.option("--render", is_flag=True, help="Run nothing: fill the page from the results.")
@click.option("--results", type=file, help="Default: docs/performance/results.json.")
@click.option("--page", type=file, help="Default: docs/performance.md; its plots are beside it.")
def main(
    quick: bool, growth: bool, only: tuple[str, ...], plan_only: bool, render: bool,
    results: Path | None, page: Path | None,
) -> None:  # fmt: skip
    """Every benchmark beside its peers, one after the other, each in a process of its own.

    The results are merged into those of earlier runs. The generated parts of the page and its
    plots are written again. A benchmark that fails leaves its earlier results; the exit code is 1.
    """
    if quick and growth:
        raise click.UsageError("--growth has no --quick form.")
    steps = chosen(quick, growth, only)
    if plan_only:
        return show_plan(steps)
    results = results or (QUICK_RESULTS if quick else RESULTS)
    results.parent.mkdir(parents=True, exist_ok=True)

    def keep(found: list[Result]) -> None:
        save(results, merged(load(results), found))

    failed = [] if render else run_all(steps, quick, console, keep)
    found = load(results)
    if page or not quick:
        pages.write(page or PAGE, found)
    show_goals(found)
    console.print(f"The results: {results}")
    if failed:
        console.print("\n".join(failed), style="red")
        raise SystemExit(1)
    return None


def show_plan(steps: list[Step]) -> None:
    """The steps and their minutes."""
    table = Table("benchmark", "arguments", box=None)
    table.add_column("minutes", justify="right")
    for step in steps:
        table.add_row(step.name, shlex.join(step.args), f"{step.minutes:g}")
    table.add_row("[bold]all", "", f"[bold]{sum(step.minutes for step in steps):g}")
    console.print(table)


def show_goals(results: list[Result]) -> None:
    """Each figure that has a goal."""
    words = {True: "[green]met", False: "[red]missed", None: "not checked"}
    table = Table("figure", "ours", "goal", "value", "", box=None)
    for one in results:
        for goal in outcomes(one):
            table.add_row(
                f"{one.benchmark}: {one.what}", f"{one.ours.median:.2f}", goal.text,
                f"{goal.value:.2f}", words[goal.held],
            )  # fmt: skip
    console.print(table)


@dataclass(frozen=True)
class Step:
    """A benchmark with its arguments; `series` is what grows, if that is what it measures."""

    benchmark: str
    args: tuple[str, ...]
    minutes: float
    series: str = ""

    @property
    def name(self) -> str:
        return f"{self.benchmark}, {self.series}" if self.series else self.benchmark


def _step(benchmark: str, args: str, minutes: float, series: str = "") -> Step:
    return Step(benchmark, tuple(args.split()), minutes, series)


# The minutes are estimates for two quiet cores, of the figures in docs/performance.md. In each of
# the five rounds every engine has its turn: one of full refreshes takes up to two minutes.
DEFAULT = (
    _step("tick", "--rounds 5", 6),
    Step(
        "aggregation",
        ("--events", "10000000", "--warm-up-on", "1000000", "--rounds", "5", "--warm-up", "20",
         "--repeat", "5", *BASE),
        20,
    ),
    _step("time_weight", f"--warm-up-on 1000000 --rounds 5 --repeat 5 {PEERS_ALONE}", 8),
    _step("detection", "--readings 10000000 --warm-up-on 1000000 --rounds 5 --repeat 5", 14),
    _step(
        "windows", "--events 1000000 --increments-over 5000000 --warm-up-on 100000 "
        "--rounds 5 --repeat 5", 14,
    ),
    _step("correlation", "--events 1000000 --events 6000000 --rounds 5 --repeat 5", 12),
    _step("anomalies", "--anomalies 1000 --anomalies 100000 --rounds 5", 8),
)  # fmt: skip
QUICK = (
    _step("tick", "--rounds 1 --warm-up 1 --months 1 --server-alone", 2.5),
    _step(
        "aggregation",
        "--events 100000 --rounds 1 --warm-up 0 --repeat 1 --kind increment",
        1.5,
    ),
    _step("time_weight", f"--points 200000 --rounds 1 --repeat 1 {PEERS_ALONE}", 0.7),
    _step("detection", "--readings 100000 --rounds 1 --repeat 1", 0.8),
    _step("windows", "--events 50000 --window timed --rounds 1 --repeat 1", 0.8),
    _step("correlation", "--events 50000 --rounds 1 --repeat 1", 0.8),
    _step("anomalies", "--anomalies 1000 --rounds 1", 1),
)
GROWTH = (
    Step(
        "aggregation",
        ("--growth", "events", "--rounds", "1", "--warm-up", "3", "--repeat", "2", *BASE),
        16, "events",
    ),
    _step("aggregation", "--growth keys --rounds 1 --repeat 0", 4, "keys"),
    _step("aggregation", "--growth skew --rounds 1 --repeat 0", 2, "skew"),
    _step("time_weight", f"--growth --rounds 1 --repeat 0 {PEERS_ALONE}", 3, "keys"),
    _step("detection", "--growth --readings 1000000 --rounds 1 --repeat 0", 7, "ratio"),
    _step("windows", "--growth --events 1000000 --rounds 1 --repeat 0", 8, "length"),
)  # fmt: skip


def chosen(quick: bool, growth: bool, only: Iterable[str]) -> list[Step]:
    """The steps of one form of the run; of `only` these benchmarks, if any are named."""
    only = set(only)
    steps = GROWTH if growth else QUICK if quick else DEFAULT
    return [step for step in steps if not only or step.benchmark in only]


class FailedError(Exception):
    """A benchmark ended with an error; its log has more."""


def run_all(
    steps: Sequence[Step], quick: bool, console: Console, keep: Callable[[list[Result]], None]
) -> list[str]:
    """Runs the steps and hands the results of each to `keep`; gives a line for each that failed."""
    failed = []
    progress, began = Steps(console, of=len(steps)), time.monotonic()
    for nth, step in enumerate(steps):
        left = sum(each.minutes for each in steps[nth:])
        gone = (time.monotonic() - began) / 60
        title = f"{step.name} ({gone:.0f} min gone, about {left:.0f} left)"
        try:
            with progress.step(title) as line:
                results = run_one(step, quick, line)
                keep(results)
                line.report(f"{len(results)} figures")
        except FailedError as error:
            failed.append(str(error))
    return failed


def run_one(step: Step, quick: bool, line: Line) -> list[Result]:
    """The results of one step. Raises FailedError."""
    LOGS.mkdir(parents=True, exist_ok=True)
    log = LOGS / f"{step.name.replace(', ', '_')}.log"
    with tempfile.TemporaryDirectory(prefix="strandline-bench-") as folder:
        file = Path(folder) / "results.json"
        command = [sys.executable, "-m", f"bench.{step.benchmark}", *step.args, "--json", str(file)]
        env = os.environ | {"PYTHONUNBUFFERED": "1", "COLUMNS": "120"}
        env |= {QUICK_VARIABLE: "1"} if quick else {}
        with log.open("w") as out:
            child = subprocess.Popen(
                command, cwd=ROOT, env=env, stdout=out, stderr=subprocess.STDOUT
            )
            try:
                while child.poll() is None:
                    line.report(escape(last_line(log)))
                    time.sleep(_LOOK)
            finally:
                if child.poll() is None:  # interrupted: let it close Spark and remove its folder
                    child.terminate()
                    child.wait()
        if child.returncode:
            raise FailedError(
                f"{step.name} ended with {child.returncode}: {last_line(log)}"
                f"\n  its log: {log.relative_to(ROOT)}"
            )
        results = load(file)
    if not results:
        raise FailedError(f"{step.name} gave no figures\n  its log: {log.relative_to(ROOT)}")
    return results


def last_line(log: Path) -> str:
    """The last line of text in a log."""
    lines = [each.strip() for each in log.read_text(errors="replace").splitlines()]
    return next((each for each in reversed(lines) if each), "")


if __name__ == "__main__":
    main()
