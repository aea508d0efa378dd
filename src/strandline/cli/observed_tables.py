"""The stored tables of a project: their rows, watermarks, and when they were last written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from strandline.cli.tables import information_of, row_counts
from strandline.delta_log import location_in, newest_commit
from strandline.literals import text_sql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class TableStatus:
    """One stored table; all but name and schema are None while it is not built.

    Attributes:
        name: of its model or snapshot.
        schema: where it is.
        rows: how many it has.
        watermark: the greatest arrival that it has read, as text; None if it has none.
        written_at: when its newest commit was made, UTC; None if its log cannot be read from here.
    """

    name: str
    schema: str
    rows: int | None
    watermark: str | None
    written_at: datetime | None


def table_statuses(spark: SparkSession, relations: Mapping[str, str]) -> list[TableStatus]:
    """Of each table (`schema.table` by the name of its model), by name."""
    shown = information_of(spark, relations.values())
    there = {name: relation for name, relation in relations.items() if relation.lower() in shown}
    rows = row_counts(spark, list(there.values()))
    watermarks = _watermarks(spark, list(there.values()))
    return [
        TableStatus(
            name,
            relation.partition(".")[0],
            rows.get(relation),
            watermarks.get(relation),
            _written_at(location_in(shown.get(relation.lower()))),
        )
        for name, relation in sorted(relations.items())
    ]


def _watermarks(spark: SparkSession, relations: list[str]) -> dict[str, str]:
    """Of tables with an arrival in each row, and of windows, which keep it in their clock."""
    queries = []
    for relation in relations:
        columns = spark.table(relation).columns
        if "agg_arrival" in columns:
            read = f"string(max(agg_arrival)) as mark from {relation}"
        elif "window_progress" in columns:
            read = (
                f"string(window_progress.arrival) as mark from {relation}"
                " where window_part = 'open' and row_kind = 'clock'"
            )
        else:
            continue
        queries.append(f"select {text_sql(relation)} as name, {read}")
    found = spark.sql(" union all ".join(queries)).collect() if queries else []
    return {row["name"]: row["mark"] for row in found if row["mark"] is not None}


def _written_at(location: str | None) -> datetime | None:
    commit = newest_commit(location) if location else None
    return commit.written_at if commit else None
