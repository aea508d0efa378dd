"""`python -m bench.startup runs|settings`: see --help of each.

The command that is measured is given as text, so that this stays a caller. `{target}` in it
becomes the target.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from bench.startup.measure import Times, median, run, time_dbt
from bench.startup.variants import ARCHIVING, VARIANTS, write_profile
from rich.console import Console
from rich.table import Table

PROFILES = Path("profiles/profiles.yml")
BUILD = "dbt build --target {target}"
console = Console()


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
        told: dict[str, list[Times]] = {"first": [], "nothing new": [], "one day": []}
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
                        for kind, each in zip(told.values(), times, strict=True):
                            kind.append(each)
                        console.print(target, *(f"{each.wall:.1f}" for each in times))
        for name, kind in told.items():
            _row(table, median(kind), name, target)
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
        told: dict[str, list[list[Times]]] = {name: [] for name in only or VARIANTS}
        for _ in range(repeat):
            # Interleaved: what else the machine does falls on all of them.
            for name in told:
                write_profile(PROFILES, work / "profiles", VARIANTS[name], archive)
                _replay("reset", "local", env, work)
                told[name].append([_timed(build, "local", env, work) for _ in range(2)])
                console.print(name, *(f"{each.wall:.1f}" for each in told[name][-1]))
    for name, pairs in told.items():
        _row(table, median([first for first, _ in pairs]), name, "first")
        _row(table, median([second for _, second in pairs]), name, "nothing new")
    console.print(table)


def _env(work: Path) -> dict[str, str]:
    return {"STRANDLINE_HOME": str(work / "home"), "DBT_PROFILES_DIR": str(work / "profiles")}


def _timed(build: str, target: str, env: dict[str, str], work: Path) -> Times:
    return time_dbt(build.replace("{target}", target), env, work)


def _replay(step: str, target: str, env: dict[str, str], work: Path) -> None:
    """One step of the flights, not measured."""
    command = f"{sys.executable} -m bench.startup.replay {step} --target {target}"
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


if __name__ == "__main__":
    main()
