"""The ledger of an engine: each received event is applied, late or unusable, or the run fails."""

from __future__ import annotations

from typing import Any

import pytest

COLUMNS = "arrival bigint, ts timestamp, temp double"
DETECTIONS = """
from strandline.detection import detect


def model(dbt, session):
    dbt.config(materialized="incremental", unique_key="detection_id", file_format="delta")
    return detect(dbt, session, name="hot", source=dbt.source("feed", "feed_detections"), ts="ts",
                  metrics=["avg(temp) > 60"], window_size="6 seconds", step="3 seconds")
"""
BESIDE = {
    "hot_late_rows": "{{ strandline.detection_late(ref('detections'), name='hot') }}",
    "hot_engine": "{{ strandline.detection_status(ref('detections'), name='hot') }}",
    # It is skipped while nothing has changed, as in any project.
    "ledger": "{{ config(meta={'skip_unchanged': true}) }}"
    "{{ strandline.detection_ledger(source('feed', 'feed_detections'), status=ref('hot_engine'), late=ref('hot_late_rows')) }}",
}
FIGURES = (
    "run, arrival, received, applied, late, unusable, purged + duplicates + quarantined + corrected"
)


def figures(small: Any) -> list[tuple]:
    return small.rows(f"select {FIGURES} from small.ledger order by run")


def at(second: int) -> str:
    return f"timestamp'2024-01-01 00:00:{second:02}Z'"


@pytest.mark.soak  # `make check` is at its limit of time
def test_each_event_is_in_one_column(small: Any) -> None:
    small.model("detections.py", COLUMNS, DETECTIONS)
    for name, body in BESIDE.items():
        small.change(name, body)
    small.feed("detections", f"1, {at(1)}, 50", "2, null, 50", f"3, {at(9)}, 70")
    small.run()
    # The fourth is late; the value of the fifth does not matter.
    small.feed("detections", f"4, {at(4)}, 50", f"5, {at(20)}, null")
    assert small.run()["ledger"] == "2 received, 1 applied, 1 late"
    assert figures(small) == [(1, 3, 3, 2, 0, 1, 0), (2, 5, 5, 3, 1, 1, 0)]

    # A run that was killed before it wrote its late rows: the ledger waits for the next one.
    small.feed("detections", f"6, {at(5)}, 50")
    small.run("--select", "detections")
    small.rows("delete from small.hot_late where arrival = 6")
    assert small.run("--select", "ledger")["ledger"] == (
        "waits: the table of late events has not read all events of hot_engine"
    )
    small.feed("detections", f"7, {at(6)}, 50")
    assert small.run()["ledger"] == "2 received, 2 late"
    assert small.run()["ledger"] == "unchanged: nothing that it reads has changed since it last ran"
    assert figures(small)[2:] == [(3, 7, 7, 3, 3, 1, 0)]

    # An event whose number the engine has passed is evaluated by no run.
    small.feed("detections", f"9, {at(30)}, 50")
    small.run("--exclude", "ledger")
    small.feed("detections", f"8, {at(31)}, 50")
    assert (
        "ledger of 'hot_engine' does not balance:\n"
        "    - 1 of 2 new events of feed_detections are neither counted nor late\n"
        "    - rebuild the tables: `dbt build --full-refresh --select 1+hot_engine+`; if events were "
        "removed from the source on purpose, only this ledger: `dbt run --full-refresh --select "
        "ledger`" in small.fails("--select", "ledger")
    )  # fmt: skip
    assert len(figures(small)) == 3
