"""The columns of a CSV file, with the types that Spark will read them as."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
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
_INTEGER = re.compile(r"[-+]?\d+", re.ASCII)
_DECIMAL = re.compile(r"[-+]?(\d*)\.?(\d*)", re.ASCII)
_BIGINT = 2**63
_DECIMAL_DIGITS = 38  # the most that Spark's DECIMAL has
# Columns whose name says that their numbers are names: device_id, orderNumber, zip_code.
_ID_WORDS = (
    "id|ids|uuid|guid|key|code|number|num|no|nr|serial|zip|zipcode|postcode|phone|imei|imsi|iccid"
    "|iban|sku|ean|isbn|mac"
)
_ID_NAME = re.compile(
    rf"(?i:(?:.*_)?(?:{_ID_WORDS})|(?:device|machine|sensor|user|customer|order|trace|station)id)"
    rf"|.*[a-z0-9](?:{'|'.join(word.capitalize() for word in _ID_WORDS.split('|'))}|ID)"
)
# Whole numbers of at least so many digits, all of one length, are ids if none comes twice; those
# that a double cannot keep are ids in any case.
_ID_DIGITS, _DOUBLE_DIGITS = 10, 16
_INSTANT = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d.*)?")
# What `strandline land` adds to each row.
_LANDED = {"arrival", "landed_from"}


@dataclass(frozen=True)
class Column:
    """A column: its name, its type in Spark's DDL, and how many values the sample has.

    `is_id`: its values are names, though they may be numbers.
    """

    name: str
    type: str
    values: int
    is_id: bool = False

    @property
    def is_number(self) -> bool:
        return self.type in ("BIGINT", "DOUBLE") or self.type.startswith("DECIMAL")


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
        """The columns that can be averaged, those with fractions first; no ids."""
        found = [column for column in self.columns if column.is_number and not column.is_id]
        return [column.name for column in sorted(found, key=lambda column: column.type == "BIGINT")]

    @property
    def ids(self) -> list[str]:
        """The columns of numbers that are names."""
        return [column.name for column in self.columns if column.is_number and column.is_id]

    @property
    def series(self) -> list[str]:
        """The columns of text and of ids whose values come again and again."""
        most = min(MOST_SERIES, self.rows // 2)
        found = [
            column
            for column in self.columns
            if column.type == "STRING" or (column.is_id and column.type == "BIGINT")
        ]
        return [column.name for column in found if column.values <= most]


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
    return Sample(tuple(_column(name, frame[name]) for name in frame.columns), len(frame))


def _column(name: str, values: pandas.Series[str]) -> Column:
    texts = [text for text in values.unique() if text]
    type_ = _type(texts)
    is_distinct = len(texts) == len(values)
    is_id = _ID_NAME.fullmatch(name) is not None
    if type_ == "BIGINT":
        is_id = is_id or _are_ids(texts, is_distinct)
    return Column(name, type_, values.nunique(), is_id)


def _are_ids(numbers: Sequence[str], is_distinct: bool) -> bool:
    """Whether whole numbers are ids by their digits: see the constants."""
    [length, *others] = {len(number) for number in numbers}
    least = _ID_DIGITS if is_distinct else _DOUBLE_DIGITS
    return not others and length >= least


def _type(texts: Sequence[str]) -> str:
    """The narrowest type in which each of these different values is what it was."""
    if not texts:
        return "STRING"
    if all(_INSTANT.fullmatch(text) for text in texts) and _are_instants(texts):
        return "TIMESTAMP"
    if all(text.lower() in ("true", "false") for text in texts):
        return "BOOLEAN"
    if any(_PADDED.match(text) for text in texts):
        return "STRING"
    if all(_INTEGER.fullmatch(text) for text in texts):
        return "BIGINT" if all(_is_bigint(text) for text in texts) else "STRING"
    if pandas.to_numeric(pandas.Series(texts), errors="coerce").isna().any():
        return "STRING"
    return "DOUBLE" if all(_is_double(text) for text in texts) else _decimal(texts)


def _is_bigint(text: str) -> bool:
    return len(text) <= len(str(-_BIGINT)) and -_BIGINT <= int(text) < _BIGINT


def _is_double(text: str) -> bool:
    """Whether a double is this number, to all of its digits."""
    try:
        return Decimal(text) in (Decimal(float(text)), Decimal(repr(float(text))))
    except (ArithmeticError, ValueError):  # no number for Python
        return False


def _decimal(texts: Sequence[str]) -> str:
    """A DECIMAL that keeps all digits, with room for larger values; STRING if none is so long."""
    found = [_DECIMAL.fullmatch(text) for text in texts]
    if not all(found):
        return "STRING"
    whole, scale = (max(len(each[n]) for each in found if each) for n in (1, 2))
    if whole + scale > _DECIMAL_DIGITS:
        return "STRING"
    return f"DECIMAL({min(_DECIMAL_DIGITS, whole + scale + 3)},{scale})"


def _are_instants(texts: Sequence[str]) -> bool:
    instants = pandas.to_datetime(pandas.Series(texts), format="ISO8601", utc=True, errors="coerce")
    return bool(instants.notna().all())
