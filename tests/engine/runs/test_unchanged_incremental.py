"""What else is skipped: incremental models of `detect` or with `skip_unchanged`, snapshots, data tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import Dbt, drop_schema, profile

from dbt.adapters.strandline.handle import SessionHandle
from strandline.explained import OF_RUN

HOT = """
from strandline.detection import detect


def model(dbt, session):
    dbt.config(materialized="incremental", unique_key="detection_id", file_format="delta")
    return detect(
        dbt, session, name="hot", source=dbt.ref("staged"), ts="ts", keys=["key"],
        metrics=["v > 10", "avg(v) > 1000"], window_size="2 seconds", step="1 seconds",
    )
"""
# A model of detections in its own materialization, without anything else of dbt's.
WARM = (
    HOT.replace(
        '"incremental", unique_key="detection_id", file_format="delta"', '"strandline_detection"'
    )
    .replace('"hot"', '"warm"')
    .replace("v > 10", "v > 10 and v < 1000")
)
CONFIG = (
    "materialized='incremental', unique_key='arrival', file_format='delta', "
    "incremental_strategy='merge'"
)
KEPT = (
    "{{{{ config({}) }}}} select * from {{{{ ref('staged') }}}} "
    "{{% if is_incremental() %}}"
    "where arrival > (select max(arrival) from {{{{ this }}}})"
    "{{% endif %}}"
)
OPTED_IN = CONFIG + ", meta={'skip_unchanged': true}"
STAGED = "{{ config(materialized='view') }} select * from {{ source('feed', 'events') }}"


TESTED = """
models:
  - name: kept
    columns: [{name: v, data_tests: [{accepted_values: {arguments: {values: [20, 3, 30]}}}]}]
  - {name: hot, columns: [{name: detection_id, data_tests: [unique]}]}
"""
SNAPSHOT = """
snapshots:
  - name: versions
    relation: ref('kept')
    config: {unique_key: arrival, strategy: check, check_cols: [v], file_format: delta}
"""


class Feed:
    """A project over a table of events: numbered, a second apart, of one key."""

    def __init__(self, spark: Any, dbt: Dbt, folder: Path) -> None:
        self.spark, self._dbt, self._folder = spark, dbt, folder
        spark.sql("create schema feed")
        spark.sql(
            "create table feed.events (ts timestamp, arrival bigint, key string, v bigint) using delta"
        )

    def land(self, *rows: tuple[int, int]) -> None:
        """Events, each its number and its value."""
        values = ", ".join(f"(timestamp_seconds({n}), {n}, 'a', {v})" for n, v in rows)
        self.spark.sql(f"insert into feed.events values {values}")

    def run(self) -> dict[str, str]:
        """Whether each table was skipped: `ran` or `unchanged`."""
        results = self._dbt("run", project_dir=self._folder).results
        return {
            one.node.name: "unchanged" if str(one.message).startswith("unchanged") else "ran"
            for one in results
            if one.node.name != "staged"
        }

    def build(self) -> dict[str, str]:
        """The snapshot and the data tests: `unchanged`, or their status."""
        with OF_RUN.on():
            done = self._dbt.invoke("build", project_dir=self._folder)
        found, self.why = {}, {}
        for one in done.result.results:
            response = f"{one.message} {one.adapter_response}"
            if str(one.node.resource_type) != "model":
                name = one.node.name.split("_")[0]
                found[name] = "unchanged" if "unchanged" in response else str(one.status)
                self.why[name] = OF_RUN.of(one.node.unique_id).why
        return found

    def fails(self) -> str:
        return self._dbt.fails("run", project_dir=self._folder)

    def hot(self) -> list[int]:
        """The numbers of the events that are detections, alike in both models."""
        found = {}
        for table in ("hot", "warm"):
            rows = self.spark.sql(f"select arrival from feed.{table} order by arrival").collect()
            found[table] = [row.arrival for row in rows]
        assert found["hot"] == found["warm"]
        return found["hot"]

    def forget(self) -> None:
        """Removes the file of the last runs."""
        Path(os.environ["STRANDLINE_HOME"], "last_runs.json").unlink()


@pytest.fixture
def feed(
    spark: Any, write_files: Callable[[Path, dict[str, str]], Path], tmp_path: Path
) -> Iterator[Feed]:
    models = {"kept": KEPT.format(OPTED_IN), "always": KEPT.format(CONFIG), "staged": STAGED}
    folder = write_files(
        tmp_path / "feed",
        {
            "dbt_project.yml": 'name: feed\nversion: "1.0"\nprofile: feed\n',
            "profiles/profiles.yml": profile("feed"),
            "models/_sources.yml": "sources: [{name: feed, schema: feed, tables: [{name: events}]}]\n",
            "models/_models.yml": TESTED,
            "snapshots/versions.yml": SNAPSHOT,
            "models/hot.py": HOT,
            "models/warm.py": WARM,
            **{f"models/{name}.sql": text for name, text in models.items()},
        },
    )
    feed = Feed(spark, Dbt(tmp_path / "work", folder / "profiles"), folder)
    yield feed
    drop_schema(spark, "feed")


UNCHANGED = {"hot": "unchanged", "warm": "unchanged", "kept": "unchanged", "always": "ran"}


@pytest.mark.soak
def test_a_crash_between_state_and_detections_is_no_unchanged_model(
    feed: Feed, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The state knows the detection, the table of detections does not."""
    feed.land((1, 20), (2, 3))
    feed.run()
    assert feed.run()["hot"] == "unchanged"
    feed.land((3, 30))

    def crash(*_: Any) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(SessionHandle, "stage", crash)
        assert "killed" in feed.fails()
    assert feed.hot() == [1]
    assert feed.run() == {"hot": "ran", "warm": "ran", "kept": "unchanged", "always": "ran"}
    assert feed.hot() == [1, 3]
    assert feed.run() == UNCHANGED


@pytest.mark.soak
def test_snapshots_and_tests_are_skipped_until_their_tables_change(
    feed: Feed, monkeypatch: pytest.MonkeyPatch
) -> None:
    feed.land((1, 20), (2, 3))
    assert feed.build() == {"accepted": "pass", "unique": "pass", "versions": "success"}
    assert feed.build() == {"accepted": "pass", "unique": "pass", "versions": "unchanged"}
    monkeypatch.setenv("STRANDLINE_SKIP_TESTS", "1")
    assert feed.build() == {"accepted": "pass", "unique": "pass", "versions": "unchanged"}
    assert (feed.why["accepted"], feed.why["versions"]) == (
        "it has not passed on these tables yet", "nothing that it reads has changed",
    )  # fmt: skip
    assert feed.build() == {"accepted": "unchanged", "unique": "unchanged", "versions": "unchanged"}
    assert feed.why["accepted"] == "it has passed on the same tables"
    feed.land((3, 4))  # no detection; a value that is not accepted
    for _ in range(2):  # what has failed is read again
        assert feed.build()["accepted"] == "fail"
    feed.spark.sql("delete from feed.kept where arrival = 3")
    assert feed.build() == {"accepted": "fail", "unique": "unchanged", "versions": "skipped"}


@pytest.mark.soak
def test_each_run_that_changes_something_is_noted(feed: Feed) -> None:
    """With a detection, without one, late, and after an error."""
    feed.land((1, 20), (2, 3))
    feed.run()
    for event in ((3, 20), (4, 3)):
        feed.land(event)
        assert set(feed.run().values()) == {"ran"}
        assert feed.run() == UNCHANGED
    feed.spark.sql("insert into feed.events values (timestamp_seconds(1), 5, 'a', 50)")
    assert set(feed.run().values()) == {"ran"}
    assert feed.run() == UNCHANGED
    assert [row.arrival for row in feed.spark.table("feed.hot_late").collect()] == [5]
    # The newest detection is lost: the state still has it.
    feed.land((6, 60))
    feed.run()
    feed.spark.sql("delete from feed.hot where arrival = 6")
    assert (feed.run()["hot"], feed.run()["warm"]) == ("ran", "unchanged")
    assert feed.hot() == [1, 3, 6]
    assert feed.run() == UNCHANGED
    # Without the file of the last runs all models run, and find nothing new.
    feed.forget()
    assert set(feed.run().values()) == {"ran"}
    assert feed.run() == UNCHANGED
    assert feed.hot() == [1, 3, 6]
