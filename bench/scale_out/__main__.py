"""`python -m bench.scale_out`: see --help."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

import click
from bench.project import workplace
from bench.results import occasion
from bench.rounds import Heap
from rich.console import Console

console = Console()


@click.group()
def main() -> None:
    """A standalone cluster of two workers of one core on loopback, beside `local[2]`."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))


def _shared(command: click.Command) -> click.Command:
    for option in (
        click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path)),
        click.option("--memory", type=Heap(), default="1536m", help="Heap of an executor."),
        click.option("--model", "models", multiple=True, help="Only these models; else all."),
    ):
        command = option(command)
    return command


@main.command(context_settings={"show_default": True})
@click.option("--events", "number", type=click.IntRange(1_000), default=1_000_000)
@click.option("--new", type=click.IntRange(1), default=10_000, help="Events of an increment.")
@click.option("--rounds", type=click.IntRange(1), default=3, help="Full refreshes that count.")
@click.option("--repeat", type=click.IntRange(0), default=5, help="Increments that count.")
@_shared
def beside(
    number: int, new: int, rounds: int, repeat: int, models: tuple[str, ...], memory: str,
    json_file: Path | None,
) -> None:  # fmt: skip
    """Seconds of the same runs in both, in turn. Their rows are compared, before and after."""
    from bench.scale_out.beside import measure, places, save_beside, show_beside
    from bench.scale_out.project import MODELS

    on = occasion()
    with workplace() as folder, places(folder, memory) as (running, drivers):
        measured = measure(
            running, drivers, models or MODELS, number, new, rounds, repeat, console.print
        )
    show_beside(console, number, measured)
    if json_file is not None:
        save_beside(json_file, number, measured, on)


@main.command(context_settings={"show_default": True})
@click.option(
    "--events", "numbers", type=click.IntRange(1_000), nargs=2, default=(300_000, 3_000_000),
    help="A small and a large number of events, both of one day.",
)  # fmt: skip
@_shared
def stages(
    numbers: tuple[int, int], models: tuple[str, ...], memory: str, json_file: Path | None
) -> None:
    """Stages with one task that grows with the data; bytes, seconds and files of an event.

    On the cluster alone, with every shuffle split into eight parts: what Spark would join at this
    size it cannot join at any other.
    """
    from bench.scale_out.project import MODELS
    from bench.scale_out.stages import growing, measure, save_stages, show_stages

    on = occasion()
    with workplace() as folder:
        small, large = measure(folder, models or MODELS, numbers, memory, console.print)
    show_stages(console, large, growing(small, large))
    if json_file is not None:
        save_stages(json_file, large, growing(small, large), on)


if __name__ == "__main__":
    main()
