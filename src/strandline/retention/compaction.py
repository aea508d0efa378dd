"""Compaction: many small files of a table become a few, in the partitions that have many.

A run adds files, or replaces those of the partitions that it changes; nothing joins them, so that
no run is longer for it. Rows, their order of arrival and what was committed when stay as they are:
Delta's OPTIMIZE writes the same rows into other files, and says that no data has changed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from strandline.delta_log import version_of
from strandline.literals import name_sql, text_sql

if TYPE_CHECKING:
    from pyspark.sql import Row, SparkSession

SMALL = 32 * 2**20  # bytes; a file below that is small
TARGET = 128 * 2**20  # bytes of a file that is made of small ones
MANY = 16  # small files of one partition that are worth a commit
LISTED = 200  # partitions that are named in one statement; if more have many files, all are read
_SETTINGS = {
    "spark.databricks.delta.optimize.minFileSize": str(SMALL),
    "spark.databricks.delta.optimize.maxFileSize": str(TARGET),
}


@dataclass(frozen=True)
class Compaction:
    """The small files of a table that are joined, or would be.

    Attributes:
        table: schema.name.
        partitions: how many of them have many small files; 1 if the table has none.
        small: the small files there.
        bytes: their size.
        where: the condition on the partitions; None means the whole table.
        made: the files that they became; None if nothing is joined yet.
    """

    table: str
    partitions: int
    small: int
    bytes: int
    where: str | None
    made: int | None = None


def plan_compaction(spark: SparkSession, tables: Iterable[str]) -> list[Compaction]:
    """The tables among these that have partitions with many small files. Reads no data column.

    A table that a crashed build of `detect` has still to replace is left out: the next run knows
    it by its version.
    """
    found = [each for table in tables if (each := _small_files(spark, table)) is not None]
    return [each for each in found if not is_awaited(spark, each.table)]


def compact(spark: SparkSession, planned: Compaction) -> Compaction:
    """Joins the small files, in one commit. After a kill it can be repeated."""
    for name, value in _SETTINGS.items():
        spark.conf.set(name, value)
    try:
        where = f" where {planned.where}" if planned.where else ""
        [done] = spark.sql(f"optimize {planned.table}{where}").collect()
    finally:
        for name in _SETTINGS:
            spark.conf.unset(name)
    metrics = done["metrics"]
    return replace(planned, small=metrics["numFilesRemoved"], made=metrics["numFilesAdded"])


def _small_files(spark: SparkSession, table: str) -> Compaction | None:
    if not spark.catalog.tableExists(table):
        return None
    detail = spark.sql(f"describe detail {table}").collect()[0]
    if detail["format"] != "delta" or (detail["numFiles"] or 0) < MANY:
        return None
    columns = [name_sql(name) for name in detail["partitionColumns"]]
    listed = "".join(f"cast({name} as string) as {name}, " for name in columns)
    groups = f"group by {', '.join(columns)}" if columns else ""
    rows = spark.sql(f"""
        select {listed} count(*) as small_files, sum(bytes) as small_bytes
        from (
            select distinct
                {"".join(f"{name}, " for name in columns)}
                _metadata.file_path as path,
                _metadata.file_size as bytes
            from {table}
            where _metadata.file_size < {SMALL}
        )
        {groups}
        having count(*) >= {MANY}
    """).collect()
    if not rows:
        return None
    return Compaction(
        table,
        len(rows),
        sum(row["small_files"] for row in rows),
        sum(row["small_bytes"] for row in rows),
        _where(spark, table, detail["partitionColumns"], rows),
    )


def _where(spark: SparkSession, table: str, columns: list[str], rows: list[Row]) -> str | None:
    """The condition on these partitions; None if there are no partitions, or too many to name."""
    if not columns or len(rows) > LISTED:
        return None
    types = {field.name: field.dataType.simpleString() for field in spark.table(table).schema}
    return " or ".join(
        "(" + " and ".join(_equals(name, types[name], row[name]) for name in columns) + ")"
        for row in rows
    )


def _equals(name: str, kind: str, value: str | None) -> str:
    if value is None:
        return f"{name_sql(name)} is null"
    return f"{name_sql(name)} = cast({text_sql(value)} as {kind})"


def is_awaited(spark: SparkSession, table: str) -> bool:
    """Whether a build of `detect` in the same schema waits for this version of a table.

    It stores the version that it will replace; another one says that it has replaced it.
    """
    schema = table.replace("`", "").rpartition(".")[0]
    versions: set[int] = set()
    for row in spark.sql(f"show tables in `{schema}` like '*_state'").collect():
        state = f"`{schema}`.`{row['tableName']}`"
        fields = {field.name: field.dataType for field in spark.table(state).schema}
        if "built_over" in getattr(fields.get("engine"), "names", ()):
            query = (
                f"select engine.built_over from {state} where part = 'engine' and engine.run = 0"
            )
            versions |= {each["built_over"] for each in spark.sql(query).collect()}
    if versions - {None}:
        return version_of(spark, table) in versions
    return False
