"""One odd file does not stop the others of its folder: it is named, and nothing of it vanishes."""

from __future__ import annotations

import bz2
import gzip
import os
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from strandline.landing import LandingResult
from strandline.landing.files import RENAME

SCHEMA = "id INT, t STRING"


def test_odd_files_are_in_quarantine_and_the_others_land(place: Any) -> None:
    place.write("a.csv", "id,t\n1,a\n")
    place.write_bytes("B.CSV.GZ", gzip.compress(b"id,t\n2,b\n"))
    place.write_bytes("C.CSV.BZ2", bz2.compress(b"id,t\n3,c\n"))
    place.write_bytes("LAST.CSV.LZ4", b"id,t\n9,z\n")
    place.write_bytes("d.csv.gzip", gzip.compress(b"id,t\n9,z\n"))
    place.write_bytes("e.zip", b"PK\x03\x04\x14\x00rest")
    place.write_bytes("f.csv", "id,t\n9,z\n".encode("utf-16"))
    place.write_bytes("g.csv", "id,t\n9,z\n".encode("utf-16-le"))
    place.write("h.csv", "id,name\n9,z\n")
    place.write("i.csv", "\nid,t\n9,z\n")
    place.write_bytes("j.csv.bz2", bz2.compress(b"id,name\n9,z\n"))
    place.write("k.csv", "")
    place.write_bytes("l.csv", "id,t\n9,é\n".encode("latin-1"))
    result = place.land(SCHEMA)
    assert place.rows("arrival", "id", "landed_from") == [
        (1, 1, "a.csv"), (2, 2, "B.CSV.GZ"), (3, 3, "C.CSV.BZ2"),
    ]  # fmt: skip
    unreadable = {
        "LAST.CSV.LZ4": ".lz4 files cannot be checked for being whole; take .gz or .zst",
        "d.csv.gzip": "it is a gzip file; give its name the end .gz",
        "e.zip": "it is a zip file; take out the files in it",
        "f.csv": "it is text in UTF-16; write it in UTF-8",
        "g.csv": "it is text in UTF-16; write it in UTF-8",
        "h.csv": f"its header is id, name; expected id, t; {RENAME}",
        "i.csv": f"its header is empty; expected id, t; {RENAME}",
        "j.csv.bz2": f"its header is id, name; expected id, t; {RENAME}",
    }
    assert result.unreadable == unreadable
    faulty = place.faulty("landed_from", "line", "reason")
    assert {name: reason for name, line, reason in faulty if line is None} == unreadable
    assert [each for each in faulty if each[1]] == [
        ("l.csv", 2, "the line is not UTF-8; its bytes are in raw_bytes")
    ]
    assert (result.landed, result.quarantined) == (3, 9)
    # They are listed, and not tried again; a repaired one lands under a new name.
    assert place.land(SCHEMA) == LandingResult(0, 0, 0, None, None)
    (place.source / "h.csv").rename(place.source / "h2.csv")
    place.write("h2.csv", "id,t\n9,z\n")
    assert place.land(SCHEMA) == LandingResult(1, 0, 1, 4, 4)


def test_a_parquet_file_with_other_columns(place: Any) -> None:
    one = pa.array([1], pa.int32())
    pq.write_table(pa.table({"id": one, "t": ["a"]}), place.source / "a.parquet")
    pq.write_table(pa.table({"id": one}), place.source / "b.parquet")
    result = place.land(SCHEMA, "parquet")
    fault = f"column t STRING is missing; given id; expected id, t; {RENAME}"
    assert (result.landed, result.unreadable) == (1, {"b.parquet": fault})
    assert place.faulty("landed_from", "reason") == [("b.parquet", fault)]


def test_files_that_may_not_be_read_are_left_for_the_next_time(
    place: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.write("a.csv", "id,t\n1,a\n")
    place.write("deep/b.csv", "id,t\n2,b\n")
    place.write("secret/c.csv", "id,t\n3,c\n")
    access, scandir = os.access, os.scandir

    def denied(folder: Path) -> Any:
        if Path(folder).name == "secret":
            raise PermissionError(13, "Permission denied", str(folder))
        return scandir(folder)

    monkeypatch.setattr(
        os, "access", lambda path, how: Path(path).name != "b.csv" and access(path, how)
    )
    monkeypatch.setattr("strandline.landing.files.os.scandir", denied)
    assert place.land(SCHEMA) == LandingResult(1, 0, 1, 1, 1, denied=("deep/b.csv", "secret"))
    again = LandingResult(0, 0, 0, None, None, denied=("deep/b.csv", "secret"))
    assert place.land(SCHEMA) == again
    monkeypatch.undo()
    assert place.land(SCHEMA) == LandingResult(2, 0, 1, 2, 3)
    assert place.rows("id") == [(1,), (2,), (3,)]


def test_no_python_process_is_started(place: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine one may not come up in Spark's ten seconds."""
    monkeypatch.setattr(place.spark.sparkContext, "pythonExec", "/nowhere/python")
    place.write("a.csv", "id,t\n1,a\nbad,b\n")
    place.write("b.zip", "PK\x03\x04")
    result = place.land(SCHEMA)
    assert (result.landed, result.quarantined) == (1, 2)
