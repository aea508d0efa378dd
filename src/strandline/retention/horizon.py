"""Calendar arithmetic of the purge: from the newest bucket back to the horizon.

The horizon of a table is the instant before which its rows go. It always begins a bucket of the
next coarser duration, so that a coarser bucket has either all its finer rows, or none:

    minutes   |  :  :  :  |  :  :  :  |  :  :  :  |  :  N
    newest - retention ───────────^
    horizon               ^ the hour begins here: this hour stays whole
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from strandline.epoch import EPOCH

DURATIONS = ("seconds", "minutes", "hours", "days", "months", "years")
ONE_DAY = timedelta(days=1)


def bucket_start(seconds: int, duration: str, zone: ZoneInfo) -> int:
    """Unix seconds at which the bucket begins that holds an instant, as the tables cut it.

    Raises OverflowError outside of the years 1 to 9999.
    """
    if duration == "seconds":
        return seconds
    if duration in ("minutes", "hours"):
        return _clock_start(seconds, 60 if duration == "minutes" else 3600, zone)
    day = _local(seconds, zone).date()
    if _day_start(day + ONE_DAY, zone) <= seconds:  # the clock went back into yesterday
        day += ONE_DAY
    elif _day_start(day, zone) > seconds:  # a change skipped midnight
        day -= ONE_DAY
    month = 1 if duration == "years" else day.month
    return _day_start(day if duration == "days" else day.replace(month=month, day=1), zone)


def _clock_start(seconds: int, length: int, zone: ZoneInfo) -> int:
    """From the instant, so that both passes of a repeated hour stay apart.

    Where the clock changed meanwhile by part of an hour, the bucket begins where the earlier clock
    last completed one.
    """
    start = seconds - _passed(seconds, length, zone)
    passed = _passed(start, length, zone)
    if not passed:
        return start
    completed = start + length - passed
    return completed if _passed(completed - 1, length, zone) == length - 1 else completed - length


def _passed(seconds: int, length: int, zone: ZoneInfo) -> int:
    local = _local(seconds, zone)
    return (local.second + 60 * local.minute) % length


def _local(seconds: int, zone: ZoneInfo) -> datetime:
    return (EPOCH + timedelta(seconds=seconds)).astimezone(zone)


def _day_start(day: date, zone: ZoneInfo) -> int:
    start = datetime(day.year, day.month, day.day, tzinfo=zone)
    return (start - EPOCH) // timedelta(seconds=1)


def horizon_of(newest: int, kept: int, aligned_to: str, zone: ZoneInfo) -> int | None:
    """Unix seconds before which rows are older than `kept` seconds; None when time began later."""
    try:
        return bucket_start(newest - kept, aligned_to, zone)
    except (OverflowError, ValueError):
        return None


def instant(seconds: int) -> str:
    """Unix seconds as an ISO instant in UTC, as it is stored: 2014-02-15T00:00:00Z."""
    return (EPOCH + timedelta(seconds=seconds)).replace(tzinfo=None).isoformat() + "Z"
