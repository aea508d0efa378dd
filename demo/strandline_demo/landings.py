"""The demo's landings: write what happened on some days as files, land the files that are new."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from strandline.landing import LandingResult
    from strandline_demo.flights.files import Files
    from strandline_demo.year import Days

FLIGHTS, WEATHER = "landing.flight_events", "landing.weather"
QUARANTINES = f"{FLIGHTS}_quarantine", f"{WEATHER}_quarantine"


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

    def land(self, days: Days) -> Landed:
        """The flights' events and the weather of some days; taking it twice lands nothing twice."""
        from strandline_demo.flights import events, weather

        for files, first, end in flight_files(days):
            files.write(self.home / events.FILES.name, first, end)
        weather.FILES.write(self.home / weather.FILES.name, days.first, days.end)
        return Landed(
            flights=self._land(events.FILES, FLIGHTS), weather=self._land(weather.FILES, WEATHER)
        )

    def have_begun(self, days: Days) -> bool:
        """Whether files of these days were written at any time, be it not all of them."""
        from strandline_demo.flights import events
        from strandline_demo.flights.files import slices

        return any(
            files.path(self.home / events.FILES.name, start, stop).exists()
            for files, first, end in flight_files(days)
            for start, stop in slices(first, end)
        )

    def _land(self, files: Files, table: str) -> LandingResult:
        from strandline.landing import land

        return land(
            self.spark,
            source=self.home / files.name,
            table=table,
            schema=files.schema(),
            file_format="csv",
            checkpoint=self.home / "landing" / table,
        )


def flight_files(days: Days) -> Iterator[tuple[Files, date, date]]:
    """The files of flights that belong to some days, each with its dates [first, end)."""
    from strandline_demo.flights import events

    if days.late:
        yield days.late.file(), days.late.day, days.late.next_day
    yield days.missing.files_without() if days.missing else events.FILES, days.first, days.end
