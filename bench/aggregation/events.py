"""The events: made by a formula, so that they are the same on every machine.

They come at a constant rate, ten million a year, and end on a Thursday at noon in the middle of
August 2025, whatever their number: what comes next always falls into the same week and month.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from bench import source

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

KEYS = 1_000
LATE_SHARE = 0.05
LATE_BY = 3 * 86_400 * 1_000_000  # at most, in microseconds
SPACING = 365 * 86_400 * 1_000_000 // 10_000_000
END = int(datetime(2025, 8, 14, 12, tzinfo=timezone.utc).timestamp()) * 1_000_000
_FILE = 1_250_000  # events in one file of the source
COLUMNS = "arrival bigint, symbol string, ts timestamp, price double, quantity bigint"


@dataclass(frozen=True)
class Series:
    """A series of events, of which `number` lie before `END`.

    With `skew`, one key has half of all events, and the others share the rest.
    """

    number: int
    keys: int = KEYS
    skew: bool = False

    @property
    def schema(self) -> str:
        return f"events_{self.number}_{self.keys}{'_skew' if self.skew else ''}"

    @property
    def key(self) -> str:
        """The number of an event's key."""
        even = f"pmod(xxhash64(id, 'key'), {self.keys})"
        return f"if(pmod(xxhash64(id, 'skew'), 2) = 0, 0, {even})" if self.skew else even


def events_sql(series: Series, first: int, count: int, late_share: float = LATE_SHARE) -> str:
    """`count` events of a series from the `first` on."""
    late = f"pmod(xxhash64(id, 'late'), 10000) < {round(late_share * 10_000)}"
    return f"""
        select
            id + 1 as arrival,
            concat('key_', lpad({series.key}, 7, '0')) as symbol,
            timestamp_micros(
                {END} - ({series.number} - id) * {SPACING}
                - if({late}, 1 + pmod(xxhash64(id, 'by'), {LATE_BY}), 0)
            ) as ts,
            pmod(xxhash64(id, 'price'), 1000000) / 1000.0D as price,
            1 + pmod(xxhash64(id, 'quantity'), 1000) as quantity
        from range({first}, {first + count}, 1, {max(1, round(count / _FILE))})
    """


def make(spark: SparkSession, table: str, series: Series) -> None:
    """The source table of a series; one that is there already is taken as it is."""
    source.make(spark, table, COLUMNS, events_sql(series, 0, series.number))


def append(
    spark: SparkSession, table: str, series: Series, first: int, count: int, late_share: float
) -> None:
    """`count` events from the `first` on, in one commit."""
    spark.sql(f"insert into {table} {events_sql(series, first, count, late_share)}")
