"""Where buckets begin: the rule as it is written, by walking a zone's changes one after the other.

A minute or an hour begins when the zone's clock completes one, or shows a full one; so do several,
counted from midnight. A day begins when the clock first shows its midnight, or, where a change skips
that, when the clock before the change would have shown it; or so many seconds after midnight. Weeks
begin with their Monday, months and years with their first day. The bucket of an instant is the last
that has begun.

Nothing of the product's arithmetic is here: no remainder is ever taken of an instant's own clock.
"""

from __future__ import annotations

import functools
from bisect import bisect_right
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
DAY_0 = date(1970, 1, 1)
EARLIEST = -62_135_596_800  # year 1
FIRST = -4_354_819_200  # 1832: before any zone had a rule
LAST = 2_145_916_800  # 2038
PROBE = 36 * 3_600  # no zone changes twice within 36 hours
LENGTHS = {
    "seconds": 1,
    "minutes": 60,
    "5minutes": 300,
    "15minutes": 900,
    "hours": 3_600,
    "6hours": 21_600,
}


@dataclass(frozen=True)
class ConstantOffset:
    """The time from one change of a zone's clock to the next (Unix seconds), with its offset."""

    begin: int
    end: int
    offset: int


def offset(zone: ZoneInfo, seconds: int) -> int:
    offset = (EPOCH + timedelta(seconds=seconds)).astimezone(zone).utcoffset()
    return int(offset.total_seconds())


@functools.cache
def constant_offsets(zone: ZoneInfo) -> list[ConstantOffset]:
    """All such times of a zone, found by reading the offset from Python's zone data every 36 hours."""
    found, begin = [], EARLIEST
    for probe in range(FIRST, LAST, PROBE):
        before, after = offset(zone, probe), offset(zone, probe + PROBE)
        if before != after:
            low, high = probe, probe + PROBE
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if offset(zone, middle) == before else (low, middle)
            found.append(ConstantOffset(begin, high, before))
            begin = high
    return [*found, ConstantOffset(begin, LAST, offset(zone, LAST))]


@functools.cache
def begins(zone: ZoneInfo) -> list[int]:
    return [each.begin for each in constant_offsets(zone)]


def changes(zone: ZoneInfo) -> list[int]:
    """The instants at which the zone's clock changes."""
    return begins(zone)[1:]


def bucket_start(micros: int, duration: str, zone: ZoneInfo, day_start: int = 0) -> int:
    """Unix seconds at which the bucket of an instant (Unix microseconds) begins."""
    seconds = micros // 1_000_000
    if duration in LENGTHS:
        return _clock_start(seconds, LENGTHS[duration], zone)
    starts = day_starts(zone, day_start)
    day = bisect_right(starts, seconds) - 1
    begun = date.fromordinal(FIRST_DAY + day)
    if duration == "weeks":
        return starts[day - begun.weekday()]
    months = {"months": 1, "quarters": 3, "years": 12}.get(duration, 1)
    month = begun.month - (begun.month - 1) % months
    first = begun if duration == "days" else begun.replace(month=month, day=1)
    return starts[first.toordinal() - FIRST_DAY]


def _clock_start(seconds: int, length: int, zone: ZoneInfo) -> int:
    """The last full minute or hour within a constant offset, its end (which it completes) included."""
    at = bisect_right(begins(zone), seconds) - 1
    for each in reversed(constant_offsets(zone)[: at + 1]):
        until = min(seconds, each.end)
        full = (until + each.offset) // length * length - each.offset
        if full >= each.begin:
            return full
    raise AssertionError("an instant before the first offset")


FIRST_DAY = date(1500, 1, 1).toordinal()


@functools.cache
def day_starts(zone: ZoneInfo, after_midnight: int) -> list[int]:
    """When each day begins, from FIRST_DAY on."""
    found, at = [], 0
    every = constant_offsets(zone)
    for ordinal in range(FIRST_DAY, date(2037, 12, 30).toordinal()):
        clock = (ordinal - DAY_0.toordinal()) * 86_400 + after_midnight
        while clock - every[at].offset >= every[at].end:  # this clock stops before that midnight
            following = every[at + 1]
            if clock - following.offset < following.begin:  # and the next starts after it
                break
            at += 1
        found.append(clock - every[at].offset)
    return found
