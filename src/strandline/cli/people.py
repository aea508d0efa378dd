"""Rows that people write: feedback on anomalies and silences, in a seed or another table."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import click

from strandline.literals import name_sql, text_sql

if TYPE_CHECKING:
    from strandline.connection import Connection

Value = str | datetime | None


@dataclass(frozen=True)
class Kept:
    """Where people's rows are.

    Attributes:
        relation: schema.name.
        kind: of its node in the project: seed, source, model.
        file: of a seed, in the folder of the project.
    """

    relation: str
    kind: str
    file: Path | None = None


@dataclass(frozen=True)
class AnomalyTable:
    """A table of anomalies: schema.name, the columns of its key, and where feedback on it is."""

    relation: str
    keys: tuple[str, ...]
    feedback: Kept | None


def columns_of(spark: Connection, kept: Kept) -> list[str]:
    """The columns of a seed's file, or of a table."""
    if kept.file is not None:
        return _read(kept.file)[0]
    return list(spark.table(kept.relation).columns)


def add_row(spark: Connection, kept: Kept, row: Mapping[str, Value]) -> str:
    """Adds a row; columns that it does not have are empty. Gives a sentence that says where it is.

    A seed's file is replaced as a whole, so that it has the row or not. Instants are UTC.

    Args:
        spark: a session on the tables.
        kept: a seed or a source. A model is refused: dbt writes it.
        row: its values by the names of columns.

    Raises click.ClickException for a model, and for a seed without a header.
    """
    if kept.file is not None:
        columns, text = _read(kept.file)
        line = io.StringIO()
        writer = csv.writer(line, lineterminator="\r\n" if "\r\n" in text else "\n")
        writer.writerow([_text(row.get(name.lower())) for name in columns])
        ended = text if text.endswith("\n") else text + "\n"
        new = kept.file.with_name(kept.file.name + ".new")
        new.write_text(ended + line.getvalue(), encoding="utf-8", newline="")
        new.replace(kept.file)
        return f"Written to {_path(kept.file)}: the next run that loads the seeds reads it."
    if kept.kind != "source":
        raise click.ClickException(
            f"{kept.relation} is a {kept.kind} of the project, which dbt writes: add the row to"
            " what it reads."
        )
    names = [name for name in columns_of(spark, kept) if row.get(name.lower()) is not None]
    values = ", ".join(_literal(row[name.lower()]) for name in names)
    spark.sql(
        f"insert into {kept.relation} ({', '.join(map(name_sql, names))}) values ({values})"
    ).collect()
    return f"Written to {kept.relation}: the next run reads it."


def refuse_columns(kept: Kept, has: Sequence[str], given: Sequence[str]) -> None:
    """Raises click.UsageError for a column that is given and not there."""
    known = [name.lower() for name in has]
    missing = [name for name in given if name.lower() not in known]
    if missing:
        where = kept.relation if kept.file is None else _path(kept.file)
        raise click.UsageError(
            f"{where} has no column {', '.join(missing)}; it has {', '.join(known)}."
        )


def _path(file: Path) -> str:
    """`seeds/silences.csv`."""
    return "/".join(file.parts[-2:])


def _read(file: Path) -> tuple[list[str], str]:
    """The header of a seed, and its text."""
    with file.open(encoding="utf-8-sig", newline="") as opened:
        text = opened.read()
    header = next(csv.reader(io.StringIO(text)), [])
    if not header:
        raise click.ClickException(f"{file} has no header: write the names of its columns.")
    return [name.strip() for name in header], text


def _text(value: Value) -> str:
    if value is None:
        return ""
    return f"{value:%Y-%m-%d %H:%M:%S}" if isinstance(value, datetime) else value


def _literal(value: Value) -> str:
    if isinstance(value, datetime):
        return f"timestamp'{value:%Y-%m-%d %H:%M:%S}Z'"
    return "null" if value is None else text_sql(value)
