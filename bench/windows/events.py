"""The events: made by a formula, so that they are the same on every machine.

Each key is heard every three minutes on average, at random: 30 minutes hold about ten of its
events. 5,000,000 events of 10,000 keys are 500 of each key in 25 hours. None is late, and no two
are of one time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench import source

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NAMES = 50  # of each key
START = 1_735_689_600 * 1_000_000  # 1 January 2025, in microseconds
_EVERY = 180 * 1_000_000  # microseconds between two events of a key, on average
_FILE = 1_250_000
COLUMNS = "arrival bigint, ts timestamp, key string, name string, qty bigint, price decimal(10,2)"


def events_sql(first: int, count: int, keys: int) -> str:
    """`count` events from the `first` on."""
    return f"""
        select
            id + 1 as arrival,
            timestamp_micros({START} + id * {_EVERY // keys}L) as ts,
            concat('key_', lpad(pmod(xxhash64(id, 'key'), {keys}), 6, '0')) as key,
            concat('name_', lpad(pmod(xxhash64(id, 'name'), {NAMES}), 2, '0')) as name,
            pmod(xxhash64(id, 'qty'), 1000) + 1 as qty,
            cast(pmod(xxhash64(id, 'price'), 100000) / 100 as decimal(10,2)) as price
        from range({first}, {first + count}, 1, {max(1, round(count / _FILE))})
    """


def make(spark: SparkSession, table: str, number: int, keys: int) -> None:
    """The source table of so many events; one that is there already is taken as it was."""
    source.make(spark, table, COLUMNS, events_sql(0, number, keys))


def append(spark: SparkSession, table: str, number: int, count: int, keys: int) -> None:
    """The next events, in one commit."""
    spark.sql(f"insert into {table} {events_sql(number, count, keys)}")
