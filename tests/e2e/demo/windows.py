"""The rows of the demo's windows, counted in plain Python over all flights, without the package."""

from __future__ import annotations

from collections import deque
from datetime import date
from typing import NamedTuple

import pandas as pd

from strandline_demo.flights import FIRST, flight_events

HALF_HOUR, SIX_HOURS, MONTH = 1_800, 6 * 3_600, 30 * 86_400  # seconds


class Meeting(NamedTuple):
    """A plane at two airports within six hours."""

    tailnum: str
    first_origin: str
    first_at: int
    second_origin: str
    second_at: int


class Flown:
    """The departures and the late arrivals before a date.

    American's of 8 February come with the last day: its departures are then older than the windows
    of half an hour and six hours, and never enter. Its arrivals count if they are younger than 30
    days.
    """

    def __init__(self, end: date, as_of: str) -> None:
        events = flight_events(FIRST, end)
        events["at"] = events["event_at"].astype("int64") // 10**9
        departures, arrivals = (events[events["event"] == kind] for kind in ("departed", "arrived"))
        day = departures["event_at"].dt.tz_convert("America/New_York").dt.date
        comes_late = (departures["carrier"] == "AA") & (day == date(2013, 2, 8))
        self.departures = departures[~comes_late]
        self._late = arrivals[arrivals["arrival_delay"] >= 15]
        # The clock is the newest event of all, or the time of the last build.
        self._left, self._landed = (
            max(int(each["at"].max()), int(pd.Timestamp(as_of, tz="UTC").timestamp()))
            for each in (self.departures, arrivals)
        )

    def by_airport(self) -> dict[str, tuple[int, int, int]]:
        """Departures in the last half hour, the most in any, and all."""
        found = {}
        for origin, rows in self.departures.groupby("origin"):
            inside: deque[int] = deque()
            most = 0
            for at in rows["at"].tolist():
                inside.append(at)
                while at - inside[0] >= HALF_HOUR:
                    inside.popleft()
                most = max(most, len(inside))
            now = int((self._left - rows["at"] < HALF_HOUR).sum())
            found[str(origin)] = now, most, len(rows)
        return found

    def most_delayed(self) -> list[tuple[str, int, int]]:
        """Destination, late flights and minutes of delay in the last 30 days: the first five."""
        rows = self._late[self._landed - self._late["at"] < MONTH]
        delays = rows.groupby("dest")["arrival_delay"]
        found = [(str(dest), len(minutes), int(minutes.sum())) for dest, minutes in delays]
        return sorted(found, key=lambda row: -row[2])[:5]

    def meetings(self) -> list[Meeting]:
        """Each departure with each of the same plane from another airport in the six hours before."""
        found = []
        for tailnum, rows in self.departures.groupby("tailnum"):
            inside: deque[tuple[int, str]] = deque()
            for at, origin in zip(rows["at"].tolist(), rows["origin"], strict=True):
                while inside and at - inside[0][0] >= SIX_HOURS:
                    inside.popleft()
                found += [
                    Meeting(str(tailnum), other, earlier, origin, at)
                    for earlier, other in inside
                    if other != origin
                ]
                inside.append((at, origin))
        return found

    def page(self) -> str:
        """The lines of the demo's page, with one blank between words."""
        departures = ", ".join(
            f"{origin} {now} ({most})" for origin, (now, most, _) in self.by_airport().items()
        )
        delays = ", ".join(f"{dest} {minutes / 60:.0f}" for dest, _, minutes in self.most_delayed())
        meetings = self.meetings()
        planes = len({meeting.tailnum for meeting in meetings})
        return (
            f"Departed in the last 30 minutes (most): {departures}. "
            f"Hours of delay in 30 days: {delays}. "
            f"{planes} planes left two airports within six hours, {len(meetings)} times."
        )
