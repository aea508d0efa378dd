"""The source folder: which files are new, and whether they can be landed, before any is.

The rules of Spark's file source are followed: names that begin with a dot or an underscore are
ignored, folders are searched, and a file is known by its path.
"""

import bz2
import gzip
import io
import os
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from pathlib import Path
from typing import IO, cast

import pyarrow as pa
from pyspark.sql import types as T

from strandline.landing.csv_lines import values_of
from strandline.landing.formats import FileFormat
from strandline.landing.kinds import DECOMPRESSED, NEEDED, not_compressed, not_text
from strandline.landing.parquet import check_parquet

# Hidden names that Spark lists all the same.
SPARK_READS = re.compile(r"_.*=|_metadata|_common_metadata")
BYTE_ORDER_MARK = "\ufeff"
LONGEST_HEADER = 1024 * 1024  # characters
SHOWN = 200  # characters of a header
NEEDED_OF_JSON = 4096  # characters
CORRECT = (
    "correct the file or the schema, or say header=false (it is a row) or header=skip (its columns"
    " are the schema's, in their order)"
)
RENAME = "land the corrected file under a new name"
COLON = "its name has a colon, which Spark cannot read; land it under another name"


@dataclass(frozen=True)
class Listing:
    """What a source folder holds, folders below included.

    Attributes:
        files: the regular files to land, by path.
        roots: the largest folders without a link, and the files beside links: together all files.
        links: what is not followed: symbolic links, special files such as pipes, and names that
            are no text, which Java does not find.
        denied: files and folders that this user may not read.
    """

    files: tuple[Path, ...]
    roots: tuple[Path, ...]
    links: tuple[Path, ...]
    denied: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Checked:
    """The result of checking the new files.

    Attributes:
        faults: what stops the landing until it is corrected.
        unreadable: files that no correction of the request makes readable, by name, with the cause.
        unfit: files with another header or other columns than the schema, in the same way.
        fitting: how many files have these columns, as far as that is known.
        headers: of CSV files whose columns are in another order than the schema's, or more, by
            name.
        ignored: columns of the files that the schema lacks and that are left out.
        arrays: JSON files that are one array, by name.
    """

    faults: list[str] = field(default_factory=list)
    unreadable: dict[str, str] = field(default_factory=dict)
    unfit: dict[str, list[str]] = field(default_factory=dict)
    fitting: int = 0
    headers: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()
    arrays: frozenset[str] = frozenset()


def list_files(folder: Path, fmt: FileFormat) -> Listing:
    """List a folder without following links. A link to a file that `glob` excludes is not reported.

    Raises:
        OSError: a folder cannot be read.
    """
    files: list[Path] = []
    roots: list[Path] = []
    links: list[Path] = []
    denied: list[Path] = []
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
            try:
                below = list_files(path, fmt)
            except PermissionError:
                below = Listing((), (), (), (path,))
            files.extend(below.files)
            roots.extend(below.roots)
            links.extend(below.links)
            denied.extend(below.denied)
            is_whole &= below.roots == (path,)
        elif entry.is_file(follow_symlinks=False):
            if not fnmatch(entry.name, fmt.glob):
                continue
            if os.access(path, os.R_OK):
                files.append(path)
                roots.append(path)
            else:
                is_whole = False
                denied.append(path)
        else:
            is_whole = False
            if path.is_dir() or fnmatch(entry.name, fmt.glob):
                links.append(path)
    whole = (folder,) if is_whole else tuple(roots)
    return Listing(tuple(files), whole, tuple(links), tuple(denied))


def check_files(
    paths: Sequence[Path], source: Path, schema: T.StructType, fmt: FileFormat
) -> Checked:
    """What is wrong with whole files: a header, the columns of a Parquet file, a cut file."""
    checked = Checked()
    fitting = 0
    ignored: dict[str, None] = {}
    arrays: set[str] = set()
    for path in paths:
        name = str(path.relative_to(source))
        if ":" in name:
            checked.unreadable[name] = COLON
            continue
        try:
            unfit: list[str] = []
            if not fmt.is_text:
                unfit, others = check_parquet(path, schema, fmt)
                ignored.update(dict.fromkeys(others))
            elif cause := _not_readable(path):
                checked.unreadable[name] = cause
                continue
            elif fmt.name == "json":
                if _begins_array(path):
                    arrays.add(name)
                continue
            elif fmt.is_positional:
                continue
            elif path.stat().st_size and (line := _first_line(path)) is not None:
                header = read_header(line, schema.names, fmt)
                if isinstance(header, str):
                    unfit = [header]
                elif header != tuple(schema.names):
                    checked.headers[name] = header
                    if fmt.rest is None:
                        ignored.update(dict.fromkeys(set(header) - set(schema.names)))
            if unfit:
                checked.unfit[name] = unfit
            else:
                fitting += bool(path.stat().st_size)
        except FileNotFoundError:
            continue  # deleted since it was listed; if Spark has found it, its batch fails
        except PermissionError as error:
            checked.faults.append(
                f"file {name}: {error.strerror}; make it readable, or take it out of the folder"
            )
        except (pa.ArrowInvalid, OSError) as error:
            checked.unreadable[name] = f"it is not a whole Parquet file: {error}"
    return replace(checked, fitting=fitting, ignored=tuple(ignored), arrays=frozenset(arrays))


def read_header(line: str, expected: Sequence[str], fmt: FileFormat) -> tuple[str, ...] | str:
    """The columns that the first line of a CSV file names, spelt as in the schema; or its fault.

    They may be in another order than those of the schema, and in capital or small letters.
    """
    line = line.removeprefix(BYTE_ORDER_MARK)
    given = values_of(line, fmt)
    names = {name.lower(): name for name in expected if name != fmt.rest}
    header = tuple(names.get(name.lower(), name) for name in given or ())
    others = [name for name in header if name not in names.values()]
    may_have_others = fmt.rest is not None or fmt.unknown == "ignore"
    if (
        set(names.values()) <= set(header)
        and len(set(header)) == len(header)
        and (may_have_others or not others)
    ):
        return header
    shown = ", ".join(given or [line])
    shown = shown[:SHOWN] + ("…" if len(shown) > SHOWN else "") if line.strip() else "empty"
    coded = "; the file is not UTF-8" if "\ufffd" in line else ""
    return f"its header is {shown}; expected {', '.join(names.values())}{coded}"


def refused(unfit: Mapping[str, Sequence[str]]) -> list[str]:
    """Faults of files that do not fit, where none does: the schema or an option may be wrong."""
    return [
        f"file {name}: {fault}" + (f"; {CORRECT}" if fault.startswith("its header") else "")
        for name, faults in unfit.items()
        for fault in faults
    ]


def _is_visible(name: str) -> bool:
    return not name.startswith((".", "_")) and not name.endswith("._COPYING_")


def _is_text(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _suffix(path: Path) -> str:
    return path.suffix.lower()


def _not_readable(path: Path) -> str | None:
    """Why a file holds no lines of text, compressed as its name says; None when it may."""
    with path.open("rb") as file:
        first = file.read(NEEDED)
    suffix = _suffix(path)
    if suffix in DECOMPRESSED:
        if (cause := not_compressed(suffix, first)) or suffix != ".gz":
            return cause
        first = _of_gzip(path)
    return not_text(first)


def _of_gzip(path: Path) -> bytes:
    try:
        with gzip.open(path) as file:
            return file.read(NEEDED)
    except (EOFError, zlib.error, gzip.BadGzipFile):
        return b""  # cut or damaged: Spark says so when it reads the file


def _first_line(path: Path) -> str | None:
    """The first line of a file; None if it is empty, or compressed and damaged."""
    try:
        with io.TextIOWrapper(_opened(path), encoding="utf-8", errors="replace") as file:
            line = file.readline(LONGEST_HEADER)
    except (EOFError, zlib.error, OSError):
        if _suffix(path) in DECOMPRESSED:
            return None  # Spark says so when it reads the file
        raise
    return line.rstrip("\r\n") if line else None


def _begins_array(path: Path) -> bool:
    """Whether the first character of a JSON file that is no blank is a square bracket."""
    try:
        with io.TextIOWrapper(_opened(path), encoding="utf-8", errors="replace") as file:
            while text := file.read(NEEDED_OF_JSON):
                if begin := text.lstrip(" \t\r\n" + BYTE_ORDER_MARK):
                    return begin.startswith("[")
    except (EOFError, zlib.error, OSError):
        if _suffix(path) not in DECOMPRESSED:
            raise
    return False


def _opened(path: Path) -> IO[bytes]:
    """A file to be read as the end of its name says."""
    suffix = _suffix(path)
    if suffix == ".gz":
        return cast("IO[bytes]", gzip.open(path))
    if suffix == ".bz2":
        return bz2.open(path)
    if suffix == ".zst":
        return cast("IO[bytes]", pa.input_stream(str(path), compression="zstd"))
    if suffix == ".deflate":
        with path.open("rb") as file:
            first = file.read(LONGEST_HEADER)
        return io.BytesIO(zlib.decompressobj().decompress(first, LONGEST_HEADER))
    return path.open("rb")
