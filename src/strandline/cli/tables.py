"""What Delta itself says of the tables: version and rows, before a run and after it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strandline.literals import text_sql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class State:
    """A table at one moment. Every commit to it, however small, is a new version."""

    version: int
    rows: int


def states(spark: SparkSession, tables: Iterable[str]) -> dict[str, State]:
    """The state of each of the tables that exists."""
    there = [table for table in tables if spark.catalog.tableExists(table)]
    if not there:
        return {}
    counts = " union all ".join(
        f"select {text_sql(name)} as name, count(*) as n from {name}" for name in there
    )
    rows = {row["name"]: row["n"] for row in spark.sql(counts).collect()}
    return {name: State(_version(spark, name), rows[name]) for name in there}


def _version(spark: SparkSession, table: str) -> int:
    return int(spark.sql(f"describe history {table} limit 1").collect()[0]["version"])
