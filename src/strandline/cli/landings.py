"""The demo's landings: write what happened on some days as files, land the files that are new."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from strandline.flights.files import Files
    from strandline.landing import LandingResult

FLIGHTS, WEATHER = "landing.flight_events", "landing.weather"


@dataclass(frozen=True)
class Landed:
    """What some days brought that was not landed before."""

    flights: LandingResult
    weather: LandingResult

    @property
    def rows(self) -> int:
        return self.flights.landed + self.weather.landed

    @property
    def quarantined(self) -> int:
        return self.flights.quarantined + self.weather.quarantined


@dataclass(frozen=True)
class Landings:
    """Where the demo's files, and the record of which of them were landed, are kept."""

    spark: SparkSession
    home: Path

    def land(self, first: date, end: date) -> Landed:
        """The flights' events and the weather of [first, end), dates in New York.

        Taking it twice lands nothing twice.
        """
        from strandline.flights import events, weather

        return Landed(
            flights=self._land(events.FILES, FLIGHTS, first, end),
            weather=self._land(weather.FILES, WEATHER, first, end),
        )

    def _land(self, files: Files, table: str, first: date, end: date) -> LandingResult:
        from strandline.landing import land

        folder = self.home / files.name
        files.write(folder, first, end)
        return land(
            self.spark,
            source=folder,
            table=table,
            schema=files.schema(),
            file_format="csv",
            checkpoint=self.home / "landing" / table,
        )
