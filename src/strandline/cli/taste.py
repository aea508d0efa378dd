"""A taste of the data, read through the mart: the year's totals and the delay of each month."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MART = "mart_carrier_delays"
# What is published of the data set; the whole year must give just this.
FLIGHTS_OF_2013, NEVER_DEPARTED = 336_776, 8_255


@dataclass(frozen=True)
class Taste:
    flights: int
    never_departed: int
    delays: list[tuple[str, float]]

    def is_the_whole_year(self) -> bool:
        return (self.flights, self.never_departed) == (FLIGHTS_OF_2013, NEVER_DEPARTED)


def taste(spark: SparkSession, mart: str) -> Taste:
    """Totals and months of the mart; a month's delay is the mean over its departures."""
    months = spark.sql(f"""
        select
            month_start,
            sum(flights) as flights,
            sum(never_departed) as never_departed,
            sum(avg_departure_delay * (flights - never_departed))
                / sum(flights - never_departed) as mean_delay
        from {mart}
        group by month_start
        order by month_start
    """).collect()
    return Taste(
        flights=sum(month["flights"] for month in months),
        never_departed=sum(month["never_departed"] for month in months),
        delays=[(f"{month['month_start']:%b}", float(month["mean_delay"])) for month in months],
    )
