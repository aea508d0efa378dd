"""`python -m bench.windows`: see --help."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import click
from bench.figures import beside_fewer
from bench.occasion import occasion
from bench.options import measuring, workplace
from bench.project import DbtProject
from bench.results import Result, save
from bench.windows import results
from bench.windows.engines import HIGHEST, LAST
from rich.console import Console

console = Console()
KINDS = ("sliding", "timed", "ranked")
STORES = {
    "sliding": f"store='last {LAST}'",
    "timed": (
        "store='last {} minutes', "
        "aggregates={{'n': 'count(qty)', 'total': 'sum(qty)', 'most': 'max(qty)'}}"
    ),
    "ranked": f"store='highest {HIGHEST} using qty', update_group=['name']",
}
NAMES = {
    "strandline": "Strandline",
    "spark": "plain Spark",
    "duckdb": "DuckDB, to Parquet",
}


@click.command(context_settings={"show_default": True})
@click.option(
    "--events", "numbers", type=click.IntRange(10_000), multiple=True, default=[5_000_000],
    help="Events; several are measured one after the other.",
)  # fmt: skip
@click.option(
    "--increments-over", "more", type=click.IntRange(10_000),
    help="Increments alone, after all else, over so many events.",
)  # fmt: skip
@click.option(
    "--keys", "all_keys", type=click.IntRange(1, 1_000_000), multiple=True, default=[10_000],
    help="Keys, each heard every three minutes; several are measured one after the other.",
)  # fmt: skip
@click.option(
    "--window", "kinds", type=click.Choice(KINDS), multiple=True, default=KINDS,
    help="The last 100 rows; aggregates of the last minutes; the highest 5 rows.",
)  # fmt: skip
@click.option(
    "--minutes", "lengths", type=click.IntRange(1), multiple=True, default=[30],
    help="Length of the timed window; each is a window of its own.",
)  # fmt: skip
@click.option(
    "--growth", is_flag=True,
    help="Instead: the timed window of 10, 30, 100 minutes, of 1,000, 10,000, 100,000 keys.",
)  # fmt: skip
@measuring("events")
def main(
    numbers: tuple[int, ...], more: int | None, all_keys: tuple[int, ...], kinds: tuple[str, ...],
    lengths: tuple[int, ...], growth: bool, rounds: int, new: int, repeat: int, memory: str,
    json_file: Path | None, home: Path | None,
) -> None:  # fmt: skip
    """Windows of many keys, one after the other, engine after engine.

    The first round of a window warms up, and in it the rows are compared, both ways.
    """
    from bench.windows import measured

    on = occasion()
    if growth:
        all_keys, kinds, lengths = (1_000, 10_000, 100_000), ("timed",), (10, 30, 100)
    windows = [
        measured.Window(kind, minutes)
        for kind in kinds
        for minutes in (lengths if kind == "timed" else (None,))
    ]
    files = {f"models/{window.model}.sql": model(window.kind, window.minutes) for window in windows}
    found: list[Result] = []
    with workplace(home) as folder:
        for number, keys in product((*numbers, *([more] if more else [])), all_keys):
            schema = f"events_{number}_{keys}"
            project = DbtProject(
                folder / schema / "project", folder / "home", schema, memory, "events", files
            )
            told = measured.measure(
                project, folder / schema, windows, number, keys, rounds, new, repeat,
                console.print, peers=number != more,
            )  # fmt: skip
            for one in told:
                show(one)
                found += results.of(one, on, new, growth)
            if json_file is not None:
                save(json_file, beside_fewer(found, min(numbers)))


def model(kind: str, minutes: int | None) -> str:
    """The text of a window's model."""
    return (
        "{{ strandline.window_table(source=source('feed', 'events'), ts='ts', keys=['key'], "
        f"{STORES[kind].format(minutes)}) }}}}\n"
    )


def name_of(told: dict) -> str:
    return told["window"] + (f", {told['minutes']} minutes" if told["minutes"] else "")


def show(told: dict) -> None:
    """One table of one screen."""
    from bench.shown import show_increments, show_refreshes

    if "seconds" in told:
        title = f"{results.words(told)}, {told['rows']:,} rows; seconds"
        show_refreshes(console, title, NAMES, told["seconds"], told["heap"])
    show_increments(console, told["increments"])


if __name__ == "__main__":
    main()
