"""The same detections by hand in plain Spark and in DuckDB: each row in each of its windows.

They take the readings as they are: none is late, no sensor misses a step, and nothing can be added
to what they made. The result is one row for each detection: metric, sensor, time, both sides.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bench.detection.readings import AVERAGE, ROW, SHARE, START, WINDOW
from bench.project import CORES

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SCHEMA = "by_hand"


def plain_spark(spark: SparkSession, source: str, ratio: int) -> None:
    """`by_hand.detections`: rows by window with `percentile_disc`, and one join back.

    A window has `ratio` steps.
    """
    from pyspark.sql import functions as f

    step = WINDOW // ratio
    spark.sql(f"create schema if not exists {SCHEMA}")
    rows = spark.table(source).withColumn("step", f.expr(f"(unix_millis(ts) - {START}) div {step}"))
    last = rows.agg(f.max("step")).first()[0]
    windows = (
        rows.withColumn("k", f.explode(f.sequence(f.col("step") - (ratio - 1), f.col("step"))))
        .where(f.col("k") + ratio <= last)
        .groupBy("sensor", "k")
        .agg(
            f.avg("temp").alias("average"),
            f.expr(f"percentile_disc({SHARE / 100}) within group (order by temp)").alias("high"),
        )
    )
    end = f.timestamp_millis(START + (f.col("k") + ratio) * step)
    one = rows.where(f.col("temp") > ROW).select(
        f.lit(0).alias("metric"), "sensor", "ts", f.col("temp").alias("l"), f.lit(ROW).alias("r")
    )
    two = windows.where(f.col("average") > AVERAGE).select(
        f.lit(1).alias("metric"), "sensor", end.alias("ts"), f.col("average").alias("l"),
        f.lit(float(AVERAGE)).alias("r"),
    )  # fmt: skip
    three = (
        rows.join(windows.withColumn("step", f.col("k") + ratio), ["sensor", "step"])
        .where(f.col("temp") > f.col("high"))
        .select(
            f.lit(2).alias("metric"), "sensor", "ts", f.col("temp").alias("l"),
            f.col("high").alias("r"),
        )
    )  # fmt: skip
    found = one.unionAll(two).unionAll(three)
    found.write.format("delta").mode("overwrite").saveAsTable(f"{SCHEMA}.detections")


def duckdb(readings: Path, table: Path, ratio: int) -> None:
    """The detections as a Parquet file; a window has `ratio` steps."""
    import duckdb

    step = WINDOW // ratio
    with duckdb.connect(config={"threads": CORES}) as database:
        database.execute(f"""
            copy (
                with readings as (
                    select *, (epoch_ms(ts) - {START}) // {step} as step
                    from '{readings}/*.parquet'
                ),
                windows as (
                    select
                        sensor, k, avg(temp) as average,
                        quantile_disc(temp, {SHARE / 100}) as high
                    from (
                        select sensor, temp, unnest(range(step - {ratio - 1}, step + 1)) as k
                        from readings
                    )
                    where k + {ratio} <= (select max(step) from readings)
                    group by all
                )
                select 0 as metric, sensor, ts, temp as l, {ROW} as r from readings
                where temp > {ROW}
                union all
                select 1, sensor, make_timestamp(({START} + (k + {ratio}) * {step}) * 1000),
                    average, {AVERAGE}
                from windows where average > {AVERAGE}
                union all
                select 2, sensor, ts, temp, high
                from readings join windows using (sensor)
                where readings.step = windows.k + {ratio} and temp > high
            ) to '{table}' (format parquet)
        """)
