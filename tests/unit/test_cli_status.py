"""`strandline status` without Spark: what is shown of engines and anomalies, and wrong use."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from strandline.cli import status, status_tables
from strandline.cli.main import cli
from strandline.cli.observed import ConsolidationStatus, EngineStatus
from strandline.cli.project import Observed
from strandline.cli.tables import Unusable

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
UNBUILT = ConsolidationStatus("late_anomalies", "plant", *[None] * 4)
BEGUN = EngineStatus("rain", "plant", *[None] * 11, bytes_held=512)


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> SimpleNamespace:
    """A project whose engines are `found`, in the schemas of its Python models."""
    (tmp_path / "dbt_project.yml").touch()
    seen = SimpleNamespace(
        folder=str(tmp_path), found=[TEMP], unusable=[], asked=None, arguments=[]
    )
    seen.nodes = {
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
    for name, node in seen.nodes.items():
        node.resource_type = "test" if name == "d" else "model"
        node.config = getattr(node, "config", SimpleNamespace(materialized="view"))

    class Runner:
        def __init__(self, callbacks: list) -> None: ...

        def invoke(self, arguments: list[str]) -> SimpleNamespace:
            seen.arguments = arguments
            return SimpleNamespace(result=SimpleNamespace(nodes=seen.nodes), exception=None)

    def found(_, observed: Observed) -> list:
        seen.asked = observed
        return seen.found

    monkeypatch.setattr("dbt.cli.main.dbtRunner", Runner)
    monkeypatch.setattr(status, "_found", found)
    monkeypatch.setattr(status, "_unusable", lambda _: seen.unusable)
    return seen


def strandline(plant: SimpleNamespace, *arguments: str, columns: int = 80) -> Result:
    command = ("status", "--project-dir", plant.folder, *arguments)
    return CliRunner(env={"COLUMNS": str(columns)}).invoke(cli, command)


def lines(result: Result) -> list[str]:
    """What is said after the steps."""
    return [line.rstrip() for line in result.stdout.splitlines() if line.strip()]


def test_an_engine_is_shown_in_one_screen(plant):
    result = strandline(plant)
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


def test_rows_that_could_not_be_used_are_counted(plant):
    plant.unusable = [
        Unusable("marts.trades_late", 0, "late_reason"),
        Unusable("raw.trades_quarantine", 1_234, "reason"),
    ]
    assert lines(strandline(plant, columns=120))[-3:] == [
        "rows that could not be used",
        "  marts.trades_late          0",
        "  raw.trades_quarantine      1,234  select reason, count(*) from raw.trades_quarantine"
        " group by 1",
    ]
    assert "quarantine" not in strandline(plant, "--json").stdout


def test_engines_are_looked_for_beside_python_models(plant):
    strandline(plant, "--target", "connect")
    assert plant.asked == Observed(["audit", "plant"], {"flight_anomalies": "marts.alerts"})
    assert plant.arguments[plant.arguments.index("parse") + 1 :][:2] == ["--target", "connect"]


def test_an_error_is_shown_first(plant):
    plant.found = [FAILED]
    assert lines(strandline(plant))[:3] == [
        "wind            ERROR",
        "  last error    no column `windd`",
        "                in line 2",
    ]


def test_an_engine_whose_first_run_was_killed_says_what_to_do(plant):
    plant.found = [BEGUN]
    assert lines(strandline(plant)) == [
        "rain          no status yet: its first run has not ended; run dbt again",
        "  bytes held  512 B",
    ]


def test_no_group_has_a_row_that_is_kept(plant):
    plant.found = [replace(TEMP, groups=None, user=None, consumed_at=None, metrics=None)]
    printed = lines(strandline(plant))
    assert "  groups        -" in printed
    assert "  user          -" in printed
    assert "  consumed at   -" in printed


def test_a_long_metric_is_wrapped_and_whole(plant):
    metric = "temp > 65 && " * 20
    plant.found = [replace(TEMP, metrics=[metric])]
    result = strandline(plant, columns=60)
    assert max(map(len, result.stdout.splitlines())) <= 60
    assert metric.replace(" ", "") in result.stdout.replace(" ", "").replace("\n", "")


def test_consolidation_shows_how_far_it_has_come(plant):
    nothing = replace(ANOMALIES, name="empty", watermark=None, active=0, outdated=0, ignored=0)
    plant.found = [ANOMALIES, UNBUILT, nothing]
    assert lines(strandline(plant)) == [
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
    assert (
        f"--select tmep is no engine and no table of anomalies of {plant.folder}; {text}"
        in result.output
    )


ADVICE = "A Python model that returns strandline.detection.detect(…) makes one when `dbt run` builds it: see docs/detection.md."


def test_without_engines_it_says_so_and_what_to_do(plant):
    plant.found = []
    result = strandline(plant, columns=200)
    assert result.exit_code == 0, result.output
    assert lines(result)[-2:] == ["There is no engine of detection in audit, plant.", ADVICE]
    assert json.loads(strandline(plant, "--json").stdout) == []


def test_without_python_models_and_anomalies_spark_is_not_started(plant):
    plant.nodes = {"c": plant.nodes["c"]}
    result = strandline(plant, columns=200)
    assert plant.asked is None
    assert lines(result)[-2:] == [
        "There is no engine of detection in this project: it has no Python model.",
        ADVICE,
    ]


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
        (5 * 2**20, "5.0 MiB"),
        (2**51, "2,048.0 TiB"),
    ],
)
def test_a_size_is_shown_in_its_largest_unit(count, text):
    assert status_tables._size(count) == text
