"""How a benchmark measures: its options, rounds in which engines take turns, runs that add events.

What they took becomes figures (`Result`) and tables of one screen.
"""

from __future__ import annotations

import os
import re
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from bench.project import DbtProject, Run
from bench.results import (
    DUCKDB,
    FULL,
    INCREMENT,
    NOTHING,
    POLARS,
    SPARK,
    Occasion,
    Result,
    Runs,
    in_words,
    is_quick,
)
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Engines, as rounds name them, that others know by these names.
PEERS = {"spark": SPARK, "duckdb": DUCKDB, "polars": POLARS}
_WITHOUT_JVM = ("duckdb", "polars")


class Heap(click.ParamType):
    """A size as Java and Spark both read it."""

    name = "size"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        if not re.fullmatch(r"[1-9][0-9]*[mg]", value):
            self.fail(f"{value!r} is not a size such as 800m or 6g.", param, ctx)
        return value


def memory_option(default: str) -> Callable[[Any], Any]:
    """`--memory`: all of it is taken at once."""
    return click.option(
        "--memory", type=Heap(), default=default, show_default=True, help="Heap of the driver."
    )


def warm_up_option(rows: str) -> Callable[[Any], Any]:
    """`--warm-up-on`: a round on all rows is dear where they are many."""
    return click.option(
        "--warm-up-on", "warm_up_on", type=click.IntRange(10_000),
        help=f"Warm the engines up on so many {rows}, not on all.",
    )  # fmt: skip


def measuring(rows: str) -> Callable[[Any], Any]:
    """How often is measured, with how many new rows, and where: `rows` are what the source has."""
    options = (
        click.option("--rounds", type=click.IntRange(1), default=3, help="Rounds that count."),
        click.option(
            "--new", type=click.IntRange(1), default=10_000,
            help=f"{rows.capitalize()} of an increment.",
        ),
        click.option(
            "--repeat", type=click.IntRange(0), default=5, help="Increments that count; 0: none."
        ),
        memory_option("6g"),
        click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path)),
        click.option(
            "--home", type=click.Path(file_okay=False, path_type=Path), default=None,
            help=f"Where {rows} and tables are; kept, and its {rows} used again."
            " Else it is removed.",
        ),
    )  # fmt: skip

    def decorate(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


def measure_refreshes(
    spark: SparkSession, name: str, actions: Mapping[str, Callable[[], object]], rounds: int,
    check: Callable[[], int], report: Callable[[str], None], warm_up: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """The seconds of each action in each round, and the greatest peak of the heap in MiB.

    A first round warms up, unless an earlier measurement of this process did, or it is a quick run.
    After the first round `check` compares what the engines made and gives the rows.
    """
    memory = Memory(spark)
    seconds: dict[str, list[float]] = {engine: [] for engine in actions}
    heap = dict.fromkeys(actions, 0.0)
    rows = 0
    first = 0 if warm_up and not is_quick() else 1
    for count in range(first, rounds + 1):
        for engine, action in actions.items():
            memory.reset()
            took = timed(action)
            done = f"{count} of {rounds}" if count else "warm-up"
            report(f"{name}, {engine}, {done}: {took:.1f} s")
            if count:
                seconds[engine].append(took)
                heap[engine] = max(heap[engine], memory.heap())
        if count == first:
            rows = check()
    return {"rows": rows, "seconds": seconds, "heap": heap}


def measure_increments(
    spark: SparkSession, project: DbtProject, groups: Mapping[str, Sequence[str]],
    append: Callable[[int], None], repeat: int, report: Callable[[str], None],
    committed: Sequence[str] = (),
) -> dict[str, dict[str, list[Run]]]:  # fmt: skip
    """Runs with new events and with none, for each group of models.

    `append` adds the new events of a run, from its number on; the groups run one after the other.
    As many runs warm up, at most three, and none in a quick run. `committed` are the tables whose
    commits are counted, in place of the models'.

    Raises:
        RuntimeError: a run with new events did not make one commit, or one without made any.
    """
    took: dict[str, dict[str, list[Run]]] = {name: {INCREMENT: [], NOTHING: []} for name in groups}
    models = committed or [model for each in groups.values() for model in each]
    tables = [f"{project.schema}.{model}" for model in models]
    starts = [version(spark, table) for table in tables]
    warm_up = 0 if is_quick() else min(repeat, 3)
    for count in range(repeat + warm_up):
        append(count)
        for name, models in groups.items():
            runs = [project.select(" ".join(models), len(models)) for _ in took[name]]
            report(
                f"{name}, increments, {count + 1} of {repeat + warm_up}: "
                f"{runs[0].wall:.1f} and {runs[1].wall:.1f} s"
            )
            if count >= warm_up:
                for kind, one in zip(took[name], runs, strict=True):
                    took[name][kind].append(one)
    for table, start in zip(tables, starts, strict=True):
        if version(spark, table) != start + repeat + warm_up:
            raise RuntimeError(f"an increment of {table} did not make one commit")
    return took


def assert_same_rows(spark: SparkSession, name: str, one: str, other: str) -> None:
    """Compares two queries, both ways, counts included. Raises RuntimeError if they differ."""
    for left, right in ((one, other), (other, one)):
        different = spark.sql(f"({left}) except all ({right})").count()
        if different:
            raise RuntimeError(f"{name}: {different} rows differ")


def timed(action: Callable[[], object]) -> float:
    """The seconds of an action."""
    began = time.monotonic()
    action()
    return time.monotonic() - began


def median(values: Iterable[float]) -> float:
    return statistics.median(values)


def jobs(spark: SparkSession) -> int:
    """The Spark jobs that this driver has started so far, of all sessions and groups."""
    return spark.sparkContext._jsc.sc().dagScheduler().numTotalJobs()


def version(spark: SparkSession, table: str) -> int:
    """The number of a table's latest commit."""
    return spark.sql(f"describe history {table} limit 1").first()["version"]


def processor(spark: SparkSession) -> float:
    """The seconds of processor that the driver has used so far, compiling Java included.

    Other work on the machine hardly changes them, unlike those on the clock.
    """
    status = Path(f"/proc/{spark.sparkContext._gateway.proc.pid}/stat").read_text()
    user, system = status.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


class Memory:
    """The peak of the driver's Java heap since `reset`, in MiB."""

    def __init__(self, spark: SparkSession) -> None:
        self._gateway = spark.sparkContext._gateway
        self._java = self._gateway.jvm.java

    def reset(self) -> None:
        """Starts again, after a collection: what earlier work left behind does not count."""
        self._java.lang.System.gc()
        for pool in self._heap():
            self._call(pool, "resetPeakUsage")

    def heap(self) -> float:
        """The sum of the heap pools' peaks: they need not have peaked at the same time."""
        peaks = (self._call(pool, "getPeakUsage").getUsed() for pool in self._heap())
        return sum(peaks) / 2**20

    def _heap(self) -> list:
        pools = self._java.lang.management.ManagementFactory.getMemoryPoolMXBeans()
        return [pool for pool in pools if self._call(pool, "getType").name() == "HEAP"]

    def _call(self, pool: object, method: str) -> object:
        """Through the interface: the class that implements it is closed to others."""
        interface = self._java.lang.Class.forName("java.lang.management.MemoryPoolMXBean")
        types = self._gateway.new_array(self._java.lang.Class, 0)
        none = self._gateway.new_array(self._java.lang.Object, 0)
        return interface.getMethod(method, types).invoke(pool, none)


def full_refresh(
    benchmark: str, what: str, measured: Mapping[str, Any], on: Occasion, rows: int,
    ours: str = "strandline", note: str = "",
) -> Result:  # fmt: skip
    """The result of `measure_refreshes`; `ours` is the name of our engine in it."""

    def runs(engine: str) -> Runs:
        heap = None if engine in _WITHOUT_JVM else measured["heap"].get(engine)
        return Runs.of(measured["seconds"][engine], heap)

    peers = {name: runs(engine) for engine, name in PEERS.items() if engine in measured["seconds"]}
    return Result(benchmark, FULL, what, runs(ours), on, peers, rows, note=note)


def increments(
    benchmark: str, of: str, took: Mapping[str, Sequence[Run]], on: Occasion, rows: int, new: int,
    thing: str = "events",
) -> list[Result]:  # fmt: skip
    """The results of one group of `measure_increments`; `of` names its models."""
    words = {INCREMENT: f"{new:,} new {thing}", NOTHING: NOTHING}
    return [
        Result(
            benchmark, kind, f"{words[kind]} over {in_words(rows)}, {of}",
            Runs.of(run.wall for run in runs), on, rows=rows, note=work_note(runs),
        )
        for kind, runs in took.items()
        if runs
    ]  # fmt: skip


def work_note(runs: Iterable[Run]) -> str:
    return f"models alone {median(run.work for run in runs):.1f} s"


def beside_fewer(results: Sequence[Result], fewest: int) -> list[Result]:
    """Increments over more rows get those over the fewest as a peer: `over 1 million`.

    Results of the same models follow one another in the same order for each number of rows.
    """
    by_rows: dict[tuple[int | None, str], list[Result]] = {}
    for one in results:
        by_rows.setdefault((one.rows, one.kind), []).append(one)
    paired = []
    for (_, kind), more in by_rows.items():
        small = by_rows.get((fewest, kind), [])
        for nth, one in enumerate(more):
            if kind == INCREMENT and one.rows != fewest and nth < len(small):
                one = replace(one, peers={f"over {in_words(fewest)}": small[nth].ours})
            paired.append(one)
    return paired


def table_of(title: str, *columns: str) -> Table:
    """A table for a screen, whose columns stand on the right, all but the first."""
    table = Table(title=title, title_justify="left")
    for number, name in enumerate(columns):
        table.add_column(name, justify="right" if number else "left")
    return table


def show_refreshes(
    console: Console, title: str, names: Mapping[str, str],
    seconds: Mapping[str, Sequence[float]], heap: Mapping[str, float] | None = None,
) -> None:  # fmt: skip
    """Each engine's median, that as a multiple of Spark's and DuckDB's, and its heap."""
    columns = ("full refresh", "median", "of plain Spark's", "of DuckDB's")
    table = table_of(title, *columns, *(["heap, MiB"] if heap else []))
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
