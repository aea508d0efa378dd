"""Full refreshes of the same six tables, engine after engine, round after round."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from bench.aggregation import engines
from bench.aggregation.check import complete, same
from bench.aggregation.project import BUFFERED, DURATIONS, TRADES, Project
from bench.measure import Memory, median, timed
from bench.project import Run
from pyspark.sql import SparkSession

STRANDLINE, BUFFER, SPARK, DUCKDB = (
    "Strandline",
    "Strandline, buffer_size=5",
    "plain Spark",
    "DuckDB",
)


@dataclass
class Refreshes:
    """What each round of one engine took; memory in MiB, none where no JVM works."""

    engine: str
    runs: list[Run] = field(default_factory=list)
    heaps: list[float] = field(default_factory=list)
    processes: list[float] = field(default_factory=list)

    @property
    def wall(self) -> float:
        return median(run.wall for run in self.runs)

    @property
    def work(self) -> float:
        return median(run.work for run in self.runs)


def measure(
    spark: SparkSession,
    project: Project,
    events: Path,
    rounds: int,
    buffer: bool,
    tell: Callable[[str], None],
) -> list[Refreshes]:
    """One round to warm up and to check the tables, then `rounds` that count, interleaved."""
    source, tables = f"{project.schema}.events", events.with_name("duckdb")

    def by_hand(action: Callable[[], None]) -> Run:
        seconds = timed(action)
        return Run(seconds, seconds)

    actions = {
        STRANDLINE: lambda: project.run(TRADES, full_refresh=True),
        SPARK: lambda: by_hand(lambda: engines.plain_spark(spark, source)),
        DUCKDB: lambda: by_hand(lambda: engines.duckdb(events, tables)),
    }
    if buffer:
        actions[BUFFER] = lambda: project.run(BUFFERED, full_refresh=True)
    memory = Memory(spark)
    measured = {engine: Refreshes(engine) for engine in actions}
    for number in range(rounds + 1):
        for engine, action in actions.items():
            tell(f"{'warm-up' if not number else f'{number} of {rounds}'}: {engine}")
            memory.reset()
            run = action()
            if number:
                measured[engine].runs.append(run)
            if number and engine != DUCKDB:
                measured[engine].heaps.append(memory.heap())
                measured[engine].processes.append(memory.process())
        if not number:
            tell("are the tables the same?")
            check(spark, project, tables, buffer)
    return list(measured.values())


def check(spark: SparkSession, project: Project, parquet: Path | None, buffer: bool) -> None:
    """All engines made the same rows; with a buffer, no event was lost. Raises DifferentTables."""
    for duration in DURATIONS:
        own = f"{project.schema}.{TRADES}_{duration}"
        same(spark, own, f"{engines.SCHEMA}.trades_{duration}")
        if parquet is not None:
            same(spark, own, f"parquet.`{parquet / duration}.parquet`")
    if buffer:
        moved = [f"{project.schema}.{BUFFERED}_{duration}" for duration in DURATIONS]
        complete(spark, f"{project.schema}.events", moved)
