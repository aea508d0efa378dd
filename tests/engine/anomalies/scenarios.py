"""Named cases read as scenarios: runs of one key, and rows as short lines.

`15-30: 4 new` is the anomaly from 15 to 30 whose value is 4; `15-30#1` is its next generation;
`parent of 0-15: 0-45 4 new` is a parent, with its bounds, named after its first child.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from tests.engine.anomalies.oracle import Consolidation, Written
from tests.engine.anomalies.oracle_ranges import AnalysedRange
from tests.engine.anomalies.oracle_rows import Anomaly, Detection, Id, Notification
from tests.engine.anomalies.oracle_settings import Settings

ANY_CHANGE = {"re_notify_percentage_threshold": 0, "re_notify_absolute_threshold": 0}


def found(start: int, end: int, current: float | None, baseline: float | None = 10) -> Detection:
    return Detection(("AA",), start, end, current, baseline)


def low(*starts: int) -> list[Detection]:
    """Of one interval each, below the baseline."""
    return [found(start, start + 15, 4) for start in starts]


def ignored(*detections: Detection) -> list[Detection]:
    return [replace(one, ignored=True) for one in detections]


class Scenario:
    """Run n is at run time n."""

    def __init__(self, **settings: Any) -> None:
        self.engine = Consolidation(Settings(**settings))
        self.runs = 0

    def run(
        self, start: float, end: int, *detections: Detection, is_backfill: bool = False
    ) -> Written:
        self.runs += 1
        return self.engine.run(detections, AnalysedRange(start, end), self.runs, is_backfill)

    def scheduled(self, now: int, *detections: Detection) -> Written:
        analysed = self.engine.scheduled_range(now)
        return self.run(analysed.start, analysed.end, *detections)

    @property
    def all(self) -> list[str]:
        return lines(self.engine.rows.values())


def lines(rows: Iterable[Anomaly]) -> list[str]:
    """Children first, in the order of their start."""
    ordered = sorted(rows, key=lambda row: (row.is_parent, row.start, row.end, row.generation))
    return [line(row) for row in ordered]


def line(row: Anomaly) -> str:
    bounds = f"{row.start}-{row.end} " if row.is_parent else ""
    return f"{name(row.anomaly_id)}: {bounds}{row.current} {row.status}"


def name(identity: Id) -> str:
    *first, start, end, generation = identity
    later = f"#{generation}" if generation else ""
    return f"{'parent of ' if first[0] == 'parent' else ''}{start}-{end}{later}"


def notified(written: Written) -> list[str]:
    return [note_line(note) for note in written.notifications]


def note_line(note: Notification) -> str:
    return f"{note.kind} {name(note.anomaly_id)}"
