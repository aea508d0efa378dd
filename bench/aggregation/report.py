"""The figures: as results, and as tables of one screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from bench.aggregation.events import Series
from bench.aggregation.increments import Measured
from bench.aggregation.refreshes import NAMES
from bench.figures import count, full_refresh, work_note
from bench.goals import BY_HAND, INCREMENT, NOTHING
from bench.measure import median
from bench.occasion import Occasion
from bench.results import Result, Runs
from bench.shown import show_refreshes
from rich.console import Console
from rich.table import Table


@dataclass(frozen=True)
class Size:
    """All that was measured on one series of events; `increments` none when left out."""

    series: Series
    new: int
    refreshes: dict[str, Any]
    increments: Measured | None

    @property
    def words(self) -> str:
        """`10 million events of 1,000 keys`."""
        skew = ", one with half of them" if self.series.skew else ""
        return f"{count(self.series.number)} events of {count(self.series.keys)} keys{skew}"


def results(size: Size, on: Occasion) -> list[Result]:
    """The full refresh, with the buffer as one more, and the increments."""
    number, told = size.series.number, size.refreshes
    what = f"full refresh of six tables, {size.words}"
    note = f"process {told['process']['strandline']:,.0f} MiB"
    found = [full_refresh("aggregation", what, told, on, number, note=note)]
    if "buffered" in told["seconds"]:
        own = Runs.of(told["seconds"]["buffered"], told["heap"]["buffered"])
        peers = {"without buffer": found[0].ours}
        kind = "full refresh, buffered"
        found.append(Result("aggregation", kind, f"{what}, buffer_size=5", own, on, peers, number))
    for each in size.increments.kinds if size.increments else ():
        events = NOTHING if each.kind == NOTHING else f"{size.new:,} new events"
        late = {INCREMENT: ", 5 % of them late", NOTHING: ""}
        more = late.get(each.kind, each.kind.removeprefix(INCREMENT))
        jobs, commits = _range(each.jobs), _range(each.commits)
        found.append(
            Result(
                "aggregation", each.kind, f"{events}{more}, into six tables of {size.words}",
                Runs.of((run.wall for run in each.runs), size.increments.heap), on,
                {BY_HAND: Runs.of(each.by_hand)}, number,
                note=f"{work_note(each.runs)}, {jobs} Spark jobs, {commits} commits",
            )
        )  # fmt: skip
    return found


def show(console: Console, size: Size) -> None:
    """Two tables of one screen: full refreshes and increments."""
    title = f"{size.words}; full refresh of six tables, seconds"
    show_refreshes(console, title, NAMES, size.refreshes["seconds"], size.refreshes["heap"])
    if size.increments is None:
        return
    table = Table(title=f"{size.new:,} new events; medians, seconds", title_justify="left")
    columns = ("run", "wall", "models", "by hand", "of full", "jobs", "commits")
    for nth, name in enumerate(columns):
        table.add_column(name, justify="right" if nth else "left")
    full = median(size.refreshes["seconds"]["strandline"])
    for each in size.increments.kinds:
        wall = median(run.wall for run in each.runs)
        work = median(run.work for run in each.runs)
        table.add_row(
            each.kind, f"{wall:.2f}", f"{work:.2f}", f"{median(each.by_hand):.2f}",
            f"{wall / full:.1%}", _range(each.jobs), _range(each.commits),
        )  # fmt: skip
    console.print(table)


def _range(values: list[int]) -> str:
    """`24`, or `24 to 26` where the runs differ."""
    low, high = min(values), max(values)
    return str(low) if low == high else f"{low} to {high}"
