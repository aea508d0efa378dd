"""`python -m bench.storage`: see --help."""

from __future__ import annotations

from pathlib import Path

import click
from bench.occasion import occasion
from bench.options import memory_option, workplace
from bench.storage.runs import MODELS
from rich.console import Console

console = Console()


@click.command(context_settings={"show_default": True})
@click.option("--runs", type=click.IntRange(10), default=1_000, help="Runs, one after the other.")
@click.option("--new", type=click.IntRange(1), default=200, help="New events of a run.")
@click.option("--events", "first", type=click.IntRange(1_000), default=100_000, help="At first.")
@click.option("--warm-up", type=click.IntRange(0), default=15, help="Runs of other tables, first.")
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path))
@click.option(
    "--model", "models", type=click.Choice(MODELS), multiple=True, default=MODELS,
    help="What is run.",
)  # fmt: skip
@click.option(
    "--home", type=click.Path(file_okay=False, path_type=Path), default=None,
    help="Where everything lies; kept, and what was killed goes on there.",
)  # fmt: skip
@memory_option("2g")
def main(
    runs: int, new: int, first: int, warm_up: int, models: tuple[str, ...],
    json_file: Path | None, home: Path | None, memory: str,
) -> None:  # fmt: skip
    """Many small runs in one process: seconds, files and logs of the last beside the tenth.

    What is measured is written after every ten runs to `runs.json` in the home.
    """
    from bench.storage import report
    from bench.storage import runs as small
    from bench.storage.history import read

    on = occasion()
    at = tuple(sorted({10, *(it for it in (100, 500, 1_000) if it <= runs), runs}))
    with workplace(home) as folder:
        folder.mkdir(parents=True, exist_ok=True)
        history = read(folder / "runs.json")
        young = small.Tables(folder, small.YOUNG, models, first, new, memory)
        old = small.Tables(folder, small.OLD, models, first, new, memory)
        if warm_up and len(history.runs) < runs:
            young.build()
            for _ in range(warm_up):
                young.run()
        if not history.runs:
            old.build()
        console.print(f"{len(history.runs):,} runs are there")
        small.measure(old, history, folder / "runs.json", runs, at, console.print)
        small.in_turn(old, young, history, console.print)
        history.write(folder / "runs.json")
        small.purge(old, history, console.print)
        history.write(folder / "runs.json")
    report.show(console, history)
    if json_file is not None:
        report.save(json_file, history, on)


if __name__ == "__main__":
    main()
