"""Calendar arithmetic of the purge: from the newest bucket back to the horizon.

The horizon of a table is the instant before which its rows go. It always begins a bucket of the
next coarser duration, so that a coarser bucket has either all its finer rows, or none:

    minutes   |  :  :  :  |  :  :  :  |  :  :  :  |  :  N
    newest - retention ───────────^
    horizon               ^ the hour begins here: this hour stays whole
"""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from strandline.epoch import EPOCH

DURATIONS = ("seconds", "minutes", "hours", "days", "months", "years")


def bucket_start(seconds: int, duration: str, zone: ZoneInfo) -> int:
    """Unix seconds at which the bucket begins that holds an instant, as the tables cut it.

    Raises OverflowError outside of the years 1 to 9999.
    """
    if duration == "seconds":
        return seconds
    local = (EPOCH + timedelta(seconds=seconds)).astimezone(zone)
    if duration in ("minutes", "hours"):
        # From the instant, so that both passes of a repeated hour stay apart.
        return seconds - local.second - (60 * local.minute if duration == "hours" else 0)
    month = 1 if duration == "years" else local.month
    day = local.day if duration == "days" else 1
    start = datetime(local.year, month, day, tzinfo=zone)
    return (start - EPOCH) // timedelta(seconds=1)


def horizon_of(newest: int, kept: int, aligned_to: str, zone: ZoneInfo) -> int | None:
    """Unix seconds before which rows are older than `kept` seconds; None when time began later."""
    try:
        start = newest - kept
        # Where a clock changes by half an hour, a bucket can begin inside the one before it, or
        # after its own first instant: go back until a bucket begins that belongs to itself.
        while (begun := bucket_start(start, aligned_to, zone)) != start:
            start = begun if begun < start else start - 3600
    except (OverflowError, ValueError):
        return None
    return start


def instant(seconds: int) -> str:
    """Unix seconds as an ISO instant in UTC, as it is stored: 2014-02-15T00:00:00Z."""
    return (EPOCH + timedelta(seconds=seconds)).replace(tzinfo=None).isoformat() + "Z"
