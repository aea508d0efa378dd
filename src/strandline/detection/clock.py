"""A time column as whole numbers of the precision, and back: integer arithmetic in Spark SQL."""

from __future__ import annotations

from strandline.detection.sql import quoted

INTEGERS = ("tinyint", "smallint", "int", "bigint")
TIMESTAMPS = ("timestamp", "timestamp_ntz")
MICROSECONDS = {"minute": 60_000_000, "second": 1_000_000, "ms": 1_000}  # in one unit
_EPOCH = "timestamp_ntz'1970-01-01 00:00:00'"


def time_fault(column: str, spark_type: str, precision: str) -> str | None:
    """Why a column of this type cannot be read with this precision; None when it can."""
    told = f"`time_column` `{column}` is a {spark_type}, and the precision is {precision};"
    if spark_type in INTEGERS:
        return None
    if spark_type == "date":
        return None if precision in ("day", "month") else f"{told} a date has days or months"
    if spark_type not in TIMESTAMPS:
        return f"{told} give a timestamp, a date or a bigint of {precision}"
    if precision in MICROSECONDS:
        return None
    if precision == "ns":
        return f"{told} give nanoseconds since 1970 as a bigint"
    return f"{told} give the date in the zone you mean: `cast({column} as date)`"


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


def instant_sql(units: str, spark_type: str, precision: str) -> str:
    """The SQL of the column's own type for the SQL of a number of units."""
    if spark_type in INTEGERS:
        return f"cast({units} as {spark_type})"
    if spark_type == "date":
        start = "add_months(date'1970-01-01', cast({} as int))"
        return (start if precision == "month" else "date_from_unix_date(cast({} as int))").format(
            units
        )
    micros = f"({units}) * {MICROSECONDS[precision]}L"
    if spark_type == "timestamp_ntz":
        return f"timestampadd(microsecond, {micros}, {_EPOCH})"
    return f"timestamp_micros({micros})"
