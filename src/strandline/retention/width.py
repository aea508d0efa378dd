"""The width of partitions, chosen again for tables that have outgrown it.

A first build chooses the width from what it reads. Later a table can have many more rows a day, or
fewer: then a run rewrites far more than it changes, or a table has many small files. The macros
choose (`macros/incremental/width.sql`); here tables are measured and written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from strandline.retention.compaction import is_awaited

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TASK, PARTITION = "strandline.task", "strandline.partition"
# A property that Delta makes by itself, and refuses from others.
MADE_BY_DELTA = "delta.columnMapping.maxColumnId"


@dataclass(frozen=True)
class Measured:
    """What a table of buckets has.

    Attributes:
        table: schema.name.
        task: that is stored with it.
        width: the calendar unit of its partitions; None if a table of 0.1.0 does not say it.
        partitions: how many it has.
        rows_a_day, bytes_a_day: of the days that have rows, whose number is estimated.
    """

    table: str
    task: dict[str, Any]
    width: str | None
    partitions: int
    rows_a_day: float
    bytes_a_day: float


@dataclass(frozen=True)
class Repartition:
    """A table that needs another width.

    Attributes:
        table: schema.name.
        before, after: the calendar units of its partitions.
        partition: SQL of the new partition of a row.
        properties: of the table, that say the new width.
    """

    table: str
    before: str
    after: str
    partition: str
    properties: dict[str, str]


# Gives for each measured table the other fields of a `Repartition`, or None where it stays.
Choose = Callable[[Sequence[Mapping[str, Any]]], Sequence[Mapping[str, Any] | None]]


def stored_width(properties: Mapping[str, str]) -> str | None:
    """The calendar unit of the partitions, from the properties of a table, if they have it."""
    width = json.loads(properties.get(PARTITION, "{}")).get("width")
    return None if width is None else str(width)


def measured(spark: SparkSession, table: str) -> Measured | None:
    """Size and time of a table of buckets; None of another table, or of one without rows.

    Reads the column of time.
    """
    if not spark.catalog.tableExists(table) or "agg_partition" not in spark.table(table).columns:
        return None
    detail = spark.sql(f"describe detail {table}").collect()[0]
    properties = detail["properties"] or {}
    if TASK not in properties:
        return None
    row = spark.sql(f"""
        select
            count(*) as rows,
            approx_count_distinct(unix_seconds(agg_timestamp) div 86400) as days,
            count(distinct agg_partition) as partitions
        from {table}
    """).collect()[0]
    if not row["rows"]:
        return None
    return Measured(
        table,
        json.loads(properties[TASK]),
        stored_width(properties),
        row["partitions"],
        rows_a_day=row["rows"] / row["days"],
        bytes_a_day=detail["sizeInBytes"] / row["days"],
    )


def plan_widths(
    spark: SparkSession, tables: Sequence[Measured], choose: Choose
) -> list[Repartition]:
    """The tables among these that need another width.

    A table that a crashed build of `detect` has still to replace is left out.
    """
    chosen = choose([asdict(table) for table in tables]) if tables else ()
    planned = [
        Repartition(table.table, **choice)
        for table, choice in zip(tables, chosen, strict=True)
        if choice is not None
    ]
    return [each for each in planned if not is_awaited(spark, each.table)]


def repartition(spark: SparkSession, planned: Repartition) -> None:
    """Writes all rows of a table into partitions of another width, in one commit.

    Rows, watermark, properties and comments stay. If a run commits meanwhile, Delta refuses one of
    the two, because each reads what the other replaces. After a kill it can be repeated.
    """
    from pyspark.sql import functions as F

    detail = spark.sql(f"describe detail {planned.table}").collect()[0]
    properties = {**detail["properties"], **planned.properties}
    properties.pop(MADE_BY_DELTA, None)
    if detail["description"]:
        properties["comment"] = detail["description"]
    rows = spark.table(planned.table).withColumn("agg_partition", F.expr(planned.partition))
    writer = rows.repartition("agg_partition").writeTo(planned.table).using("delta")
    for name, value in properties.items():
        writer = writer.tableProperty(name, value)
    writer.partitionedBy(F.col("agg_partition")).createOrReplace()
