"""One row per weather report: an hour at an airport, with what could not be measured left empty."""

from datetime import date
from pathlib import Path

import pandas as pd

from strandline_demo.flights.clock import instants_of
from strandline_demo.flights.files import FIRST, LAST, Files
from strandline_demo.flights.source import read_weather

COLUMNS = {
    "origin": "STRING NOT NULL",
    "observed_at": "TIMESTAMP NOT NULL",
    "temp": "DOUBLE",
    "dewp": "DOUBLE",
    "humid": "DOUBLE",
    "wind_speed": "DOUBLE",
    "wind_gust": "DOUBLE",
    "precip": "DOUBLE",
    "pressure": "DOUBLE",
    "visib": "DOUBLE",
}


def weather_schema() -> str:
    """Spark DDL of the weather files: names, types and which columns are required."""
    return FILES.schema()


def write_weather(folder: str | Path, first: date = FIRST, last: date = LAST) -> list[Path]:
    """Write the reports of the days [first, last) of New York as files; see :class:`Files`."""
    return FILES.write(folder, first, last)


def weather_reports(first: date, last: date, weather: pd.DataFrame | None = None) -> pd.DataFrame:
    """Reports of the days [first, last) of New York, by ``observed_at`` and then ``origin``.

    Args:
        first: first day of the reports, inclusive.
        last: last day, exclusive.
        weather: the table of :func:`read_weather`; read when not given.

    Returns:
        One row per report with the columns of :data:`COLUMNS`. Instants are UTC; temperatures are
        in °F, winds in mph, ``precip`` in inches, ``pressure`` in millibars, ``visib`` in miles.

    Raises:
        FlightsError: `first` is not before `last`.
    """
    begin, end = instants_of("weather", first, last)
    table = read_weather() if weather is None else weather
    reports = table.assign(observed_at=pd.to_datetime(table["time_hour"], utc=True))
    inside = (reports["observed_at"] >= begin) & (reports["observed_at"] < end)
    ordered = reports[inside].sort_values(["observed_at", "origin"], ignore_index=True)
    return ordered[list(COLUMNS)]


FILES = Files("weather", COLUMNS, "observed_at", weather_reports)
