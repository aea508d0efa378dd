"""The same table by hand in plain Spark, in DuckDB and in Polars: hourly LOCF by key with a gap.

Of two points of one time the first to arrive counts, as in Strandline's. With `as_is` the points
are taken as they are: two of one time would both count. No later point can be added to any.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bench.project import CORES
from bench.time_weight.points import GAP_MICROS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SCHEMA = "by_hand"


def plain_spark(spark: SparkSession, source: str, as_is: bool = False) -> None:
    """`by_hand.signal_hours`, by window functions and a group by."""
    from pyspark.sql import Window
    from pyspark.sql import functions as f

    spark.sql(f"create schema if not exists {SCHEMA}")
    points = spark.table(source).withColumn("bucket", f.date_trunc("hour", "ts"))
    if not as_is:
        first = Window.partitionBy("sensor", "bucket", "ts").orderBy("arrival")
        points = points.withColumn("nth", f.row_number().over(first)).where("nth = 1")
    hour = Window.partitionBy("sensor", "bucket").orderBy("ts")
    length = f.unix_micros(f.lead("ts").over(hour)) - f.unix_micros("ts")
    points = points.withColumn("length", length).withColumn(
        "valid", f.when(f.col("length").isNotNull(), f.least("length", f.lit(GAP_MICROS)))
    )
    points.groupBy("sensor", "bucket").agg(
        f.max("arrival").alias("arrival"),
        f.sum(f.col("value") * f.col("valid") / 1e6).alias("weighted_sum"),
        f.sum("valid").alias("elapsed"),
        f.count_if(f.col("length") > GAP_MICROS).alias("num_gaps"),
        f.min("ts").alias("first_time"),
        f.min_by("value", "ts").alias("first_value"),
        f.max("ts").alias("last_time"),
        f.max_by("value", "ts").alias("last_value"),
    ).write.format("delta").mode("overwrite").saveAsTable(f"{SCHEMA}.signal_hours")


def duckdb(points: Path, table: Path, as_is: bool = False) -> None:
    """The table as a Parquet file."""
    import duckdb

    first = "qualify row_number() over (partition by sensor, ts order by arrival) = 1"
    with duckdb.connect(config={"threads": CORES}) as database:
        database.execute(f"""
            copy (
                select
                    sensor, bucket, max(arrival) as arrival,
                    sum(value * valid / 1e6) as weighted_sum, cast(sum(valid) as bigint) as elapsed,
                    count_if(length > {GAP_MICROS}) as num_gaps,
                    min(ts) as first_time, arg_min(value, ts) as first_value,
                    max(ts) as last_time, arg_max(value, ts) as last_value
                from (
                    select
                        *, epoch_us(lead(ts) over w) - epoch_us(ts) as length,
                        if(length is null, null, least(length, {GAP_MICROS})) as valid
                    from (
                        select *, time_bucket(interval '1 hour', ts) as bucket
                        from '{points}/*.parquet'
                        {"" if as_is else first}
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
    length = ts.shift(-1) - ts
    valid = length.clip(upper_bound=GAP_MICROS)
    (
        pl.scan_parquet(points / "*.parquet")
        .with_columns(
            ts=pl.col("ts").dt.cast_time_unit("us"), bucket=pl.col("ts").dt.truncate("1h")
        )
        .sort("sensor", "ts", "arrival")
        .unique(["sensor", "ts"], keep="first", maintain_order=True)
        .group_by(keys, maintain_order=True)
        .agg(
            arrival=pl.col("arrival").max(),
            weighted_sum=(value * valid / 1e6).sum(),
            elapsed=valid.sum(),
            num_gaps=(length > GAP_MICROS).sum(),
            first_time=pl.col("ts").first(),
            first_value=value.first(),
            last_time=pl.col("ts").last(),
            last_value=value.last(),
        )
        .sink_parquet(table)
    )
