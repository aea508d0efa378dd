"""The purge of one aggregation: first everything is looked at and may be refused, then rows go.

Two things must not be lost with the rows. A table's mark, how far it has read, is the greatest
`agg_arrival` among its rows: the row that holds it stays, however old. And a finer row may only go
once the next coarser table has read it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING

from strandline.epoch import EPOCH
from strandline.literals import text_sql
from strandline.retention.errors import PurgeError
from strandline.retention.horizon import horizon_of, instant
from strandline.retention.tables import Aggregation, SummaryTable

if TYPE_CHECKING:
    from pyspark.sql import Row, SparkSession

PURGED_BEFORE = "strandline.purged_before"
FEED_PURGED_BEFORE = "strandline.feed_purged_before"
LISTING_TASKS = "32"
WATERMARK = "strandline.watermark"  # of a table of late events, as JSON


@dataclass(frozen=True)
class Purged:
    """What a purge removes from one table, or would remove; no horizon where all is kept."""

    table: SummaryTable
    horizon: int | None
    condition: str
    removed: int
    left: int


def plan(spark: SparkSession, aggregation: Aggregation) -> list[Purged]:
    """What is to go, table by table, finest first; empty while the finest table is not built.

    Raises PurgeError with every reason why it may not go.
    """
    tables = aggregation.tables
    missing = [t.relation for t in tables if not spark.catalog.tableExists(t.relation)]
    if tables[0].relation in missing:
        return []
    if missing:
        _refuse(
            aggregation, [f"{name} is not built yet; run `dbt build` first" for name in missing]
        )
    held = _held(spark, tables)
    newest = held[tables[0]]["newest"]
    plans, faults = [], []
    for table in tables:
        horizon = None
        coarser = aggregation.coarser_than(table)
        if table.kept is not None and held[table]["rows"] and newest is not None:
            aligned_to = (coarser or table).duration
            horizon = horizon_of(newest, table.kept, aligned_to, aggregation.zone)
        if horizon is None:
            plans.append(Purged(table, None, "false", 0, held[table]["rows"]))
            continue
        condition = _older(spark, aggregation, table, horizon, held[table]["last"])
        older, unread = _counts(spark, table, coarser, condition, horizon)
        if older and unread:
            faults.append(
                f"{coarser.name} has not read {unread:,} rows of {table.name} that are too old to"
                " stay; run `dbt build` first"
            )
        plans.append(Purged(table, horizon, condition, older, held[table]["rows"] - older))
    _refuse(aggregation, [*faults, *_unjudged(spark, aggregation)])
    return plans


def purge(spark: SparkSession, aggregation: Aggregation, plans: Iterable[Purged]) -> list[Purged]:
    """Remove what was planned. May be killed anywhere and taken again."""
    return [_purge(spark, aggregation, planned) for planned in plans]


def _purge(spark: SparkSession, aggregation: Aggregation, planned: Purged) -> Purged:
    """The horizon is told before the rows go: killed between, it says that more is gone than is.

    Had the rows gone first, a run could make a coarser bucket anew from what is left of them.
    """
    if not planned.removed:
        return planned
    told = {planned.table.relation: PURGED_BEFORE}
    coarser = aggregation.coarser_than(planned.table)
    if coarser is not None:
        told[coarser.relation] = FEED_PURGED_BEFORE
    if aggregation.late is not None and planned.table == aggregation.tables[0]:
        told[aggregation.late] = PURGED_BEFORE
    for relation, name in told.items():
        _tell(spark, relation, name, instant(planned.horizon))
    query = f"delete from {planned.table.relation} where {planned.condition}"
    removed = spark.sql(query).collect()[0]["num_affected_rows"]
    return replace(planned, removed=removed, left=planned.left + planned.removed - removed)


def _tell(spark: SparkSession, relation: str, name: str, value: str) -> None:
    """A table property that only ever grows."""
    if not spark.catalog.tableExists(relation):
        return
    if _properties(spark, relation).get(name, "") < value:
        spark.sql(f"alter table {relation} set tblproperties ('{name}' = '{value}')")


def _properties(spark: SparkSession, relation: str) -> dict[str, str]:
    rows = spark.sql(f"show tblproperties {relation}").collect()
    return {row["key"]: row["value"] for row in rows}


def _held(spark: SparkSession, tables: Iterable[SummaryTable]) -> dict[SummaryTable, Row]:
    """How many rows a table has, its newest bucket, and the last one that holds its mark."""
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
    """The condition on the rows that go; literal dates, so that Delta opens no other files."""
    condition = f"agg_timestamp < timestamp_seconds({horizon})"
    if last < horizon:
        condition += f" and agg_timestamp <> timestamp_seconds({last})"
    if "agg_partition" in spark.table(table.relation).columns:
        # A partition is named for the first day of its week, month or year: never a later day.
        local = (EPOCH + timedelta(seconds=horizon)).astimezone(aggregation.zone)
        condition += f" and agg_partition <= date'{local.date().isoformat()}'"
    return condition


def _counts(
    spark: SparkSession,
    table: SummaryTable,
    coarser: SummaryTable | None,
    condition: str,
    horizon: int,
) -> tuple[int, int]:
    """How many rows would go, and how many that the next coarser table would never read.

    That is every row behind the horizon that it has not read yet, also one that stays for its mark.
    """
    read = f"(select max(agg_arrival) from {coarser.relation})" if coarser else "agg_arrival"
    row = spark.sql(f"""
        select
            count_if({condition}) as older,
            count_if(coalesce(agg_arrival > {read}, true)) as unread
        from {table.relation}
        where agg_timestamp < timestamp_seconds({horizon})
    """).collect()[0]
    return row["older"], row["unread"]


def _unjudged(spark: SparkSession, aggregation: Aggregation) -> list[str]:
    """Whether the table of late events is behind: with the horizon it would judge otherwise."""
    if aggregation.late is None or not spark.catalog.tableExists(aggregation.late):
        return []
    looked = json.loads(_properties(spark, aggregation.late).get(WATERMARK, "{}")).get("arrival")
    finest = aggregation.tables[0].relation
    query = (
        f"select coalesce(max(agg_arrival) > {looked or 'null'}, true) as is_behind from {finest}"
    )
    if not spark.sql(query).collect()[0]["is_behind"]:
        return []
    late = aggregation.late.replace("`", "")
    return [f"{late} has not looked at all that was counted; run `dbt build` first"]


def _refuse(aggregation: Aggregation, faults: list[str]) -> None:
    if faults:
        told = "\n".join(f"- {fault}" for fault in faults)
        raise PurgeError(f"purge of {aggregation.name}:\n{told}")


def vacuum(spark: SparkSession, plans: Iterable[Purged]) -> None:
    """Delta's VACUUM of each table that has a horizon, with Delta's own retention of files.

    Delta lists the folders of a table in as many tasks as Spark allows, 10,000: for each table
    that took a minute on two cores.
    """
    spark.conf.set("spark.sql.sources.parallelPartitionDiscovery.parallelism", LISTING_TASKS)
    for planned in plans:
        if planned.horizon is not None:
            spark.sql(f"vacuum {planned.table.relation}")
