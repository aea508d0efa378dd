"""The two deliveries into which the demo splits 2013, and the times of its runs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta, timezone
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from strandline_demo.flights import CarrierDay

NEW_YORK = ZoneInfo("America/New_York")
BLIZZARD = date(2013, 2, 8)
LATE_CARRIER = "AA"
SELECT = ("flight_anomalies+",)


@dataclass(frozen=True)
class Days:
    """The dates of New York [first, end) whose flights and weather are landed together.

    Attributes:
        run_at: when the schedule builds with them, yyyy-MM-dd HH:mm:ss in UTC; empty: when it is.
        missing: what is not delivered with them.
        late: what is delivered with them and happened before.
    """

    name: str
    first: date
    end: date
    run_at: str = ""
    missing: CarrierDay | None = None
    late: CarrierDay | None = None

    @property
    def as_of(self) -> dict[str, str]:
        """The variables of dbt by which the build is then, whenever the demo is."""
        return {"strandline_as_of": self.run_at} if self.run_at else {}


@dataclass(frozen=True)
class Backfill:
    """A range of time that is recomputed: the arguments of `strandline run`, and its time."""

    name: str
    select: tuple[str, ...]
    variables: dict[str, str]


@dataclass(frozen=True)
class Year:
    """2013, or only its first months."""

    months: int = 12

    def landings(self) -> tuple[Days, Days]:
        """All days but the last, then the last one with what was missing from the others."""
        from strandline_demo.flights import FIRST, LAST

        last_day = self._after - timedelta(days=1)
        eve = last_day - timedelta(days=1)
        # Flights of the last evening arrive in the new year: they belong to the whole year.
        end = LAST if self.months == 12 else self._after
        name = f"1 January to {eve.day} {eve:%B}"
        return (
            Days(name, FIRST, last_day, run_at=str(midnight(last_day)), missing=self.late),
            Days(
                f"{last_day.day} {last_day:%B}",
                last_day,
                end,
                str(midnight(self._after)),
                late=self.late,
            ),
        )

    def backfill(self) -> Backfill | None:
        """The run on the day of the late carrier, an hour after the last build."""
        from strandline.cli.run import time_range

        if self.late is None:
            return None
        day = time_range(midnight(self.late.day), midnight(self.late.next_day))
        run_at = {"strandline_as_of": str(midnight(self._after) + timedelta(hours=1))}
        return Backfill(f"{self.late.day.day} {self.late.day:%B}", SELECT, day | run_at)

    @property
    def late(self) -> CarrierDay | None:
        """American's day of the blizzard, which is delivered with the last day; none in January."""
        from strandline_demo.flights import CarrierDay

        return CarrierDay(LATE_CARRIER, BLIZZARD) if self.months > 1 else None

    @property
    def _after(self) -> date:
        return date(2014, 1, 1) if self.months == 12 else date(2013, self.months + 1, 1)


def midnight(day: date) -> datetime:
    """The instant at which a day of New York begins, in UTC, without its zone."""
    begins = datetime.combine(day, time(), NEW_YORK)
    return begins.astimezone(timezone.utc).replace(tzinfo=None)
