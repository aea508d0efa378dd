"""Files that cannot be read go to quarantine whole, and the good ones beside them land."""

import bz2
import gzip
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from strandline.landing import LandingResult
from strandline.landing.batch import cause_of
from strandline.landing.files import Checked, check_files
from strandline.landing.formats import FileFormat

LINES = "".join(f"{number}\n" for number in range(20_000)).encode()
ZIPPED = gzip.compress(b"id\n" + LINES)
CUT = "the file cannot be read: Unexpected end of input stream"
CRC = "the file cannot be read: gzip stream CRC failure"


def test_good_files_land_beside_cut_ones(place, killed_before) -> None:
    """Also when the batch is killed between its two commits."""
    place.write_bytes("a.csv.gz", gzip.compress(b"id\n1\nbad\n"))
    place.write_bytes("cut.csv.gz", ZIPPED[: len(ZIPPED) // 2])
    place.write_bytes("early.csv.gz", ZIPPED[:12])
    place.write_bytes("false+name.csv.bz2", b"id\n7\n")
    place.write_bytes("sum.csv.gz", ZIPPED[:-8] + b"12345678")
    place.write("z.csv", "id\n2\n")

    killed_before(place.quarantine)
    with pytest.raises(RuntimeError, match="killed"):
        place.land("id INT")
    assert place.rows("id") == [(1,), (2,)]

    place.write_bytes("late.csv.gz", ZIPPED[:-1])
    unreadable = {
        "cut.csv.gz": CUT,
        "early.csv.gz": CUT,
        "false+name.csv.bz2": "it is not a .bz2 file",
        "late.csv.gz": CUT,
        "sum.csv.gz": CRC,
    }
    result = place.land("id INT")
    assert result == LandingResult(0, 6, 2, None, None, unreadable=unreadable)
    assert place.rows("arrival", "id", "landed_from") == [(1, 1, "a.csv.gz"), (2, 2, "z.csv")]
    assert place.faulty("arrival", "landed_from", "line", "raw", "reason") == [
        (1, "a.csv.gz", 3, "bad", "column id: 'bad' is not an INT"),
        *(
            (arrival, name, None, None, unreadable[name])
            for arrival, name in enumerate(
                ["cut.csv.gz", "early.csv.gz", "false+name.csv.bz2", "sum.csv.gz", "late.csv.gz"],
                start=2,
            )
        ),
    ]
    assert place.land("id INT") == LandingResult(0, 0, 0, None, None)


def test_parquet_files_that_are_cut_or_damaged(place) -> None:
    values = pa.table({"id": pa.array(range(1000), pa.int32())})
    pq.write_table(values, place.source / "a.parquet")
    whole = (place.source / "a.parquet").read_bytes()
    place.write_bytes("cut.parquet", whole[:200])
    place.write_bytes("empty.parquet", b"")
    place.write_bytes("hole.parquet", whole[:4] + bytes(40) + whole[44:])
    result = place.land("id INT", "parquet")
    assert (result.landed, result.quarantined, result.batches) == (1000, 3, 1)
    reasons = {name: reason for name, reason, _ in place.faulty("landed_from", "reason", "line")}
    assert reasons == result.unreadable
    assert sorted(reasons) == ["cut.parquet", "empty.parquet", "hole.parquet"]
    assert reasons["cut.parquet"].startswith("it is not a whole Parquet file: ")
    assert reasons["hole.parquet"].startswith("the file cannot be read: ")


@pytest.mark.parametrize(
    ("name", "content", "cause"),
    [
        ("a.json.gz", gzip.compress(b"{}", mtime=0), None),
        ("a.json.gz", b"", None),
        ("a.json.gz", b"\x1f", "it is not a .gz file"),
        ("a.json.bz2", bz2.compress(b"{}"), None),
        ("a.json.bz2", b"{}\n", "it is not a .bz2 file"),
        ("a.json.zst", b"{}\n", "it is not a .zst file"),
        ("a.json.lz4", b"", ".lz4 files cannot be checked for being whole; take .gz or .zst"),
        ("a.json.SNAPPY", b"{}", ".snappy files cannot be checked for being whole; take .gz or .zst"),
        ("a.JSON.GZ", b"{}\n", "it is not a .gz file"),
        ("a.JSON.GZ", gzip.compress(b"{}", mtime=0), None),
        ("a.json.gz", gzip.compress("{}\n".encode("utf-16"), mtime=0), "it is text in UTF-16; write it in UTF-8"),
        ("a.json.gzip", gzip.compress(b"{}", mtime=0), "it is a gzip file; give its name the end .gz"),
        ("a.zip", b"PK\x03\x04rest", "it is a zip file; take out the files in it"),
        ("a.json", "{}\n".encode("utf-16"), "it is text in UTF-16; write it in UTF-8"),
        ("a.json", "{}\n".encode("utf-16-le"), "it is text in UTF-16; write it in UTF-8"),
        ("a.json", "{}\n".encode("utf-16-be"), "it is text in UTF-16; write it in UTF-8"),
        ("a.json", "{}\n".encode("utf-32"), "it is text in UTF-32; write it in UTF-8"),
        ("a.json", b"BZhelp", None),
        ("a.json", b"\x00", None),
    ],
)  # fmt: skip
def test_files_that_spark_would_take_for_empty_ones_or_for_text(
    tmp_path: Path, name: str, content: bytes, cause: str | None
) -> None:
    (tmp_path / name).write_bytes(content)
    checked = check_files([tmp_path / name], tmp_path, None, FileFormat("json"))
    assert checked == Checked(unreadable={name: cause} if cause else {})


def test_a_file_that_becomes_unreadable_stops_the_landing(tmp_path: Path, monkeypatch) -> None:
    """It may be whole: whoever may read it lands it. One that was so before is left out."""
    (tmp_path / "a.csv.gz").touch()
    monkeypatch.setattr(
        "strandline.landing.files._not_readable",
        lambda _: (_ for _ in ()).throw(PermissionError(13, "Permission denied")),
    )
    fault = "file a.csv.gz: Permission denied; make it readable, or take it out of the folder"
    assert check_files([tmp_path / "a.csv.gz"], tmp_path, None, FileFormat("csv")) == Checked(
        [fault]
    )


def test_the_cause_of_a_failed_batch_is_one_line() -> None:
    from pyspark.errors import PySparkException

    wrapped = """Job aborted.
Caused by: java.io.IOException: No space left on device
\tat java.base/java.io.FileOutputStream.writeBytes(Native Method)"""
    assert cause_of(PySparkException(wrapped)) == "No space left on device"
