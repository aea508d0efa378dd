"""The same six tables by hand: in plain Spark, written to Delta, and in DuckDB, to Parquet.

Both are cascaded as Strandline's are, each table from the next finer one, and hold the same parts.
They do what one would write for a single full computation: no late run can be added to them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bench.aggregation.project import DURATIONS
from bench.project import CORES

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SCHEMA = "by_hand"


def plain_spark(spark: SparkSession, source: str) -> None:
    """The six tables as `by_hand.trades_<duration>`."""
    from pyspark.sql import functions as f

    spark.sql(f"create schema if not exists {SCHEMA}")
    feed, at = spark.table(source), "ts"
    parts = [
        f.sum("price").alias("agg_sum_price"),
        f.count("price").alias("agg_count_price"),
        f.sum("quantity").alias("agg_sum_quantity"),
        f.min("price").alias("agg_min_price"),
        f.max("price").alias("agg_max_price"),
        f.count("*").alias("agg_count"),
    ]
    for duration in DURATIONS:
        bucket = f.date_trunc(duration.removesuffix("s"), at).alias("agg_timestamp")
        rows = feed.groupBy(bucket, "symbol").agg(*parts)
        name = f"{SCHEMA}.trades_{duration}"
        rows.write.format("delta").mode("overwrite").saveAsTable(name)
        feed, at = spark.table(name), "agg_timestamp"
        parts = [
            f.sum("agg_sum_price").alias("agg_sum_price"),
            f.sum("agg_count_price").alias("agg_count_price"),
            f.sum("agg_sum_quantity").alias("agg_sum_quantity"),
            f.min("agg_min_price").alias("agg_min_price"),
            f.max("agg_max_price").alias("agg_max_price"),
            f.sum("agg_count").alias("agg_count"),
        ]


_FROM_EVENTS = """
    sum(price) as agg_sum_price,
    count(price) as agg_count_price,
    cast(sum(quantity) as bigint) as agg_sum_quantity,
    min(price) as agg_min_price,
    max(price) as agg_max_price,
    count(*) as agg_count
"""
_FROM_PARTS = """
    sum(agg_sum_price) as agg_sum_price,
    cast(sum(agg_count_price) as bigint) as agg_count_price,
    cast(sum(agg_sum_quantity) as bigint) as agg_sum_quantity,
    min(agg_min_price) as agg_min_price,
    max(agg_max_price) as agg_max_price,
    cast(sum(agg_count) as bigint) as agg_count
"""


def duckdb(events: Path, folder: Path) -> None:
    """The six tables as `<folder>/<duration>.parquet`."""
    import duckdb

    folder.mkdir(parents=True, exist_ok=True)
    feed, at, parts = events / "*.parquet", "ts", _FROM_EVENTS
    with duckdb.connect(config={"threads": CORES}) as database:
        for duration in DURATIONS:
            table = folder / f"{duration}.parquet"
            database.execute(f"""
                copy (
                    select
                        cast(date_trunc('{duration.removesuffix("s")}', {at}) as timestamp)
                            as agg_timestamp,
                        symbol,
                        {parts}
                    from '{feed}'
                    group by all
                ) to '{table}' (format parquet)
            """)
            feed, at, parts = table, "agg_timestamp", _FROM_PARTS
