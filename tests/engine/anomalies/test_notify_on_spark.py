"""`strandline notify` on real tables: an outbox, what was accepted of it, run by run, and a crash."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result
from tests.conftest import drop_schema, profile
from tests.engine.notify.receiver import TOKEN, HttpReceiver
from tests.pages import PROJECT

from strandline.cli.main import cli
from strandline.notify.outbox import DeltaOutbox

# Of each row: its number; the minute, the carrier, the value and the labels.
OUTBOX = """
create or replace view plant.notifications as
select
    concat('k', id) as notification_key, concat('i', id) as incident_id, 'new' as kind,
    concat('a', id) as anomaly_id, timestamp'2013-02-10 00:00:00Z' + make_dt_interval(0, 0, minute) as notified_at,
    timestamp_ntz'2013-02-08 00:00:00' as starts_at, timestamp'2013-02-08 19:00:00-05:00' as ends_at,
    cast(current as decimal(9, 2)) as current_value, 48 as baseline_value, cast(null as string) as severity,
    labels, true as is_parent, 2 as members, id as generation, timestamp'2013-02-09 01:00:00+01:00' as changed_at,
    carrier, id as `key.of ours`
from values
    (1, 3, 'UA', 12.5, array('snow', null)), (2, 1, 'DL', null, array()), (3, 2, null, 1, null), {more}
    (4, 3, 'B6', 0, array('x')) as given(id, minute, carrier, current, labels)
"""
FIFTH = "(5, 1, 'AA', 3, null),"


# A target of dbt-spark alone: in this process its sessions are on the tables of ours.
BY_DBT_SPARK = """
plant:
  target: own
  outputs:
    own: {type: spark, method: session, host: localhost, schema: plant, server_side_parameters: {}}
"""


@pytest.fixture
def profiles() -> str:
    return profile("plant")


@pytest.fixture
def plant(spark, tmp_path: Path, write_files: Callable, profiles: str) -> Iterator[SimpleNamespace]:
    model = {"models/notifications.sql": "select 1 as built_elsewhere"}
    files = {"dbt_project.yml": PROJECT, "profiles/profiles.yml": profiles, **model}
    folder = write_files(tmp_path / "plant", files)
    receiver = HttpReceiver()

    def strandline(*arguments: str, name: str = "ops") -> Result:
        at = ("--project-dir", str(folder), "--profiles-dir", str(folder / "profiles"))
        urls = {f"STRANDLINE_NOTIFY_URL_{name.upper()}": receiver.url()} if name else {}
        result = CliRunner(env={"COLUMNS": "90", "NO_PROXY": "*", **urls}).invoke(
            cli, ["notify", *arguments, *at]
        )
        assert TOKEN not in result.output
        assert TOKEN not in (folder / "logs" / "notify.log").read_text(errors="replace")
        return result

    spark.sql("create schema plant")
    yield SimpleNamespace(strandline=strandline, receiver=receiver)
    receiver.stop()
    drop_schema(spark, "plant")


class Killed(BaseException):
    """Like the end of the process."""


@pytest.mark.parametrize(
    "profiles",
    [
        pytest.param(profile("plant"), id="by a session"),
        pytest.param(BY_DBT_SPARK, id="by dbt-spark", marks=pytest.mark.soak),  # 11 seconds
    ],
)
def test_each_row_is_accepted_once_run_by_run(spark, plant, monkeypatch):
    def noted() -> list[tuple]:
        rows = spark.sql(
            "select receiver, notification_key, accepted_at > timestamp'2020-01-01' as is_now"
            " from plant.notifications_accepted order by all"
        ).collect()
        return [tuple(row) for row in rows]

    def versions() -> int:
        return spark.sql("describe history plant.notifications_accepted").count()

    strandline, receiver = plant.strandline, plant.receiver
    missing = strandline("--first-as-one")
    assert missing.exit_code == 1
    assert "The outbox plant.notifications is not there: build it first (`dbt build`)" in missing.output  # fmt: skip

    spark.sql(OUTBOX.format(more=""))
    shown = strandline("--dry-run", "--limit", "3")
    assert shown.exit_code == 0, shown.output
    title = "DL, key.of ours 2: no value, expected 48 (8 Feb UTC, 2 anomalies merged)  → ops"
    assert title in shown.output
    assert "ops: 3 of 4 that wait would be sent." in shown.output
    everybody = strandline("--dry-run", name="")
    assert "(no receiver is set): 4 of 4 that wait would be sent." in everybody.output
    assert receiver.deliveries == []
    assert not spark.catalog.tableExists("plant.notifications_accepted")

    def crash(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(DeltaOutbox, "note", crash)
        with pytest.raises(Killed):
            strandline()
    assert receiver.keys() == ["k2", "k3", "k1", "k4"]
    first = receiver.deliveries[:]
    assert first[2].body["message"] == (
        "carrier: UA\nkey.of ours: 1\n\nFrom 2013-02-08 00:00:00 to 2013-02-09 00:00:00 UTC\n"
        "Value: 12.5, expected 48 (-73.96 %)\nLabels: snow, null\n"
        "2 anomalies merged: they are adjacent, and are notified as one.\n\n"
        "Anomaly: a1\nIncident: i1\nNotification: k1"
    )

    expected = {"generation": "1", "changed_at": "2013-02-09T00:00:00Z", "status": "", "keys": '{"carrier": "UA", "key.of ours": "1"}'}  # fmt: skip
    assert expected.items() <= first[2].body.items()

    receiver.meets("accept", "500", "accept", "accept")
    again = strandline()
    assert again.exit_code == 1
    assert [(delivery.key, delivery.body) for delivery in receiver.deliveries[4:]] == [(delivery.key, delivery.body) for delivery in first]  # fmt: skip
    assert "ops            4         3     1  answered HTTP 500" in again.output
    assert "- ops ($STRANDLINE_NOTIFY_URL_OPS) answered HTTP 500; 1 wait." in again.output
    assert noted() == [("ops", "k1", True), ("ops", "k2", True), ("ops", "k4", True)]

    receiver.meets("accept")
    spark.sql(OUTBOX.format(more=FIFTH))  # as a run of dbt recreates it
    assert strandline().exit_code == 0
    assert receiver.keys()[8:] == ["k5", "k3"]
    before = versions()
    last = strandline()
    assert last.exit_code == 0, last.output
    assert "ops            0         0     0" in last.output
    assert (len(receiver.deliveries), versions()) == (10, before)

    properties = spark.sql("show tblproperties plant.notifications_accepted").collect()
    assert ("delta.autoOptimize.autoCompact", "true") in [tuple(row) for row in properties]

    box = DeltaOutbox(spark, "plant.notifications")
    assert box.new(["ops", "desk"]) == {"desk"}
    other = strandline("--limit", "2", name="desk")
    assert other.exit_code == 0, other.output
    assert receiver.keys()[10:] == ["k2", "k5"]
    assert [row[:2] for row in noted()] == [
        ("desk", "k2"), ("desk", "k5"), *(("ops", f"k{number}") for number in range(1, 6)),
    ]  # fmt: skip


def test_what_is_no_outbox_is_refused(spark, plant):
    def refused(query: str) -> str:
        spark.sql(f"create or replace view plant.others as {query}")
        result = plant.strandline("--outbox", "plant.others")
        assert result.exit_code == 1
        assert plant.receiver.deliveries == []
        return result.output

    columns = (
        "'new' as kind, timestamp'2013-02-08' as notified_at, timestamp'2013-02-08' as starts_at"
    )
    assert "plant.others is no outbox: it has no column notification_key, ends_at." in refused(
        f"select {columns}"
    )
    assert "plant.others has a row whose notification_key, ends_at is null" in refused(
        f"select {columns}, null as notification_key, null as ends_at"
    )
    spark.sql("create table plant.others_accepted (x int) using delta")
    assert "plant.others_accepted is not the table of what was accepted" in refused(
        f"select {columns}, 'k' as notification_key, timestamp'2013-02-09' as ends_at"
    )
