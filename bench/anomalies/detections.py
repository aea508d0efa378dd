"""The detections: made by a formula, so that they are the same on every machine.

Two a day of each sensor, all below their baseline; the second one of one day in five begins where
the first one ends, so that the two have a parent. Three in a hundred mutate: they are other ones
in each version of the data, by their value or by not being there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SENSORS = 137
A_DAY = 2 * SENSORS
START = 1_735_689_600  # 1 January 2025
_DAY, _QUARTER = 86_400, 900
_COLUMNS = """
    detector string, sensor string, starts_at timestamp, ends_at timestamp,
    current_value double, baseline_value double
"""


def midnight(day: int) -> str:
    """Midnight before a day, counted from 0, as text in UTC."""
    from datetime import datetime, timezone

    at = datetime.fromtimestamp(START + day * _DAY, tz=timezone.utc)
    return at.strftime("%Y-%m-%d %H:%M:%S")


def make(spark: SparkSession, table: str, days: int) -> None:
    """The table of so many days, as its first version has them."""
    spark.sql(f"create schema if not exists {table.split('.')[0]}")
    spark.sql(f"drop table if exists {table}")
    spark.sql(f"create table {table} ({_COLUMNS}) using delta")
    append(spark, table, 0, days)


def append(spark: SparkSession, table: str, day: int, days: int = 1) -> None:
    """The days from `day` on, in one commit."""
    spark.sql(f"insert into {table} {_days_sql(day, days, 0)}")


def mutate(spark: SparkSession, table: str, day: int, version: int) -> None:
    """Puts another version of a day in its place, in one commit."""
    spark.sql(f"""
        insert into {table} replace where {within(day, day + 1)}
        {_days_sql(day, 1, version)}
    """)


def within(start: int, end: int) -> str:
    """The condition that a row ends in the days from `start` to before `end`."""
    first, last = f"timestamp'{midnight(start)}Z'", f"timestamp'{midnight(end)}Z'"
    return f"ends_at > {first} and ends_at <= {last}"


def _days_sql(day: int, days: int, version: int) -> str:
    """None ends at a midnight or spans one: a day's rows are those that end in it."""
    first, last = day * A_DAY, (day + days) * A_DAY
    return f"""
        select
            'low' as detector, sensor, timestamp_seconds(begins) as starts_at,
            timestamp_seconds(begins + quarters * {_QUARTER}) as ends_at,
            case mutates
                when 1 then 10 + pmod(xxhash64(id, {version}), 60)
                when 2 then 10 + pmod(xxhash64(id), 60) + {version} / 1000
                else 10 + pmod(xxhash64(id), 60)
            end as current_value,
            100.0D as baseline_value
        from (
            select
                *,
                {START} + day * {_DAY} + {_QUARTER} * case
                    when not is_second then at
                    when pmod(xxhash64(sensor, day, 'touches'), 5) = 0 then at + length
                    else 48 + at
                end as begins,
                if(is_second, pmod(xxhash64(id, 'length'), 4) + 1, length) as quarters,
                pmod(xxhash64(id, 'mutates'), 100) as mutates
            from (
                select
                    *,
                    pmod(xxhash64(sensor, day, 'at'), 40) as at,
                    pmod(xxhash64(sensor, day, 'length'), 4) + 1 as length
                from (
                    select
                        id, id div {A_DAY} as day, pmod(id, 2) = 1 as is_second,
                        concat('s', lpad(pmod(id div 2, {SENSORS}), 3, '0')) as sensor
                    from range({first}, {last}, 1, {max(1, days // 20)})
                )
            )
        )
        where mutates > 0 or pmod(xxhash64(id, {version}, 'there'), 2) = 0
    """
