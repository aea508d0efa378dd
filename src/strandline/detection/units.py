"""Time as whole numbers of a precision: texts such as '6 ms', and a time column in Spark SQL."""

from __future__ import annotations

import re

from strandline.detection.errors import nearest
from strandline.detection.sql import quoted
from strandline.generated import (
    LENGTH_ISO,
    LENGTH_ISO_UNITS,
    LENGTH_PART,
    LENGTH_WORDS,
    MONTHS,
    NANOSECONDS,
    PRECISIONS,
    SPELLINGS,
)

UNITS = (*NANOSECONDS, *MONTHS)
LARGEST = 2**63 - 1


def units_of(text: object, name: str, precision: str) -> int:
    """A duration as a whole number of units of `precision`, which is one of PRECISIONS.

    `text` has numbers and units, as '6 ms' or '1 hour 30 min', or is an ISO 8601 duration, as
    'PT90M'; `name` is what the message calls it.

    Raises:
        ValueError: the message says what was given and what is allowed, for a list of faults.
    """
    if isinstance(text, bool) or not isinstance(text, str):
        raise ValueError(f"`{name}` is {text!r}; write a number and a unit, as '6 ms'")
    parts = _parts(text)
    if not parts:
        raise ValueError(f"`{name}` is {text!r}; write a whole number and a unit, as '6 ms'")
    total, table = 0, MONTHS if precision == "month" else NANOSECONDS
    for number, written in parts:
        unit = SPELLINGS.get(written.lower())
        if unit is None:
            near = nearest(written, UNITS)
            raise ValueError(f"`{name}` is {text!r}: its unit is one of {', '.join(UNITS)}{near}")
        if unit not in table and number:
            fixed = "a month has no fixed length; write days"
            hint = "write months" if precision == "month" else fixed
            raise ValueError(f"`{name}` is {text!r}, but the precision is {precision}: {hint}")
        total += number * table.get(unit, 0)
    if total == 0:
        raise ValueError(f"`{name}` is {text!r}; it must be longer than nothing")
    units, rest = divmod(total, table[precision])
    if rest:
        raise ValueError(
            f"`{name}` is {text!r}, which is no whole number of {precision}, the precision"
        )
    if units > LARGEST:
        raise ValueError(f"`{name}` is {text!r}, which no time column can hold")
    return units


def _parts(text: str) -> list[tuple[int, str]]:
    """The numbers and units of a length of time; empty for a text that is none."""
    text = text.strip()
    iso = re.match(LENGTH_ISO, text)
    if iso:
        written = zip(iso.groups(), LENGTH_ISO_UNITS, strict=True)
        return [(int(number), unit) for number, unit in written if number is not None]
    if not re.match(LENGTH_WORDS, text):
        return []
    return [(int(number), unit) for number, unit in re.findall(LENGTH_PART, text)]


def precision_of(text: object) -> str:
    """One of PRECISIONS, also written short or in the plural: 'ms', 'Seconds', 'date'.

    Raises:
        ValueError: the message says what was given and what is allowed.
    """
    unit = SPELLINGS.get(text.strip().lower()) if isinstance(text, str) else None
    if unit not in PRECISIONS:
        near = nearest(text, PRECISIONS) if isinstance(text, str) else ""
        raise ValueError(f"`precision` is {text!r}; it is one of {', '.join(PRECISIONS)}{near}")
    return unit


INTEGERS = ("tinyint", "smallint", "int", "bigint")
TIMESTAMPS = ("timestamp", "timestamp_ntz")
MICROSECONDS = {unit: length // 1_000 for unit, length in NANOSECONDS.items()}  # in one unit
_EPOCH = "timestamp_ntz'1970-01-01 00:00:00'"


def time_fault(column: str, spark_type: str, precision: str) -> str | None:
    """Why a column of this type cannot be read with this precision; None when it can."""
    given = f"`ts` `{column}` is a {spark_type}, and the precision is {precision};"
    if spark_type in INTEGERS:
        return None
    if spark_type == "date":
        return None if precision in ("day", "month") else f"{given} a date has days or months"
    if spark_type not in TIMESTAMPS:
        return f"{given} give a timestamp, a date or a bigint of {precision}"
    if precision in ("minute", "second", "ms"):
        return None
    if precision == "ns":
        return f"{given} give nanoseconds since 1970 as a bigint"
    return f"{given} give the date in the zone you mean: `cast({column} as date)`"


def units_sql(column: str, spark_type: str, precision: str) -> str:
    """The SQL of a column's time in units of the precision since 1970; months since January."""
    name = quoted(column)
    if spark_type in INTEGERS:
        return f"cast({name} as bigint)"
    if spark_type == "date":
        months = f"(year({name}) - 1970) * 12 + month({name}) - 1"
        return f"cast({months if precision == 'month' else f'unix_date({name})'} as bigint)"
    micros = f"unix_micros({name})"
    if spark_type == "timestamp_ntz":
        micros = f"timestampdiff(microsecond, {_EPOCH}, {name})"
    unit = MICROSECONDS[precision]
    return f"({micros} - pmod({micros}, {unit})) div {unit}"


def moment_sql(column: str, units: str, spark_type: str, precision: str) -> str:
    """The SQL of a time column as a TIMESTAMP. `units` is its time in units, see `units_sql`."""
    if spark_type == "timestamp":
        return column
    if spark_type == "timestamp_ntz":
        return f"timestamp_micros(timestampdiff(microsecond, {_EPOCH}, {column}))"
    return timestamp_sql(units, precision)


def timestamp_sql(units: str, precision: str) -> str:
    """The SQL of the TIMESTAMP at which a unit begins, in UTC; null for one beyond 1 to 9999."""
    if precision == "month":
        months = f"cast(if({units} between -23628 and 96360, {units}, null) as int)"
        day = f"unix_date(add_months(date'1970-01-01', {months}))"
        return f"timestamp_micros({day} * {MICROSECONDS['day']}L)"
    if precision == "ns":
        return f"timestamp_micros({units} div 1000L - if({units} % 1000L < 0L, 1L, 0L))"
    unit = MICROSECONDS[precision]
    first, last = -62_135_596_800_000_000 // unit, 253_402_300_800_000_000 // unit
    return f"timestamp_micros(if({units} between {first}L and {last}L, {units}, null) * {unit}L)"


def instant_sql(units: str, spark_type: str, precision: str) -> str:
    """The SQL of the column's own type for the SQL of a number of units."""
    if spark_type in INTEGERS:
        return f"try_cast({units} as {spark_type})"
    if spark_type == "date":
        start = "add_months(date'1970-01-01', cast({} as int))"
        return (start if precision == "month" else "date_from_unix_date(cast({} as int))").format(
            units
        )
    micros = f"({units}) * {MICROSECONDS[precision]}L"
    if spark_type == "timestamp_ntz":
        return f"timestampadd(microsecond, {micros}, {_EPOCH})"
    return f"timestamp_micros({micros})"
