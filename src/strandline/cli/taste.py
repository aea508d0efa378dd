"""A taste of the data: the totals of the year, and how late its months were."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# What is published of the data set; the whole year must give just this.
FLIGHTS_OF_2013, NEVER_DEPARTED = 336_776, 8_255


@dataclass(frozen=True)
class Taste:
    flights: int
    never_departed: int
    delays: list[tuple[str, float]]

    def is_the_whole_year(self) -> bool:
        return (self.flights, self.never_departed) == (FLIGHTS_OF_2013, NEVER_DEPARTED)


def taste(spark: SparkSession, relations: Mapping[str, str]) -> Taste:
    """Totals from the coarsest table, months from the mart: the two ends of what was built."""
    # All its years: some flights of 31 December departed in 2014.
    total = spark.sql(f"""
        select
            sum(agg_count_scheduled_distance) as flights,
            sum(agg_count_departure_delay) as departures
        from {relations["flight_aggregation_years"]}
    """).collect()[0]
    months = spark.sql(f"""
        select
            month_start,
            sum(avg_departure_delay * departures)
                / sum(departures) as mean_delay
        from {relations["mart_carrier_delays"]}
        group by month_start
        order by month_start
    """).collect()
    return Taste(
        flights=total["flights"],
        never_departed=total["flights"] - total["departures"],
        delays=[(f"{month['month_start']:%b}", float(month["mean_delay"])) for month in months],
    )
