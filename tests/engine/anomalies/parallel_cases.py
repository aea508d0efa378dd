"""Many histories at once: cases that share settings and the analysed ranges of their runs, and nothing else.

On Spark each case is a value of one more key column, so that one run of dbt classifies them all.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.engine.anomalies.oracle import Consolidation
from tests.engine.anomalies.oracle_ranges import AnalysedRange, late_ranges, merged
from tests.engine.anomalies.oracle_settings import Settings
from tests.engine.anomalies.streams import INTERVAL, Case, backfill_range, settings


@dataclass(frozen=True)
class Run:
    """One run over all cases; without anything to analyse the range is None."""

    now: int
    analysed: AnalysedRange | None
    is_backfill: bool
    late: list[AnalysedRange] = field(default_factory=list)


@dataclass
class ParallelCases:
    seed: int
    count: int
    midnight: int | None = None  # of a day, in minutes; without one detections have no arrivals
    read: int = 0  # the newest arrival that scheduled runs have read
    chosen: Settings = field(init=False)
    engines: list[Consolidation] = field(init=False)
    cases: list[Case] = field(init=False)

    def __post_init__(self) -> None:
        self._chance = random.Random(self.seed)  # noqa: S311
        self.chosen = settings(self._chance)
        self.engines = [Consolidation(self.chosen) for _ in range(self.count)]
        self.cases = [Case(random.Random(f"{self.seed} {n}")) for n in range(self.count)]  # noqa: S311

    def runs(self, runs: int = 7) -> Iterator[Run]:
        """The detections of the cases at each run, then the oracle's run over them."""
        chance, now = self._chance, 0
        for number in range(runs):
            intervals = chance.randrange(5)
            for case in self.cases:
                case.arrival = None if self.midnight is None else number + 1
                case.grow(intervals)
                case.mutate(8)
            first = self.cases[0]
            now = max(now, first.clock + chance.randrange(INTERVAL))
            is_backfill = bool(first.clock) and chance.random() < 0.3
            analysed = (
                backfill_range(chance, first)
                if is_backfill
                else self.engines[0].scheduled_range(now)
            )
            late = [] if is_backfill else self._late(analysed)
            if analysed is not None or late:
                for engine, case in zip(self.engines, self.cases, strict=True):
                    read = merged([*late, *([analysed] if analysed else [])])
                    found = {each.spot: each for one in read for each in case.detect(one)}
                    engine.run(found.values(), analysed, now, is_backfill, now, late)
            yield Run(now, analysed, is_backfill, late)
            for engine in self.engines:
                if engine.rows and chance.random() < 0.2:
                    engine.feedback[chance.choice(list(engine.rows))] = "expected"
                elif engine.feedback and chance.random() < 0.2:
                    del engine.feedback[chance.choice(list(engine.feedback))]

    def _late(self, analysed: AnalysedRange | None) -> list[AnalysedRange]:
        """The ranges of what arrived late in any case; the cases are keys of one table."""
        watermark = self.engines[0].watermark
        if self.midnight is None or (analysed is None and watermark is None):
            return []
        found = [each for case in self.cases for each in case.found.values()]
        before = analysed.start if analysed else watermark
        late = late_ranges(found, before, self.read, self.midnight)
        if analysed or late:
            self.read = max([self.read, *(each.arrival or 0 for each in found)])
        return late
