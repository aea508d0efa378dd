"""What of a file is read by the landing, and what by SQL of a staging model."""

from __future__ import annotations

from dataclasses import replace

import pandas

from strandline.literals import name_sql, text_sql
from strandline.starter.columns import Column, Sample
from strandline.starter.forms import Number, Time

EPOCHS = {
    "EPOCH_SECONDS": "timestamp_seconds", "EPOCH_MILLIS": "timestamp_millis",
    "EPOCH_MICROS": "timestamp_micros",
}  # fmt: skip


def settled(sample: Sample, ts: str, zone: str | None) -> Sample:
    """The sample of a project whose events have the time `ts`.

    A landing reads times of one pattern; columns with another one are left as texts.

    Args:
        zone: the IANA name of the zone of times without an offset; None is UTC.
    """
    if sample.file_format == "parquet":
        return sample  # its types are those of the file
    columns = {column.name: column for column in sample.columns}
    chosen, options = columns[ts], dict(sample.options)
    landed = (chosen, *(it for it in sample.columns if it.name not in chosen.parts))
    first = next((it for it in landed if _has_pattern(it)), None)
    pattern = first.form.pattern if first and isinstance(first.form, Time) else None
    if chosen.form and not chosen.parts and not _has_pattern(chosen) and _is_text(chosen):
        pattern = None  # ISO 8601
    if pattern:
        options["timestamp_format"] = pattern
    if zone and any(_is_text(each) and not each.parts for each in sample.columns):
        options["time_zone"] = zone
    found = [_as_landed(each, pattern, chosen) for each in sample.columns]
    return replace(sample, columns=tuple(found), options=options)


def _is_text(column: Column) -> bool:
    return isinstance(column.form, Time) and column.form.epoch is None


def _has_pattern(column: Column) -> bool:
    return isinstance(column.form, Time) and bool(column.form.pattern) and not column.parts


def _as_landed(column: Column, pattern: str | None, chosen: Column) -> Column:
    if not _is_text(column) or column is chosen:
        return column
    assert isinstance(column.form, Time)
    if column.parts or column.name in chosen.parts:
        return replace(column, type="STRING", form=None)
    if column.form.pattern == pattern:
        return column
    return replace(column, type="STRING", form=None, notes=(*column.notes, "left as texts"))


def expression(column: Column, zone: str | None) -> str | None:
    """The SQL of a column of the staging model; None if it is as it has landed."""
    if column.sql:
        return column.sql
    if isinstance(column.form, Number):
        return column.form.sql(name_sql(column.name))
    if column.stored and isinstance(column.form, Time):
        return _stored_instant(column, column.form, zone)
    if column.parts and isinstance(column.form, Time):
        first, *others = map(name_sql, column.parts)
        pairs = zip(column.glue, others, strict=True)
        text = ", ".join([first, *(f"{text_sql(sep)}, {name}" for sep, name in pairs)])
        instant = f"try_to_timestamp(concat({text}), {text_sql(column.form.pattern or '')})"
        return f"to_utc_timestamp({instant}, {text_sql(zone)})" if zone else instant
    return None


def _stored_instant(column: Column, form: Time, zone: str | None) -> str | None:
    """The instant of a column of Parquet; None if it is one there."""
    name = name_sql(column.name)
    if form.epoch:
        return f"{EPOCHS[form.epoch]}({name})"
    if column.stored == "TIMESTAMP":
        return None
    instant = f"cast({name} as timestamp)"
    if column.stored == "STRING":
        pattern = f", {text_sql(form.pattern)}" if form.pattern else ""
        instant = f"try_to_timestamp({name}{pattern})"
    is_local = zone is not None and not form.has_offset
    return f"to_utc_timestamp({instant}, {text_sql(zone or '')})" if is_local else instant


def unread(column: Column, zone: str | None) -> str | None:
    """The SQL of what is wrong with a row, a text: null if the column could be read."""
    sql = expression(column, zone)
    if sql is None or column.sql:
        return None
    given = [name_sql(name) for name in column.parts or (column.name,)]
    texts = " || ' ' || ".join(f"coalesce(string({name}), '')" for name in given)
    has_text = " or ".join(f"{name} is not null" for name in given)
    kind = "time" if isinstance(column.form, Time) else "number"
    if isinstance(column.form, Number) and column.form.markers:
        markers = ", ".join(map(text_sql, column.form.markers))
        has_text = f"{given[0]} not in ({markers})"
    lines = [
        "case",
        f"    when ({has_text})",
        f"        and {sql} is null",
        f"        then concat({text_sql(column.name + ': ')}, {texts}, ' is no {kind}')",
        "end",
    ]
    return ("\n" + " " * 12).join(lines)


def read(
    texts: pandas.DataFrame, column: Column, zone: str | None
) -> pandas.Series[pandas.Timestamp] | pandas.Series[float]:
    """The instants or numbers of a column, by texts of the file; NaT or NaN for what is none."""
    if isinstance(column.form, Time):
        return column.form.read(column.texts_of(texts), zone)
    form = column.form or Number()
    return form.read(texts[column.name])
