"""Many histories at once: cases that share settings and the frames of their runs, and nothing else.

On Spark each case is a value of one more key column, so that one run of dbt classifies them all.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.engine.anomalies.oracle import Consolidation
from tests.engine.anomalies.oracle_frame import Frame, late_frames, merged
from tests.engine.anomalies.oracle_settings import Settings
from tests.engine.anomalies.streams import INTERVAL, Case, backfill_frame, settings


@dataclass(frozen=True)
class Run:
    """One run over all cases; the frame is null when there is nothing to analyse."""

    now: int
    frame: Frame | None
    is_backfill: bool
    late: list[Frame] = field(default_factory=list)


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
        """What the cases hold at each run, then what the oracle makes of it."""
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
            frame = (
                backfill_frame(chance, first)
                if is_backfill
                else self.engines[0].scheduled_frame(now)
            )
            late = [] if is_backfill else self._late(frame)
            if frame is not None or late:
                for engine, case in zip(self.engines, self.cases, strict=True):
                    read = merged([*late, *([frame] if frame else [])])
                    found = {each.spot: each for one in read for each in case.detect(one)}
                    engine.run(found.values(), frame, now, is_backfill, now, late)
            yield Run(now, frame, is_backfill, late)
            for engine in self.engines:
                if engine.rows and chance.random() < 0.2:
                    engine.feedback[chance.choice(list(engine.rows))] = "expected"
                elif engine.feedback and chance.random() < 0.2:
                    del engine.feedback[chance.choice(list(engine.feedback))]

    def _late(self, frame: Frame | None) -> list[Frame]:
        """The ranges of what arrived late in any case; the cases are keys of one table."""
        watermark = self.engines[0].watermark
        if self.midnight is None or (frame is None and watermark is None):
            return []
        found = [each for case in self.cases for each in case.found.values()]
        before = frame.start if frame else watermark
        late = late_frames(found, before, self.read, self.midnight)
        if frame or late:
            self.read = max([self.read, *(each.arrival or 0 for each in found)])
        return late
