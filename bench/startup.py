"""`python -m bench.startup runs|settings`: how long a run takes until its first model starts.

The command that is measured is given as text, so that this stays a caller. `{target}` in it
becomes the target.
"""

from __future__ import annotations

import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Any

import click
import yaml
from rich.console import Console
from rich.table import Table

from strandline.spark.settings import SHORT_RUN_JAVA_OPTIONS

PROFILES = Path("profiles/profiles.yml")
BUILD = "dbt build --target {target}"
console = Console()
LAST_DAY = date(2013, 12, 31)
KEPT = "landing.last_day"
VARIANTS: dict[str, dict[str, Any]] = {
    "as delivered": {},
    "all compiler tiers": {"java_options": ""},
    "class data sharing": {
        "java_options": f"{SHORT_RUN_JAVA_OPTIONS} -XX:SharedArchiveFile={{archive}}"
    },
    "shuffle.partitions 200": {
        "server_side_parameters": {"spark.sql.shuffle.partitions": "200"},
    },
    "snapshotPartitions 50": {
        "server_side_parameters": {"spark.databricks.delta.snapshotPartitions": "50"},
    },
}

# Writes the archive that "class data sharing" reads; its own time is of no interest.
ARCHIVING = {"java_options": f"{SHORT_RUN_JAVA_OPTIONS} -XX:ArchiveClassesAtExit={{archive}}"}


@click.group()
def main() -> None:
    """Measures start-up and work of `dbt build`; medians, in seconds."""


def shared(command: Callable) -> Callable:
    """The options of both commands."""
    options = [
        click.option("--build", default=BUILD, show_default=True, help="The build."),
        click.option("--repeat", type=click.IntRange(1), default=5, show_default=True),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@main.command()
@shared
@click.option("--target", "targets", multiple=True, default=("local", "connect"))
def runs(build: str, repeat: int, targets: tuple[str, ...]) -> None:
    """First build, second with nothing new, third with one day of flights.

    `connect` is warm: its server has made all three builds once before any is counted.
    """
    table = _table("build", "target")
    for target in targets:
        took: dict[str, list[Times]] = {"first": [], "nothing new": [], "one day": []}
        with tempfile.TemporaryDirectory(prefix="strandline-bench-") as folder:
            work = Path(folder)
            env = _env(work)
            write_profile(PROFILES, work / "profiles", {}, work / "archive")
            _replay("prepare", "local", env, work)
            with _served(target, env, work):
                for number in range(repeat + (target == "connect")):
                    _replay("reset", target, env, work)
                    times = [_timed(build, target, env, work), _timed(build, target, env, work)]
                    _replay("day", target, env, work)
                    times.append(_timed(build, target, env, work))
                    if number or target != "connect":
                        for kind, each in zip(took.values(), times, strict=True):
                            kind.append(each)
                        console.print(target, *(f"{each.wall:.1f}" for each in times))
        for name, kind in took.items():
            _row(table, median_of(kind), name, target)
    console.print(table)


@main.command()
@shared
@click.option("--only", multiple=True, type=click.Choice(list(VARIANTS)), help="These settings.")
def settings(build: str, repeat: int, only: tuple[str, ...]) -> None:
    """First build, second with nothing new, of `local`; one setting is changed at a time."""
    table = _table("setting", "build")
    with tempfile.TemporaryDirectory(prefix="strandline-bench-") as folder:
        work = Path(folder)
        env, archive = _env(work), work / "classes.jsa"
        write_profile(PROFILES, work / "profiles", ARCHIVING, archive)
        _replay("prepare", "local", env, work)
        _timed(build, "local", env, work)
        took: dict[str, list[list[Times]]] = {name: [] for name in only or VARIANTS}
        for _ in range(repeat):
            # Interleaved: what else the machine does falls on all of them.
            for name in took:
                write_profile(PROFILES, work / "profiles", VARIANTS[name], archive)
                _replay("reset", "local", env, work)
                took[name].append([_timed(build, "local", env, work) for _ in range(2)])
                console.print(name, *(f"{each.wall:.1f}" for each in took[name][-1]))
    for name, pairs in took.items():
        _row(table, median_of([first for first, _ in pairs]), name, "first")
        _row(table, median_of([second for _, second in pairs]), name, "nothing new")
    console.print(table)


@main.command(hidden=True)
@click.argument("step", type=click.Choice(["prepare", "reset", "day"]))
@click.option("--target", default="local", show_default=True)
@click.option("--profiles-dir", default=None)
def replay(step: str, target: str, profiles_dir: str | None) -> None:
    """Prepares what is measured: the flights, so that a build can be measured again and again.

    `prepare` lands the year once and keeps its last day aside; `reset` takes everything built away;
    `day` lets the last day arrive. The weather, which ends before that day, is landed beside the
    flights.
    """
    from strandline.spark import close, home_for, session_for
    from strandline.spark.profile import credentials_for
    from strandline_demo.flights import FIRST, LAST
    from strandline_demo.landings import FLIGHTS, Landings
    from strandline_demo.year import Days

    spark = session_for(".", target, profiles_dir)
    if step == "prepare":
        landings = Landings(spark, home_for(credentials_for(".", target, profiles_dir)))
        until = landings.land(Days("the year", FIRST, LAST_DAY)).flights.arrival_to
        landings.land(Days("its last day", LAST_DAY, LAST))
        spark.sql(f"create table {KEPT} as select * from {FLIGHTS} where arrival > {until}")
    if step in ("prepare", "reset"):
        [(first,)] = spark.sql(f"select min(arrival) from {KEPT}").collect()
        spark.sql(f"delete from {FLIGHTS} where arrival >= {first}")
        spark.sql("drop schema if exists strandline cascade")
    if step == "day":
        spark.sql(f"insert into {FLIGHTS} select * from {KEPT}")
    spark.stop() if target == "connect" else close()


def _env(work: Path) -> dict[str, str]:
    return {"STRANDLINE_HOME": str(work / "home"), "DBT_PROFILES_DIR": str(work / "profiles")}


def _timed(build: str, target: str, env: dict[str, str], work: Path) -> Times:
    return time_dbt(build.replace("{target}", target), env, work)


def _replay(step: str, target: str, env: dict[str, str], work: Path) -> None:
    """One step of the flights, not measured."""
    command = f"{sys.executable} -m bench.startup replay {step} --target {target}"
    run(command, env, work / "replay.log")


@contextmanager
def _served(target: str, env: dict[str, str], work: Path) -> Iterator[None]:
    """A warm server for `connect`, nothing for others; neither its start nor its stop counts."""
    if target != "connect":
        yield
        return
    run("strandline serve", env, work / "serve.log")
    try:
        yield
    finally:
        run("strandline serve --stop", env, work / "serve.log")


def _table(*names: str) -> Table:
    table = Table(*names)
    for name in ("wall s", "start-up s", "work s"):
        table.add_column(name, justify="right")
    return table


def _row(table: Table, times: Times, *names: str) -> None:
    table.add_row(*names, *(f"{s:.1f}" for s in (times.wall, times.startup, times.work)))


@dataclass(frozen=True)
class Times:
    """Seconds."""

    wall: float
    startup: float

    @property
    def work(self) -> float:
        return self.wall - self.startup


def run(command: str, env: dict[str, str], log: Path) -> float:
    """Runs a shell command, its output in `log`; gives its seconds. Raises RuntimeError."""
    began = time.monotonic()
    with log.open("a") as out:
        out.write(f"$ {command}\n")
        out.flush()
        done = subprocess.run(
            shlex.split(command), env=os.environ | env, stdout=out, stderr=subprocess.STDOUT
        )
    if done.returncode != 0:
        raise RuntimeError(f"`{command}` ended with {done.returncode}; its output is in {log}")
    return time.monotonic() - began


def time_dbt(command: str, env: dict[str, str], work: Path) -> Times:
    """Runs a dbt command and reads from its run results when its first node started."""
    target = work / "target"
    began = datetime.now(timezone.utc)
    wall = run(command, env | {"DBT_TARGET_PATH": str(target)}, work / "dbt.log")
    results = json.loads((target / "run_results.json").read_text())["results"]
    starts = [step["started_at"] for result in results for step in result["timing"]]
    if not starts:
        raise RuntimeError(f"`{command}` ran no node: there is nothing to measure")
    first = datetime.fromisoformat(min(starts).replace("Z", "+00:00"))
    return Times(wall, (first - began).total_seconds())


def median_of(times: list[Times]) -> Times:
    """The medians of wall and start-up, each for itself."""
    return Times(
        statistics.median(each.wall for each in times),
        statistics.median(each.startup for each in times),
    )


def write_profile(source: Path, folder: Path, changes: dict[str, Any], archive: Path) -> None:
    """Writes the project's profiles.yml with changes to its target `local`."""
    profiles = yaml.safe_load(source.read_text())
    filled = {
        key: value.format(archive=archive) if isinstance(value, str) else value
        for key, value in changes.items()
    }
    profiles["strandline_demo"]["outputs"]["local"] |= filled
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "profiles.yml").write_text(yaml.safe_dump(profiles))


if __name__ == "__main__":
    main()
