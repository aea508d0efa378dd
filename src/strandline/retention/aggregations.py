"""The aggregations of a project, read from the tasks of its models, and horizons of their tables.

The horizon of a table is the instant before which its rows go. It always begins a bucket of the
roll-up, so that a bucket of the roll-up has either all the rows that it is merged from, or none:

    minutes   |  :  :  :  |  :  :  :  |  :  :  :  |  :  N
    newest - retention ───────────^
    horizon               ^ the hour begins here: this hour stays whole
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from strandline.literals import EPOCH

TASK = "-- strandline: "


@dataclass(frozen=True)
class SummaryTable:
    """One table of an aggregation: what it is, and for how many seconds it is kept."""

    relation: str
    duration: str
    kept: int | None

    @property
    def name(self) -> str:
        return self.relation.replace("`", "")


@dataclass(frozen=True)
class Aggregation:
    """One aggregation: its tables from the base to the last roll-up, and its late events."""

    name: str
    zone: ZoneInfo
    tables: tuple[SummaryTable, ...]
    late: str | None

    def is_limited(self) -> bool:
        return any(table.kept is not None for table in self.tables)

    def rollup_of(self, table: SummaryTable) -> SummaryTable | None:
        """The table that rolls up this one."""
        rest = self.tables[self.tables.index(table) + 1 :]
        return rest[0] if rest else None


def task_of(code: str) -> dict[str, Any] | None:
    """The task in the first line of a summary model's body; None when it has none."""
    first = code.strip().split("\n", 1)[0]
    return json.loads(first[len(TASK) :]) if first.startswith(TASK) else None


def names_in(models: Iterable[str]) -> list[str]:
    """The aggregations whose tables are among these models, by their names `<name>_<duration>`."""
    found = (model.rpartition("_") for model in models)
    return sorted({name for name, _, duration in found if name and duration in DURATIONS})


def aggregations(models: Iterable[tuple[str, str]]) -> list[Aggregation]:
    """The aggregations among (relation, compiled body) pairs, by name."""
    tables: dict[str, list[tuple[SummaryTable, str]]] = {}
    late: dict[str, str] = {}
    for relation, code in models:
        task = task_of(code) or {}
        if task.get("kind") == "late":
            late[task["aggregation"]] = relation
        elif task.get("kind") == "aggregation":
            kept = (task.get("retention") or {}).get(task["duration"])
            table = SummaryTable(relation, task["duration"], kept)
            tables.setdefault(task["aggregation"], []).append((table, task["time_zone"]))
    return [
        Aggregation(
            name=name,
            zone=ZoneInfo(found[0][1]),
            tables=tuple(
                sorted((table for table, _ in found), key=lambda t: DURATIONS.index(t.duration))
            ),
            late=late.get(name),
        )
        for name, found in sorted(tables.items())
    ]


DURATIONS = ("seconds", "minutes", "hours", "days", "months", "years")
ONE_DAY = timedelta(days=1)


def bucket_start(seconds: int, duration: str, zone: ZoneInfo) -> int:
    """Unix seconds of the start of an instant's bucket, as in the tables.

    Raises OverflowError outside of the years 1 to 9999.
    """
    if duration == "seconds":
        return seconds
    if duration in ("minutes", "hours"):
        return _clock_start(seconds, 60 if duration == "minutes" else 3600, zone)
    day = _local(seconds, zone).date()
    if _day_start(day + ONE_DAY, zone) <= seconds:  # the clock went back into yesterday
        day += ONE_DAY
    elif _day_start(day, zone) > seconds:  # a change skipped midnight
        day -= ONE_DAY
    month = 1 if duration == "years" else day.month
    return _day_start(day if duration == "days" else day.replace(month=month, day=1), zone)


def _clock_start(seconds: int, length: int, zone: ZoneInfo) -> int:
    """From the instant, so that both passes of a repeated hour stay apart.

    Where the clock changed meanwhile by part of an hour, the bucket begins where the earlier clock
    last completed one.
    """
    start = seconds - _passed(seconds, length, zone)
    passed = _passed(start, length, zone)
    if not passed:
        return start
    completed = start + length - passed
    return completed if _passed(completed - 1, length, zone) == length - 1 else completed - length


def _passed(seconds: int, length: int, zone: ZoneInfo) -> int:
    local = _local(seconds, zone)
    return (local.second + 60 * local.minute) % length


def _local(seconds: int, zone: ZoneInfo) -> datetime:
    return (EPOCH + timedelta(seconds=seconds)).astimezone(zone)


def _day_start(day: date, zone: ZoneInfo) -> int:
    start = datetime(day.year, day.month, day.day, tzinfo=zone)
    return (start - EPOCH) // timedelta(seconds=1)


def horizon_of(newest: int, kept: int, aligned_to: str, zone: ZoneInfo) -> int | None:
    """Unix seconds before which rows are older than `kept` seconds; None before the year 1."""
    try:
        return bucket_start(newest - kept, aligned_to, zone)
    except (OverflowError, ValueError):
        return None


def instant(seconds: int) -> str:
    """Unix seconds as an ISO instant in UTC, as it is stored: 2014-02-15T00:00:00Z."""
    return (EPOCH + timedelta(seconds=seconds)).replace(tzinfo=None).isoformat() + "Z"
