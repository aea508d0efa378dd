"""Spark's event log of one driver: what each stage of it read, wrote and used."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Stage:
    """One stage that was run, and its tasks.

    Attributes:
        began: when its job was submitted, in milliseconds since 1970.
        work: the names of what it does, as in Spark's UI, in order.
        records: what each task read, from files and from shuffles.
        shuffled: bytes that it wrote for shuffles.
        written: bytes that it wrote to files.
        processor: seconds of processor of its tasks.
    """

    id: int
    began: int
    work: tuple[str, ...] = ()
    records: list[int] = field(default_factory=list)
    shuffled: int = 0
    written: int = 0
    spilled: int = 0
    processor: float = 0.0

    @property
    def largest(self) -> int:
        """The records that the largest task read."""
        return max(self.records, default=0)

    @property
    def total(self) -> int:
        return sum(self.records)

    @property
    def share(self) -> float:
        """Of all records of the stage, those of its largest task."""
        return self.largest / self.total if self.total else 0.0


def stages_of(folder: Path) -> list[Stage]:
    """The stages in the logs of a folder, in the order in which they were submitted."""
    stages: dict[tuple[Path, int], Stage] = {}
    for log in sorted(path for path in folder.rglob("*") if path.is_file()):
        for event in _events(log):
            kind = event["Event"]
            if kind == "SparkListenerJobStart":
                for info in event["Stage Infos"]:
                    key = (log, info["Stage ID"])
                    stages.setdefault(
                        key, Stage(info["Stage ID"], event["Submission Time"], _work(info))
                    )
            elif kind == "SparkListenerTaskEnd" and event.get("Task Metrics"):
                _add(stages[log, event["Stage ID"]], event["Task Metrics"])
    return [stage for stage in stages.values() if stage.records]


def _events(log: Path) -> Iterator[dict[str, Any]]:
    """The events of a log; other files in the folder, and a last line cut short, give none."""
    with log.open(encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if '"SparkListenerJobStart"' in line[:60] or '"SparkListenerTaskEnd"' in line[:60]:
                try:
                    yield json.loads(line)
                except ValueError:
                    return


def _work(info: dict[str, Any]) -> tuple[str, ...]:
    """The operators of a stage: Spark gives each of its RDDs the scope of one."""
    scopes = {}
    for rdd in sorted(info["RDD Info"], key=lambda it: it["RDD ID"]):
        if rdd.get("Scope"):
            scope = json.loads(rdd["Scope"])
            scopes[scope["id"]] = scope["name"].split(" (")[0].strip()
    return tuple(scopes.values())


def _add(stage: Stage, metrics: dict[str, Any]) -> None:
    stage.records.append(
        metrics["Input Metrics"]["Records Read"]
        + metrics["Shuffle Read Metrics"]["Total Records Read"]
    )
    stage.shuffled += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
    stage.written += metrics["Output Metrics"]["Bytes Written"]
    stage.spilled += metrics["Disk Bytes Spilled"]
    stage.processor += metrics["Executor CPU Time"] / 1e9
