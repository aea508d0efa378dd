"""What dbt's record says of the last run of a project."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from strandline.cli.last_run import LastRun, Result, last_run

RECORD: dict[str, Any] = {
    "metadata": {"generated_at": "2014-02-15T12:00:01Z"},
    "args": {"which": "build"},
    "elapsed_time": 12.5,
    "results": [
        {"unique_id": "model.plant.hours", "status": "success", "message": "OK"},
        {"unique_id": "test.plant.not_null_hours_x.4af1", "status": "fail", "message": "Got 2\n  results"},
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
            Result("test", "not_null_hours_x", "fail", "Got 2 results"),
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
