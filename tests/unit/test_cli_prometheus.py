"""`strandline status --prometheus`: the file that node exporter reads."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.unit.test_cli_status import (
    ANOMALIES,
    BEGUN,
    FAILED,
    MINUTES,
    MISSING,
    ORDERS,
    TEMP,
    UNBUILT,
    plant,
    strandline,
)

from strandline.cli.prometheus import write_metrics
from strandline.cli.tables import Unusable

__all__ = ["plant"]
NOW = datetime(2014, 2, 15, 12, 5, tzinfo=timezone.utc)
STORM = replace(ANOMALIES, severities={"high": 1_200, "critical": 30, "": 4})


def written(tmp_path: Path, found: list, rejected: list = ()) -> dict[str, dict[tuple, float]]:
    """The values of each metric by their labels."""
    (tmp_path / "dbt_project.yml").touch()
    file = tmp_path / "plant.prom"
    write_metrics(file, found, rejected, tmp_path, NOW)
    text = file.read_text()
    assert [each.name for each in tmp_path.iterdir() if ".prom" in each.name] == ["plant.prom"]
    return {
        family.name.removeprefix("strandline_"): {
            tuple(each.labels.values()): each.value for each in family.samples
        }
        for family in text_string_to_metric_families(text)
        if family.samples
    }


def test_all_that_status_knows_is_a_metric(tmp_path: Path):
    found = [ORDERS, MINUTES, MISSING, TEMP, FAILED, BEGUN, STORM, UNBUILT]
    late = [Unusable("marts.trades_late", 7, "late_reason"), Unusable("raw.q", 0, "reason")]
    at = datetime(2014, 2, 15, 12, 0, 1, tzinfo=timezone.utc).timestamp()
    consumed = TEMP.consumed_at.timestamp()
    assert written(tmp_path, found, late) == {
        "landed_rows": {("raw.orders",): 12_345},
        "quarantined_rows": {("raw.orders",): 3},
        "landed_timestamp_seconds": {("raw.orders",): at},
        "table_rows": {("marts", "trades_minutes"): 12_345},
        "table_watermark": {("marts", "trades_minutes"): 990_972},
        "table_written_timestamp_seconds": {("marts", "trades_minutes"): at},
        "engine_up": {("temp", "plant"): 1, ("wind", "plant"): 0, ("rain", "plant"): 0},
        "engine_rows": {("temp", "plant"): 1_234_567, ("wind", "plant"): 1_234_567},
        "engine_consumed_timestamp_seconds": {
            ("temp", "plant"): pytest.approx(consumed),
            ("wind", "plant"): pytest.approx(consumed),
        },
        "anomalies_active": {
            ("plant", "high", "flight_anomalies"): 1_200,
            ("plant", "critical", "flight_anomalies"): 30,
            ("plant", "", "flight_anomalies"): 4,
        },
        "anomalies_outdated": {("plant", "flight_anomalies"): 5},
        "anomalies_ignored": {("plant", "flight_anomalies"): 2},
        "anomalies_watermark_timestamp_seconds": {
            ("plant", "flight_anomalies"): ANOMALIES.watermark.timestamp()
        },
        "unusable_rows": {("late_reason", "marts.trades_late"): 7, ("reason", "raw.q"): 0},
        "status_timestamp_seconds": {(): NOW.timestamp()},
    }


def test_the_page_has_every_metric(tmp_path: Path):
    test_the_last_run_of_dbt(tmp_path)
    found = [ORDERS, MINUTES, TEMP, STORM]
    metrics = written(tmp_path, found, [Unusable("marts.trades_late", 7, "late_reason")])
    page = (Path(__file__).parents[2] / "docs" / "schedules.md").read_text()
    table = page.split("| metric |")[1].split("\n\n")[0]
    assert {f"strandline_{name}" for name in metrics} == set(re.findall(r"strandline_\w+", table))


def test_the_last_run_of_dbt(tmp_path: Path):
    record = {
        "metadata": {"generated_at": "2014-02-15T12:00:01.5Z"},
        "args": {"which": "build"},
        "elapsed_time": 12.5,
        "results": [{"status": "success"}, {"status": "success"}, {"status": "error"}],
    }
    (tmp_path / "target").mkdir(exist_ok=True)
    (tmp_path / "target" / "run_results.json").write_text(json.dumps(record))
    metrics = written(tmp_path, [])
    assert metrics["run_timestamp_seconds"] == {(): 1392465601.5}
    assert metrics["run_seconds"] == {(): 12.5}
    assert metrics["run_nodes"] == {("success",): 2, ("error",): 1}


@pytest.mark.parametrize("text", ["{", "[]", '{"args": {"which": "compile"}}', '{"args": {}}'])
def test_another_record_of_dbt_is_left_out(tmp_path: Path, text: str):
    (tmp_path / "target").mkdir()
    (tmp_path / "target" / "run_results.json").write_text(text)
    assert list(written(tmp_path, [])) == ["status_timestamp_seconds"]


def test_a_name_with_quotes_and_line_breaks(tmp_path: Path):
    odd = replace(STORM, severities={'a "b"\n\\': 1})
    assert written(tmp_path, [odd])["anomalies_active"] == {
        ("plant", 'a "b"\n\\', "flight_anomalies"): 1
    }


def test_the_command_writes_the_file_and_shows_nothing(plant, tmp_path: Path):
    plant.found = [STORM]
    plant.unusable = [Unusable("marts.trades_late", 7, "late_reason")]
    file = tmp_path / "metrics" / "plant.prom"
    file.parent.mkdir()
    result = strandline(plant, "--prometheus", str(file))
    assert result.exit_code == 0, result.output
    assert 'strandline_unusable_rows{reasons="late_reason",table="marts.trades_late"} 7.0' in (
        file.read_text()
    )
    assert "active" not in result.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--json",), "--prometheus writes everything: leave out --select and --json."),
        (("--select", "temp"), "--prometheus writes everything: leave out --select and --json."),
    ],
)
def test_a_part_of_it_is_wrong_use(plant, tmp_path: Path, arguments, message):
    result = strandline(plant, "--prometheus", str(tmp_path / "a.prom"), *arguments)
    assert (result.exit_code, message in result.output) == (2, True)


def test_a_file_that_is_not_read_is_wrong_use(plant):
    result = strandline(plant, "--prometheus", "plant.txt")
    assert result.exit_code == 2
    assert "--prometheus plant.txt: node exporter reads files that end in .prom alone" in (
        result.output
    )


def test_a_folder_that_is_not_there(plant, tmp_path: Path):
    file = tmp_path / "none" / "plant.prom"
    result = strandline(plant, "--prometheus", str(file))
    assert result.exit_code == 1
    assert f"{file} could not be written: No such file or directory." in result.output


def test_active_anomalies_by_severity_on_the_screen(plant):
    plant.found = [STORM]
    result = strandline(plant, "--select", "flight_anomalies", columns=120)
    assert "1,234: critical 30, high 1,200, without a severity 4" in result.stdout
