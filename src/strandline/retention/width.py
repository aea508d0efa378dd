"""The width of partitions, chosen anew for tables that have outgrown it.

A first build chooses the width from what it reads. Later a table can have many more rows a day, or
fewer: then a run rewrites far more than it changes, or a table has many small files.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from strandline.retention.compaction import is_awaited
from strandline.retention.plan import properties_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TASK, PARTITION = "strandline.task", "strandline.partition"
# Properties that Delta makes by itself, and refuses from others.
MADE_BY_DELTA = ("delta.columnMapping.maxColumnId",)


@dataclass(frozen=True)
class Measured:
    """What a table of buckets has.

    Attributes:
        table: schema.name.
        task: that is stored with it.
        rows, bytes: of all its rows.
        days: how many days have rows, estimated.
        partitions: how many it has.
        width: the calendar unit of them; None if a table of 0.1.0 does not say it.
    """

    table: str
    task: dict[str, Any]
    rows: int
    bytes: int
    days: int
    partitions: int
    width: str | None


@dataclass(frozen=True)
class Choice:
    """What the macros choose for a table.

    Attributes:
        before, after: the calendar units.
        partition: SQL of the partition of a row.
    """

    before: str
    after: str
    partition: str


@dataclass(frozen=True)
class Repartition:
    """A table whose width has changed, or would.

    Attributes:
        table: schema.name.
        before, after: the calendar units of its partitions.
        partitions: how many it had.
    """

    table: str
    before: str
    after: str
    partitions: int


Choose = Callable[[Sequence[Measured]], Sequence[Choice | None]]


def plan_widths(
    spark: SparkSession, tables: Iterable[str], choose: Choose
) -> list[tuple[Measured, Choice]]:
    """The tables of buckets among these that need another width.

    `choose` gives for each table what its macros choose, or None where it stays.
    """
    found = [each for table in tables if (each := measured(spark, table)) is not None]
    chosen = zip(found, choose(found) if found else (), strict=True)
    return [
        (table, choice)
        for table, choice in chosen
        if choice is not None and not is_awaited(spark, table.table)
    ]


def measured(spark: SparkSession, table: str) -> Measured | None:
    """Size and time of a table of buckets; None of another table, or of one without rows.

    Reads the column of time.
    """
    if not spark.catalog.tableExists(table) or "agg_partition" not in spark.table(table).columns:
        return None
    properties = properties_of(spark, table)
    if TASK not in properties:
        return None
    detail = spark.sql(f"describe detail {table}").collect()[0]
    row = spark.sql(f"""
        select
            count(*) as rows,
            approx_count_distinct(unix_seconds(agg_timestamp) div 86400) as days,
            count(distinct agg_partition) as partitions
        from {table}
    """).collect()[0]
    if not row["rows"]:
        return None
    stored = json.loads(properties.get(PARTITION, "{}"))
    return Measured(
        table,
        json.loads(properties[TASK]),
        row["rows"],
        detail["sizeInBytes"],
        row["days"],
        row["partitions"],
        stored.get("width"),
    )


def repartition(spark: SparkSession, table: Measured, choice: Choice) -> Repartition:
    """Writes all rows of a table into partitions of another width, in one commit.

    Rows, watermark, properties and comments stay. If a run commits meanwhile, Delta refuses one of
    the two, because each reads what the other replaces. After a kill it can be repeated.
    """
    from pyspark.sql import functions as F

    detail = spark.sql(f"describe detail {table.table}").collect()[0]
    width = {"width": choice.after, "rows_a_day": round(table.rows / table.days, 3)}
    properties = {
        name: value for name, value in detail["properties"].items() if name not in MADE_BY_DELTA
    } | {PARTITION: json.dumps(width)}
    if detail["description"]:
        properties["comment"] = detail["description"]
    rows = spark.table(table.table).withColumn("agg_partition", F.expr(choice.partition))
    writer = rows.repartition("agg_partition").writeTo(table.table).using("delta")
    for name, value in properties.items():
        writer = writer.tableProperty(name, value)
    writer.partitionedBy(F.col("agg_partition")).createOrReplace()
    return Repartition(table.table, choice.before, choice.after, table.partitions)
