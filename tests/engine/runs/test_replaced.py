"""A table that another run replaces is left alone by a run that began with the old one."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.engine.runs.kill import before

from strandline.delta_log import version_of
from strandline.detection.plan.state import State

COLUMNS = "arrival bigint, ts timestamp, temp int"
SOURCE = "source('feed', 'feed_detections')"
DETECTIONS = """
from strandline.detection import detect


def model(dbt, session):
    dbt.config(materialized="incremental", file_format="delta")
    return detect(
        dbt, session, name="hot", source=dbt.source("feed", "feed_detections"), ts="ts",
        metrics=["temp > 65"],
    )
"""
RECENT = f"{{{{ strandline.window_table({SOURCE}, store='last 10 seconds', ts='ts') }}}}"
PAIRS = (
    "{{ strandline.correlation_table(streams={'one': {'window': ref('recent'), 'on': 'arrival'}}, "
    "when=['one'], select={'id': 'one.arrival'}) }}"
)
ANOMALIES = "{{ strandline.anomalies(detections=[ref('detections')], keys=['detector']) }}"
TABLES = {"hot_state": "part", "recent": "window_part", "pairs": "window_part", "anomalies": "ends_month"}  # fmt: skip
TRANSACTION = "spark.databricks.delta.write.txn"
WRITE = re.compile(r"(?:insert into|merge into)\s+`?small`?\.`?(recent|pairs|anomalies)\b")


@pytest.fixture
def plant(small: Any) -> Any:
    small.model("detections.py", COLUMNS, DETECTIONS)
    for name, body in (("recent", RECENT), ("pairs", PAIRS), ("anomalies", ANOMALIES)):
        small.change(name, body)
    feed(small, 1, 60)
    small.run()
    return small


def feed(small: Any, arrival: int, second: int) -> None:
    small.feed("detections", f"{arrival}, timestamp_seconds({second}), 70")


def contents(small: Any, table: str) -> list[str]:
    rows = small.spark.sql(f"select to_json(struct(*)) from small.{table} order by 1").collect()
    return [row[0] for row in rows]


def replace(small: Any, table: str) -> None:
    """What a full refresh of another process does that begins now."""
    properties = small.spark.sql(f"show tblproperties small.{table}").collect()
    listed = ", ".join(f"'{key}' = '{value}'" for key, value in properties if key != "type")
    write(
        small, version_of(small.spark, f"small.{table}"),
        f"create or replace table small.{table} using delta partitioned by ({TABLES[table]}) "
        f"tblproperties ({listed}) as select * from small.{table}",
    )  # fmt: skip


def write(small: Any, version: int, statement: str) -> None:
    """A write that follows this version of its table, in a session of its own."""
    spark = small.spark.newSession()
    spark.conf.set(f"{TRANSACTION}AppId", "strandline")
    spark.conf.set(f"{TRANSACTION}Version", str(version + 1))
    spark.sql(statement)


@pytest.mark.soak  # a minute and more
def test_a_run_of_the_old_table_does_not_write_into_the_new_one(
    plant: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither while another run replaces it, nor after a full refresh."""
    old = {table: contents(plant, table) for table in TABLES}
    commit = State.replace

    def late_commit(state: State, *args: Any) -> None:
        replace(plant, "hot_state")
        commit(state, *args)

    def late_write(sql: str) -> None:
        replace(plant, *WRITE.findall(sql))

    feed(plant, 2, 120)
    with monkeypatch.context() as patch, before(WRITE, late_write):
        patch.setattr(State, "replace", late_commit)
        messages = plant.run()
    assert {table: contents(plant, table) for table in TABLES} == old
    assert messages["recent"] == "left to the next run: another run has written"
    plant.run()
    assert plant.rows("select arrival from small.detections order by 1") == [(1,), (2,)]
    full_refresh(plant)


def full_refresh(plant: Any) -> None:
    """What followed the old tables is not written into the new ones."""
    old = {table: version_of(plant.spark, f"small.{table}") for table in TABLES}
    plant.run("--full-refresh")
    new = {table: contents(plant, table) for table in TABLES}
    for table, version in old.items():
        write(plant, version, f"delete from small.{table}")
    assert {table: contents(plant, table) for table in TABLES} == new


@pytest.mark.soak
def test_a_full_refresh_that_comes_second_says_so(plant: Any, monkeypatch: Any) -> None:
    first = re.compile(r"create or replace table\s+`?small`?\.`?recent\b")
    with before(first, lambda _sql: replace(plant, "recent")):
        message = plant.fails("--full-refresh", "--select", "recent")
    assert "another run has written to this table since this run began to replace it" in message
    assert "nothing was written; run it again" in message

    version = State.version

    def late_version(state: State) -> int | None:
        found = version(state)
        replace(plant, "hot_state")
        return found

    monkeypatch.setattr(State, "version", late_version)
    message = plant.fails("--full-refresh", "--select", "detections")
    assert "detect 'hot': another run has written to `small`.`hot_state`" in message
    assert "nothing was written; run it again" in message
