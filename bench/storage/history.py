"""The runs that were made so far, and what was on disk after some of them; kept as they come."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from bench.measure import median
from bench.storage.disk import Stored

AROUND = 10  # runs of which a median is taken: one of them writes the checkpoint of each log


@dataclass(frozen=True)
class Small:
    """One run: seconds on the clock, of its models, and of the driver's processor."""

    wall: float
    work: float
    processor: float


@dataclass
class History:
    """Everything that was measured.

    Attributes:
        runs: each run, in order.
        disk: the tables after so many runs.
        young, old: at the end, in turn: runs of new tables and of those with all the runs.
        purged: the same runs of the old tables after the purge, and the tables then.
    """

    runs: list[Small] = field(default_factory=list)
    disk: dict[str, list[Stored]] = field(default_factory=dict)
    young: list[Small] = field(default_factory=list)
    old: list[Small] = field(default_factory=list)
    purged: list[Small] = field(default_factory=list)
    purge: dict[str, Any] = field(default_factory=dict)

    def around(self, last: int, of: str = "work") -> float:
        """The median of the ten runs that end with this one, counted from 1."""
        runs = self.runs[max(0, last - AROUND) : last]
        return median(getattr(run, of) for run in runs)

    def write(self, path: Path) -> None:
        """All of it, whole or not at all."""
        draft = path.with_name(f".{path.name}")
        draft.write_text(json.dumps(asdict(self), indent=1) + "\n")
        draft.replace(path)


def read(path: Path) -> History:
    """What an earlier process has written; nothing if there was none."""
    if not path.exists():
        return History()
    told = json.loads(path.read_text())
    history = History(purge=told["purge"])
    for name in ("runs", "young", "old", "purged"):
        setattr(history, name, [Small(**run) for run in told[name]])
    history.disk = {
        count: [Stored(**table) for table in tables] for count, tables in told["disk"].items()
    }
    return history
