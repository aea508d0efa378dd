"""The demo's landings: write what happened on some days as files, land the files that are new."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
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
HOME = "STRANDLINE_HOME"  # the variable by which profiles.yml finds the folder of everything


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

    def land(self, days: Days, show: Callable[[str], None] = lambda _: None) -> Landed:
        """The flights' events and the weather of some days; taking it twice lands nothing twice.

        `show` gets a word on what is done.
        """
        from strandline_demo.flights import events, weather

        show("writing files")
        for files, first, end in flight_files(days):
            files.write(self.home / events.FILES.name, first, end)
        weather.FILES.write(self.home / weather.FILES.name, days.first, days.end)
        show("files are written; Spark reads them")
        # Each is a stream of its own, which leaves a core to the other most of the time.
        with ThreadPoolExecutor(2) as pool:
            flights = pool.submit(self._land, events.FILES, FLIGHTS)
            reports = pool.submit(self._land, weather.FILES, WEATHER)
        return Landed(flights.result(), reports.result())

    @staticmethod
    def refuse_others(home: Path, deliveries: Iterable[Days]) -> None:
        """Raises FlightsError if files of other days are there: their flights would count, too."""
        from strandline_demo.flights import FlightsError, events

        expected = {path for days in deliveries for path in _flight_paths(home, days)}
        others = sorted(set((home / events.FILES.name).glob("*.csv")) - expected)
        if others:
            raise FlightsError(
                f"{home} holds flights of other days, such as {others[0].name}: a demo of other "
                f"months was there. Remove {home}, or name another folder: {HOME}=<folder>"
            )

    def have_begun(self, days: Days) -> bool:
        """Whether files of these days were written at any time, be it not all of them."""
        return any(path.exists() for path in _flight_paths(self.home, days))

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


def _flight_paths(home: Path, days: Days) -> Iterator[Path]:
    """Where the files of flights of some days are, written or not."""
    from strandline_demo.flights import events
    from strandline_demo.flights.files import slices

    for files, first, end in flight_files(days):
        for start, stop in slices(first, end):
            yield files.path(home / events.FILES.name, start, stop)
