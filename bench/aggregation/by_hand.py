"""The same increment by hand: six `merge into`, one for each table, of the new events' buckets.

The tables have the rows and the partitions of Strandline's. New events are those that arrived
after a number which the caller keeps. Run twice, it would count them twice; stopped between two
tables, it leaves them different. Strandline's run excludes both.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.aggregation.project import DURATIONS, TRADES

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SCHEMA = "merged"
_SUMS = ("agg_sum_price", "agg_count_price", "agg_sum_quantity", "agg_count")
_COLUMNS = (
    "agg_timestamp", "symbol", "agg_sum_price", "agg_count_price", "agg_sum_quantity",
    "agg_min_price", "agg_max_price", "agg_count", "agg_partition",
)  # fmt: skip


def tables() -> list[str]:
    return [f"{SCHEMA}.{TRADES}_{duration}" for duration in DURATIONS]


def create(spark: SparkSession, schema: str) -> None:
    """The six tables, as Strandline's in `schema` are now."""
    spark.sql(f"create schema if not exists {SCHEMA}")
    for table in tables():
        own = f"{schema}.{table.partition('.')[2]}"
        spark.sql(f"""
            create or replace table {table} using delta partitioned by (agg_partition) as
            select {", ".join(_COLUMNS)} from {own}
        """)


def merge(spark: SparkSession, source: str, after: int) -> None:
    """Adds the events that arrived after this number to the six tables."""
    for duration, table in zip(DURATIONS, tables(), strict=True):
        buckets = _buckets_sql(source, after, duration)
        # With literal partitions Delta opens their files alone.
        found = spark.sql(f"select distinct agg_partition from ({buckets})").collect()
        partitions = ", ".join(f"'{row[0]}'" for row in found)
        if not partitions:
            continue
        sums = ", ".join(f"kept.{column} = kept.{column} + new.{column}" for column in _SUMS)
        spark.sql(f"""
            merge into {table} as kept using ({buckets}) as new
            on kept.agg_partition in ({partitions})
                and kept.agg_timestamp = new.agg_timestamp and kept.symbol = new.symbol
            when matched then update set
                {sums},
                kept.agg_min_price = least(kept.agg_min_price, new.agg_min_price),
                kept.agg_max_price = greatest(kept.agg_max_price, new.agg_max_price)
            when not matched then insert *
        """)


def _buckets_sql(source: str, after: int, duration: str) -> str:
    """The buckets of one duration that the new events fall into."""
    unit = duration.removesuffix("s")
    partition = unit if unit in ("month", "year") else "week"
    return f"""
        select
            date_trunc('{unit}', ts) as agg_timestamp,
            symbol,
            sum(price) as agg_sum_price,
            count(price) as agg_count_price,
            sum(quantity) as agg_sum_quantity,
            min(price) as agg_min_price,
            max(price) as agg_max_price,
            count(*) as agg_count,
            cast(date_trunc('{partition}', first(ts)) as date) as agg_partition
        from {source}
        where arrival > {after}
        group by 1, 2
    """
