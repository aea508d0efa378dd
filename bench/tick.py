"""`python -m bench.tick`: what a run of a whole project costs when nothing is new."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import click
from bench.project import workplace
from bench.results import ROOT, Occasion, Result, Runs, occasion, save
from bench.rounds import median
from rich.console import Console

console = Console()
_PARTS = (
    "dbt_project.yml", "macros", "models", "profiles", "seeds", "snapshots", "tests/generic",
)  # fmt: skip


@click.command(context_settings={"show_default": True})
@click.option("--rounds", type=click.IntRange(1), default=5, help="Runs of each kind that count.")
@click.option("--warm-up", type=click.IntRange(0), default=3, help="Runs before, in the server.")
@click.option("--months", type=click.IntRange(1, 12), default=2, help="Months of the demo.")
@click.option("--server-alone", is_flag=True, help="Only runs through the server, which builds.")
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path))
def main(
    rounds: int, warm_up: int, months: int, server_alone: bool, json_file: Path | None
) -> None:  # fmt: skip
    """The demo is built once; then it is run again and again with nothing new.

    `dbt run` in target `local` and through the warm server, and `strandline demo` once more, all of
    them as processes of their own: what starts and what is parsed is in the figures. A run that
    writes anything fails.
    """
    on = occasion()
    with workplace() as folder:
        folder.mkdir(parents=True, exist_ok=True)
        demo = Demo(folder, months)
        found = []
        if server_alone:
            console.print(f"landed, {months} months: {demo.land():.1f} s")
        else:
            found += second_demos(demo, rounds, on)
            demo.tick("local")  # parses the project for dbt; the demo has done so with own flags
            found += of_target("local", [_measured(demo, "local") for _ in range(rounds)], on)
        with demo.served():
            if server_alone:
                console.print(f"built: {demo.build('connect'):.1f} s")
            for _ in range(warm_up):
                demo.tick("connect")
            found += of_target("connect", [_measured(demo, "connect") for _ in range(rounds)], on)
        if json_file is not None:
            save(json_file, found)


def _measured(demo: Demo, target: str) -> Tick:
    tick = demo.tick(target)
    console.print(
        f"{target}, nothing new: {tick.wall:.1f} s, {len(tick.models)} models of "
        f"{tick.per_model:.2f} s, the longest {max(tick.models):.2f} s"
    )
    return tick


def second_demos(demo: Demo, rounds: int, on: Occasion) -> list[Result]:
    """The demo, and then once more in each round."""
    console.print(f"first demo, {demo.months} months: {demo.demo():.1f} s")
    seconds = []
    for _ in range(rounds):
        seconds.append(demo.demo())
        console.print(f"second demo: {seconds[-1]:.1f} s")
    what = f"`strandline demo` once more, nothing new, {demo.months} months"
    return [Result("tick", "second demo", what, Runs.of(seconds), on)]


def of_target(target: str, ticks: Sequence[Tick], on: Occasion) -> list[Result]:
    """Of one target: a whole `dbt run`, and its models' execution times by their number."""
    number = len(ticks[0].models)
    where = "through the warm server" if target == "connect" else "in `local`"
    longest = median(max(tick.models) for tick in ticks)
    whole = Runs.of(tick.wall for tick in ticks)
    each = Runs.of(tick.per_model for tick in ticks)
    return [
        Result(
            "tick", f"nothing new, {target}", f"`dbt run`, {number} models, nothing new, {where}",
            whole, on, note="dbt and Spark starting included",
        ),
        Result(
            "tick", f"a model, {target}", f"a model of it, {where}", each, on,
            note=f"all models' execution times by their number; the longest {longest:.2f} s",
        ),
    ]  # fmt: skip


@dataclass(frozen=True)
class Tick:
    """One `dbt run` with nothing new: seconds on the clock, and of each model."""

    wall: float
    models: tuple[float, ...]

    @property
    def per_model(self) -> float:
        return sum(self.models) / len(self.models)


class Demo:
    """The project in `folder` with everything it builds; `months` of 2013."""

    def __init__(self, folder: Path, months: int) -> None:
        self.project, self.home, self.months = folder / "project", folder / "home", months
        self._log = folder / "commands.log"
        for part in _PARTS:
            source, copy = ROOT / part, self.project / part
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(source, copy) if source.is_dir() else shutil.copy(source, copy)

    def demo(self) -> float:
        """`strandline demo`, in seconds."""
        return self._timed("strandline", "demo", "--months", str(self.months))

    def land(self) -> float:
        """Lands the months, in seconds."""
        return self._timed("python", "-c", f"from bench.tick import land; land({self.months})")

    def build(self, target: str) -> float:
        """Builds every table of what has landed, without its tests, in seconds."""
        return sum(self._timed("dbt", it, "--target", target) for it in ("seed", "run", "snapshot"))

    def tick(self, target: str) -> Tick:
        """`dbt run`. Raises RuntimeError if it wrote anything: then something was new."""
        before = self._commits()
        wall = self._timed("dbt", "run", "--target", target)
        written = self._commits() - before
        if written:
            raise RuntimeError(f"`dbt run` with nothing new wrote {sorted(written)}")
        results = json.loads((self.project / "target" / "run_results.json").read_text())["results"]
        return Tick(wall, tuple(one["execution_time"] for one in results))

    @contextmanager
    def served(self) -> Iterator[None]:
        """The warm server; neither its start nor its stop is timed."""
        self._timed("strandline", "serve")
        try:
            yield
        finally:
            self._timed("strandline", "serve", "--stop")

    def _commits(self) -> set[str]:
        """The commits of all tables."""
        logs = self.home.glob("**/_delta_log/*.json")
        return {str(log.relative_to(self.home)) for log in logs}

    def _timed(self, command: str, *args: str) -> float:
        """Runs a command of this environment in the project. Raises RuntimeError if it fails."""
        program = Path(sys.executable).with_name(command)
        env = os.environ | {"STRANDLINE_HOME": str(self.home), "DBT_PROFILES_DIR": "profiles"}
        env |= {"PYTHONPATH": str(ROOT)}
        began = time.monotonic()
        with self._log.open("a") as out:
            out.write(f"$ {command} {' '.join(args)}\n")
            out.flush()
            done = subprocess.run(
                [str(program), *args], cwd=self.project, stdout=out, stderr=subprocess.STDOUT,
                env=env,
            )  # fmt: skip
        took = time.monotonic() - began
        if done.returncode:
            tail = self._log.read_text().splitlines()[-15:]
            raise RuntimeError("\n".join([f"{command} {' '.join(args)} failed:", *tail]))
        return took


def land(months: int) -> None:
    """Lands the flights and the weather of some months in the project here. Nothing is built."""
    from strandline.spark import close, close_session, credentials_for, open_session
    from strandline_demo.landings import Landings
    from strandline_demo.year import Year

    credentials = credentials_for(Path(), "local", Path("profiles"))
    spark = open_session(credentials)
    try:
        for days in Year(months).landings():
            Landings(spark, Path(credentials.home)).land(days)
        close_session(spark)
    finally:
        close()


if __name__ == "__main__":
    main()
