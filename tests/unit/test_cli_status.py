"""`strandline status` without Spark: what is shown of tables, engines and anomalies, wrong use."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from strandline.cli import status
from strandline.cli.main import cli
from strandline.cli.observed import (
    ConsolidationStatus,
    EngineStatus,
    LandingStatus,
    TableStatus,
)
from strandline.cli.tables import Unusable
from strandline.literals import size_text

TEMP = EngineStatus(
    name="temp",
    schema="plant",
    user="anna",
    status="OK",
    last_error=None,
    groups=35,
    rows=1_234_567,
    metric_count=2,
    metrics=["temp > 65", "temp [F] > percentile(temp, 75)"],
    last_arrival=1_234_570,
    consumed_at=datetime(2014, 2, 15, 12, 3, 20, 5, tzinfo=timezone.utc),
    garbage_size=2_000,
    rows_kept=12_345,
    bytes_held=1_536,
)
FAILED = replace(TEMP, name="wind", status="ERROR", last_error="no column `windd`\nin line 2")
ANOMALIES = ConsolidationStatus(
    name="flight_anomalies",
    schema="plant",
    watermark=datetime(2013, 2, 10, 12, 15, tzinfo=timezone.utc),
    active=1_234,
    outdated=5,
    ignored=2,
)
AT = datetime(2014, 2, 15, 12, 0, 1, tzinfo=timezone.utc)
ORDERS = LandingStatus("raw.orders", "/data/orders", 12, 12_345, 3, 12_345, AT)
MINUTES = TableStatus("trades_minutes", "marts", 12_345, "990972", AT, "week")
MART = TableStatus("mart", "marts", 7, None, None)
MISSING = TableStatus("trades_days", "marts", *[None] * 3)
UNBUILT = ConsolidationStatus("late_anomalies", "plant", *[None] * 4)
BEGUN = EngineStatus("rain", "plant", *[None] * 11, bytes_held=512)


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> SimpleNamespace:
    """A project whose engines are `found`, in the schemas of its Python models."""
    (tmp_path / "dbt_project.yml").touch()
    recorded = SimpleNamespace(
        folder=str(tmp_path), found=[TEMP], unusable=[], queried=False, arguments=[]
    )
    recorded.nodes = {
        "a": SimpleNamespace(language="python", schema="plant"),
        "b": SimpleNamespace(language="python", schema="audit"),
        "c": SimpleNamespace(language="sql", schema="marts"),
        "d": SimpleNamespace(schema="tests"),
        "e": SimpleNamespace(
            name="flight_anomalies", language="sql", schema="marts",
            relation_name="`marts`.`alerts`",
            config=SimpleNamespace(materialized="strandline_anomalies"),
        ),
    }  # fmt: skip
    for name, node in recorded.nodes.items():
        node.resource_type = "test" if name == "d" else "model"
        node.config = getattr(node, "config", SimpleNamespace(materialized="view"))
        node.relation_name = getattr(node, "relation_name", None)
        node.depends_on = SimpleNamespace(macros=[])

    class Runner:
        def __init__(self, callbacks: list) -> None: ...

        def invoke(self, arguments: list[str]) -> SimpleNamespace:
            recorded.arguments = arguments
            return SimpleNamespace(result=SimpleNamespace(nodes=recorded.nodes), exception=None)

    def read(_, with_unusable: bool) -> tuple[list, list]:
        recorded.queried = True
        return recorded.found, recorded.unusable if with_unusable else []

    monkeypatch.setattr("dbt.cli.main.dbtRunner", Runner)
    monkeypatch.setattr(status, "_read", read)
    return recorded


def strandline(plant: SimpleNamespace, *arguments: str, columns: int = 80) -> Result:
    command = ("status", "--project-dir", plant.folder, *arguments)
    return CliRunner(env={"COLUMNS": str(columns)}).invoke(cli, command)


def lines(result: Result) -> list[str]:
    """What is said after the steps."""
    return [line.rstrip() for line in result.stdout.splitlines() if line.strip()]


def test_everything_is_shown_on_one_screen(plant):
    plant.found = [ORDERS, MART, MISSING, MINUTES, TEMP, FAILED, ANOMALIES, UNBUILT]
    plant.unusable = [
        Unusable("marts.trades_late", 0, "late_reason"),
        Unusable("raw.trades_quarantine", 1_234, "reason"),
    ]
    result = strandline(plant, columns=100)
    assert result.exit_code == 0, result.output
    assert lines(result) == [
        "landed in     rows  quarantined  arrival  last landing",
        "raw.orders  12,345            3   12,345  2014-02-15 12:00:01",
        "table             rows  watermark  written                 partition",
        "mart                 7  -          -",
        "trades_days                        not built yet; run dbt",
        "trades_minutes  12,345  990972     2014-02-15 12:00:01     week",
        "engine       rows  last arrival  status",
        "temp    1,234,567     1,234,570  OK",
        "wind    1,234,567     1,234,570  ERROR: no column `windd`",
        "                                 in line 2",
        "anomalies         active  outdated  ignored  watermark",
        "flight_anomalies   1,234         5        2  2013-02-10 12:15:00",
        "late_anomalies                               not built yet; run dbt",
        "rows that could not be used",
        "  marts.trades_late          0",
        "  raw.trades_quarantine      1,234  select reason, count(*) from raw.trades_quarantine"
        " group by 1",
    ]


def test_a_table_is_shown_with_all_that_is_known(plant):
    plant.found = [MINUTES, MISSING, MART]
    assert lines(strandline(plant, "--select", "trades_minutes")) == [
        "trades_minutes  OK",
        "  schema        marts",
        "  rows          12,345",
        "  watermark     990972",
        "  written       2014-02-15 12:00:01+00:00",
        "  partition     week",
    ]
    assert lines(strandline(plant, "--select", "trades_days")) == [
        "trades_days  not built yet; run dbt"
    ]
    [mart] = json.loads(strandline(plant, "--json", "--select", "mart").stdout)
    assert mart == {
        "kind": "table", "name": "mart", "schema": "marts", "rows": 7, "watermark": None,
        "written_at": None, "partition": None,
    }  # fmt: skip


def test_a_landing_is_shown_with_all_that_is_known(plant):
    plant.found = [ORDERS]
    assert lines(strandline(plant, "--select", "raw.orders")) == [
        "raw.orders      OK",
        "  from          /data/orders",
        "  parts         12",
        "  rows          12,345",
        "  quarantined   3",
        "  arrival       12,345",
        "  last landing  2014-02-15 12:00:01+00:00",
    ]
    assert json.loads(strandline(plant, "--json").stdout) == [
        {
            "kind": "landing",
            "name": "raw.orders",
            "source": "/data/orders",
            "parts": 12,
            "rows": 12_345,
            "quarantined": 3,
            "arrival": 12_345,
            "landed_at": "2014-02-15T12:00:01+00:00",
        }
    ]


def test_an_engine_is_shown_with_all_that_is_known(plant):
    result = strandline(plant, "--select", "temp")
    assert result.exit_code == 0, result.output
    assert lines(result) == [
        "temp            OK",
        "  last error    none",
        "  user          anna",
        "  groups        35",
        "  rows          1,234,567",
        "  metrics       2",
        "  metric 0      temp > 65",
        "  metric 1      temp [F] > percentile(temp, 75)",
        "  last arrival  1,234,570",
        "  consumed at   2014-02-15 12:03:20+00:00",
        "  garbage size  2,000",
        "  rows kept     12,345",
        "  bytes held    1.5 KiB",
    ]


def test_the_target_is_that_of_dbt(plant):
    strandline(plant, "--target", "connect")
    assert plant.arguments[plant.arguments.index("parse") + 1 :][:2] == ["--target", "connect"]


def test_an_error_is_shown_first(plant):
    plant.found = [FAILED]
    assert lines(strandline(plant, "--select", "wind"))[:3] == [
        "wind            ERROR",
        "  last error    no column `windd`",
        "                in line 2",
    ]


def test_an_engine_whose_first_run_was_killed_says_what_to_do(plant):
    plant.found = [BEGUN]
    assert lines(strandline(plant))[1] == (
        "rain       -             -  its first run has not ended; run dbt again"
    )
    assert lines(strandline(plant, "--select", "rain")) == [
        "rain          no status yet: its first run has not ended; run dbt again",
        "  bytes held  512 B",
    ]


def test_no_group_has_a_row_that_is_kept(plant):
    plant.found = [replace(TEMP, groups=None, user=None, consumed_at=None, metrics=None)]
    printed = lines(strandline(plant, "--select", "temp"))
    assert "  groups        -" in printed
    assert "  user          -" in printed
    assert "  consumed at   -" in printed


def test_a_long_metric_is_wrapped_and_whole(plant):
    metric = "temp > 65 && " * 20
    plant.found = [replace(TEMP, metrics=[metric])]
    result = strandline(plant, "--select", "temp", columns=60)
    assert max(map(len, result.stdout.splitlines())) <= 60
    assert metric.replace(" ", "") in result.stdout.replace(" ", "").replace("\n", "")


def test_consolidation_shows_its_watermark(plant):
    nothing = replace(ANOMALIES, name="empty", watermark=None, active=0, outdated=0, ignored=0)
    plant.found = [ANOMALIES, UNBUILT, nothing]
    assert lines(strandline(plant))[-1] == (
        "empty                  0         0        0  nothing analysed yet"
    )
    names = ("flight_anomalies", "late_anomalies", "empty")
    chosen = [part for name in names for part in ("--select", name)]
    assert lines(strandline(plant, *chosen)) == [
        "flight_anomalies  OK",
        "  watermark       2013-02-10 12:15:00+00:00",
        "  active          1,234",
        "  outdated        5",
        "  ignored         2",
        "late_anomalies  not built yet; run dbt",
        "empty        nothing analysed yet",
        "  watermark  -",
        "  active     0",
        "  outdated   0",
        "  ignored    0",
    ]
    chosen = json.loads(strandline(plant, "--json", "--select", "flight_anomalies").stdout)
    assert chosen == [
        {
            "kind": "anomalies",
            "name": "flight_anomalies",
            "schema": "plant",
            "watermark": "2013-02-10T12:15:00+00:00",
            "active": 1_234,
            "outdated": 5,
            "ignored": 2,
            "severities": None,
        }
    ]


def test_machines_get_a_list_and_nothing_else(plant):
    plant.found = [TEMP, FAILED, BEGUN]
    result = strandline(plant, "--json")
    assert result.exit_code == 0, result.output
    temp, wind, rain = json.loads(result.stdout)
    assert temp == {
        "kind": "engine",
        "name": "temp",
        "schema": "plant",
        "user": "anna",
        "status": "OK",
        "last_error": None,
        "groups": 35,
        "rows": 1_234_567,
        "metric_count": 2,
        "metrics": ["temp > 65", "temp [F] > percentile(temp, 75)"],
        "last_arrival": 1_234_570,
        "consumed_at": "2014-02-15T12:03:20.000005+00:00",
        "garbage_size": 2_000,
        "rows_kept": 12_345,
        "bytes_held": 1_536,
    }
    assert (wind["status"], wind["last_error"]) == ("ERROR", FAILED.last_error)
    assert {key for key, value in rain.items() if value is not None} == {
        "kind",
        "name",
        "schema",
        "bytes_held",
    }
    assert rain.keys() == temp.keys()


def test_some_engines_alone(plant):
    plant.found = [TEMP, FAILED, BEGUN]
    result = strandline(plant, "--json", "--select", "wind", "--select", "temp")
    assert [each["name"] for each in json.loads(result.stdout)] == ["temp", "wind"]


@pytest.mark.parametrize(
    ("found", "text"), [([TEMP, FAILED], "it has temp, wind."), ([], "it has none.")]
)
def test_an_engine_that_is_none_is_wrong_use(plant, found, text):
    plant.found = found
    result = strandline(plant, "--select", "tmep")
    assert result.exit_code == 2
    assert f"--select tmep is no table and no engine of {plant.folder}; {text}" in result.output


def test_without_stored_models_spark_is_not_started(plant):
    plant.nodes = {"c": plant.nodes["c"]}
    result = strandline(plant)
    assert result.exit_code == 0, result.output
    assert not plant.queried
    assert lines(result)[-1] == "This project has no tables yet: it has no model that is stored."
    assert json.loads(strandline(plant, "--json").stdout) == []


def test_what_is_no_project_is_wrong_use():
    result = CliRunner().invoke(cli, ["status", "--project-dir", "/"])
    assert result.exit_code == 2
    assert "/ holds no dbt_project.yml: name one with --project-dir." in result.output


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (1_023, "1023 B"),
        (1_024, "1.0 KiB"),
        (1_536, "1.5 KiB"),
        (2**20 - 1, "1,024.0 KiB"),
        (2**20, "1.0 MiB"),
        (5 * 2**20, "5.0 MiB"),
        (2**51, "2,048.0 TiB"),
    ],
)
def test_a_size_is_shown_in_its_largest_unit(count, text):
    assert size_text(count) == text
