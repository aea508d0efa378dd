"""Which column of a file is which, and what becomes of those that the schema lacks."""

import bz2
import gzip
import json
import zlib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import types as T

from strandline.landing import LandingResult
from strandline.landing.files import RENAME, Checked, check_files, read_header
from strandline.landing.formats import FileFormat

SCHEMA = "id INT, t STRING"


def test_columns_of_csv_have_the_names_of_the_header(place) -> None:
    """In any order and in any case; files with different headers land together."""
    place.write("a.csv", "id,t\n1,a\n")
    place.write("b.csv", "T,ID\nb,2\nworse,x\n")
    place.write("c.csv", "id,name\n7,f\n")
    place.write_bytes("d.csv.bz2", bz2.compress(b"t,id\nc,3\n"))
    result = place.land(SCHEMA)
    assert place.rows("arrival", "id", "t") == [(1, 1, "a"), (2, 2, "b"), (3, 3, "c")]
    assert result.unreadable == {"c.csv": f"its header is id, name; expected id, t; {RENAME}"}
    assert place.faulty("landed_from", "line", "raw", "reason")[0] == (
        "b.csv", 3, "worse,x", "column id: 'x' is not an INT",
    )  # fmt: skip


def test_columns_by_position_below_a_header_that_is_skipped(place) -> None:
    """Names twice, or none, or others: the schema has them. A row of more values is faulty."""
    place.write("a.csv", "t,t,\n1,a,\n2,b,\n3,c\n")
    place.write("b.csv", "no,name,note\n4,d,late\n")
    place.land(SCHEMA + ", note STRING", options={"header": "skip"})
    assert place.rows("arrival", "id", "t", "note") == [
        (1, 1, "a", None), (2, 2, "b", None), (3, 4, "d", "late"),
    ]  # fmt: skip
    assert place.faulty("landed_from", "line", "raw") == [("a.csv", 4, "3,c")]


@pytest.mark.parametrize("end", ["", ".gz", ".GZ", ".bz2", ".zst", ".deflate"])
def test_headers_of_compressed_files(tmp_path: Path, end: str) -> None:
    text = b"t,id\n" + b"a,1\n" * 100_000
    path = tmp_path / f"a.csv{end}"
    if end == ".zst":
        with pa.CompressedOutputStream(str(path), "zstd") as file:
            file.write(text)
    else:
        packed = {
            "": text,
            ".gz": gzip.compress(text),
            ".bz2": bz2.compress(text),
            ".deflate": zlib.compress(text),
        }
        path.write_bytes(packed[end.lower()])
    schema = T.StructType.fromDDL(SCHEMA)
    checked = check_files([path], tmp_path, schema, FileFormat("csv"))
    assert checked == Checked(fitting=1, headers={path.name: ("t", "id")})


def test_what_the_schema_lacks_is_kept_as_json(place) -> None:
    place.write("a.csv", 'id,gate,t,"a ""b"""\n1,A1,x,"7,5"\n2,,y,\n')
    place.write("b.csv", "id,t\n3,z\n")
    place.write("c.csv", "id,more,t\n4,w,v\n")
    place.land("id INT, t STRING, more STRING", options={"rest": "more"})
    assert place.rows("id", "t", "more") == [
        (1, "x", '{"gate":"A1","a \\"b\\"":"7,5"}'),
        (2, "y", None),
        (3, "z", None),
        (4, "v", '{"more":"w"}'),
    ]


@pytest.mark.parametrize("file_format", ["csv", "json", "parquet"])
def test_what_the_schema_lacks_is_left_out_and_named(place, file_format: str) -> None:
    rows = [{"id": 1, "t": "a", "gate": "A1"}, {"id": 2, "t": "b", "gate": "A2"}]
    if file_format == "csv":
        place.write("a.csv", "gate,id,t\nA1,1,a\nA2,2,b\n")
    elif file_format == "json":
        place.write("a.json", "".join(json.dumps(row) + "\n" for row in rows))
    else:
        schema = pa.schema([("id", pa.int32()), ("t", pa.string()), ("gate", pa.string())])
        pq.write_table(pa.Table.from_pylist(rows, schema), place.source / "a.parquet")
    result = place.land(SCHEMA, file_format, {"unknown": "ignore"})
    assert result == LandingResult(2, 0, 1, 1, 2, ignored=("gate",))
    assert place.rows("id", "t") == [(1, "a"), (2, "b")]


def test_a_table_gets_the_columns_that_its_schema_has_more(place) -> None:
    """Where the schema has them, and null in the rows before; without new files, too."""
    place.write("a.csv", "id,t\n1,a\n")
    place.land(SCHEMA)
    more = "at EPOCH_SECONDS, id INT, `a b` VARCHAR(2), t STRING"
    assert place.land(more) == LandingResult(0, 0, 0, None, None, added=("at", "a b"))
    assert place.columns() == ["at", "id", "a b", "t", "arrival", "landed_from"]
    place.write("b.csv", "at,id,a b,t\n60,2,x,b\n,3,too long,c\n")
    assert place.land(more) == LandingResult(1, 1, 1, 2, 2)
    assert place.rows("id", "unix_seconds(at)", "`a b`", "t") == [
        (1, None, None, "a"),
        (2, 60, "x", "b"),
    ]


def test_a_batch_that_was_killed_is_completed_with_the_new_columns(place, killed_before) -> None:
    place.write("a.json", '{"id": 1, "t": "a"}\n')
    killed_before(place.table)
    with pytest.raises(RuntimeError, match="killed"):
        place.land(SCHEMA, "json")
    place.write("b.json", '{"id": 2, "t": "b", "gate": "A1"}\n')
    assert place.land("id INT, t STRING, gate STRING", "json").landed == 2
    assert place.rows("id", "t", "gate") == [(1, "a", None), (2, "b", "A1")]


CSV = FileFormat("csv")


@pytest.mark.parametrize(
    ("line", "fmt", "found"),
    [
        ("id,t", CSV, ("id", "t")),
        ("\ufeffT,ID", CSV, ("t", "id")),
        ("id", CSV, "its header is id; expected id, t"),
        ("id,t,ID", CSV, "its header is id, t, ID; expected id, t"),
        ("id,t,u", CSV, "its header is id, t, u; expected id, t"),
        ("id,t,u", FileFormat("csv", unknown="ignore"), ("id", "t", "u")),
        (
            "id,u,u,t",
            FileFormat("csv", unknown="ignore"),
            "its header is id, u, u, t; expected id, t",
        ),
        ("u,id", FileFormat("csv", rest="t"), ("u", "id")),
        ('id,"t', CSV, 'its header is id,"t; expected id, t'),
        ("", CSV, "its header is empty; expected id, t"),
    ],
)
def test_headers(line: str, fmt: FileFormat, found: object) -> None:
    assert read_header(line, ["id", "t"], fmt) == found
