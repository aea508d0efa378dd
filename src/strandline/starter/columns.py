"""The columns of a CSV file, with the types that Spark will read them as."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pandas

from strandline.errors import StarterError, refuse

# Rows that are read to choose the types. A later row that does not fit goes to quarantine.
ROWS_READ = 10_000
MOST_SERIES = 1_000

# The name of a column or model that needs no quotes.
PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# 007 is a name and no number: its zeros would be lost.
_PADDED = re.compile(r"[-+]?0\d")
_INTEGER = re.compile(r"[-+]?\d{1,18}")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?")
# What `strandline land` adds to each row.
_LANDED = {"arrival", "landed_from"}


@dataclass(frozen=True)
class Column:
    """A column: its name, its type in Spark's DDL, and how many values the sample has."""

    name: str
    type: str
    values: int

    @property
    def is_number(self) -> bool:
        return self.type in ("BIGINT", "DOUBLE")


@dataclass(frozen=True)
class Sample:
    """The columns of a file, and the number of rows that were read."""

    columns: tuple[Column, ...]
    rows: int

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]

    @property
    def times(self) -> list[str]:
        """The columns that can be the time of an event."""
        return [column.name for column in self.columns if column.type == "TIMESTAMP"]

    @property
    def numbers(self) -> list[str]:
        """The columns that can be averaged, those with fractions first."""
        found = [column for column in self.columns if column.is_number]
        return [column.name for column in sorted(found, key=lambda column: column.type != "DOUBLE")]

    @property
    def series(self) -> list[str]:
        """The columns of text whose values come again and again."""
        most = min(MOST_SERIES, self.rows // 2)
        texts = [column for column in self.columns if column.type == "STRING"]
        return [column.name for column in texts if column.values <= most]


def sample_of(file: Path) -> Sample:
    """Read the header and the first rows of a CSV file with commas.

    Raises:
        StarterError: it is not such a file, has no row, or has names that SQL cannot have.
    """
    try:
        with file.open("rb") as opened:
            if b"\0" in opened.readline():  # pandas would end a name there
                raise StarterError(f"{file} cannot be read as CSV: its header has a NUL")
        frame = pandas.read_csv(file, dtype=str, keep_default_na=False, nrows=ROWS_READ)
    except (ValueError, OSError) as error:  # pandas' own errors of parsing are ValueErrors
        raise StarterError(f"{file} cannot be read as CSV: {error}") from error
    faults = [
        f"column '{name}': a name has letters, digits and _, and begins with none of the digits; "
        "write another one into the header"
        for name in frame.columns
        if not PLAIN.fullmatch(name)
    ]
    faults += [
        f"column '{name}' is added by `strandline land`; write another name into the header"
        for name in frame.columns
        if name.lower() in _LANDED
    ]
    if frame.empty:
        faults.append("it has no row below the header: the types of the columns are not known")
    refuse(str(file), faults, StarterError)
    columns = [Column(name, _type(frame[name]), frame[name].nunique()) for name in frame.columns]
    return Sample(tuple(columns), len(frame))


def _type(values: pandas.Series[str]) -> str:
    """The narrowest type in which each value that is not empty is what it was."""
    texts = [text for text in values.unique() if text]
    if not texts:
        return "STRING"
    if all(_INSTANT.fullmatch(text) for text in texts) and _are_instants(texts):
        return "TIMESTAMP"
    if all(text.lower() in ("true", "false") for text in texts):
        return "BOOLEAN"
    if any(_PADDED.match(text) for text in texts):
        return "STRING"
    if all(_INTEGER.fullmatch(text) for text in texts):
        return "BIGINT"
    numbers = pandas.to_numeric(pandas.Series(texts), errors="coerce")
    return "DOUBLE" if numbers.notna().all() else "STRING"


def _are_instants(texts: list[str]) -> bool:
    instants = pandas.to_datetime(pandas.Series(texts), format="ISO8601", utc=True, errors="coerce")
    return bool(instants.notna().all())
