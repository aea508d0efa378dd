"""`python -m bench.startup runs|settings`: see --help of each.

The commands that are measured are given as text, so that this stays a caller. `{target}` in them
becomes the target.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
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
        click.option("--land", help="Command that lands the first days, before the first build."),
        click.option("--build", default=BUILD, show_default=True, help="The build."),
        click.option("--repeat", type=click.IntRange(1), default=5, show_default=True),
    ]
    for option in reversed(options):
        command = option(command)
    return command


@main.command()
@shared
@click.option("--land-day", help="Command that lands one day more, before the third build.")
@click.option("--serve", default="strandline serve", show_default=True)
@click.option("--target", "targets", multiple=True, default=("local", "connect"))
def runs(
    land: str | None,
    build: str,
    repeat: int,
    land_day: str | None,
    serve: str,
    targets: tuple[str, ...],
) -> None:
    """First build, second with nothing new, third with one day of flights.

    Each repetition starts on an empty home; `connect` starts its server before and stops it after,
    neither is counted.
    """
    table = _table("build", "target")
    for target in targets:
        told: dict[str, list[Times]] = {"first": [], "nothing new": [], "one day": []}
        for _ in range(repeat):
            with tempfile.TemporaryDirectory(prefix="strandline-bench-") as folder:
                work = Path(folder)
                env = _env(work)
                write_profile(PROFILES, work / "profiles", {}, work / "archive")
                _serving(target, serve, "", env, work)
                try:
                    _maybe(land, target, env, work)
                    told["first"].append(_timed(build, target, env, work))
                    told["nothing new"].append(_timed(build, target, env, work))
                    _maybe(land_day, target, env, work)
                    told["one day"].append(_timed(build, target, env, work))
                finally:
                    _serving(target, serve, " --stop", env, work)
        for name, times in told.items():
            _row(table, median(times), name, target)
    console.print(table)


@main.command()
@shared
def settings(land: str | None, build: str, repeat: int) -> None:
    """First and second build of target `local` under each setting, one change at a time."""
    table = _table("setting", "build")
    for name, changes in VARIANTS.items():
        first, second = [], []
        for _ in range(repeat):
            with tempfile.TemporaryDirectory(prefix="strandline-bench-") as folder:
                work = Path(folder)
                env, archive = _env(work), work / "classes.jsa"
                if "{archive}" in str(changes):
                    write_profile(PROFILES, work / "profiles", ARCHIVING, archive)
                    _timed(build, "local", env | {"STRANDLINE_HOME": str(work / "other")}, work)
                write_profile(PROFILES, work / "profiles", changes, archive)
                _maybe(land, "local", env, work)
                first.append(_timed(build, "local", env, work))
                second.append(_timed(build, "local", env, work))
        _row(table, median(first), name, "first")
        _row(table, median(second), name, "nothing new")
    console.print(table)


def _env(work: Path) -> dict[str, str]:
    return {"STRANDLINE_HOME": str(work / "home"), "DBT_PROFILES_DIR": str(work / "profiles")}


def _timed(build: str, target: str, env: dict[str, str], work: Path) -> Times:
    return time_dbt(build.replace("{target}", target), env, work)


def _maybe(command: str | None, target: str, env: dict[str, str], work: Path) -> None:
    if command is not None:
        run(command.replace("{target}", target), env, work / "land.log")


def _serving(target: str, serve: str, how: str, env: dict[str, str], work: Path) -> None:
    if target == "connect":
        run(serve + how, env, work / "serve.log")


def _table(*names: str) -> Table:
    table = Table(*names)
    for name in ("wall s", "start-up s", "work s"):
        table.add_column(name, justify="right")
    return table


def _row(table: Table, times: Times, *names: str) -> None:
    table.add_row(*names, *(f"{s:.1f}" for s in (times.wall, times.startup, times.work)))


if __name__ == "__main__":
    main()
