"""What the demo's alerts tell: the day that came late, and who was waiting at midnight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from strandline.cli.year import midnight
from strandline.literals import text_sql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from strandline.cli.year import Year


@dataclass(frozen=True)
class Believed:
    """The departures of the late carrier's day, as they were once believed."""

    departures: int
    usual: int
    is_outdated: bool


@dataclass(frozen=True)
class Alerts:
    """What was told, and what of it the second build and the run by hand have put right.

    Attributes:
        told: how many notifications.
        late_day: one for each generation of the late carrier's day, the first one first.
        departed: the quarters of an hour that the first build told, outdated by the second.
    """

    told: int
    late_day: list[Believed]
    departed: int


def alerts(spark: SparkSession, relations: Mapping[str, str], year: Year) -> Alerts:
    """Read from the anomalies and their outbox."""
    late, last = year.late, year.landings()[1]
    anomalies = spark.sql(f"""
        select
            detector,
            generation,
            int(current_value) as current,
            int(baseline_value) as baseline,
            status = 'outdated' as is_outdated
        from {relations["flight_anomalies"]}
        where not is_parent and (
            detector = 'quarter_hour' and status = 'outdated'
            and changed_run_at = timestamp'{last.run_at}Z'
            or carrier = {text_sql(late.carrier if late else "")}
            and starts_at = timestamp'{midnight(late.day) if late else "1970-01-01"}Z'
        )
        order by generation
    """).collect()
    told = spark.sql(f"select count(*) as n from {relations['notifications']}").collect()
    return Alerts(
        told=told[0]["n"],
        late_day=[
            Believed(row["current"], row["baseline"], row["is_outdated"])
            for row in anomalies
            if row["detector"] == "carrier_day"
        ],
        departed=sum(row["detector"] == "quarter_hour" for row in anomalies),
    )
