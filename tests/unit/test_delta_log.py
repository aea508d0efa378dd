"""The newest commit of a table, and whether its columns may have changed, from the log alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from strandline.delta_log import Commit, changed_metadata, commit_of, newest_commit, rows_written


def write(table: Path, version: int, *actions: dict) -> None:
    log = table / "_delta_log"
    log.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(action) + "\n" for action in actions)
    (log / f"{version:020}.json").write_text(text, encoding="utf-8")


def info(number: int) -> dict:
    return {"commitInfo": {"timestamp": 1_000 + number, "txnId": f"t{number}"}}


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Three commits; the first one has the columns."""
    folder = tmp_path / "O'Neil's räume %20 [1] {a,b}"
    write(folder, 0, info(0), {"metaData": {"schemaString": "{}"}})
    write(folder, 1, info(1), {"add": {"path": 'a "metaData" in a name'}})
    write(folder, 2, info(2), {"add": {"path": "b"}})
    return folder


def test_the_newest_commit(table: Path) -> None:
    assert newest_commit(str(table)) == Commit(2, "t2 1002")
    for location in (f"file:{table}", f"file://{table}", table.as_uri()):
        assert newest_commit(location) == Commit(2, "t2 1002")
    assert commit_of(str(table), 1) == Commit(1, "t1 1001")


def test_other_files_of_the_log_are_no_commits(table: Path) -> None:
    for name in ("_last_checkpoint", f"{9:020}.checkpoint.parquet", f"{9:020}.crc", "9.json"):
        (table / "_delta_log" / name).write_text("{}")
    assert newest_commit(str(table)) == Commit(2, "t2 1002")


def test_what_cannot_be_read_is_not_known(table: Path, tmp_path: Path) -> None:
    assert newest_commit(str(tmp_path / "none")) is None
    assert newest_commit("s3://bucket/table") is None
    write(table, 3)
    assert newest_commit(str(table)) is None  # it is empty
    (table / "_delta_log" / f"{3:020}.json").write_text('{"commitInfo": {')
    assert newest_commit(str(table)) is None  # it is incomplete
    (tmp_path / "empty" / "_delta_log").mkdir(parents=True)
    assert newest_commit(str(tmp_path / "empty")) is None


def test_a_commit_with_new_columns_is_found(table: Path) -> None:
    assert not changed_metadata(str(table), 0, 2)
    assert not changed_metadata(str(table), 2, 2)
    write(table, 3, info(3), {"metaData": {"schemaString": "{}"}})
    assert changed_metadata(str(table), 0, 3)
    assert changed_metadata(str(table), 2, 4)  # the fourth is not there


def test_the_rows_of_commits(table: Path) -> None:
    def wrote(version: int, rows: int) -> None:
        metrics = {"operationMetrics": {"numOutputRows": str(rows)}}
        write(table, version, {"commitInfo": {**info(version)["commitInfo"], **metrics}})

    assert rows_written(str(table), 0, 2) == 0
    wrote(3, 10)
    wrote(4, 5)
    write(table, 5, info(5))  # properties
    assert rows_written(str(table), 2, 5) == 15
    assert rows_written(str(table), 3, 5) == 5
    assert rows_written(str(table), None, 5) == 5
    assert rows_written(str(table), 4, 6) == 0  # the sixth is not there
