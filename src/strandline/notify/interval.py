"""Intervals of time as text, in a time zone."""

from __future__ import annotations

from datetime import datetime, time, timedelta, timezone, tzinfo

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def when(starts_at: datetime, ends_at: datetime, notified_at: datetime, zone: tzinfo) -> str:
    """`31 Dec 05:00 to 05:15 UTC`, `8 Feb UTC` for a whole day, `8 to 9 Feb UTC` for two.

    With the year if it is not that of the notification.
    """
    start, end = _local(starts_at, zone), _local(ends_at, zone)
    with_year = {start.year, _last_day(start, end).year} != {_local(notified_at, zone).year}
    labels = [f" {start.tzname()}", f" {end.tzname()}"]
    if _are_days(start, end):
        labels = ["", labels[0]]
        last_day = _last_day(start, end)
        if start.date() == last_day.date():
            return f"{_day(start, with_year)}{labels[1]}"
        is_month = (start.year, start.month) == (last_day.year, last_day.month)
        first = str(start.day) if is_month else _day(start, start.year != last_day.year)
        return f"{first} to {_day(last_day, with_year)}{labels[1]}"
    if labels[0] == labels[1]:
        labels[0] = ""
    first = f"{_day(start, with_year)} {_clock(start)}{labels[0]}"
    last = _clock(end) if start.date() == end.date() else f"{_day(end, with_year)} {_clock(end)}"
    return f"{first} to {last}{labels[1]}"


def from_to(starts_at: datetime, ends_at: datetime, zone: tzinfo) -> str:
    """`2013-02-08 00:00:00 to 2013-02-09 00:00:00 UTC`."""
    start, end = _local(starts_at, zone), _local(ends_at, zone)
    is_one = start.tzname() == end.tzname()
    return f"{_full(start)}{'' if is_one else f' {start.tzname()}'} to {_full(end)} {end.tzname()}"


def iso(at: datetime) -> str:
    """For machines: in UTC, with Z."""
    return f"{at.astimezone(timezone.utc).replace(tzinfo=None).isoformat()}Z"


def _local(at: datetime, zone: tzinfo) -> datetime:
    """In the zone; at the very ends of the calendar, where there is no such time, in UTC."""
    try:
        return at.astimezone(zone)
    except OverflowError:
        return at.astimezone(timezone.utc)


def _are_days(start: datetime, end: datetime) -> bool:
    return start.time() == end.time() == time(0) and start.date() < end.date()


def _last_day(start: datetime, end: datetime) -> datetime:
    """The last day of an interval of days, else its end."""
    return end - timedelta(days=1) if _are_days(start, end) else end


def _day(at: datetime, with_year: bool) -> str:
    return f"{at.day} {MONTHS[at.month - 1]}" + (f" {at.year}" if with_year else "")


def _clock(at: datetime) -> str:
    """`05:00`, and no more digits than there are."""
    if at.microsecond:
        return at.time().isoformat("microseconds")
    return at.time().isoformat("seconds" if at.second else "minutes")


def _full(at: datetime) -> str:
    at = at.replace(tzinfo=None)
    return at.isoformat(" ", "microseconds" if at.microsecond else "seconds")
