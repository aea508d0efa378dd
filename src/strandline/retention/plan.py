"""What a purge would remove from the tables of one aggregation, and why it may not.

Two things must not be lost with the rows. A table's watermark is the greatest `agg_arrival` among
its rows: the row that has it stays, however old. And a row is deleted only after its roll-up has
read it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from strandline.connection import properties_of
from strandline.errors import PurgeError
from strandline.literals import EPOCH, text_sql
from strandline.retention.aggregations import Aggregation, SummaryTable, horizon_of

if TYPE_CHECKING:
    from pyspark.sql import Row, SparkSession

WATERMARK = "strandline.watermark"  # of a table of late events, as JSON


@dataclass(frozen=True)
class Purged:
    """The rows that a purge removes from one table, or would remove; no horizon if all are kept."""

    table: SummaryTable
    horizon: int | None
    condition: str
    removed: int
    left: int


def plan(spark: SparkSession, aggregation: Aggregation) -> list[Purged]:
    """The rows to remove, table by table, the base first; empty while the base is not built.

    Raises PurgeError with every reason against it.
    """
    tables = aggregation.tables
    missing = [t.relation for t in tables if not spark.catalog.tableExists(t.relation)]
    if tables[0].relation in missing:
        return []
    if missing:
        refuse(aggregation, [f"{name} is not built yet; run `dbt build` first" for name in missing])
    stats = _stats(spark, tables)
    newest = stats[tables[0]]["newest"]
    plans, faults = [], []
    for table in tables:
        horizon = None
        rollup = aggregation.rollup_of(table)
        if table.kept is not None and stats[table]["rows"] and newest is not None:
            horizon = horizon_of(spark, table, newest)
        if horizon is None:
            plans.append(Purged(table, None, "false", 0, stats[table]["rows"]))
            continue
        condition = _older(spark, aggregation, table, horizon, stats[table]["last"])
        older, unread = _counts(spark, table, rollup, condition, horizon)
        if rollup is not None and older and unread:
            faults.append(
                f"{rollup.name} has not read {unread:,} rows of {table.name} that are too old to"
                " stay; run `dbt build` first"
            )
        plans.append(Purged(table, horizon, condition, older, stats[table]["rows"] - older))
    refuse(aggregation, [*faults, *_unread_by_late(spark, aggregation)])
    return plans


def _stats(spark: SparkSession, tables: Iterable[SummaryTable]) -> dict[SummaryTable, Row]:
    """The count of rows of each table, its newest bucket, and the last one with its watermark."""
    queries = {
        table: f"""
            select
                {text_sql(table.duration)} as duration,
                count(*) as rows,
                max(unix_seconds(agg_timestamp)) as newest,
                max(struct(agg_arrival, unix_seconds(agg_timestamp) as bucket)).bucket as last
            from {table.relation}"""
        for table in tables
    }
    found = spark.sql(" union all ".join(queries.values())).collect()
    by_duration = {row["duration"]: row for row in found}
    return {table: by_duration[table.duration] for table in queries}


def _older(
    spark: SparkSession, aggregation: Aggregation, table: SummaryTable, horizon: int, last: int
) -> str:
    """The condition on the rows to delete; literal dates, so that Delta skips other files."""
    condition = f"agg_timestamp < timestamp_seconds({horizon})"
    if last < horizon:
        condition += f" and agg_timestamp <> timestamp_seconds({last})"
    if dict(spark.table(table.relation).dtypes).get("agg_partition") == "date":
        # A partition is named for the first day of its week, month or year: never a later day.
        # Hours are instants; there Delta skips files by their greatest time.
        local = (EPOCH + timedelta(seconds=horizon)).astimezone(aggregation.zone)
        condition += f" and agg_partition <= date'{local.date().isoformat()}'"
    return condition


def _counts(
    spark: SparkSession,
    table: SummaryTable,
    rollup: SummaryTable | None,
    condition: str,
    horizon: int,
) -> tuple[int, int]:
    """The count of rows to delete, and of those that the roll-up would never read.

    These are all rows before the horizon that it has not read yet, also the one with the watermark.
    """
    read = f"(select max(agg_arrival) from {rollup.relation})" if rollup else "agg_arrival"
    row = spark.sql(f"""
        select
            count_if({condition}) as older,
            count_if(coalesce(agg_arrival > {read}, true)) as unread
        from {table.relation}
        where agg_timestamp < timestamp_seconds({horizon})
    """).collect()[0]
    return row["older"], row["unread"]


def _unread_by_late(spark: SparkSession, aggregation: Aggregation) -> list[str]:
    """A fault if the table of late events is behind: the horizon would change its reasons."""
    if aggregation.late is None or not spark.catalog.tableExists(aggregation.late):
        return []
    stored = properties_of(spark, aggregation.late).get(WATERMARK, "{}")
    watermark = json.loads(stored).get("arrival")
    base = aggregation.tables[0].relation
    query = (
        f"select coalesce(max(agg_arrival) > {watermark or 'null'}, true) as is_behind from {base}"
    )
    if not spark.sql(query).collect()[0]["is_behind"]:
        return []
    late = aggregation.late.replace("`", "")
    return [f"{late} has not read all events that were counted; run `dbt build` first"]


def refuse(aggregation: Aggregation, faults: list[str]) -> None:
    """Raises PurgeError with all faults, if there are any."""
    if faults:
        lines = "\n".join(f"- {fault}" for fault in faults)
        raise PurgeError(f"purge of {aggregation.name}:\n{lines}")
