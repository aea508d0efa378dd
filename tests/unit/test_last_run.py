"""What dbt's record says of the last run of a project."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from strandline.cli import report_contents
from strandline.cli.last_run import HISTORY, MOST, LastRun, Result, Run, last_run, note_run, runs
from strandline.report.found import Found

RECORD: dict[str, Any] = {
    "metadata": {"generated_at": "2014-02-15T12:00:01Z"},
    "args": {"which": "build"},
    "elapsed_time": 12.5,
    "results": [
        {"unique_id": "model.plant.hours", "status": "success", "message": "OK"},
        {"unique_id": "test.plant.not_null_hours_x.4af1", "status": "fail", "message": "Got 2\n  results", "compiled_code": "\nselect 1"},
        {"unique_id": "snapshot.plant.kept", "status": "error", "message": None},
    ],
}  # fmt: skip


def project(folder: Path, record: object, target: str = "target") -> Path:
    (folder / "dbt_project.yml").write_text(f"name: plant\ntarget-path: {target}\n")
    (folder / target).mkdir()
    (folder / target / "run_results.json").write_text(json.dumps(record))
    return folder


def test_models_and_tests_of_the_last_run(tmp_path: Path) -> None:
    assert last_run(project(tmp_path, RECORD, "elsewhere")) == LastRun(
        "build",
        datetime(2014, 2, 15, 12, 0, 1, tzinfo=timezone.utc),
        12.5,
        (
            Result("model", "hours", "success", "OK"),
            Result("test", "not_null_hours_x", "fail", "Got 2 results", "select 1"),
            Result("snapshot", "kept", "error", ""),
        ),
    )


def test_what_failed() -> None:
    assert Result("test", "a", "fail").failed
    assert Result("test", "a", "fail").is_test
    assert not Result("model", "a", "warn").failed
    assert not Result("model", "a", "success").is_test


@pytest.mark.parametrize(
    "record", [RECORD | {"args": {"which": "compile"}}, {}, [], RECORD | {"results": [{}]}]
)
def test_the_record_of_another_command_is_none(tmp_path: Path, record: object) -> None:
    assert last_run(project(tmp_path, record)) is None


def at(hour: int) -> dict[str, Any]:
    """The record of a run that ended at this hour."""
    return RECORD | {"metadata": {"generated_at": f"2014-02-15T{hour:02}:00:00+00:00"}}


def test_each_run_is_kept_once_in_few_words(tmp_path: Path) -> None:
    folder = project(tmp_path, at(1))
    record = folder / "target" / "run_results.json"
    for hour in (1, 1, 2, 1, 3):
        record.write_text(json.dumps(at(hour)))
        note_run(folder)
    record.write_text(json.dumps(at(4) | {"args": {"which": "compile"}}))
    note_run(folder)
    assert [run.at[11:13] for run in runs(folder, 10)] == ["01", "02", "03"]
    assert runs(folder, 1) == [
        Run(
            at="2014-02-15T03:00:00+00:00", command="dbt build", seconds=12.5, models=2,
            failed=("kept",), tests=1, failed_tests=("not_null_hours_x",), warned=(),
        )
    ]  # fmt: skip


def test_the_oldest_runs_and_damaged_lines_are_left_out(tmp_path: Path) -> None:
    folder = project(tmp_path, at(1))
    note_run(folder)
    history = folder / "target" / HISTORY
    [line] = history.read_text().splitlines()
    older = [line.replace("2014", str(year)) for year in range(2015, 2015 + MOST)]
    history.write_text("\n".join(["{", *older]) + "\n")
    (folder / "target" / "run_results.json").write_text(json.dumps(at(2)))
    note_run(folder)
    years = [run.at[:4] for run in runs(folder, 2 * MOST)]
    assert (len(years), years[0], years[-1]) == (MOST, "2016", "2014")


def test_a_run_does_not_fail_since_its_line_cannot_be_kept(tmp_path: Path) -> None:
    folder = project(tmp_path, at(1))
    (folder / "target" / HISTORY).mkdir()
    note_run(folder)
    assert runs(folder, 1) == []


def test_the_report_has_the_last_run_though_another_command_has_replaced_its_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = project(tmp_path, at(1))
    note_run(folder)
    (folder / "target" / "run_results.json").write_text(json.dumps({"args": {"which": "show"}}))
    pages: list[dict[str, Any]] = []
    monkeypatch.setattr(report_contents, "_found", lambda _: (Found((), (), (), (), ()), []))
    monkeypatch.setattr(report_contents.Parts, "tables", lambda *_: {"unread": []})
    monkeypatch.setattr(report_contents.Parts, "states", lambda _: {})
    monkeypatch.setattr(report_contents, "page_of", lambda given: pages.append(given) or "")
    plant = SimpleNamespace(folder=folder, name="plant", target=None)
    report_contents.write_report(plant, None, "UTC", tmp_path / "r.html", lambda _: None)
    [page] = pages
    assert page["run"] == {
        "command": "dbt build", "at": 1_392_426_000_000, "models": 2,
        "errors": [{"name": "kept", "message": "see logs/dbt.log", "query": ""}],
        "tests": 1,
        "failed": [{"name": "not_null_hours_x", "message": "see logs/dbt.log", "query": ""}],
        "warned": [],
    }  # fmt: skip
    assert [(run["at"], run["worst"]) for run in page["runs"]] == [(1_392_426_000_000, "failed")]
