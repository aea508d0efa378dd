"""The label makers in plain Python, one detection after the other. Nothing here is shared with the macros.

Times are naive UTC. Each rule says the labels that it gives a detection.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import NamedTuple
from zoneinfo import ZoneInfo

DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


class Detection(NamedTuple):
    carrier: str | None
    starts_at: datetime
    ends_at: datetime
    current_value: float | None
    labels: tuple[str, ...] | None = None
    is_ignored: bool | None = None


class Event(NamedTuple):
    name: str
    starts_at: datetime
    ends_at: datetime
    carrier: str | None = None


class Margin(NamedTuple):
    """Days of the calendar, then hours."""

    days: int = 0
    hours: int = 0

    @property
    def text(self) -> str | None:
        days, hours = f"{self.days}D" if self.days else "", f"T{self.hours}H" if self.hours else ""
        return f"P{days}{hours}" if days or hours else None

    def moved(self, at: datetime, sign: int, zone: str) -> datetime:
        if self.days:
            clock = local(at, zone) + sign * timedelta(days=self.days)
            at = clock.replace(tzinfo=ZoneInfo(zone)).astimezone(timezone.utc).replace(tzinfo=None)
        return at + sign * timedelta(hours=self.hours)


NONE = Margin()


def local(at: datetime, zone: str) -> datetime:
    """The zone's own clock."""
    there = at.replace(tzinfo=timezone.utc).astimezone(ZoneInfo(zone))
    return there.replace(tzinfo=None, fold=0)


@dataclass(frozen=True)
class Events:
    events: list[Event]
    before: Margin = NONE
    after: Margin = NONE
    by_carrier: bool = False
    zone: str = "UTC"

    def labels(self, one: Detection) -> set[str]:
        return {
            event.name
            for event in self.events
            if not (self.by_carrier and event.carrier != one.carrier) and self.meets(event, one)
        }

    def meets(self, event: Event, one: Detection) -> bool:
        first = self.before.moved(event.starts_at, -1, self.zone)
        last = self.after.moved(event.ends_at, 1, self.zone)
        if first >= last:  # an instant
            return one.starts_at <= first < one.ends_at
        return one.starts_at < last and first < one.ends_at


@dataclass(frozen=True)
class ColdStart:
    data: list[tuple[str | None, datetime]]
    period: Margin
    by_carrier: bool = False
    zone: str = "UTC"

    def labels(self, one: Detection) -> set[str]:
        known = [at for carrier, at in self.data if not self.by_carrier or carrier == one.carrier]
        is_cold = known and one.starts_at < self.period.moved(min(known), 1, self.zone)
        return {"cold start"} if is_cold else set()


@dataclass(frozen=True)
class TimeOfWeek:
    days: list[str] = field(default_factory=list)
    hours: list[int] = field(default_factory=list)
    day_hours: dict[str, list[int]] = field(default_factory=dict)
    zone: str = "UTC"

    def labels(self, one: Detection) -> set[str]:
        clock = local(one.starts_at, self.zone)
        day = DAYS[clock.weekday()]
        is_then = (
            day in self.days
            or clock.hour in self.hours
            or clock.hour in self.day_hours.get(day, [])
        )
        return {"time of week"} if is_then else set()


@dataclass(frozen=True)
class Limit:
    """On the detection's own value, or on that of the same carrier and start in `data`."""

    lowest: float | None = None
    highest: float | None = None
    inclusive: bool = False
    data: dict[tuple[str | None, datetime], list[float | None]] | None = None

    def labels(self, one: Detection) -> set[str]:
        if self.data is None:
            values = [one.current_value]
        else:
            values = self.data.get((one.carrier, one.starts_at), [])
        return {"threshold"} if any(map(self.is_beyond, values)) else set()

    def is_beyond(self, value: float | None) -> bool:
        if value is None or math.isnan(value):
            return False
        below = self.lowest is not None and value < self.lowest
        above = self.highest is not None and value > self.highest
        return below or above or (self.inclusive and value in (self.lowest, self.highest))


def labelled(one: Detection, rule: object, *, ignore: bool) -> Detection:
    added = rule.labels(one)
    return one._replace(
        labels=tuple(sorted({*(one.labels or ()), *added})),
        is_ignored=bool(one.is_ignored) or (ignore and bool(added)),
    )
