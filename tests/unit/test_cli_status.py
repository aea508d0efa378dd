"""`strandline status` without Spark: what is shown of which engine, and wrong use."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner, Result

from strandline.cli import status
from strandline.cli.engines import EngineStatus
from strandline.cli.main import cli

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
BEGUN = EngineStatus("rain", "plant", *[None] * 11, bytes_held=512)


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> SimpleNamespace:
    """A project whose engines are `found`, in the schemas of its Python models."""
    (tmp_path / "dbt_project.yml").touch()
    seen = SimpleNamespace(folder=str(tmp_path), found=[TEMP], asked=None, arguments=[])
    seen.nodes = {
        "a": SimpleNamespace(language="python", schema="plant"),
        "b": SimpleNamespace(language="python", schema="audit"),
        "c": SimpleNamespace(language="sql", schema="marts"),
        "d": SimpleNamespace(schema="tests"),
    }

    class Runner:
        def __init__(self, callbacks: list) -> None: ...

        def invoke(self, arguments: list[str]) -> SimpleNamespace:
            seen.arguments = arguments
            return SimpleNamespace(result=SimpleNamespace(nodes=seen.nodes), exception=None)

    def found(_, schemas: list[str]) -> list[EngineStatus]:
        seen.asked = schemas
        return seen.found

    monkeypatch.setattr("dbt.cli.main.dbtRunner", Runner)
    monkeypatch.setattr(status, "_found", found)
    return seen


def strandline(plant: SimpleNamespace, *arguments: str, columns: int = 80) -> Result:
    command = ("status", "--project-dir", plant.folder, *arguments)
    return CliRunner(env={"COLUMNS": str(columns)}).invoke(cli, command)


def lines(result: Result) -> list[str]:
    """What is said after the steps."""
    return [line.rstrip() for line in result.stdout.splitlines() if line.strip()]


def test_an_engine_is_told_in_one_screen(plant):
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


def test_engines_are_looked_for_beside_python_models(plant):
    strandline(plant, "--target", "connect")
    assert plant.asked == ["audit", "plant"]
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
    told = lines(strandline(plant))
    assert "  groups        -" in told
    assert "  user          -" in told
    assert "  consumed at   -" in told


def test_a_long_metric_is_wrapped_and_whole(plant):
    metric = "temp > 65 && " * 20
    plant.found = [replace(TEMP, metrics=[metric])]
    result = strandline(plant, columns=60)
    assert max(map(len, result.stdout.splitlines())) <= 60
    assert metric.replace(" ", "") in result.stdout.replace(" ", "").replace("\n", "")


def test_machines_get_a_list_and_nothing_else(plant):
    plant.found = [TEMP, FAILED, BEGUN]
    result = strandline(plant, "--json")
    assert result.exit_code == 0, result.output
    temp, wind, rain = json.loads(result.stdout)
    assert temp == {
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
    ("found", "told"), [([TEMP, FAILED], "it has temp, wind."), ([], "it has none.")]
)
def test_an_engine_that_is_none_is_wrong_use(plant, found, told):
    plant.found = found
    result = strandline(plant, "--select", "tmep")
    assert result.exit_code == 2
    assert f"--select tmep is no engine of {plant.folder}; {told}" in result.output


ADVICE = "A Python model that returns strandline.detection.detect(…) makes one when `dbt run` builds it: see docs/detection.md."


def test_without_engines_it_says_so_and_what_to_do(plant):
    plant.found = []
    result = strandline(plant, columns=200)
    assert result.exit_code == 0, result.output
    assert lines(result)[-2:] == ["There is no engine of detection in audit, plant.", ADVICE]
    assert json.loads(strandline(plant, "--json").stdout) == []


def test_without_python_models_spark_is_not_started(plant):
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
    ("count", "told"),
    [
        (0, "0 B"),
        (1_023, "1023 B"),
        (1_024, "1.0 KiB"),
        (5 * 2**20, "5.0 MiB"),
        (2**51, "2,048.0 TiB"),
    ],
)
def test_a_size_is_told_in_its_largest_unit(count, told):
    assert status._size(count) == told
