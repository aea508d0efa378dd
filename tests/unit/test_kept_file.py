"""A file that saves work is replaced as a whole, or stays as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from dbt.adapters.strandline.kept_file import read_kept, write_kept


def test_what_was_written_is_read(tmp_path: Path) -> None:
    file = tmp_path / "home" / "columns.json"
    write_kept(file, {"a": 1})
    write_kept(file, {"b": 2})
    assert read_kept(file) == {"b": 2}


@pytest.mark.parametrize("text", ["", "[1]", '{"a": '])
def test_a_damaged_file_is_empty(tmp_path: Path, text: str) -> None:
    file = tmp_path / "columns.json"
    file.write_text(text)
    assert read_kept(file) == {}
    assert read_kept(tmp_path / "none.json") == {}


def test_a_full_disk_leaves_the_old_file_and_no_part_of_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "columns.json"
    write_kept(file, {"a": 1})

    def is_full(self: Path, text: str, **_: str) -> int:
        self.write_bytes(text.encode()[:3])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_text", is_full)
    write_kept(file, {"b": 2})
    assert read_kept(file) == {"a": 1}
    assert list(tmp_path.iterdir()) == [file]
