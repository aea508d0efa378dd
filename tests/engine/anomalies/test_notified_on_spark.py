"""The outbox on Spark: history, late data, rises, a table of 0.1.0, and reminders."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from tests.engine.anomalies.oracle_rows import Detection
from tests.engine.anomalies.scenarios import found
from tests.engine.notify.receiver import HttpReceiver

from strandline.cli.main import cli
from strandline.notify.outbox import DeltaOutbox
from strandline.spark import StrandlineSparkError

DAY = 24 * 60
ARGUMENTS = (
    "detections=[source('feed', 'detections')], keys=['case_id', 'detector', 'carrier'], "
    "labels='labels', mutability_period='P40D', granularity='PT15M'"
)


def detection(start: int, severity: str = "low") -> Detection:
    return replace(found(start, start + 15, 4), key=("high", "AA"), severity=severity)


def outbox(consolidated: Any) -> list[tuple]:
    consolidated.run(select="notifications")
    rows = consolidated.spark.sql(
        "select kind, (unix_seconds(starts_at) - unix_seconds(timestamp'2024-01-01 00:00:00Z')) div 60"
        f" as start, severity from {consolidated.schema}.notifications order by notified_at, start, kind"
    )
    return [tuple(row) for row in rows.collect()]


def older(consolidated: Any) -> list[tuple]:
    [result] = consolidated.dbt(
        "compile", "--select", "notifications",
        settings={"strandline_older_notifications": "1"}, project_dir=consolidated._folder,
    )  # fmt: skip
    rows = consolidated.spark.sql(result.node.compiled_code).collect()
    assert {row.kind for row in rows} <= {"new"}
    assert all(row.notification_key and row.notified_at for row in rows)
    return sorted((row.starts_at.day, row.severity) for row in rows)


def test_history_late_data_and_rises(consolidated) -> None:
    history = [detection(day * DAY) for day in (1, 3, 5)]
    recent = detection(29 * DAY)
    consolidated.model(ARGUMENTS)
    consolidated.detect({0: [*history, recent]})

    message = consolidated.run(30 * DAY)
    assert message == (
        "created; 3 incidents older than notify_look_back stored and not sent;"
        " `strandline notify --older` sends them"
    )
    assert outbox(consolidated) == [("new", 29 * DAY, "low")]
    assert older(consolidated) == [(2, "low"), (4, "low"), (6, "low")]

    shown = by_command(consolidated, "--older", "--dry-run", "--json")
    assert [each["starts_at"] for each in shown[0]["messages"]] == [
        "2024-01-02T00:00:00Z", "2024-01-04T00:00:00Z", "2024-01-06T00:00:00Z",
    ]  # fmt: skip
    assert len(by_command(consolidated, "--dry-run", "--json")[0]["messages"]) == 1

    # Late data of a running pipeline are new, and what is adjacent to them is notified with them.
    late = [detection(2 * DAY), detection(3 * DAY + 15)]
    consolidated.detect({0: [*history, *late, recent]})
    consolidated.run(30 * DAY + 15)
    assert outbox(consolidated)[1:] == [("new", 2 * DAY, "low"), ("new", 3 * DAY, "low")]
    assert older(consolidated) == [(2, "low"), (6, "low")]

    # A rise is a notification of its own; the first one shows the severity of now.
    consolidated.detect({0: [*history, *late, replace(recent, severity="high")]})
    consolidated.run(30 * DAY + 30)
    assert outbox(consolidated)[0] == ("new", 29 * DAY, "high")
    assert outbox(consolidated)[3:] == [("raised", 29 * DAY, "high")]
    consolidated.detect({0: [*history, *late, recent]})
    consolidated.run(30 * DAY + 45)
    consolidated.detect({0: [*history, *late, replace(recent, severity="high")]})
    consolidated.run(30 * DAY + 60)
    assert outbox(consolidated)[3:] == [("raised", 29 * DAY, "high")]

    # A table of 0.1.0 gets the columns that it does not have.
    without_new_columns(consolidated)
    assert [row[0] for row in outbox(consolidated)] == ["new", "new", "new"]
    assert older(consolidated) == []
    consolidated.detect({0: [*history, *late, replace(recent, severity="critical")]})
    consolidated.run(30 * DAY + 75)
    assert outbox(consolidated)[3:] == [("raised", 29 * DAY, "critical")]
    keys = consolidated.spark.table(f"{consolidated.schema}.notifications")
    assert keys.select("notification_key").distinct().count() == 4


def test_an_incident_that_is_no_longer_found_is_told_as_often_as_that_happens(consolidated) -> None:
    first, second = detection(29 * DAY), detection(29 * DAY + 15)
    alone = replace(detection(20 * DAY), severity="high")
    outdated = "{{ strandline.anomaly_notifications(ref('anomalies'), outdated=true) }}"
    consolidated.model(ARGUMENTS)
    consolidated.also({"notifications": outdated})

    def found_by_a_run(at: int, *detections: Detection) -> list[str]:
        """The kinds in the outbox; the incident of `alone` is there all the time."""
        consolidated.detect({0: detections})
        consolidated.run(30 * DAY + at)
        kinds = [kind for kind, *_ in outbox(consolidated)]
        assert kinds.pop(0) == "new"
        return kinds

    consolidated.run(10 * DAY)
    assert found_by_a_run(0, alone, first, second) == ["new"]
    assert found_by_a_run(15, alone, second) == ["new"]  # the incident goes on with the other one
    assert found_by_a_run(30, alone) == ["new", "outdated"]
    [key] = keys_of(consolidated, "outdated")
    assert found_by_a_run(45, alone) == ["new", "outdated"]
    assert keys_of(consolidated, "outdated") == [key]
    assert found_by_a_run(60, alone, first) == ["new"]
    assert found_by_a_run(75, alone) == ["new", "outdated"]
    assert len({key, *keys_of(consolidated, "outdated")}) == 2
    [message] = [
        each
        for each in by_command(consolidated, "--dry-run", "--json")[0]["messages"]
        if each["kind"] == "outdated"
    ]
    assert message["title"].startswith("[low] No longer found: ")
    assert message["status"] == "outdated"


@pytest.mark.soak
def test_an_incident_that_is_over_is_not_outdated_afterwards(consolidated) -> None:
    consolidated.model(ARGUMENTS + ", completed=true")
    consolidated.also(
        {"notifications": "{{ strandline.anomaly_notifications(ref('anomalies'), outdated=true) }}"}
    )
    consolidated.run(10 * DAY)
    consolidated.detect({0: [detection(29 * DAY)]})
    consolidated.run(30 * DAY)
    consolidated.detect({0: []})
    consolidated.run(30 * DAY + 15)
    assert [kind for kind, *_ in outbox(consolidated)] == ["completed", "new"]


def test_what_lies_in_a_silence_waits_until_it_is_removed(consolidated) -> None:
    inside, longer, other = detection(28 * DAY), detection(29 * DAY), detection(28 * DAY)
    longer = replace(longer, end=29 * DAY + 60)
    other = replace(other, key=("high", "UA"))
    consolidated.model(ARGUMENTS)
    silences = """
        select timestamp'{0} 00:00:00' as starts_at, timestamp'{1} 00:30:00' as ends_at,
            {2} as carrier, 'a deployment' as note
    """
    outbox_of = "{{ strandline.anomaly_notifications(ref('anomalies'), silences=ref('silences')) }}"

    def silence(*ranges: tuple[str, str, str]) -> None:
        rows = " union all ".join(silences.format(*each) for each in ranges)
        consolidated.also({"silences": "{{ config(materialized='table') }}" + rows})

    def silenced(*ranges: tuple[str, str, str]) -> list[int]:
        """The hours after the first that are in the outbox."""
        silence(*ranges)
        consolidated.run(select="silences")
        return sorted((start - 28 * DAY) // 60 for _, start, _ in outbox(consolidated))

    silence(("2023-01-01", "2023-01-02", "null"))
    consolidated.also({"notifications": outbox_of})
    consolidated.detect({0: [inside, longer, other]})
    consolidated.run(10 * DAY)
    consolidated.run(30 * DAY)
    days = ("2024-01-29", "2024-01-30")
    assert silenced((*days, "'AA'"), ("2023-01-01", "2023-01-02", "null")) == [0, 24]
    assert silenced((*days, "null")) == [24]
    assert silenced(("2024-01-29", "2024-01-31", "null")) == []
    assert silenced(("2023-01-01", "2023-01-02", "null")) == [0, 0, 24]


def test_a_silence_of_a_column_that_is_none_is_refused(consolidated) -> None:
    consolidated.model(ARGUMENTS)
    consolidated.run(10 * DAY)
    consolidated.also(
        {
            "silences": "select 1 as starts_at, 'AA' as carier",
            "notifications": "{{ strandline.anomaly_notifications(ref('anomalies'), silences=ref('silences')) }}",
        }
    )
    consolidated.run(select="silences")
    message = consolidated.fails(select="notifications")
    assert "`silences` is silences, which has no column ends_at" in message
    assert "`silences` has the column 'carier', which anomalies does not have" in message


def keys_of(consolidated: Any, kind: str) -> list[str]:
    rows = consolidated.spark.table(f"{consolidated.schema}.notifications")
    return [row.notification_key for row in rows.where(f"kind = '{kind}'").collect()]


@pytest.mark.soak
def test_reminders_of_what_is_open_and_no_spark_for_nothing(consolidated, monkeypatch) -> None:
    spark, schema, receiver = consolidated.spark, consolidated.schema, HttpReceiver()
    accepted = f"{schema}.notifications_accepted"
    started = {"open": 29 * DAY, "seen": 29 * DAY + 15, "ended": 26 * DAY}
    detections = [replace(detection(start), key=("high", name)) for name, start in started.items()]

    def sent(*arguments: str) -> list[str]:
        """The carrier and the kind of each, and the number of a reminder."""
        before = len(receiver.deliveries)
        by_command(consolidated, "--json", *arguments, OPS=receiver.url())
        return [
            f"{json.loads(sent.body['keys'])['carrier']} {sent.body['kind']} {sent.key[64:]}".strip()
            for sent in receiver.deliveries[before:]
        ]

    def later(hours: int) -> None:
        spark.sql(f"update {accepted} set accepted_at = accepted_at - make_dt_interval(0, {hours})")

    def fails(*arguments: str) -> str:
        result = by_command_at_all(consolidated, "--json", *arguments, OPS=receiver.url())
        assert result.exit_code == 1
        return result.output

    @contextmanager
    def without_spark() -> Iterator[None]:
        with monkeypatch.context() as patch:
            for where in ("strandline.spark", "dbt.adapters.strandline.connections"):
                patch.setattr(f"{where}.open_session", no_spark)
            yield

    # The ends are not notified, and yet known: `completed` is false.
    consolidated.model(f"{ARGUMENTS}, feedback=source('feed', 'feedback'), merge_max_gap='P2D'")
    consolidated.detect({0: detections})
    consolidated.run(30 * DAY)
    assert len(outbox(consolidated)) == 3
    assert sent("--remind", "P1D") == ["ended new", "open new", "seen new"]
    later(23)
    assert sent("--remind", "P1D") == []
    with without_spark():
        assert sent("--remind", "P1D") == []
        assert "no Spark" in fails("--remind", "PT23H")
        assert "no Spark" in fails()
    assert 0 < due_in_hours(schema) < 1
    later(2)

    def crash(*_: object) -> None:
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(DeltaOutbox, "note", crash)
        with pytest.raises(Killed):
            sent("--remind", "P1D")
    keys = receiver.keys()[3:]
    reminders = ["open reminder -reminder-1", "seen reminder -reminder-1"]
    assert sent("--remind", "P1D") == reminders
    assert receiver.keys()[5:] == keys
    assert [delivery.body["title"] for delivery in receiver.deliveries[5:]] == [
        "[low] Still open: case_id 0, open: 4, expected 10 (high, 30 Jan 00:00 to 00:15 UTC)",
        "[low] Still open: case_id 0, seen: 4, expected 10 (high, 30 Jan 00:15 to 00:30 UTC)",
    ]

    # The next one counts from the newest. One with feedback is not reminded of.
    later(23)
    seen = spark.table(f"{schema}.anomalies").where("carrier = 'seen'").first().anomaly_id
    spark.sql(f"insert into {schema}.feedback values ('{seen}')")
    assert sent("--remind", "P1D") == []
    later(2)
    [shown] = by_command(consolidated, "--remind", "P1D", "--dry-run", "--json", OPS=receiver.url())
    assert [each["idempotency_key"] for each in shown["messages"]] == [f"{keys[0][:64]}-reminder-2"]
    assert sent() == []
    with without_spark():
        assert sent() == []

    # A rise that waits goes before; after it there is nothing to be reminded of.
    consolidated.detect({0: [replace(detections[0], severity="high"), *detections[1:]]})
    consolidated.run(30 * DAY + 15)
    receiver.meets("500")
    assert "answered HTTP 500" in fails("--remind", "P1D")
    receiver.meets("accept")
    assert sent() == ["open raised"]
    assert sent("--remind", "P1D") == []
    later(25)
    assert sent("--remind", "P1D") == ["open reminder -reminder-2"]
    later(25)
    consolidated.run(31 * DAY + 30)
    assert sent("--remind", "P1D") == []
    assert due_in_hours(schema) is None

    # dbt makes another view.
    with without_spark():
        assert sent("--remind", "P1D") == []
    consolidated.also(
        {"notifications": "{{ strandline.anomaly_notifications(ref('anomalies'), unit='x') }}"}
    )
    consolidated.run(select="notifications")
    with without_spark():
        assert "no Spark" in fails("--remind", "P1D")
    receiver.stop()


def no_spark(*_: object) -> None:
    raise StrandlineSparkError("no Spark")


def due_in_hours(schema: str) -> float | None:
    """When the next daily reminder of an outbox is due, as the file in the home has it."""
    known = json.loads(Path(os.environ["STRANDLINE_HOME"], "nothing_waits.json").read_text())
    [due] = [
        entry["due"]
        for key, entry in known.items()
        if json.loads(key)[1:] == [f"{schema}.notifications", ["ops"], 86_400_000_000]
    ]
    return None if due is None else (due / 1e6 - datetime.now(timezone.utc).timestamp()) / 3600


class Killed(BaseException):
    """Like the end of the process."""


def by_command(consolidated: Any, *arguments: str, **receivers: str) -> list[dict]:
    result = by_command_at_all(consolidated, *arguments, **receivers)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def by_command_at_all(consolidated: Any, *arguments: str, **receivers: str) -> Result:
    folder = consolidated._folder
    at = ("--project-dir", str(folder), "--profiles-dir", str(folder / "profiles"))
    urls = {f"STRANDLINE_NOTIFY_URL_{name}": url for name, url in receivers.items()}
    result = CliRunner(env={"NO_PROXY": "*", **urls}).invoke(cli, ["notify", *arguments, *at])
    if isinstance(result.exception, Killed):
        raise result.exception
    return result


def without_new_columns(consolidated: Any) -> None:
    spark, table = consolidated.spark, f"{consolidated.schema}.anomalies"
    kept = {
        row.key: row.value
        for row in spark.sql(f"show tblproperties {table}").collect()
        if row.key.startswith("strandline.") or row.key == "delta.dataSkippingStatsColumns"
    }
    rows = spark.table(table).drop("notified_severities", "withheld").collect()
    schema = spark.table(table).drop("notified_severities", "withheld").schema
    spark.createDataFrame(rows, schema).write.format("delta").mode("overwrite").option(
        "overwriteSchema", "true"
    ).partitionBy("ends_month").saveAsTable(table)
    stored = {row.key for row in spark.sql(f"show tblproperties {table}").collect()}
    assert set(kept) <= stored
