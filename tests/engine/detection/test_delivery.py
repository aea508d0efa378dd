"""Each detection and late row is written once: after a state that is older than them, in two runs at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from pyspark.sql import functions as F
from tests.conftest import Dbt, drop_schema, profile

MODEL = """
from strandline.detection import detect


def model(dbt, session):
    dbt.config(materialized="incremental", unique_key="detection_id", file_format="delta")
    return detect(
        dbt, session, name="hot", source=dbt.ref("sensor"), ts="ts", metrics=["temp > 65", "avg(temp) > 99"],
        window_size="2 seconds", step="1 second",
    )
"""
SENSOR = """
select cast(arrival as bigint) as arrival, timestamp_seconds(second) as ts, temp
from values (1, 11, 64), (2, 12, 66), (3, 13, 70), (4, 12, 71), (5, 15, 72), (6, 14, 73), (7, 16, 74)
    as given(arrival, second, temp)
where arrival <= {{ var('until', 0) }}
"""
DETECTED, LATE = [2, 3, 5, 7], [4, 6]


@pytest.fixture
def plant(spark, tmp_path: Path, write_files: Callable) -> Iterator[SimpleNamespace]:
    files = {
        "dbt_project.yml": 'name: plant\nversion: "1.0"\nprofile: plant\n',
        "profiles/profiles.yml": profile("plant"),
        "models/sensor.sql": "{{ config(materialized='view') }}" + SENSOR,
        "models/detections.py": MODEL,
    }
    folder = write_files(tmp_path / "plant", files)
    dbt = Dbt(tmp_path / "work", profiles_dir=folder / "profiles")
    yield SimpleNamespace(
        run=lambda until: dbt("run", "--vars", f"{{until: {until}}}", project_dir=folder)
    )
    drop_schema(spark, "plant")


def arrivals(spark, table: str) -> list[int]:
    return sorted(row.arrival for row in spark.sql(f"select arrival from plant.{table}").collect())


def test_each_is_written_once(spark, plant: SimpleNamespace) -> None:
    plant.run(until=3)
    state = spark.table("plant.hot_state")
    rows, schema = state.collect(), state.schema
    plant.run(until=6)
    # As after a damaged commit of the state, which was removed.
    spark.sql("drop table plant.hot_state")
    older = spark.createDataFrame(rows, schema).writeTo("plant.hot_state").using("delta")
    older.partitionedBy(F.col("part")).create()
    plant.run(until=7)
    assert (arrivals(spark, "detections"), arrivals(spark, "hot_late")) == (DETECTED, LATE)
    # A statement that reads the table conflicts with that of another run; a blind one does not.
    for table in ("detections", "hot_late"):
        newest = spark.sql(f"describe history plant.{table} limit 1").collect()[0]
        assert (newest.operation, newest.isBlindAppend) == ("WRITE", False)
