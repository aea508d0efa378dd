"""Each detection and late row is written once: after a state that is older than them, in two runs at once."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql import functions as F

COLUMNS = "arrival bigint, ts timestamp, temp int"
DETECTIONS = """
from strandline.detection import detect


def model(dbt, session):
    dbt.config(materialized="incremental", unique_key="detection_id", file_format="delta")
    return detect(
        dbt, session, name="hot", source=dbt.source("feed", "feed_detections"), ts="ts",
        metrics=["temp > 65", "avg(temp) > 99"], window_size="2 seconds", step="1 second",
    )
"""
SENSOR = [(1, 11, 64), (2, 12, 66), (3, 13, 70), (4, 12, 71), (5, 15, 72), (6, 14, 73), (7, 16, 74)]
DETECTED, LATE = [2, 3, 5, 7], [4, 6]


def run(small: Any, first: int, last: int) -> None:
    """A run with the events of some arrivals."""
    rows = [(n, second, temp) for n, second, temp in SENSOR if first <= n <= last]
    small.feed("detections", *(f"{n}, timestamp_seconds({second}), {temp}" for n, second, temp in rows))  # fmt: skip
    small.run()


def arrivals(small: Any, table: str) -> list[int]:
    return [arrival for (arrival,) in small.rows(f"select arrival from small.{table} order by 1")]


@pytest.mark.soak
def test_each_is_written_once(small: Any) -> None:
    small.model("detections.py", COLUMNS, DETECTIONS)
    run(small, 1, 3)
    state = small.spark.table("small.hot_state")
    rows, schema = state.collect(), state.schema
    run(small, 4, 6)
    # As after a damaged commit of the state, which was removed.
    small.spark.sql("drop table small.hot_state")
    older = small.spark.createDataFrame(rows, schema).writeTo("small.hot_state").using("delta")
    older.partitionedBy(F.col("part")).create()
    run(small, 7, 7)
    assert (arrivals(small, "detections"), arrivals(small, "hot_late")) == (DETECTED, LATE)
    # A statement that reads the table conflicts with that of another run; a blind one does not.
    for table in ("detections", "hot_late"):
        newest = small.spark.sql(f"describe history small.{table} limit 1").collect()[0]
        assert (newest.operation, newest.isBlindAppend) == ("WRITE", False)
