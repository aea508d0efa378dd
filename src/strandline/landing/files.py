"""The source folder: which files are new, and whether they can be landed, before any is.

The rules of Spark's file source are followed: names that begin with a dot or an underscore are
ignored, folders are searched, and a file is known by its path.
"""

import csv
import gzip
import os
import re
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

import pyarrow as pa
from pyspark.sql import types as T

from strandline.landing.checkpoint import Discovered
from strandline.landing.formats import FileFormat
from strandline.landing.parquet import check_parquet

UNREADABLE_HERE = (".bz2", ".deflate", ".zst")
# Spark reads a file without these first bytes as empty, or fails in the middle.
FIRST_BYTES = {".gz": b"\x1f\x8b", ".bz2": b"BZh", ".zst": b"\x28\xb5\x2f\xfd"}
# Spark reads only Hadoop's own framing of these, and a truncated or foreign file as a short one.
UNSAFE = (".lz4", ".snappy")
# Hidden names that Spark lists all the same.
SPARK_READS = re.compile(r"_.*=|_metadata|_common_metadata")
BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True)
class Listing:
    """What a source folder holds, folders below included.

    Attributes:
        files: the regular files to land, by path.
        roots: the largest folders without a link, and the files beside links: together all files.
        links: what is not followed: symbolic links, special files such as pipes, and names that
            are no text, which Java does not find.
    """

    files: tuple[Path, ...]
    roots: tuple[Path, ...]
    links: tuple[Path, ...]


@dataclass(frozen=True)
class Checked:
    """The result of checking the new files.

    Attributes:
        faults: what stops the landing until it is corrected.
        unreadable: files that no correction of the request makes readable, by name, with the cause.
    """

    faults: list[str]
    unreadable: dict[str, str]


def list_files(folder: Path, fmt: FileFormat) -> Listing:
    """List a folder without following links. A link to a file that `glob` excludes is not reported.

    Raises:
        OSError: a folder cannot be read.
    """
    files: list[Path] = []
    roots: list[Path] = []
    links: list[Path] = []
    is_whole = True
    with os.scandir(folder) as entries:
        found = sorted(entries, key=lambda entry: entry.name)
    for entry in found:
        path = Path(entry.path)
        if not _is_visible(entry.name):
            is_whole &= not SPARK_READS.match(entry.name)
        elif not _is_text(entry.name):
            is_whole = False
            links.append(path)
        elif entry.is_dir(follow_symlinks=False):
            below = list_files(path, fmt)
            files.extend(below.files)
            roots.extend(below.roots)
            links.extend(below.links)
            is_whole &= below.roots == (path,)
        elif entry.is_file(follow_symlinks=False):
            if fnmatch(entry.name, fmt.glob):
                files.append(path)
                roots.append(path)
        else:
            is_whole = False
            if path.is_dir() or fnmatch(entry.name, fmt.glob):
                links.append(path)
    return Listing(tuple(files), (folder,) if is_whole else tuple(roots), tuple(links))


def new_files(files: Sequence[Path], discovered: Discovered) -> list[Path]:
    """Files that have not landed, sorted by path."""
    return sorted(path for path in files if path not in discovered.landed)


def check_files(
    paths: Sequence[Path], source: Path, schema: T.StructType, fmt: FileFormat
) -> Checked:
    """Faults of whole files: a header, the columns of a Parquet file, a truncated file."""
    checked = Checked([], {})
    for path in paths:
        name = str(path.relative_to(source))
        try:
            if not fmt.is_text:
                checked.faults.extend(check_parquet(path, name, schema))
            elif cause := _not_compressed(path):
                checked.unreadable[name] = cause
            elif fmt.has_header and path.suffix not in UNREADABLE_HERE:  # else checked by the batch
                checked.faults.extend(check_header(name, _first_line(path), schema.names, fmt))
        except FileNotFoundError:
            continue  # deleted since it was listed; if Spark has found it, its batch fails
        except PermissionError as error:
            checked.faults.append(
                f"file {name}: {error.strerror}; make it readable, or take it out of the folder"
            )
        except (pa.ArrowInvalid, OSError) as error:
            checked.unreadable[name] = f"it is not a whole Parquet file: {error}"
    return checked


def check_header(name: str, line: str, expected: Sequence[str], fmt: FileFormat) -> list[str]:
    """What is wrong with the first line of a CSV file; an empty file has no header and no rows."""
    line = line.removeprefix(BYTE_ORDER_MARK)
    if not line:
        return []
    given = next(csv.reader([line], delimiter=fmt.sep, quotechar=fmt.quote), [])
    if given == list(expected):
        return []
    coded = "; the file is not UTF-8" if "\ufffd" in line else ""
    return [
        f"file {name}: its header is {', '.join(given)}; expected {', '.join(expected)}{coded}; "
        "correct the file or the schema, or say header=false"
    ]


def _is_visible(name: str) -> bool:
    return not name.startswith((".", "_")) and not name.endswith("._COPYING_")


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _not_compressed(path: Path) -> str | None:
    """Why a file is not compressed as its name says; None when it may be."""
    if path.suffix in UNSAFE:
        return f"{path.suffix} files cannot be checked for being whole; take .gz or .zst"
    first = FIRST_BYTES.get(path.suffix)
    if first is None or path.stat().st_size == 0:
        return None
    with path.open("rb") as file:
        return None if file.read(len(first)) == first else f"it is not a {path.suffix} file"


def _first_line(path: Path) -> str:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8", errors="replace") as file:
        try:
            return file.readline().rstrip("\r\n")
        except (EOFError, zlib.error, gzip.BadGzipFile):
            return ""  # cut or damaged: Spark says so when it reads the file
