"""The points: made by a formula, so that they are the same on every machine.

Each key is heard every half hour or so, at times of its own, and is silent for some hours now and
then: 10 million points of 1,000 keys are about seven months.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench import source

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

KEYS = 1_000
GAP = "90 minutes"
GAP_MICROS = 90 * 60 * 1_000_000
_START = 1_735_689_600 * 1_000_000  # 1 January 2025, a multiple of an hour
_STEP = 30 * 60 * 1_000_000
_FILE = 1_250_000
COLUMNS = "arrival bigint, sensor string, ts timestamp, value double"


def points_sql(first: int, count: int, keys: int = KEYS) -> str:
    """`count` points of so many keys from the `first` on, arriving about in the order of time."""
    return f"""
        select
            id + 1 as arrival,
            concat('key_', lpad(pmod(id, {keys}), 7, '0')) as sensor,
            timestamp_micros(
                {_START} + (id div {keys}) * {_STEP}L + pmod(xxhash64(id, 'jitter'), {_STEP})
            ) as ts,
            pmod(xxhash64(id, 'value'), 100000) / 100.0D - 300 as value
        from range({first}, {first + count}, 1, {max(1, round(count / _FILE))})
        -- one stretch of ten in twelve of each key is silent
        where pmod(xxhash64(pmod(id, {keys}), id div {keys} div 10), 12) > 0
    """


def make(spark: SparkSession, table: str, number: int, keys: int = KEYS) -> None:
    """The source table of about `number` points; one that is there already is taken as it was."""
    source.make(spark, table, COLUMNS, points_sql(0, number, keys))


def append(spark: SparkSession, table: str, number: int, count: int, keys: int = KEYS) -> None:
    """The next points, in one commit."""
    spark.sql(f"insert into {table} {points_sql(number, count, keys)}")
