"""The source table of a benchmark: made once, put back before each measurement, and exported."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def make(spark: SparkSession, table: str, columns: str, rows: str) -> None:
    """The table with the rows of a query; one that is there already is taken as it was."""
    if spark.catalog.tableExists(table):
        # Version 1 is the whole series: what later runs appended is taken away again.
        spark.sql(f"restore table {table} to version as of 1")
        return
    spark.sql(f"create schema if not exists {table.split('.')[0]}")
    spark.sql(f"create table {table} ({columns}) using delta")
    spark.sql(f"insert into {table} {rows}")


def export(spark: SparkSession, table: str, folder: Path) -> None:
    """The rows as plain Parquet, once; times without a zone, which is what others read fastest."""
    if (folder / "_SUCCESS").exists():
        return
    rows = spark.table(table)
    plain = (
        f"cast({name} as timestamp_ntz) as {name}" if kind == "timestamp" else name
        for name, kind in rows.dtypes
    )
    rows.selectExpr(*plain).write.mode("overwrite").parquet(str(folder))
