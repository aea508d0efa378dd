"""From wall clocks to instants, over whole columns.

All instants are ``datetime64[ns, UTC]``; minutes are whole numbers.
"""

from datetime import date

import pandas as pd

from strandline_demo.flights.source import FlightsError

NEW_YORK = "America/New_York"
DAY_MINUTES = 24 * 60
HOUR = pd.Timedelta(hours=1)


def instants_of(who: str, first: date, last: date) -> tuple[pd.Timestamp, pd.Timestamp]:
    """The instants at which the days [first, last) of New York begin and end.

    Raises:
        FlightsError: `first` is not before `last`; `who` begins the message.
    """
    if first >= last:
        raise FlightsError(f"{who}: first ({first}) must be before last ({last})")
    begin, end = (pd.Timestamp(day).tz_localize(NEW_YORK) for day in (first, last))
    return begin, end


def minutes_of_day(hhmm: pd.Series) -> pd.Series:
    """Minutes since midnight of a clock reading such as 517 (05:17); 2400 is midnight, 0."""
    return (hhmm // 100 * 60 + hhmm % 100) % DAY_MINUTES


def scheduled_instants(flights: pd.DataFrame) -> pd.Series:
    """Instant of the scheduled departure: the day and clock of New York.

    No flight of 2013 is scheduled within a clock change, so nothing has to be guessed: an
    ambiguous or skipped reading would raise.
    """
    days = pd.to_datetime(flights[["year", "month", "day"]])
    wall = days + pd.to_timedelta(minutes_of_day(flights["sched_dep_time"]), unit="min")
    return wall.dt.tz_localize(NEW_YORK).dt.tz_convert("UTC")


def first_instant_at(clock: pd.Series, earliest: pd.Series, zone: str) -> pd.Series:
    """First instant, not before `earliest`, at which the clocks of `zone` show `clock`.

    Args:
        clock: minutes since midnight.
        earliest: instants; same index as `clock`.
        zone: IANA name.

    A reading that a clock change skips was made by a clock not yet changed: 02:03 is what the
    others call 03:03 (all zones here change by one hour). Of a reading that comes twice, the
    first one that is not before `earliest` is taken.
    """
    midnight = earliest.dt.tz_convert(zone).dt.tz_localize(None).dt.normalize()
    wall = midnight + pd.to_timedelta(clock, unit="min")
    found = pd.Series(pd.NaT, index=clock.index, dtype="datetime64[ns, UTC]")
    for day in (0, 1):
        for summer in (True, False):
            twice = pd.Series(summer, index=wall.index).to_numpy()
            candidate = (
                (wall + pd.Timedelta(days=day))
                .dt.tz_localize(zone, ambiguous=twice, nonexistent=HOUR)
                .dt.tz_convert("UTC")
            )
            found = found.where(found.notna() | (candidate < earliest), candidate)
    return found


def arrival_instants(flights: pd.DataFrame, departed: pd.Series, zones: pd.Series) -> pd.Series:
    """Instant of each arrival; NaT where the flight has no arrival time.

    The source gives only the clock of the destination. A flight takes less than a day, and at
    least its time in the air, so the first such reading after that time is the arrival.
    """
    arrived = pd.Series(pd.NaT, index=flights.index, dtype="datetime64[ns, UTC]")
    landed = flights["arr_time"].notna()
    aloft = pd.to_timedelta(flights["air_time"].fillna(0), unit="min")
    earliest = departed + aloft
    for zone, rows in flights[landed].groupby(zones[landed], sort=True):
        clock = minutes_of_day(rows["arr_time"])
        arrived.loc[rows.index] = first_instant_at(clock, earliest.loc[rows.index], str(zone))
    return arrived
