"""Many histories at once: cases that share settings and the frames of their runs, and nothing else.

On Spark each case is a value of one more key column, so that one run of dbt classifies them all.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.engine.anomalies.oracle import Consolidation
from tests.engine.anomalies.oracle_frame import Frame
from tests.engine.anomalies.oracle_settings import Settings
from tests.engine.anomalies.streams import INTERVAL, Case, backfill_frame, settings


@dataclass(frozen=True)
class Run:
    """One run over all cases; the frame is null when there is nothing to analyse."""

    now: int
    frame: Frame | None
    is_backfill: bool


@dataclass
class ParallelCases:
    seed: int
    count: int
    chosen: Settings = field(init=False)
    engines: list[Consolidation] = field(init=False)
    cases: list[Case] = field(init=False)

    def __post_init__(self) -> None:
        self._chance = random.Random(self.seed)  # noqa: S311
        self.chosen = settings(self._chance)
        self.engines = [Consolidation(self.chosen) for _ in range(self.count)]
        self.cases = [Case(random.Random(f"{self.seed} {n}")) for n in range(self.count)]  # noqa: S311

    def runs(self, runs: int = 7) -> Iterator[Run]:
        """What the cases hold at each run, then what the oracle makes of it."""
        chance, now = self._chance, 0
        for _ in range(runs):
            intervals = chance.randrange(5)
            for case in self.cases:
                case.grow(intervals)
                case.mutate(8)
            first = self.cases[0]
            now = max(now, first.clock + chance.randrange(INTERVAL))
            is_backfill = bool(first.clock) and chance.random() < 0.3
            frame = (
                backfill_frame(chance, first)
                if is_backfill
                else self.engines[0].scheduled_frame(now)
            )
            if frame is not None:
                for engine, case in zip(self.engines, self.cases, strict=True):
                    engine.run(case.detect(frame), frame, now, is_backfill, now)
            yield Run(now, frame, is_backfill)
            for engine in self.engines:
                if engine.rows and chance.random() < 0.2:
                    engine.feedback[chance.choice(list(engine.rows))] = "expected"
                elif engine.feedback and chance.random() < 0.2:
                    del engine.feedback[chance.choice(list(engine.feedback))]
