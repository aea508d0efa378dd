"""The source folder: which files are new, and whether they can be landed, before any is.

The rules of Spark's file source are followed: names that begin with a dot or an underscore are
ignored, folders are searched, and a file is known by its path.
"""

import csv
import gzip
import json
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.errors import PySparkException
from pyspark.sql import types as T
from pyspark.sql.pandas.types import from_arrow_schema

from strandline.landing.formats import FileFormat
from strandline.landing.schema import differences

UNREADABLE_HERE = (".bz2", ".deflate", ".lz4", ".snappy", ".zst")


def new_files(source: Path, checkpoint: Path, fmt: FileFormat) -> list[Path]:
    """Files of the source folder that the checkpoint has not seen, sorted by path."""
    seen = seen_files(checkpoint)
    return sorted(
        path for path in _visible(source) if fnmatch(path.name, fmt.glob) and str(path) not in seen
    )


def seen_files(checkpoint: Path) -> set[str]:
    """Paths in the file source's log: planned for a batch, or landed."""
    paths: set[str] = set()
    log = checkpoint / "sources" / "0"
    for entry in sorted(log.glob("[0-9]*")) if log.is_dir() else []:
        lines = entry.read_text(encoding="utf-8").splitlines()
        paths.update(
            unquote(urlsplit(json.loads(line)["path"]).path) for line in lines if line[:1] == "{"
        )
    return paths


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
