"""The first rows of JSON and Parquet files, as texts by column."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timezone
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas

from strandline.errors import StarterError, refuse
from strandline.starter.csv_text import LANDED, PLAIN

if TYPE_CHECKING:
    import pyarrow

SUFFIXES = {".json": "json", ".jsonl": "json", ".ndjson": "json", ".parquet": "parquet"}
# The types of Parquet that are landed, as Spark calls them.
_TYPES = {
    "bool": "BOOLEAN", "int8": "TINYINT", "int16": "SMALLINT", "int32": "INT", "int64": "BIGINT",
    "float": "FLOAT", "double": "DOUBLE", "string": "STRING", "large_string": "STRING",
    "date32[day]": "DATE",
}  # fmt: skip


@dataclass(frozen=True)
class Texts:
    """The values of a file as texts; an empty text is no value.

    Attributes:
        rows: by column.
        quoted: the columns of JSON in which a value is a text.
        nested: the columns in which a value is an object or a list.
        stored: the type of each column of Parquet, as Spark calls it.
        left_out: columns of Parquet whose type is not landed, each with its type.
    """

    rows: pandas.DataFrame
    quoted: frozenset[str] = frozenset()
    nested: frozenset[str] = frozenset()
    stored: dict[str, str] = field(default_factory=dict)
    left_out: tuple[str, ...] = ()


def read_json(file: Path, most: int) -> Texts:
    """The first objects of a file that has one in each line, or is one list of them.

    Raises:
        StarterError: it is no such file, has no object, or has keys that SQL cannot have.
    """
    objects = list(islice(_objects(file), most))
    if not objects:
        raise StarterError(f"{file} cannot be read as JSON: it is empty")
    names = list(dict.fromkeys(name for each in objects for name in each))
    _refuse_names(file, names)
    columns = {name: [each.get(name) for each in objects] for name in names}
    return Texts(
        pandas.DataFrame({name: list(map(_text, of)) for name, of in columns.items()}, dtype=str),
        frozenset(name for name, of in columns.items() if any(_is_quoted(it) for it in of)),
        frozenset(
            name for name, of in columns.items() if any(isinstance(it, (dict, list)) for it in of)
        ),
    )


class _Digits(str):
    """A number as it is written, so that none of its digits is lost."""


def _objects(file: Path) -> Iterator[dict[str, Any]]:
    def parsed(text: str, place: str) -> Any:
        try:
            return json.loads(text, parse_int=_Digits, parse_float=_Digits)
        except ValueError as error:
            raise StarterError(f"{file} cannot be read as JSON: {place}: {error}") from error

    try:
        with file.open(encoding="utf-8-sig") as opened:
            lines = ((n, line) for n, line in enumerate(opened, start=1) if line.strip())
            number, first = next(lines, (1, ""))
            if first.lstrip().startswith("["):
                found = parsed(first + "".join(line for _, line in lines), "the list")
            else:
                begun = [(number, first)] if first else []
                found = (parsed(line, f"line {n}") for n, line in chain(begun, lines))
            for each in found:
                if not isinstance(each, dict):
                    raise StarterError(
                        f"{file} cannot be read as JSON: {str(each)[:40]} is no object"
                    )
                yield each
    except (UnicodeDecodeError, OSError) as error:
        raise StarterError(f"{file} cannot be read as JSON: {error}") from error


def read_parquet(file: Path, most: int, wanted: Collection[str] | None = None) -> Texts:
    """The first rows of a file, in all columns or in those that are wanted.

    Raises:
        StarterError: it is no such file, has no row, or has names that SQL cannot have.
    """
    import pyarrow
    from pyarrow import parquet

    try:
        opened = parquet.ParquetFile(file)
        stored = {each.name: _stored(each.type) for each in opened.schema_arrow}
        kept = [name for name, kind in stored.items() if kind]
        _refuse_names(file, kept)
        kept = [name for name in kept if wanted is None or name in wanted]
        batch = next(opened.iter_batches(batch_size=most, columns=kept), None)
    except (pyarrow.ArrowException, OSError) as error:
        raise StarterError(f"{file} cannot be read as Parquet: {error}") from error
    if batch is None or not batch.num_rows:
        raise StarterError(f"{file} cannot be read as Parquet: it has no row")
    nanos = [each.name for each in opened.schema_arrow if str(each.type).startswith("timestamp[ns")]
    if nanos:
        raise StarterError(
            f"{file}: {', '.join(nanos)} has times in nanoseconds, which are not landed; write"
            " microseconds (in pandas: to_parquet(…, coerce_timestamps='us'))"
        )
    rows = {name: [_text(it) for it in batch[name].to_pylist()] for name in kept}
    return Texts(
        pandas.DataFrame(rows, dtype=str),
        stored={name: kind for name, kind in stored.items() if kind},
        left_out=tuple(
            f"{each.name} ({each.type})" for each in opened.schema_arrow if not stored[each.name]
        ),
    )


def _stored(kind: pyarrow.DataType) -> str | None:
    """The type in Spark; None for one that is not landed here."""
    import pyarrow

    if pyarrow.types.is_timestamp(kind):
        return "TIMESTAMP" if kind.tz else "TIMESTAMP_NTZ"
    if pyarrow.types.is_decimal128(kind):
        return f"DECIMAL({kind.precision},{kind.scale})"
    if pyarrow.types.is_dictionary(kind):
        return _stored(kind.value_type)
    return _TYPES.get(str(kind))


def _refuse_names(file: Path, names: list[str]) -> None:
    """Names that need quotes, are there twice in another case, or are the landing's own."""
    lower = [name.lower() for name in names]
    odd = [f"'{name}' is no plain name" for name in names if not PLAIN.fullmatch(name)]
    odd += [f"'{name}' is there twice" for name in names if lower.count(name.lower()) > 1]
    odd += [f"'{name}' is a column of the landing" for name in names if name.lower() in LANDED]
    faults = [
        f"{fault}: rename it where the file is made, or land it with names of your own and begin"
        " with --model"
        for fault in odd
    ]
    refuse(str(file), faults, StarterError)


def _is_quoted(value: object) -> bool:
    return isinstance(value, str) and not isinstance(value, _Digits)


def _text(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime):
        known = value if value.tzinfo is None else value.astimezone(timezone.utc)
        return known.isoformat(" ")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (dict, list)):
        return json.dumps(value, ensure_ascii=False)
    return str(value)
