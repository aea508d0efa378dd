"""The same table by hand in plain Spark, in DuckDB and in Polars: hourly LOCF by key with a gap.

They take the points as they are: of two points of one time they would count both, and no later
point can be added to what they made.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bench.project import CORES
from bench.time_weight.points import GAP_MICROS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SCHEMA = "by_hand"


def plain_spark(spark: SparkSession, source: str) -> None:
    """`by_hand.signal_hours`, by a window function and a group by."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    spark.sql(f"create schema if not exists {SCHEMA}")
    hour = Window.partitionBy("sensor", "bucket").orderBy("ts")
    valid = f.least(f.unix_micros(f.lead("ts").over(hour)) - f.unix_micros("ts"), f.lit(GAP_MICROS))
    points = (
        spark.table(source)
        .withColumn("bucket", f.date_trunc("hour", "ts"))
        .withColumn("valid", f.when(f.lead("ts").over(hour).isNotNull(), valid))
    )
    points.groupBy("sensor", "bucket").agg(
        f.sum(f.col("value") * f.col("valid") / 1e6).alias("weighted_sum"),
        f.sum("valid").alias("elapsed"),
        f.min("ts").alias("first_time"),
        f.min_by("value", "ts").alias("first_value"),
        f.max("ts").alias("last_time"),
        f.max_by("value", "ts").alias("last_value"),
    ).write.format("delta").mode("overwrite").saveAsTable(f"{SCHEMA}.signal_hours")


def duckdb(points: Path, table: Path) -> None:
    """The table as a Parquet file."""
    import duckdb

    with duckdb.connect(config={"threads": CORES}) as database:
        database.execute(f"""
            copy (
                select
                    sensor, bucket,
                    sum(value * valid / 1e6) as weighted_sum, cast(sum(valid) as bigint) as elapsed,
                    min(ts) as first_time, arg_min(value, ts) as first_value,
                    max(ts) as last_time, arg_max(value, ts) as last_value
                from (
                    select
                        *,
                        if(lead(ts) over w is null, null,
                            least(epoch_us(lead(ts) over w) - epoch_us(ts), {GAP_MICROS})) as valid
                    from (
                        select *, time_bucket(interval '1 hour', ts) as bucket
                        from '{points}/*.parquet'
                    )
                    window w as (partition by sensor, bucket order by ts)
                )
                group by all
            ) to '{table}' (format parquet)
        """)


def polars(points: Path, table: Path) -> None:
    """The table as a Parquet file; the threads are those of $POLARS_MAX_THREADS."""
    import polars as pl

    ts, value, keys = pl.col("ts").cast(pl.Int64), pl.col("value"), ["sensor", "bucket"]
    valid = (ts.shift(-1) - ts).clip(upper_bound=GAP_MICROS)
    (
        pl.scan_parquet(points / "*.parquet")
        .with_columns(
            ts=pl.col("ts").dt.cast_time_unit("us"), bucket=pl.col("ts").dt.truncate("1h")
        )
        .sort("sensor", "ts")
        .group_by(keys, maintain_order=True)
        .agg(
            weighted_sum=(value * valid / 1e6).sum(),
            elapsed=valid.sum(),
            first_time=pl.col("ts").first(),
            first_value=value.first(),
            last_time=pl.col("ts").last(),
            last_value=value.last(),
        )
        .sink_parquet(table)
    )
