"""Random histories for consolidation, each from its seed: the same seed gives the same history.

A *case* is what detectors would find in all data, as it is now. It grows at its clock, and what
is before the clock mutates. Values are quarters, so that changes are exact.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from tests.engine.anomalies.oracle import Consolidation, Written
from tests.engine.anomalies.oracle_ranges import AnalysedRange
from tests.engine.anomalies.oracle_rows import Detection
from tests.engine.anomalies.oracle_settings import Settings

INTERVAL = 15
LABELS = [("storm",), (), ("snow", "holiday", "snow"), ("snow",)]
SEVERITIES = ["low", "medium", "high", "critical", "3", None]
KEYS = [("high", "AA"), ("low", "AA"), ("high", None)]


@dataclass
class Case:
    chance: random.Random
    longest: int = 3  # intervals in one detection
    clock: int = 0
    found: dict[tuple, Detection] = field(default_factory=dict)
    gone: list[Detection] = field(default_factory=list)
    away: list[Detection] = field(default_factory=list)
    arrival: int | None = None  # of what is found or changed now

    def grow(self, intervals: int) -> None:
        for _ in range(intervals):
            self.clock += INTERVAL
            for key in KEYS:
                if self.chance.random() < 0.45:
                    self._appear(key, self.clock)

    def _appear(self, key: tuple, end: int) -> None:
        start = end - INTERVAL * self.chance.choice([1, 1, 1, *range(1, self.longest + 1)])
        current, baseline = self._quarters(), self.chance.choice([3, 3, 3, 12, None])
        severity = self.chance.choice(SEVERITIES)
        ignored = self.chance.random() < 0.15
        labels = LABELS[(start // INTERVAL) % len(LABELS)]
        self._put(Detection(key, start, end, current, baseline, severity, labels, ignored=ignored))

    def _quarters(self) -> float | None:
        return self.chance.choice([None, 0, *[self.chance.randrange(0, 80) / 4] * 8])

    def mutate(self, most: int) -> None:
        """Late data: some of what is found changes, is gone, comes back or is found only now."""
        for _ in range(self.chance.randrange(most + 1)):
            dice = self.chance.random()
            if self.found and dice < 0.6:
                self._change(self.found.pop(self.chance.choice(list(self.found))))
            elif self.gone and dice < 0.85:
                back = self.gone.pop(self.chance.randrange(len(self.gone)))
                self._put(self.chance.choice([back, replace(back, current=self._quarters())]))
            elif self.clock:
                end = INTERVAL * self.chance.randrange(1, self.clock // INTERVAL + 1)
                self._appear(self.chance.choice(KEYS), end)
        if self.chance.random() < 0.4:
            self._leave_or_come_back()

    def _leave_or_come_back(self) -> None:
        """Of one key nothing is detected for a while; then most of it is found again."""
        if self.away:
            for each in self.away:
                (self._put if self.chance.random() < 0.7 else self.gone.append)(each)
            self.away = []
        else:
            key = self.chance.choice(KEYS)
            self.away = [each for each in self.found.values() if each.key == key]
            self.found = {spot: each for spot, each in self.found.items() if each.key != key}

    def _change(self, old: Detection) -> None:
        """A bit, much, only its baseline, whether it is ignored, or so that it is gone."""
        some = old.current or 0
        switched = {"ignored": not old.ignored}
        becomes = [{"current": some + 0.25}, {"current": some * 2}, {"current": self._quarters()}]
        changes = self.chance.choice(
            [
                *becomes,
                {"baseline": 5},
                {"severity": self.chance.choice(SEVERITIES)},
                switched,
                {"current": some * 2} | switched,
                None,
                None,
            ]
        )
        if changes is None:
            self.gone.append(old)
        else:
            self._put(replace(old, **changes))

    def _put(self, new: Detection) -> None:
        self.found[new.spot] = replace(new, arrival=self.arrival)

    def detect(self, analysed: AnalysedRange) -> list[Detection]:
        """What overlaps the range, in any order; some of it belongs to the range."""
        found = [
            x for x in self.found.values() if x.start < analysed.end and x.end > analysed.start
        ]
        self.chance.shuffle(found)
        return found


@dataclass(frozen=True)
class Step:
    """One run of a history, with what it was given and what it wrote."""

    analysed: AnalysedRange
    detections: list[Detection]
    run_at: int
    is_backfill: bool
    now: int
    written: Written


def settings(chance: random.Random) -> Settings:
    return Settings(
        re_notify_percentage_threshold=chance.choice([0, 0, 10, 50, None]),
        re_notify_absolute_threshold=chance.choice([0, 0.25, 1, 4, None]),
        mutability_period=chance.choice([None, 60, 100, 300, 300]),
        completeness_delay=chance.choice([0, 0, 20]),
        merge_max_gap=chance.choice([0, 1, 1, 1, 16]),
        merge_max_duration=chance.choice([45, 90, 10_080]),
        min_length=chance.choice([0, 0, 20]),
        notify_look_back=chance.choice([None, 10, 120]),
        completed=chance.random() < 0.5,
    )


def history(seed: int, runs: int = 7) -> Iterator[tuple[Consolidation, Step]]:
    """The consolidation after each run of a case that mutates; feedback is given between them."""
    chance = random.Random(seed)  # noqa: S311
    case, engine, now = Case(chance), Consolidation(settings(chance)), 0
    for run_at in range(runs):
        case.grow(chance.randrange(5))
        case.mutate(8)
        is_backfill = bool(case.clock) and chance.random() < 0.3
        now = max(now, case.clock + chance.randrange(INTERVAL))
        analysed = backfill_range(chance, case) if is_backfill else engine.scheduled_range(now)
        if analysed is not None:
            found = case.detect(analysed)
            written = engine.run(found, analysed, run_at, is_backfill, now)
            yield engine, Step(analysed, found, run_at, is_backfill, now, written)
        if engine.rows and chance.random() < 0.2:
            engine.feedback[chance.choice(list(engine.rows))] = "expected"


def backfill_range(chance: random.Random, case: Case) -> AnalysedRange:
    """Of all there is and will be, or of any minutes: it may begin in an interval, and before all data."""
    if chance.random() < 0.4:
        return AnalysedRange(-INTERVAL, case.clock + chance.choice([0, 0, 10 * INTERVAL]))
    start = chance.randrange(-INTERVAL, case.clock)
    return AnalysedRange(start, chance.randrange(start, case.clock) + 1)


def runs_in_pieces(
    seed: int, pieces: int, intervals: int = 14, longest: int = 3
) -> tuple[Consolidation, Case]:
    """The same unchanging data, split into so many scheduled runs."""
    chance = random.Random(seed)  # noqa: S311
    case, chosen = Case(chance, longest), settings(chance)
    case.grow(intervals)
    # A look-back counts from the watermark of the run, so by definition from where the runs are split.
    engine = Consolidation(replace(chosen, notify_look_back=None))
    ends = sorted(chance.randrange(case.clock) for _ in range(pieces - 1))
    for run_at, now in enumerate([*ends, case.clock + chosen.completeness_delay]):
        analysed = engine.scheduled_range(now)
        if analysed is not None:
            engine.run(case.detect(analysed), analysed, run_at)
    return engine, case
