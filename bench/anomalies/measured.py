"""Runs of one table of anomalies and merges by hand, in turn, on histories of several lengths."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from bench.anomalies import by_hand
from bench.anomalies import detections as made
from bench.measure import Memory, processor, timed, version
from bench.project import DbtProject

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FIRST, CHANGED, UNCHANGED, NEW, EMPTY = "first", "changed", "unchanged", "new", "empty"
# What a run commits: the rows, and the watermark when it moves.
COMMITS = {CHANGED: 1, UNCHANGED: 0, NEW: 2, EMPTY: 0}


@dataclass
class History:
    """A project over so many days of detections, with the same table by hand beside its own."""

    days: int
    project: DbtProject
    spark: SparkSession
    mutations: int = 0
    grown: int = 0
    took: dict[str, list[dict[str, float]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        schema = self.project.schema
        self.source, self.table = f"{schema}.detections", f"{schema}.anomalies"
        self.by_hand = f"{schema}.by_hand"
        self.project.deps()
        made.make(self.spark, self.source, self.days)

    def build(self) -> None:
        self._measure(FIRST, lambda: self._run(full_refresh=True), self._create)

    def round(self) -> None:
        """A day in the middle, changed and as it was; the newest day; nothing at all."""
        self.mutations += 1
        middle = self.days // 2
        made.mutate(self.spark, self.source, middle, self.mutations)
        day = (middle, middle + 1)
        start, end = map(made.midnight, day)
        frame = {"strandline_from": start, "strandline_to": end}
        for kind in (CHANGED, UNCHANGED):
            self._measure(kind, lambda: self._run(frame), lambda: self._merge(*day))
        made.append(self.spark, self.source, self.days + self.grown)
        self.grown += 1
        last = self.days + self.grown
        for kind in (NEW, EMPTY):
            self._measure(kind, self._run, lambda: self._merge(last - 2, last))

    def _run(self, variables: dict | None = None, full_refresh: bool = False) -> dict[str, float]:
        run = self.project.select("anomalies", 1, full_refresh, variables)
        return {"work": run.work, "wall": run.wall}

    def _create(self) -> None:
        by_hand.create(self.spark, self.by_hand, self.source)

    def _merge(self, start: int, end: int) -> None:
        by_hand.merge(self.spark, self.by_hand, self.source, start, end)

    def _measure(self, kind: str, run: Callable, hand: Callable[[], None]) -> None:
        memory = Memory(self.spark)
        before = version(self.spark, self.table) if kind in COMMITS else 0
        memory.reset()
        began = processor(self.spark)
        one = run()
        one["heap"], one["processor"] = memory.heap(), processor(self.spark) - began
        if kind in COMMITS and version(self.spark, self.table) - before != COMMITS[kind]:
            raise RuntimeError(f"{kind}: other than {COMMITS[kind]} commits")
        began = processor(self.spark)
        one["by hand"] = timed(hand)
        one["processor by hand"] = processor(self.spark) - began
        self.took.setdefault(kind, []).append(one)

    def check(self) -> int:
        """Compares what is active with what is so by hand, both ways; gives the table's rows."""
        columns = "detector, sensor, starts_at, ends_at, current_value, baseline_value"
        ours = f"select {columns} from {self.table} where status <> 'outdated' and not is_parent"
        theirs = f"select {columns} from {self.by_hand} where status <> 'outdated'"
        for one, other in ((ours, theirs), (theirs, ours)):
            different = self.spark.sql(f"({one}) except all ({other})").count()
            if different:
                raise RuntimeError(f"{self.days} days: {different} differ from those by hand")
        return self.spark.table(self.table).count()


def measure(
    project_of: Callable[[str], DbtProject], numbers: tuple[int, ...], rounds: int,
    tell: Callable[[str], None],
) -> dict[str, Any]:  # fmt: skip
    """What each round of each history took, after one to warm up, and its rows."""
    histories: dict[int, History] = {}
    for number in numbers:
        project = project_of(f"anomalies_{number}")
        days = max(3, round(number / made.A_DAY))
        histories[number] = History(days, project, project.session())
        tell(f"{number:,} anomalies: {days} days")
        histories[number].build()
        histories[number].build()
    for count in range(rounds + 1):
        tell(f"round {count} of {rounds}" if count else "warm-up")
        for history in histories.values():
            history.round()
    return {
        number: {
            "days": history.days, "rows": history.check(),
            "took": {kind: took[1:] for kind, took in history.took.items()},
        }
        for number, history in histories.items()
    }  # fmt: skip
