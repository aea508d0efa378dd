"""The demo's landings: write the events of some days as files, land the files that are new."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from strandline.landing import LandingResult

TABLE = "landing.flight_events"


@dataclass(frozen=True)
class Landings:
    """Where the demo's files, and the record of which of them were landed, are kept."""

    spark: SparkSession
    home: Path

    def land(self, first: date, end: date) -> LandingResult:
        """The events of [first, end), dates in New York. Taking it twice lands nothing twice."""
        from strandline.flights import flights_schema, write_flights
        from strandline.landing import land

        files = self.home / "flights"
        write_flights(files, first, end)
        return land(
            self.spark,
            source=files,
            table=TABLE,
            schema=flights_schema(),
            file_format="csv",
            checkpoint=self.home / "landing" / TABLE,
        )
