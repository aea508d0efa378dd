"""What was measured, as tables of one screen and as results."""

from __future__ import annotations

from pathlib import Path

from bench.measure import median
from bench.occasion import Occasion
from bench.results import Result, Runs
from bench.results import save as save_results
from bench.storage.disk import total
from bench.storage.history import AROUND, History, Small
from rich.console import Console
from rich.table import Table

TENTH = "around the 10th run"
YOUNG = "tables of ten runs, in turn"


def show(console: Console, history: History) -> None:
    """Seconds and files by the number of runs, in turn with new tables, and after the purge."""
    table = Table(title="medians of ten runs, seconds; all tables", title_justify="left")
    for name in ("after", "work", "CPU", "live files", "files", "MiB", "log files", "log MiB",
                 "checkpoints, KiB"):  # fmt: skip
        table.add_column(name, justify="left" if name == "after" else "right")
    for count, tables in history.disk.items():
        if count == "purged":
            seconds = [_median(history.purged, it) for it in ("work", "processor")]
        else:
            seconds = [history.around(int(count), it) for it in ("work", "processor")]
        table.add_row(
            "the purge" if count == "purged" else f"{int(count):,} runs",
            *(f"{it:.2f}" for it in seconds),
            *(f"{total(tables, it):,}" for it in ("live", "files")),
            f"{total(tables, 'bytes') / 2**20:.1f}", f"{total(tables, 'log_files'):,}",
            f"{total(tables, 'log_bytes') / 2**20:.1f}",
            f"{total(tables, 'checkpoint') / 2**10:.0f}",
        )  # fmt: skip
    console.print(table)
    last = list(history.disk)[-1 if "purged" not in history.disk else -2]
    by_table = Table(title=f"after {last} runs, and after the purge", title_justify="left")
    for name in ("table", "live files", "files", "log files", "newest checkpoint, KiB", "purged"):
        by_table.add_column(name, justify="left" if name == "table" else "right")
    purged = {it.table: it for it in history.disk.get("purged", [])}
    for one in history.disk[last]:
        then = purged.get(one.table)
        by_table.add_row(
            one.table, f"{one.live:,}", f"{one.files:,}", f"{one.log_files:,}",
            f"{one.checkpoint / 2**10:.0f}", f"{then.live:,} live, {then.files:,}" if then else "",
        )  # fmt: skip
    console.print(by_table)
    if history.young:
        for of, unit in (("work", "s"), ("processor", "s of CPU")):
            old, young = _median(history.old, of), _median(history.young, of)
            of_young = f"{young:.2f} of young tables: {old / young:.2f}"
            console.print(f"in turn: {old:.2f} {unit}, {of_young}")
    if history.purge:
        console.print(f"the purge took {history.purge['seconds']:.1f} s:")
        console.print(history.purge["shown"], highlight=False)


def save(path: Path, history: History, on: Occasion) -> None:
    """The last runs beside the tenth and beside young tables, and what the purge takes."""
    last, count = history.runs[-AROUND:], len(history.runs)
    results = [
        Result(
            "storage", "the last run", f"run {count:,} of the same tables, seconds of its models",
            _runs(last), on, {TENTH: _runs(history.runs[:AROUND])},
        )
    ]  # fmt: skip
    if history.young:
        results.append(
            Result(
                "storage", "in turn", f"tables of {count:,} runs, in turn with young ones",
                _runs(history.old), on, {YOUNG: _runs(history.young)},
            )
        )  # fmt: skip
    if history.purged:
        results += [
            Result(
                "storage", "after the purge", f"a run after {count:,} and the purge",
                _runs(history.purged), on, {TENTH: _runs(history.runs[:AROUND])},
            ),
            Result("storage", "purge", f"compaction and vacuum after {count:,} runs",
                   Runs.of([history.purge["seconds"]]), on),
        ]  # fmt: skip
    for after, tables in history.disk.items():
        results += [
            Result("storage", f"{name}, {after}", f"{name} of all tables, {after}",
                   Runs.of([float(total(tables, of))]), on, unit="files")
            for of, name in (
                ("live", "live files"), ("files", "data files"), ("log_files", "log files"),
            )
        ]  # fmt: skip
    save_results(path, results)


def _runs(runs: list[Small]) -> Runs:
    return Runs.of(run.work for run in runs)


def _median(runs: list[Small], of: str) -> float:
    return median(getattr(run, of) for run in runs)
