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
from datetime import timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from strandline.literals import EPOCH

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TASK = "-- strandline: "
_FIRST_SECOND = -62135596800  # of the year 1


@dataclass(frozen=True)
class SummaryTable:
    """One table of an aggregation: what it is, and for how many seconds it is kept.

    `position` is its place among the durations of the aggregation. `horizon_sql` is the start of
    the bucket of the next longer duration that holds the instant `strandline_instant`, as the
    macros make it; None where all rows are kept.
    """

    relation: str
    duration: str
    kept: int | None
    position: int
    horizon_sql: str | None = None

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
    """The aggregations of these models, which are named `<aggregation>_<duration>`."""
    return sorted({model.rpartition("_")[0] for model in models if "_" in model})


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
            table = SummaryTable(
                relation, task["duration"], kept, task["position"], task.get("horizon")
            )
            tables.setdefault(task["aggregation"], []).append((table, task["time_zone"]))
    return [
        Aggregation(
            name=name,
            zone=ZoneInfo(found[0][1]),
            tables=tuple(sorted((table for table, _ in found), key=lambda t: t.position)),
            late=late.get(name),
        )
        for name, found in sorted(tables.items())
    ]


def horizon_of(spark: SparkSession, table: SummaryTable, newest: int) -> int | None:
    """Unix seconds before which rows of a table are too old, by the newest bucket of all.

    It begins a bucket of the next longer duration; None if that is before the year 1.
    """
    if table.kept is None or newest - table.kept < _FIRST_SECOND:
        return None
    row = spark.sql(f"""
        select unix_seconds({table.horizon_sql}) as horizon
        from (select timestamp_seconds({newest - table.kept}) as strandline_instant)
    """).collect()[0]
    return int(row["horizon"])


def instant(seconds: int) -> str:
    """Unix seconds as an ISO instant in UTC, as it is stored: 2014-02-15T00:00:00Z."""
    return (EPOCH + timedelta(seconds=seconds)).replace(tzinfo=None).isoformat() + "Z"
