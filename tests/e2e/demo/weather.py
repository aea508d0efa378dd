"""The weather of 2013 counted by itself: pandas over the source's own file, nothing of the package.

A report is valid, or a line is drawn from it, until the next one; over more than 90 minutes nothing is
known but what a report says of the first 90.
"""

from __future__ import annotations

import pandas as pd

from strandline_demo.flights.source import data_folder

HOUR, GAP = 3600, 5400
NEW_YORK = "America/New_York"
UNITS = {"days": "D", "months": "M", "years": "Y"}


def reports() -> pd.DataFrame:
    """Every report by airport and time, with its weather; None where that is unknown."""
    table = pd.read_csv(data_folder() / "weather.csv", float_precision="round_trip")
    table["at"] = pd.to_datetime(table["time_hour"], utc=True)
    table["wind_speed"] = table["wind_speed"].where(table["wind_speed"] < 250)
    table["weather"] = [
        "dry" if inches == 0 else None if pd.isna(temp) else "snow" if temp <= 32 else "rain"
        for inches, temp in zip(table["precip"], table["temp"], strict=True)
    ]
    return table.sort_values(["origin", "at"], ignore_index=True)


def by_bucket(table: pd.DataFrame, duration: str) -> dict[tuple[str, str, int], pd.DataFrame]:
    """The reports of each day, month or year of New York, by duration, airport and its start."""
    local = table["at"].dt.tz_convert(NEW_YORK).dt.tz_localize(None)
    starts = local.dt.to_period(UNITS[duration]).dt.start_time.dt.tz_localize(NEW_YORK)
    return {
        (duration, origin, int(start.timestamp())): rows
        for (origin, start), rows in table.groupby(["origin", starts])
    }


def line(rows: pd.DataFrame) -> tuple[int, int, float | None]:
    """Seconds that count, gaps and average of the temperature, along lines."""
    known = rows.dropna(subset="temp")
    length = seconds(known["at"]).iloc[1:]
    middle = (known["temp"] + known["temp"].shift()) / 2
    return weighed(length.where(length <= GAP, 0), length, middle)


def carried(rows: pd.DataFrame) -> tuple[int, int, float | None]:
    """Seconds that count, gaps and average of the wind, each value carried forward."""
    known = rows.dropna(subset="wind_speed")
    length = seconds(known["at"]).iloc[1:]
    return weighed(length.clip(upper=GAP), length, known["wind_speed"].shift())


def weighed(counted: pd.Series, length: pd.Series, value: pd.Series) -> tuple:
    elapsed = int(counted.sum())
    average = (counted * value.loc[counted.index]).sum() / elapsed if elapsed else None
    return elapsed, int((length > GAP).sum()), average


def periods(rows: pd.DataFrame) -> pd.DataFrame:
    """From when to when each state lasts, in Unix seconds; the last has only begun."""
    known = rows.dropna(subset="weather")
    lasts = seconds(known["at"]).shift(-1, fill_value=0).clip(upper=GAP)
    start = known["at"].map(lambda at: int(at.timestamp()))
    return pd.DataFrame({"state": known["weather"], "start": start, "end": start + lasts})


def durations(found: pd.DataFrame, start: int = 0, end: int = 2**40) -> dict[str, int]:
    """Seconds in each state that occurs, within [start, end)."""
    inside = found["end"].clip(start, end) - found["start"].clip(start, end)
    return inside.groupby(found["state"]).sum().astype(int).to_dict()


def seconds(at: pd.Series) -> pd.Series:
    """Since the report before; 0 for the first."""
    return at.diff().dt.total_seconds().fillna(0).astype(int)
