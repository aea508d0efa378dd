"""One row per thing that happened to a flight: scheduled, departed, arrived."""

from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path

import numpy as np
import pandas as pd

from strandline_demo.flights.clock import arrival_instants, instants_of, scheduled_instants
from strandline_demo.flights.files import FIRST, LAST, Files
from strandline_demo.flights.source import read_flights, read_zones

COLUMNS = {
    "event_id": "STRING NOT NULL",
    "event": "STRING NOT NULL",
    "event_at": "TIMESTAMP NOT NULL",
    "flight_id": "BIGINT NOT NULL",
    "carrier": "STRING NOT NULL",
    "flight": "INT NOT NULL",
    "tailnum": "STRING",
    "origin": "STRING NOT NULL",
    "dest": "STRING NOT NULL",
    "distance": "INT NOT NULL",
    "departure_delay": "INT",
    "arrival_delay": "INT",
    "air_time": "INT",
    "scheduled_at": "TIMESTAMP NOT NULL",
}

KINDS = ["arrived", "departed", "scheduled"]  # in the order of their names
ID_DIGITS = 6  # 336,776 flights

# The longest delay is 22 hours and the longest flight under 12; some leave before their time.
LONGEST_AFTER = timedelta(days=3)
LONGEST_BEFORE = timedelta(days=1)


def flights_schema() -> str:
    """Spark DDL of the event files: names, types and which columns are required."""
    return FILES.schema()


def write_flights(folder: str | Path, first: date = FIRST, last: date = LAST) -> list[Path]:
    """Write the events of the days [first, last) of New York as files; see :class:`Files`."""
    return FILES.write(folder, first, last)


def flight_events(first: date, last: date, flights: pd.DataFrame | None = None) -> pd.DataFrame:
    """Events of the days [first, last) of New York, by ``event_at`` and then ``event_id``.

    Args:
        first: first day of the events, inclusive.
        last: last day, exclusive.
        flights: the table of :func:`read_flights`; read when not given.

    Returns:
        One row per event with the columns of :data:`COLUMNS`. Instants are UTC, delays and
        ``air_time`` minutes, ``distance`` miles. ``flight_id`` is the row number of the source,
        from 1.

    Raises:
        FlightsError: `first` is not before `last`.
    """
    begin, end = instants_of("flights", first, last)
    table = read_flights() if flights is None else flights
    days = pd.to_datetime(table[["year", "month", "day"]])
    near = (days >= pd.Timestamp(first - LONGEST_AFTER)) & (
        days < pd.Timestamp(last + LONGEST_BEFORE)
    )
    table = table[near]

    scheduled = scheduled_instants(table)
    departed = scheduled + pd.to_timedelta(table["dep_delay"], unit="min")
    arrived = arrival_instants(table, departed, table["dest"].map(read_zones()))
    flown = _flown(table, scheduled)
    events = pd.concat(
        [
            _happened(flown, "scheduled", scheduled),
            _happened(
                flown.assign(departure_delay=_minutes(table["dep_delay"])), "departed", departed
            ),
            _happened(
                flown.assign(
                    arrival_delay=_minutes(table["arr_delay"]),
                    air_time=_minutes(table["air_time"]),
                ),
                "arrived",
                arrived,
            ),
        ],
        ignore_index=True,
    )
    inside = (events["event_at"] >= begin) & (events["event_at"] < end)
    # An id is the padded flight_id and then the kind: numbers sort as the ids do, and faster.
    ordered = events[inside].sort_values(["event_at", "flight_id", "event"], ignore_index=True)
    number = ordered["flight_id"].astype("str").str.zfill(ID_DIGITS)
    return ordered.assign(event_id=number + "-" + ordered["event"].astype("str"))[list(COLUMNS)]


def _flown(table: pd.DataFrame, scheduled: pd.Series) -> pd.DataFrame:
    """The columns that all events of a flight have in common."""
    nothing = pd.Series(pd.NA, index=table.index, dtype="Int32")
    return pd.DataFrame(
        {
            "flight_id": table.index + 1,
            "carrier": table["carrier"],
            "flight": table["flight"],
            "tailnum": table["tailnum"],
            "origin": table["origin"],
            "dest": table["dest"],
            "distance": table["distance"],
            "departure_delay": nothing,
            "arrival_delay": nothing,
            "air_time": nothing,
            "scheduled_at": scheduled,
        },
        index=table.index,
    )


def _happened(flown: pd.DataFrame, event: str, at: pd.Series) -> pd.DataFrame:
    """The events of one kind: those of the flights for which the instant is known."""
    rows = flown[at.notna()]
    kind = pd.Categorical.from_codes(np.full(len(rows), KINDS.index(event)), categories=KINDS)
    return rows.assign(event=kind, event_at=at[at.notna()])


def _minutes(values: pd.Series) -> pd.Series:
    """Whole minutes, empty where the source has none: never NaN, never -0."""
    return values.astype("Int32")


FILES = Files("flights", COLUMNS, "event_at", flight_events)


@dataclass(frozen=True)
class CarrierDay:
    """What happened to a carrier's flights on one date of New York."""

    carrier: str
    day: date

    def files_without(self) -> Files:
        """The files of all flights, but for this."""
        return replace(FILES, rows=lambda first, last: self._split(first, last)[1])

    def file(self) -> Files:
        """The file of nothing else."""
        rows = lambda first, last: self._split(first, last)[0]  # noqa: E731
        return replace(FILES, name=f"{FILES.name}_{self.carrier}", rows=rows)

    @property
    def next_day(self) -> date:
        return self.day + timedelta(days=1)

    def _split(self, first: date, last: date) -> tuple[pd.DataFrame, pd.DataFrame]:
        """The events of some days: those of this, and the others."""
        events = FILES.rows(first, last)
        begin, end = instants_of("flights", self.day, self.next_day)
        is_this = (
            (events["carrier"] == self.carrier)
            & (events[FILES.at] >= begin)
            & (events[FILES.at] < end)
        )
        return events[is_this], events[~is_this]
