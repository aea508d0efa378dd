"""A time column in Spark SQL, as whole numbers of a precision."""

from __future__ import annotations

from strandline.detection.sql import quoted
from strandline.errors import nearest
from strandline.generated import NANOSECONDS, PRECISIONS, SPELLINGS


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
