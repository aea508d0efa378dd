"""The outbox on Spark: history that is withheld, late data, rises, and a table of 0.1.0."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from click.testing import CliRunner
from tests.engine.anomalies.oracle_rows import Detection
from tests.engine.anomalies.scenarios import found

from strandline.cli.main import cli

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

    # Late data of a running pipeline are new, and what touches them is notified with them.
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


def by_command(consolidated: Any, *arguments: str) -> list[dict]:
    folder = consolidated._folder
    at = ("--project-dir", str(folder), "--profiles-dir", str(folder / "profiles"))
    result = CliRunner().invoke(cli, ["notify", *arguments, *at])
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


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
