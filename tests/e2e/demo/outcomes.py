"""What became of each flight, and who cancelled, counted in plain Python over all flights."""

from __future__ import annotations

from datetime import date

import pandas as pd

from strandline_demo.flights import FIRST, flight_events

WITHIN = pd.Timedelta(hours=36)


class Outcomes:
    """The outcomes that are known at a time, of the events before a date.

    American's events of 8 February come with the last day, and are then older than 36 hours.
    """

    def __init__(self, end: date, as_of: str) -> None:
        events = flight_events(FIRST, end)
        day = events["event_at"].dt.tz_convert("America/New_York").dt.date
        comes_late = (events["carrier"] == "AA") & (day == date(2013, 2, 8))
        clock = max(events["event_at"].max(), pd.Timestamp(as_of, tz="UTC"))
        flights: dict[int, dict[str, pd.Timestamp]] = {}
        self._of: dict[int, tuple[str, str]] = {}
        columns = ["flight_id", "event", "event_at", "carrier", "origin"]
        for flight, event, at, carrier, origin in events.loc[~comes_late, columns].itertuples(
            index=False
        ):
            flights.setdefault(flight, {})[event] = at
            self._of[flight] = carrier, origin
        self.late = events.loc[comes_late, "event"].value_counts().to_dict()
        # The outcome of each flight, and the instant at which it is known.
        self.known: dict[int, tuple[str, pd.Timestamp]] = {}
        self._scheduled: dict[int, pd.Timestamp] = {}
        for flight, happened in flights.items():
            if "scheduled" not in happened:
                continue
            self._scheduled[flight] = happened["scheduled"]
            if len(happened) == 3:
                outcome, at = "fine", max(happened.values())
            else:
                outcome = "diverted or lost" if "departed" in happened else "cancelled"
                at = min(happened.values()) + WITHIN
            if at <= clock:
                self.known[flight] = outcome, at

    def counts(self) -> dict[str, int]:
        outcomes = [outcome for outcome, _ in self.known.values()]
        return {each: outcomes.count(each) for each in ("fine", "cancelled", "diverted or lost")}

    def cancelled(self) -> dict[int, pd.Timestamp]:
        """The cancelled flights, with the instant at which that is known."""
        return {
            flight: at for flight, (outcome, at) in self.known.items() if outcome == "cancelled"
        }

    def cancelling(self) -> dict[tuple[str, str, int], int]:
        """More than four cancelled flights of a carrier at an airport in an hour of the schedule."""
        hours = pd.Series(
            [
                (*self._of[it], int(self._scheduled[it].timestamp()) // 3600 * 3600)
                for it in self.cancelled()
            ]
        ).value_counts()
        return {hour: int(flights) for hour, flights in hours.items() if flights > 4}

    def page(self) -> str:
        """The line of the demo's page."""
        return (
            "Outcomes of the flights: "
            + ", ".join(f"{n:,} {it}" for it, n in self.counts().items())
            + "."
        )
