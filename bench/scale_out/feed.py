"""The events: one source for every kind of table, made by a formula.

They come at a constant rate over `days` and end on a Thursday at noon. Many of them in one day are
what a large source looks like to one run: all new events are of one week.
"""

from __future__ import annotations

from datetime import datetime, timezone
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

KEYS = 1_000
FILES = 16  # of the source: as many tasks can read it
LATE_SHARE, LATE_BY = 0.05, 3_600 * 1_000_000  # at most an hour, in microseconds
END = int(datetime(2025, 8, 14, 12, tzinfo=timezone.utc).timestamp()) * 1_000_000
COLUMNS = (
    "arrival bigint, symbol string, ts timestamp, price double, quantity bigint, "
    "id bigint, stream int"
)


def events_sql(number: int, days: float, first: int, count: int, files: int = 1) -> str:
    """`count` events from the `first` on, of a series of which `number` lie before `END`.

    An id comes once in each of three streams, one event after the other.
    """
    spacing = max(1, round(days * 86_400_000_000 / number))  # microseconds
    return f"""
        select
            id + 1 as arrival,
            concat('key_', lpad(pmod(xxhash64(id, 'key'), {KEYS}), 4, '0')) as symbol,
            timestamp_micros(
                {END} - ({number} - id) * {spacing}
                - if(pmod(xxhash64(id, 'late'), 10000) < {round(LATE_SHARE * 10_000)},
                    1 + pmod(xxhash64(id, 'by'), {LATE_BY}), 0)
            ) as ts,
            pmod(xxhash64(id, 'price'), 1000000) / 1000.0D as price,
            1 + pmod(xxhash64(id, 'quantity'), 1000) as quantity,
            id div 3 as id,
            int(pmod(id, 3) + 1) as stream
        from range({first}, {first + count}, 1, {files})
    """


def make(spark: SparkSession, table: str, number: int, days: float) -> None:
    """The source table of `number` events."""
    spark.sql(f"create schema if not exists {table.split('.')[0]}")
    spark.sql(f"create or replace table {table} ({COLUMNS}) using delta")
    spark.sql(f"insert into {table} {events_sql(number, days, 0, number, FILES)}")


def append(spark: SparkSession, table: str, number: int, days: float, at: int, count: int) -> None:
    """`count` events more, the first of them being the `at`-th, in one commit."""
    spark.sql(f"insert into {table} {events_sql(number, days, at, count)}")
