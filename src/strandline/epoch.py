"""Unix microseconds, which know no time zone, and instants in UTC."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def instant_of(micros: int) -> datetime:
    """The instant, in UTC, of so many microseconds."""
    return EPOCH + timedelta(microseconds=micros)


def micros_of(instant: datetime) -> int:
    """The microseconds of an instant that has a zone."""
    return (instant - EPOCH) // timedelta(microseconds=1)
