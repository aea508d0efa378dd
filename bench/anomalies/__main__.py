"""`python -m bench.anomalies`: see --help."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

import click
from bench.figures import count
from bench.goals import BY_HAND, INCREMENT, NOTHING
from bench.measure import median
from bench.occasion import Occasion, occasion
from bench.options import memory_option, workplace
from bench.project import DbtProject
from bench.results import Result, Runs, save
from rich.console import Console
from rich.table import Table

console = Console()
FILES = {
    "models/anomalies.sql": (
        "{{ strandline.anomalies(detections=[source('feed', 'detections')], "
        "keys=['detector', 'sensor'], granularity='PT15M', mutability_period='P2D', "
        "re_notify_percentage_threshold=20, re_notify_absolute_threshold=5) }}\n"
    )
}
NAMES = {
    "first": "first build",
    "changed": "a day, 3 % changed",
    "unchanged": "that day again",
    "new": "a new day",
    "empty": "nothing new",
}
KINDS = {"new": INCREMENT, "empty": NOTHING}  # of figures; the others are named as they are


@click.command(context_settings={"show_default": True})
@click.option(
    "--anomalies", type=click.IntRange(1_000), multiple=True, default=[1_000, 10_000, 100_000],
    help="Anomalies, 274 a day; several are measured in turn.",
)  # fmt: skip
@click.option("--rounds", type=click.IntRange(1), default=5, help="Rounds that count.")
@memory_option("2g")
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path))
def main(anomalies: tuple[int, ...], rounds: int, memory: str, json_file: Path | None) -> None:
    """Runs on a day of a history of anomalies, and a merge by hand of the same day, in turn.

    One round warms up. The commits of each run are counted, and in the end what is active is
    compared with what is so by hand.
    """
    from bench.anomalies import measured

    on = occasion()
    with workplace() as folder:

        def project_of(schema: str) -> DbtProject:
            return DbtProject(folder / schema, folder / "home", schema, memory, "detections", FILES)

        told = measured.measure(project_of, anomalies, rounds, console.print)
        show(told)
        if json_file is not None:
            found = [results_of(number, history, on) for number, history in told.items()]
            save(json_file, chain.from_iterable(found))


def results_of(number: int, history: dict, on: Occasion) -> list[Result]:
    """Each kind of run on a history of so many anomalies, beside its merge by hand."""

    def note(took: list[dict[str, float]]) -> str:
        work, own, hand = (
            median(one[each] for one in took) for each in ("work", "processor", "processor by hand")
        )
        return f"models alone {work:.1f} s; processor {own:.1f} s, by hand {hand:.1f} s"

    return [
        Result(
            "anomalies", KINDS.get(kind, name), f"{name}, {count(number)} anomalies",
            Runs.of((one["wall"] for one in took), max(one["heap"] for one in took)), on,
            {BY_HAND: Runs.of(one["by hand"] for one in took)}, number, note=note(took),
        )
        for kind, name in NAMES.items()
        if (took := history["took"].get(kind))
    ]  # fmt: skip


def show(told: dict) -> None:
    """One table of one screen: medians of seconds, on the clock and of the driver's processor.

    A day in the middle is run by hand, the newest one as a schedule does; by hand is a merge of
    the same day. The peak of the heap is the greatest one.
    """
    table = Table(title="seconds of a run, medians; heap in MiB", title_justify="left")
    table.add_column("run", no_wrap=True)
    for name in ("anomalies", "work", "wall", "CPU", "by hand", "CPU", "heap"):
        table.add_column(name, justify="right")
    for kind, name in NAMES.items():
        for number, history in told.items():
            took = history["took"][kind]
            seconds = [
                f"{median(one[each] for one in took):.2f}"
                for each in ("work", "wall", "processor", "by hand", "processor by hand")
            ]
            heap = f"{max(one['heap'] for one in took):,.0f}"
            table.add_row(name, f"{number:,}", *seconds, heap)
    console.print(table)


if __name__ == "__main__":
    main()
