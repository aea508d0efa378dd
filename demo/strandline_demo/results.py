"""What the demo reads of the tables that it has built: totals, delays by month, alerts, windows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from strandline.literals import text_sql
from strandline_demo.year import midnight

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from strandline_demo.year import Year

# Flights, and those that never departed, by the number of months; those of the year are published.
KNOWN = {1: (27_004, 521), 2: (51_955, 1_782), 12: (336_776, 8_255)}


@dataclass(frozen=True)
class Totals:
    flights: int
    never_departed: int
    delays: list[tuple[str, float]]


def check(found: Totals, year: Year) -> None:
    """Raises click.ClickException if the tables hold other flights than these months had."""
    known = KNOWN.get(year.months)
    if known and known != (found.flights, found.never_departed):
        raise click.ClickException(
            f"The tables hold {found.flights:,} flights, {found.never_departed:,} without a "
            f"departure; these months had {known[0]:,} and {known[1]:,}."
        )


def totals(spark: SparkSession, relations: Mapping[str, str]) -> Totals:
    """Totals from the last roll-up, months from the mart: both ends of the build."""
    # All years of the table: some flights of 31 December departed in 2014.
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
    return Totals(
        flights=total["flights"],
        never_departed=total["flights"] - total["departures"],
        delays=[(f"{month['month_start']:%b}", float(month["mean_delay"])) for month in months],
    )


@dataclass(frozen=True)
class LateDay:
    """One generation of the anomaly of the late carrier's day: departures, and the usual number."""

    departures: int
    usual: int


@dataclass(frozen=True)
class Alerts:
    """What was notified, and what of it the second build and the backfill have corrected.

    Attributes:
        notified: how many notifications.
        late_day: one for each generation of the late carrier's day, the first one first.
        departed: the quarters of an hour that the first build notified, outdated by the second.
        late_carriers: how many of the notifications are of carriers that were late for hours.
        cancelling_carriers: how many are of carriers that cancelled flights for an hour or more.
    """

    notified: int
    late_day: list[LateDay]
    departed: int
    late_carriers: int
    cancelling_carriers: int


def alerts(spark: SparkSession, relations: Mapping[str, str], year: Year) -> Alerts:
    """Read from the anomalies and their outbox."""
    late, last = year.late, year.landings()[1]
    anomalies = spark.sql(f"""
        select
            detector,
            generation,
            int(current_value) as current,
            int(baseline_value) as baseline
        from {relations["flight_anomalies"]}
        where not is_parent and (
            detector = 'quarter_hour' and status = 'outdated'
            and changed_run_at = timestamp'{last.run_at}Z'
            or detector = 'carrier_day' and carrier = {text_sql(late.carrier if late else "")}
            and starts_at = timestamp'{midnight(late.day) if late else "1970-01-01 00:00:00"}Z'
        )
        order by generation
    """).collect()
    counts = spark.sql(f"""
        select
            count(*) as n,
            count_if(detector = 'late_carrier') as late_carriers,
            count_if(detector = 'cancelled_flights') as cancelling_carriers
        from {relations["notifications"]}
    """).collect()
    return Alerts(
        notified=counts[0]["n"],
        late_day=[
            LateDay(row["current"], row["baseline"])
            for row in anomalies
            if row["detector"] == "carrier_day"
        ],
        departed=sum(row["detector"] == "quarter_hour" for row in anomalies),
        late_carriers=counts[0]["late_carriers"],
        cancelling_carriers=counts[0]["cancelling_carriers"],
    )


@dataclass(frozen=True)
class Windows:
    """What the windows hold when the demo ends.

    Attributes:
        departures: each airport, its departures in the last 30 minutes, and its most in any.
        destinations: the five most delayed destinations, with their minutes in 30 days.
        planes: how many planes departed from two airports within six hours.
        changes: how many times they did.
        outcomes: how many flights were fine, cancelled, and diverted or lost.
    """

    departures: list[tuple[str, int, int]]
    destinations: list[tuple[str, int]]
    planes: int
    changes: int
    outcomes: dict[str, int]


def windows(spark: SparkSession, relations: Mapping[str, str]) -> Windows:
    """Read from the views over the windows, and from their correlation."""
    departures = spark.sql(f"""
        select latest.origin, latest.departures, max(busiest.departures) as most
        from {relations["departures_now"]} as latest
        inner join {relations["busiest_half_hours"]} as busiest on latest.origin = busiest.origin
        group by latest.origin, latest.departures
        order by latest.origin
    """).collect()
    destinations = spark.sql(f"""
        select dest, total_delay
        from {relations["late_destinations_now"]}
        order by total_delay desc, dest
    """).collect()
    planes = spark.sql(f"""
        select count(distinct tailnum) as planes, count(*) as changes
        from {relations["planes_at_two_airports"]}
    """).collect()[0]
    outcomes = spark.sql(f"""
        select comment, count(*) as flights
        from {relations["flight_outcomes"]}
        where row_kind = 'row'
        group by comment
    """).collect()
    return Windows(
        departures=[(row["origin"], row["departures"], row["most"]) for row in departures],
        destinations=[(row["dest"], row["total_delay"]) for row in destinations],
        planes=planes["planes"],
        changes=planes["changes"],
        outcomes={row["comment"]: row["flights"] for row in outcomes},
    )
