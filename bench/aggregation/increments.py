"""Runs that add some thousand events to the tables, each from the same state of them.

After each run the same is done by hand, by six merges into tables of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from bench.aggregation import by_hand
from bench.aggregation.check import complete, same
from bench.aggregation.events import LATE_SHARE, Series, append
from bench.aggregation.project import DURATIONS, TRADES, Project
from bench.goals import INCREMENT, NOTHING
from bench.measure import Memory, jobs, timed, version
from bench.project import Run
from pyspark.sql import SparkSession

# What of the new events is late, by up to three days; none: there are no new events.
LATE: dict[str, float | None] = {
    INCREMENT: LATE_SHARE,
    "increment, all on time": 0.0,
    "increment, all late": 1.0,
    NOTHING: None,
}
_BY_HAND_EVERY = 4  # runs that warm up


@dataclass
class Increments:
    """What the counted runs of one kind took; `by_hand` are seconds."""

    kind: str
    runs: list[Run] = field(default_factory=list)
    jobs: list[int] = field(default_factory=list)
    commits: list[int] = field(default_factory=list)
    by_hand: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class Measured:
    """All kinds, and the driver's peak of heap over their runs, in MiB."""

    kinds: list[Increments]
    heap: float


def measure(
    spark: SparkSession, project: Project, series: Series, new: int, repeat: int, warm_up: int,
    kinds: Sequence[str], tell: Callable[[str], None],
) -> Measured:  # fmt: skip
    """`warm_up` runs that follow one another, then `repeat` rounds of every kind, which count.

    Before each counted run with new events all tables are put back to what the full refresh left:
    what it finds is always the same, and so is what it has to leave behind. A run without any
    follows one with.
    """
    source = f"{project.schema}.events"
    own = [f"{project.schema}.{TRADES}_{duration}" for duration in DURATIONS]
    by_hand.create(spark, project.schema)
    before = {table: version(spark, table) for table in (source, *own, *by_hand.tables())}
    merge = partial(by_hand.merge, spark, source)
    for count in range(warm_up):
        first = series.number + count * new
        append(spark, source, series, first, new, LATE_SHARE)
        run = project.run()
        tell(f"warm-up {count + 1} of {warm_up}: {run.wall:.1f} s")
        if not count % _BY_HAND_EVERY:
            merge(first)

    def arrive(late: float | None) -> None:
        if late is None:  # after the run of another kind: a restore would be something new
            return
        for table, at in before.items():
            spark.sql(f"restore table {table} to version as of {at}")
            if table != source:
                # A run finds what a run leaves: a commit that follows from the one before it, which
                # a restore does not, and a log that the table which comes next has read.
                spark.sql(f"alter table {table} set tblproperties ('bench.restored' = 'true')")
                spark.sql(f"select count(*) from {table} where agg_partition is not null").collect()
        append(spark, source, series, series.number, new, late)

    memory = Memory(spark)
    memory.reset()
    measured = {kind: Increments(kind) for kind in kinds}
    for turn in range(repeat):
        for kind, each in measured.items():
            after = series.number + (new if LATE[kind] is None else 0)
            arrive(LATE[kind])
            versions, started = {table: version(spark, table) for table in own}, jobs(spark)
            each.runs.append(project.run())
            each.jobs.append(jobs(spark) - started)
            each.commits.append(sum(version(spark, table) - at for table, at in versions.items()))
            each.by_hand.append(timed(partial(merge, after)))
            tell(
                f"{kind}, {turn + 1} of {repeat}: {each.runs[-1].wall:.1f} s, "
                f"by hand {each.by_hand[-1]:.1f} s"
            )
            if not turn:
                complete(spark, source, own)
    heap = memory.heap()
    if any(LATE[kind] is not None for kind in kinds):  # not all runs that warm up are merged
        tell("are the tables the same?")
        for table, hand in zip(own, by_hand.tables(), strict=True):
            same(spark, table, hand)
    return Measured(list(measured.values()), heap)
