"""The ledger of an engine: each received event is applied, late or unusable, or the run fails."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from tests.conftest import ROOT, Dbt, drop_schema, profile

DETECTIONS = """
from strandline.detection import detect


def model(dbt, session):
    dbt.config(materialized="incremental", unique_key="detection_id", file_format="delta")
    return detect(dbt, session, name="hot", source=dbt.source("feed", "sensor"), ts="ts",
                  metrics=["avg(temp) > 60"], window_size="6 seconds", step="3 seconds")
"""
MODELS = {
    "models/_sources.yml": "sources: [{name: feed, schema: ledgers, tables: [{name: sensor}]}]",
    "models/detections.py": DETECTIONS,
    "models/hot_late_rows.sql": "{{ strandline.detection_late(ref('detections'), name='hot') }}",
    "models/hot_engine.sql": "{{ strandline.detection_status(ref('detections'), name='hot') }}",
    "models/ledger.sql": "{{ strandline.detection_ledger(source('feed', 'sensor'), status=ref('hot_engine'), "
    "late=ref('hot_late_rows')) }}",
}
FIGURES = (
    "run, arrival, received, applied, late, unusable, purged + duplicates + quarantined + corrected"
)


@pytest.fixture(scope="module")
def project(tmp_path_factory, write_files: Callable) -> SimpleNamespace:
    folder: Path = tmp_path_factory.mktemp("ledgers") / "plant"
    mine = {
        "dbt_project.yml": "name: plant\nversion: '1.0'\nprofile: plant\n",
        "profiles/profiles.yml": profile("plant"),
        "packages.yml": f"packages:\n  - local: {ROOT}\n",
    }
    write_files(folder, MODELS | mine)
    dbt = Dbt(folder.parent / "work", profiles_dir=folder / "profiles")
    dbt("deps", project_dir=folder)
    return SimpleNamespace(folder=folder, dbt=dbt)


@pytest.fixture
def plant(spark, project: SimpleNamespace) -> Iterator[SimpleNamespace]:
    spark.sql("create schema ledgers")
    spark.sql("create table ledgers.sensor (arrival bigint, ts timestamp, temp double) using delta")

    def feed(*rows: str) -> None:
        spark.sql(f"insert into ledgers.sensor values {', '.join(f'({row})' for row in rows)}")

    def run(*arguments: str) -> dict[str, str]:
        ran = project.dbt("run", *arguments, project_dir=project.folder)
        return {each.node.name: each.message for each in ran}

    def figures() -> list[tuple]:
        rows = spark.sql(f"select {FIGURES} from plant.ledger order by run").collect()
        return [tuple(row) for row in rows]

    yield SimpleNamespace(
        feed=feed, run=run, figures=figures, sql=spark.sql,
        fails=lambda *a: project.dbt.fails("run", *a, project_dir=project.folder),
    )  # fmt: skip
    for schema in ("ledgers", "plant"):
        drop_schema(spark, schema)


def at(second: int) -> str:
    return f"timestamp'2024-01-01 00:00:{second:02}Z'"


@pytest.mark.soak  # `make test` is at its limit of time
def test_each_event_is_in_one_column(plant: SimpleNamespace) -> None:
    plant.feed(f"1, {at(1)}, 50", "2, null, 50", f"3, {at(9)}, 70")
    plant.run()
    plant.feed(f"4, {at(4)}, 50", f"5, {at(20)}, null")  # late; its value does not matter
    assert plant.run()["ledger"] == "2 received, 1 applied, 1 late"
    assert plant.figures() == [(1, 3, 3, 2, 0, 1, 0), (2, 5, 5, 3, 1, 1, 0)]

    # A run that was killed before it wrote its late rows: the ledger waits for the next one.
    plant.feed(f"6, {at(5)}, 50")
    plant.run("--select", "detections")
    plant.sql("delete from plant.hot_late where arrival = 6")
    assert plant.run("--select", "ledger")["ledger"] == (
        "waits: the table of late events has not read all events of hot_engine"
    )
    plant.feed(f"7, {at(6)}, 50")
    assert plant.run()["ledger"] == "2 received, 2 late"
    assert plant.run()["ledger"] == "unchanged: nothing that it reads has changed since it last ran"
    assert plant.figures()[2:] == [(3, 7, 7, 3, 3, 1, 0)]

    # An event whose number the engine has passed is evaluated by no run.
    plant.feed(f"9, {at(30)}, 50")
    plant.run("--exclude", "ledger")
    plant.feed(f"8, {at(31)}, 50")
    assert (
        "ledger of 'hot_engine' does not balance:\n"
        "    - 1 of 2 new events of sensor are neither counted nor late\n"
        "    - rebuild the tables: `dbt build --full-refresh --select 1+hot_engine+`; if events were "
        "removed from the source on purpose, only this ledger: `dbt run --full-refresh --select "
        "ledger`" in plant.fails("--select", "ledger")
    )  # fmt: skip
    assert len(plant.figures()) == 3
