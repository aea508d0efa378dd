"""How a CSV file is written: its separator, its header, and its first rows as texts."""

from __future__ import annotations

import csv
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from strandline.errors import StarterError

SEPARATORS = (",", ";", "\t", "|")
# Rows by which the separator is found.
ROWS_COMPARED = 100
# The name of a column or model that needs no quotes.
PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# What `strandline land` adds to each row.
LANDED = ("arrival", "landed_from")
# A value that no header has: a number, a date or a time.
_DATUM = re.compile(r"[-+]?[\d.,:/' -]*\d[\d.,:/' TZ+-]*")
# Letters that have no mark to be taken away.
_LETTERS = str.maketrans({"ß": "ss", "æ": "ae", "ø": "o", "đ": "d", "ł": "l", "%": " percent "})
_NO_UTF_8 = (
    "it is not UTF-8, because of the byte {byte}; convert it:"
    " iconv -f WINDOWS-1252 -t UTF-8 {file} > utf8.csv"
)


@dataclass(frozen=True)
class CsvText:
    """The first rows of a file.

    Attributes:
        sep: the character between values.
        headers: what the first line calls the columns; none if it is a row.
        names: of the columns, in plain letters, digits and _, each once.
        rows: as many values as there are columns each.
        others: how many rows have another number of values.
    """

    sep: str
    headers: tuple[str, ...] | None
    names: tuple[str, ...]
    rows: list[list[str]]
    others: int

    @property
    def is_by_name(self) -> bool:
        """Whether the header has the names of the columns."""
        return self.headers == self.names

    @property
    def has_breaks(self) -> bool:
        """Whether a value has line breaks."""
        return any("\n" in value or "\r" in value for row in self.rows for value in row)


def read_csv(file: Path, most: int) -> CsvText:
    """The header and the first rows of a file.

    Raises:
        StarterError: it is no CSV in UTF-8, or has no row.
    """
    try:
        with file.open("rb") as opened:
            if b"\0" in opened.readline():
                raise StarterError(f"{file} cannot be read as CSV: its header has a NUL")
        sep = _separator(file)
        found = [row for row in islice(_rows(file, sep), most + 1) if row]
    except UnicodeDecodeError as error:
        byte = f"{error.object[error.start]:02x}"
        raise StarterError(
            f"{file} cannot be read as CSV: {_NO_UTF_8.format(byte=byte, file=file.name)}"
        ) from error
    except (csv.Error, OSError) as error:
        raise StarterError(f"{file} cannot be read as CSV: {error}") from error
    if not found:
        raise StarterError(f"{file} cannot be read as CSV: it is empty")
    first, *rest = found
    headers = tuple(first) if _is_header(first) else None
    if headers and any("\n" in each or "\r" in each for each in headers):
        raise StarterError(
            f"{file} cannot be read as CSV: a name in its first line has a line break; write the"
            " names of the columns on one line"
        )
    width = len(first)
    rows = [row for row in (rest if headers else found) if len(row) == width]
    others = len(rest if headers else found) - len(rows)
    if others > len(rows):
        [(usual, _)] = Counter(map(len, rest if headers else found)).most_common(1)
        raise StarterError(
            f"{file} cannot be read as CSV: its first line has {_values(width)}, and most rows have"
            f" {usual}; the first line must have the names of the columns, and nothing above it"
        )
    if not rows:
        raise StarterError(
            f"{file}: it has no row below the header: the types of the columns are not known"
        )
    return CsvText(sep, headers, plain_names(headers or [""] * width), rows, others)


def plain_names(headers: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """Names of letters, digits and _, each once, whatever a file calls its columns."""
    names: list[str] = []
    taken = {*LANDED}
    for place, header in enumerate(headers, start=1):
        plain = name = _plain(header) or f"column_{place}"
        number = 2
        while name.lower() in taken:
            name, number = f"{plain}_{number}", number + 1
        taken.add(name.lower())
        names.append(name)
    return tuple(names)


def _plain(header: str) -> str:
    if PLAIN.fullmatch(header) and not header.startswith("__"):
        return header
    text = unicodedata.normalize("NFKD", header.casefold().translate(_LETTERS))
    name = re.sub(r"[^a-z0-9]+", "_", text.encode("ascii", "ignore").decode()).strip("_")
    return f"n{name}" if name[:1].isdigit() else name


def _rows(file: Path, sep: str) -> Iterator[list[str]]:
    with file.open(encoding="utf-8-sig", newline="") as text:
        yield from csv.reader(text, delimiter=sep)


def _separator(file: Path) -> str:
    """The one by which most rows have the same number of values, and more than one."""
    found = {}
    for sep in SEPARATORS:
        widths = Counter(len(row) for row in islice(_rows(file, sep), ROWS_COMPARED) if row)
        [(width, alike)] = widths.most_common(1) or [(0, 0)]
        found[sep] = (width > 1, alike, width)
    best = max(SEPARATORS, key=lambda sep: found[sep])
    return best if found[best][0] else SEPARATORS[0]


def _values(number: int) -> str:
    return f"{number} value{'' if number == 1 else 's'}"


def _is_header(first: list[str]) -> bool:
    return not any(_DATUM.fullmatch(value.strip()) for value in first if value.strip())
