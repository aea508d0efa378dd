"""Rows that are sent again: what identifies an event, so that it counts once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import pandas

from strandline.literals import name_sql
from strandline.starter.columns import Column, Sample

NAMES = ("event_id", "row_id", "resent_id")  # of a column that several are put together in
# An id of fewer different values than this part of the rows does not identify them.
LEAST_DIFFERENT = 0.5
FIRST_NUMBERS = (["0", "1"], ["1", "2"])
_UUID = re.compile(r"(?i:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})")
_INSTANTS = ("TIMESTAMP", "EPOCH_SECONDS", "EPOCH_MILLIS", "EPOCH_MICROS")


@dataclass(frozen=True)
class Identified:
    """What the rows of a file say about columns as the id of an event.

    Attributes:
        rows: that are different.
        ids: that are different.
        without: rows in which one of the columns has no value.
    """

    rows: int
    ids: int
    without: int

    @property
    def is_id(self) -> bool:
        """Whether every row has an id of its own."""
        return self.rows == self.ids > 1 and not self.without


def identified(sample: Sample, names: Sequence[str]) -> Identified:
    """Whether columns identify the rows of a sample; those that are equal are counted once."""
    ids = sample.distinct[list(stored_names(sample.columns, names))]
    without = int((ids == "").any(axis=1).sum())
    return Identified(len(ids), len(ids.drop_duplicates()), without)


def repeated(sample: Sample) -> int:
    """How many rows of a sample are equal to an earlier one."""
    return len(sample.texts) - len(sample.distinct)


def proposed_id(sample: Sample, ts: str, keys: Sequence[str]) -> tuple[str, ...]:
    """The columns that identify an event: one with ids, or the keys and the time; empty if none."""
    for column in sample.columns:
        if column.name in (ts, *keys) or not _has_ids(sample.texts, column):
            continue
        if identified(sample, [column.name]).is_id:
            return (column.name,)
    together = (*keys, ts)
    return together if identified(sample, together).is_id else ()


def described(sample: Sample, event_id: Sequence[str], ts: str, keys: Sequence[str]) -> str | None:
    """What becomes of a row that is sent again, in words; None if nothing can be said."""
    again = repeated(sample)
    equal = f"{again:,} of {sample.rows:,} rows are equal to an earlier one"
    if not event_id:
        proposed = ",".join(proposed_id(sample, ts, keys))
        if not proposed and not again:
            return None
        counted = f"{equal}, and count" if again else "a row that is sent again counts again"
        return f"{counted}; with --event-id {proposed or 'COLUMNS'} once"
    found = identified(sample, event_id)
    lines = [f"of rows with the same {' and '.join(event_id)} the first one counts"]
    if again:
        lines.append(equal)
    if others := found.rows - found.ids:
        lines.append(f"{others:,} more have the id of an earlier one, and other values")
    return "; ".join(lines)


def _has_ids(texts: pandas.DataFrame, column: Column) -> bool:
    if column.parts or not (column.type == "STRING" or column.is_whole):
        return False
    if column.is_whole and list(texts[column.name][:2]) in FIRST_NUMBERS:
        return False  # the numbers of the rows, which begin again in each file
    if column.is_id or column.has_id_name:
        return True
    return all(_UUID.fullmatch(text) for text in texts[column.name])


def put_together(sample: Sample, names: Sequence[str]) -> Column:
    """A column of the staging model with the values of several, as one text.

    Args:
        sample: as it is landed.
    """
    taken = {name.lower() for name in sample.names}
    name = next((each for each in NAMES if each not in taken), "_".join((*names, "id")))
    parts = stored_names(sample.columns, names)
    columns = {column.name: column for column in sample.columns}
    texts = ", ".join(f"string({_value(columns[part])})" for part in parts)
    return Column(
        name, "STRING", sample.rows, is_id=True, parts=parts,
        sql=f"to_json(array({texts}))", notes=(f"{' and '.join(names)} together",),
    )  # fmt: skip


def _value(column: Column) -> str:
    """What is the same for equal values only: the text of an instant depends on the session."""
    name = name_sql(column.name)
    return f"unix_micros({name})" if column.landed_type in _INSTANTS else name


def stored_names(columns: Sequence[Column], names: Sequence[str]) -> tuple[str, ...]:
    """The columns of the file that these are made of."""
    parts = {column.name: column.parts or (column.name,) for column in columns}
    return tuple(dict.fromkeys(part for name in names for part in parts[name]))
