"""`python -m bench.tick`: see --help."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from bench.measure import median
from bench.occasion import Occasion, occasion
from bench.options import workplace
from bench.results import Result, Runs, save
from bench.tick.demo import Demo, Tick
from rich.console import Console

console = Console()


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
            found += of_target("local", [_told(demo, "local") for _ in range(rounds)], on)
        with demo.served():
            if server_alone:
                console.print(f"built: {demo.build('connect'):.1f} s")
            for _ in range(warm_up):
                demo.tick("connect")
            found += of_target("connect", [_told(demo, "connect") for _ in range(rounds)], on)
        if json_file is not None:
            save(json_file, found)


def _told(demo: Demo, target: str) -> Tick:
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


if __name__ == "__main__":
    main()
