"""What was measured, as tables of one screen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bench.measure import median
from bench.project import Run
from rich.console import Console
from rich.table import Table


def show_refreshes(
    console: Console, title: str, names: Mapping[str, str],
    seconds: Mapping[str, Sequence[float]], heap: Mapping[str, float] | None = None,
) -> None:  # fmt: skip
    """Each engine's median, that as a multiple of Spark's and DuckDB's, and its heap."""
    table = Table(title=title, title_justify="left")
    columns = ["full refresh", "median", "of plain Spark's", "of DuckDB's"]
    for number, name in enumerate([*columns, "heap, MiB"] if heap else columns):
        table.add_column(name, justify="right" if number else "left")
    medians = {engine: median(each) for engine, each in seconds.items()}
    for engine, one in medians.items():
        ratios = (
            f"{one / medians[peer]:.2f}" if peer in medians else "" for peer in ("spark", "duckdb")
        )
        of_java = heap and engine in heap and engine != "duckdb"
        used = [f"{heap[engine]:,.0f}" if of_java else ""] if heap else []
        table.add_row(names[engine], f"{one:.2f}", *ratios, *used)
    console.print(table)


def show_increments(console: Console, took: Mapping[str, Sequence[Run]], of: str = "") -> None:
    """The median of each kind of run: on the clock, and of the models alone."""
    for kind, runs in took.items():
        if runs:
            wall, work = median(run.wall for run in runs), median(run.work for run in runs)
            console.print(f"{of}{kind}: {wall:.2f} s, models {work:.2f} s", highlight=False)
