"""The readings: made by a formula, so that they are the same on every machine.

A thousand sensors are read once a second each, in turn; none is late.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench import source

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

KEYS = 1_000
WINDOW = 100_000  # milliseconds
RATIOS = (1, 2, 5, 10, 20, 50, 100)  # steps of a window
ROW, AVERAGE, SHARE = 99.9, 55, 99  # the bounds of the three metrics
START = 1_735_689_600_000  # 1 January 2025, a multiple of the window
_FILE = 1_250_000
COLUMNS = "arrival bigint, sensor string, ts timestamp, temp double"


def readings_sql(first: int, count: int) -> str:
    """`count` readings from the `first` on."""
    return f"""
        select
            id + 1 as arrival,
            concat('key_', lpad(pmod(id, {KEYS}), 4, '0')) as sensor,
            timestamp_millis({START} + (id div {KEYS}) * 1000L + pmod(id, {KEYS})) as ts,
            pmod(xxhash64(id, 'temp'), 100000) / 1000.0D as temp
        from range({first}, {first + count}, 1, {max(1, round(count / _FILE))})
    """


def make(spark: SparkSession, table: str, number: int) -> None:
    """The source table of so many readings; one that is there already is taken as it was."""
    source.make(spark, table, COLUMNS, readings_sql(0, number))


def append(spark: SparkSession, table: str, number: int, count: int) -> None:
    """The next readings, in one commit."""
    spark.sql(f"insert into {table} {readings_sql(number, count)}")
