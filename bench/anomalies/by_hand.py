"""The same by hand: one `merge into` of what is found in some days, by key, start and end.

It knows new, updated and outdated. It has no parents, no generations, no outbox and no watermark.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.anomalies.detections import within

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def create(spark: SparkSession, table: str, source: str) -> None:
    spark.sql(f"""
        create or replace table {table} using delta as
        select *, 'new' as status, current_timestamp() as changed_run_at from {source}
    """)


def merge(spark: SparkSession, table: str, source: str, start: int, end: int) -> None:
    """Brings the days from `start` to before `end` to what is found in them now."""
    frame = within(start, end)
    kept_frame = frame.replace("ends_at", "kept.ends_at")
    columns = "detector, sensor, starts_at, ends_at, current_value, baseline_value"
    spark.sql(f"""
        merge into {table} as kept
        using (select * from {source} where {frame}) as found
        on kept.detector = found.detector and kept.sensor = found.sensor
            and kept.starts_at = found.starts_at and kept.ends_at = found.ends_at
            and {kept_frame}
        when matched and (
            kept.status = 'outdated' or kept.current_value <> found.current_value
            or kept.baseline_value <> found.baseline_value
        ) then update set
            current_value = found.current_value, baseline_value = found.baseline_value,
            status = 'updated', changed_run_at = current_timestamp()
        when not matched then insert ({columns}, status, changed_run_at)
            values ({columns}, 'new', current_timestamp())
        when not matched by source and kept.status <> 'outdated' and {kept_frame}
            then update set status = 'outdated', changed_run_at = current_timestamp()
    """)
