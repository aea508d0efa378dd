"""What was measured, as tables of one screen and as JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from bench.measure import median
from bench.occasion import Occasion
from bench.results import Result, Runs, save
from bench.scale_out.beside import LOCAL, NAMES, Measured
from bench.scale_out.stages import Growing, Size
from rich.console import Console
from rich.table import Table


def table_of(title: str, *columns: str) -> Table:
    """A table whose columns stand on the right, all but the first."""
    table = Table(title=title, title_justify="left")
    for number, name in enumerate(columns):
        table.add_column(name, justify="right" if number else "left")
    return table


def show_beside(console: Console, number: int, measured: Sequence[Measured]) -> None:
    """Medians of each kind of run and place, as a multiple of those of `local`."""
    table = table_of(
        f"{number:,} events; medians, seconds",
        "run",
        "work",
        "of local",
        "wall",
        "driver's CPU",
        "executors' CPU",
    )
    local = {
        each.kind: median(each.seconds()) for each in measured if each.place == LOCAL and each.runs
    }
    for each in measured:
        if each.runs:
            work = median(each.seconds())
            table.add_row(
                f"{each.kind}, {NAMES[each.place]}", f"{work:.1f}",
                f"{work / local[each.kind]:.2f}",
                *(f"{median(run[it] for run in each.runs):.1f}" for it in (
                    "wall", "processor", "executors"
                )),
            )  # fmt: skip
    console.print(table)


def save_beside(path: Path, number: int, measured: Sequence[Measured], on: Occasion) -> None:
    """Each kind of run on the cluster, beside `local`: seconds of the models, and of processor."""
    local = {each.kind: each for each in measured if each.place == LOCAL and each.runs}
    results = []
    for each in measured:
        if each.place == LOCAL or not each.runs:
            continue
        for unit, runs in (("s", Measured.seconds), ("s of CPU", Measured.processor)):
            results.append(
                Result(
                    "scale_out",
                    f"{each.kind}, {each.place}" + ("" if unit == "s" else ", CPU"),
                    f"{each.kind} over {number:,} events, {NAMES[each.place]}",
                    Runs.of(runs(each)),
                    on,
                    {NAMES[LOCAL]: Runs.of(runs(local[each.kind]))},
                    rows=number,
                    unit=unit,
                )
            )
    save(path, results)


def show_stages(console: Console, size: Size, found: Sequence[Growing]) -> None:
    """The stages with a large task, then what each model costs for an event."""
    stages = table_of(
        f"{size.events:,} events of a day: stages whose largest task grows", "model and run",
        "what it does", "tasks", "largest reads", "of all", "at the smaller size",
    )  # fmt: skip
    for each in found:
        mark = "[bold red]" if each.is_single else ""
        stages.add_row(
            f"{mark}{each.model}, {each.run}", each.work, str(each.tasks), f"{each.largest:,}",
            f"{each.share:.0%}", f"{each.before:,}",
        )  # fmt: skip
    console.print(stages)
    costs = table_of(
        "for each event", "model and run", "bytes shuffled", "bytes written", "CPU s of a million",
        "spilled", "seconds",
    )  # fmt: skip
    for model in size.models:
        a_million = model.sum("processor") / model.events * 1e6
        costs.add_row(
            f"{model.model}, {model.run}",
            *(f"{model.sum(it) / model.events:.1f}" for it in ("shuffled", "written")),
            f"{a_million:.2f}", f"{model.sum('spilled'):,.0f}", f"{model.seconds:.1f}",
        )  # fmt: skip
    console.print(costs)
    tables = table_of("on disk", "table", "rows", "bytes a row", "bytes an event", "files", "of")
    for table in size.tables:
        tables.add_row(
            table["model"], f"{table['rows']:,}", f"{table['bytes'] / max(table['rows'], 1):.1f}",
            f"{table['bytes'] / (size.events + size.new):.1f}", str(table["files"]),
            f"{table['partitions']} partitions",
        )  # fmt: skip
    console.print(tables)


def save_stages(path: Path, size: Size, found: Sequence[Growing], on: Occasion) -> None:
    """What an event costs in each model, and the share of the largest task of any stage."""
    results = []
    for model in size.models:
        largest = max((it for it in found if (it.model, it.run) == (model.model, model.run)),
                      key=lambda it: it.share, default=None)  # fmt: skip
        for kind, unit, value in (
            ("shuffled", "bytes an event", model.sum("shuffled") / model.events),
            ("written", "bytes an event", model.sum("written") / model.events),
            ("CPU", "s of a million events", model.sum("processor") / model.events * 1e6),
            ("largest task", "of the records", largest.share if largest else 0.0),
        ):
            results.append(
                Result(
                    "scale_out", f"{kind}, {model.run}",
                    f"{model.model}, {model.run} of {model.events:,} events: {kind}",
                    Runs.of([value]), on, rows=model.events, unit=unit,
                    note=largest.work if largest and kind == "largest task" else "",
                )
            )  # fmt: skip
    save(path, results)
