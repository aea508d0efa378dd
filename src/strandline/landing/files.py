"""The source folder: which files are new, and whether they can be landed, before any is.

The rules of Spark's file source are followed: names that begin with a dot or an underscore are
ignored, folders are searched, and a file is known by its path.
"""

import csv
import gzip
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.errors import PySparkException
from pyspark.sql import types as T
from pyspark.sql.pandas.types import from_arrow_schema

from strandline.landing.checkpoint import Seen
from strandline.landing.formats import FileFormat
from strandline.landing.schema import differences

UNREADABLE_HERE = (".bz2", ".deflate", ".lz4", ".snappy", ".zst")


def new_files(source: Path, seen: Seen, fmt: FileFormat) -> list[Path]:
    """Files of the source folder that have not landed, sorted by path."""
    return sorted(
        path
        for path in _visible(source)
        if fnmatch(path.name, fmt.glob) and path not in seen.landed
    )


def check_planned(seen: Seen) -> list[str]:
    """Files that a batch was planned with and that are gone.

    Spark would run the batch without them and count them as read.
    """
    return [
        f"file {path} was found, and is gone before its batch was done; put it back, or an empty "
        "file in its place if it is not wanted"
        for path in sorted(seen.planned)
        if not path.exists()
    ]


def check_files(
    paths: Sequence[Path],
    source: Path,
    schema: T.StructType,
    fmt: FileFormat,
) -> list[str]:
    """What is wrong with whole files: a header, or the columns of a Parquet file."""
    if fmt.name == "parquet":
        return [fault for path in paths for fault in _check_parquet(path, source, schema)]
    if not fmt.has_header:
        return []
    return [
        fault
        for path in paths
        if path.suffix not in UNREADABLE_HERE  # checked when Spark has read them
        for fault in check_header(
            str(path.relative_to(source)), _first_line(path), schema.names, fmt
        )
    ]


def check_header(name: str, line: str, expected: Sequence[str], fmt: FileFormat) -> list[str]:
    """What is wrong with the first line of a CSV file; an empty file has no header and no rows."""
    if not line:
        return []
    given = next(csv.reader([line], delimiter=fmt.sep, quotechar=fmt.quote), [])
    if given == list(expected):
        return []
    return [
        f"file {name}: its header is {', '.join(given)}; expected {', '.join(expected)}; "
        "correct the file or the schema, or say header=false"
    ]


def _check_parquet(path: Path, source: Path, schema: T.StructType) -> list[str]:
    name = path.relative_to(source)
    try:
        given = from_arrow_schema(pq.read_schema(path))
    except (pa.ArrowException, PySparkException) as error:
        return [f"file {name}: it cannot be read as Parquet: {error}"]
    return [
        f"file {name}: {fault}; given {', '.join(given.names)}; expected {', '.join(schema.names)}"
        for fault in differences(schema, given)
    ]


def _visible(folder: Path) -> Iterator[Path]:
    for path in folder.iterdir():
        if path.name.startswith((".", "_")):
            continue
        if path.is_dir():
            yield from _visible(path)
        else:
            yield path


def _first_line(path: Path) -> str:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8-sig", errors="replace") as file:
        return file.readline().rstrip("\r\n")
