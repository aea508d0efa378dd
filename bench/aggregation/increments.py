"""Runs that add some thousand events to the tables, each from the same state of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from bench.aggregation import engines
from bench.aggregation.check import complete
from bench.aggregation.events import LATE_SHARE, append
from bench.aggregation.project import DURATIONS, TRADES, Project
from bench.aggregation.refreshes import check
from bench.measure import Memory, jobs, median, version
from bench.project import Run
from pyspark.sql import SparkSession

# What of the new events is late, by up to three days; none: there are no new events.
KINDS = {"5 % late": LATE_SHARE, "all on time": 0.0, "all late": 1.0, "nothing new": None}


@dataclass
class Increments:
    """What each counted run of one kind took."""

    kind: str
    runs: list[Run] = field(default_factory=list)
    jobs: list[int] = field(default_factory=list)
    commits: list[int] = field(default_factory=list)

    @property
    def wall(self) -> float:
        return median(run.wall for run in self.runs)

    @property
    def work(self) -> float:
        return median(run.work for run in self.runs)


@dataclass(frozen=True)
class Measured:
    """All kinds, and the driver's peaks over their runs, in MiB."""

    kinds: list[Increments]
    heap: float
    process: float


def measure(
    spark: SparkSession,
    project: Project,
    number: int,
    new: int,
    repeat: int,
    warm_up: int,
    tell: Callable[[str], None],
) -> Measured:
    """Every kind in turn; `warm_up` rounds first, then `repeat` that count.

    Before each run all tables are put back to what the full refresh left: what it finds is always
    the same, and so is what it has to leave behind.
    """
    source = f"{project.schema}.events"
    tables = [f"{project.schema}.{TRADES}_{duration}" for duration in DURATIONS]
    before = {table: version(spark, table) for table in (source, *tables)}
    measured = {kind: Increments(kind) for kind in KINDS}
    memory = Memory(spark)
    memory.reset()

    def arrive(share: float | None) -> dict[str, int]:
        for table, at in before.items():
            spark.sql(f"restore table {table} to version as of {at}")
        for table in tables:
            # A run finds what a run leaves: a commit that follows from the one before it, which
            # a restore does not, and a log that the table which comes next has read.
            spark.sql(f"alter table {table} set tblproperties ('bench.restored' = 'true')")
            spark.sql(f"select count(*) from {table} where agg_partition is not null").collect()
        if share is not None:
            append(spark, source, number, new, share)
        return {table: version(spark, table) for table in tables}

    for turn in range(warm_up + repeat):
        for kind, share in KINDS.items():
            label = f"{turn - warm_up + 1} of {repeat}" if turn >= warm_up else "warm-up"
            tell(f"{label}: {kind}")
            versions, started = arrive(share), jobs(spark)
            run = project.run()
            started = jobs(spark) - started
            if turn >= warm_up:
                measured[kind].runs.append(run)
                measured[kind].jobs.append(started)
                measured[kind].commits.append(
                    sum(version(spark, table) - at for table, at in versions.items())
                )
            if turn == 0:
                complete(spark, source, tables)
    peaks = memory.heap(), memory.process()
    tell("are the tables what a full computation makes?")
    arrive(LATE_SHARE)
    project.run()
    engines.plain_spark(spark, source)
    check(spark, project, None, buffer=False)
    return Measured(list(measured.values()), *peaks)
