"""Queries by hand: in plain Spark into a Delta table, in DuckDB into a Parquet file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bench.project import CORES

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def spark_query(spark: SparkSession, sql: str, table: str) -> None:
    """The rows of a query as a Delta table, written anew."""
    spark.sql(f"create schema if not exists {table.split('.')[0]}")
    spark.sql(sql).write.format("delta").mode("overwrite").saveAsTable(table)


def duckdb_query(sql: str, file: Path) -> None:
    """The rows of a query as a Parquet file."""
    import duckdb

    with duckdb.connect(config={"threads": CORES}) as database:
        database.execute(f"copy ({sql}) to '{file}' (format parquet)")
