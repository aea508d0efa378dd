"""The events of three streams: made by a formula, so that they are the same on every machine.

An id begins every 10 milliseconds. Its second event comes 5 seconds after the first one, the third
after 12; some never come. No two events are of one time, and `arrival` follows the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench import source

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

STREAMS = 3
COLUMNS = "arrival bigint, ts timestamp, stream int, id bigint, qty bigint"
_START = 1_735_689_600 * 1_000_000  # 1 January 2025, in microseconds
_EVERY = 10_000  # microseconds between two ids
_AFTER = (0, 500, 1_200)  # ids that begin between the first event of an id and this one
_COMES = (1_000, 970, 940)  # of 1,000 ids
_FILE = 400_000  # ids in a file


def events_sql(first: int, count: int) -> str:
    """The events of `count` moments from the `first` on, three at most in each."""
    after = ", ".join(f"{each}L" for each in _AFTER)
    comes = ", ".join(map(str, _COMES))
    return f"""
        select
            moment * {STREAMS} + stream + 1 as arrival,
            timestamp_micros({_START} + moment * {_EVERY}L + stream * 1000L) as ts,
            int(stream + 1) as stream,
            begun as id,
            pmod(xxhash64(moment, stream), 1000) + 1 as qty
        from (
            select id as moment, stream, id - after as begun, comes
            from range({first}, {first + count}, 1, {max(1, round(count / _FILE))})
            lateral view posexplode(arrays_zip(array({after}), array({comes}))) as stream, each
            lateral view inline(array(each)) as after, comes
        )
        where begun >= 0 and pmod(xxhash64(begun, stream), 1000) < comes
    """


def make(spark: SparkSession, table: str, number: int) -> None:
    """The source table of so many moments; one that is there already is taken as it was."""
    source.make(spark, table, COLUMNS, events_sql(0, number))


def append(spark: SparkSession, table: str, first: int, count: int) -> None:
    """The events of the next moments, in one commit."""
    spark.sql(f"insert into {table} {events_sql(first, count)}")
