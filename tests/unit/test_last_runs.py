"""The file of the last runs: what is kept, and that a damaged one only costs runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from dbt.adapters.strandline.unchanged.last_runs import KEPT, LastRuns


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "home" / "last_runs.json"


def test_a_run_is_found_again_by_its_note(file: Path) -> None:
    LastRuns(file).add("s.sums", "a")
    again = LastRuns(file)
    assert again.has("s.sums", "a")
    assert not again.has("s.sums", "b")
    assert not again.has("s.others", "a")


def test_a_model_that_is_run_in_two_ways_by_turns_has_both_notes(file: Path) -> None:
    runs = LastRuns(file)
    for note in ("build", "backfill", "build"):
        runs.add("s.sums", note)
    assert runs.has("s.sums", "build")
    assert runs.has("s.sums", "backfill")


def test_old_notes_are_dropped(file: Path) -> None:
    runs = LastRuns(file)
    for number in range(KEPT + 1):
        runs.add("s.sums", str(number))
    assert not LastRuns(file).has("s.sums", "0")
    assert LastRuns(file).has("s.sums", "1")


@pytest.mark.parametrize("text", ["", "{", "[]", '{"s.sums": 1}', "null"])
def test_a_damaged_file_is_replaced(file: Path, text: str) -> None:
    file.parent.mkdir()
    file.write_text(text)
    runs = LastRuns(file)
    assert not runs.has("s.sums", "a")
    runs.add("s.sums", "a")
    assert LastRuns(file).has("s.sums", "a")


def test_a_file_that_cannot_be_written_fails_no_run(file: Path) -> None:
    file.parent.write_text("no folder")
    runs = LastRuns(file)
    runs.add("s.sums", "a")
    assert runs.has("s.sums", "a")
