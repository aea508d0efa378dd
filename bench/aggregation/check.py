"""Whether two engines made the same tables: row by row, before anything is measured."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_EXACT = ("agg_count_price", "agg_sum_quantity", "agg_min_price", "agg_max_price", "agg_count")
_ROUNDED = "agg_sum_price"  # a sum of doubles depends on its order
_TOLERANCE = 1e-9


class DifferentTables(Exception):
    """Two tables that had to be the same are not."""


def same(spark: SparkSession, one: str, other: str) -> int:
    """Compares two relations both ways; gives their rows. Raises DifferentTables."""
    differs = " or ".join(f"not (one.{column} <=> other.{column})" for column in _EXACT)
    near = (
        f"abs(one.{_ROUNDED} - other.{_ROUNDED})"
        f" <= {_TOLERANCE}D * greatest(abs(one.{_ROUNDED}), abs(other.{_ROUNDED}))"
    )
    [(rows, different)] = spark.sql(f"""
        select count(*), count_if({differs} or not coalesce({near}, false))
        from {one} as one
        full outer join {other} as other
            on one.agg_timestamp = cast(other.agg_timestamp as timestamp)
                and one.symbol = other.symbol
    """).collect()
    if different or not rows:
        raise DifferentTables(f"{different} of {rows} rows differ between {one} and {other}")
    return rows


def totals(spark: SparkSession, table: str) -> tuple[int, int]:
    """The events and the quantity that a table holds, whatever its duration."""
    [row] = spark.sql(f"select sum(agg_count), sum(agg_sum_quantity) from {table}").collect()
    return tuple(row)


def complete(spark: SparkSession, source: str, tables: list[str]) -> None:
    """Each of the tables holds every event of the source. Raises DifferentTables."""
    [row] = spark.sql(f"select count(*), sum(quantity) from {source}").collect()
    for table in tables:
        if totals(spark, table) != tuple(row):
            raise DifferentTables(
                f"{table} holds {totals(spark, table)} (events, quantity), {source} {tuple(row)}"
            )
