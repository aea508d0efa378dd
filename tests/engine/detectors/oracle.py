"""The detectors in plain Python, bucket by bucket, as the specification reads.

A series is a list of (start, value); starts are naive UTC. Nothing here is shared with the macros.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta, timezone
from functools import cache
from itertools import pairwise
from typing import NamedTuple
from zoneinfo import ZoneInfo

DESIGNATORS = {"months": "P{}M", "days": "P{}D", "hours": "PT{}H", "minutes": "PT{}M"}


class Length(NamedTuple):
    """A number of months, days, hours or minutes."""

    number: int
    unit: str

    @property
    def text(self) -> str:
        return DESIGNATORS[self.unit].format(self.number)

    @property
    def is_of_clock(self) -> bool:
        return self.unit in ("hours", "minutes")

    @property
    def elapsed(self) -> timedelta:
        return timedelta(**{self.unit: self.number})


class Found(NamedTuple):
    """One row of a detector."""

    key: object
    starts_at: datetime
    ends_at: datetime
    current: float
    baseline: float
    lower: float | None
    upper: float | None


@cache
def _local(instant: datetime, zone: str) -> datetime:
    aware = instant.replace(tzinfo=timezone.utc).astimezone(ZoneInfo(zone))
    return aware.replace(tzinfo=None)


@dataclass(frozen=True)
class Calendar:
    """Where buckets begin and end, and the distance between two of them, in one zone."""

    granularity: Length
    zone: str = "UTC"

    def local(self, instant: datetime) -> datetime:
        return _local(instant, self.zone)

    def instant(self, day: date) -> datetime:
        """When a date begins in the zone."""
        midnight = datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(self.zone))
        return midnight.astimezone(timezone.utc).replace(tzinfo=None)

    def next(self, start: datetime) -> datetime:
        number, unit = self.granularity
        if self.granularity.is_of_clock:
            return start + self.granularity.elapsed
        day = self.local(start).date()
        if unit == "days":
            return self.instant(day + timedelta(days=number))
        months = day.year * 12 + day.month - 1 + number
        return self.instant(date(months // 12, months % 12 + 1, 1))

    def position(self, start: datetime, on_clock: bool) -> int:
        """When a bucket begins, in the unit that counts; `on_clock` lets the zone's clock speak of hours."""
        return _position(self, start, on_clock)

    def in_units(self, length: Length) -> int:
        """A length in the unit of `position`."""
        if self.granularity.is_of_clock:
            return int(length.elapsed / timedelta(minutes=1))
        return length.number


@cache
def _position(calendar: Calendar, start: datetime, on_clock: bool) -> int:
    local = calendar.local(start)
    if calendar.granularity.is_of_clock:
        return ((local if on_clock else start) - datetime(2000, 1, 1)) // timedelta(minutes=1)
    return local.toordinal() if calendar.granularity.unit == "days" else local.year * 12 + local.month  # fmt: skip


@dataclass(frozen=True)
class Series:
    """What every detector is given."""

    calendar: Calendar
    missing: str = "null"
    until: datetime | None = None
    min_run: int = 1
    exclude: tuple[tuple[object, datetime, datetime], ...] = ()
    """Ranges of a key that are no part of a baseline: first instant, and the one after the last."""

    def filled(
        self, rows: list[tuple[datetime, float | None]], newest: datetime
    ) -> dict[datetime, float | None]:
        """The buckets of one key by their start; NaN is null."""
        known = {
            start: None if value is None or math.isnan(value) else value for start, value in rows
        }
        if self.missing == "zero":
            start, end = min(known), self.until or self.calendar.next(newest)
            while self.calendar.next(start) <= end:
                known.setdefault(start, 0.0)
                start = self.calendar.next(start)
        return dict(sorted(known.items()))

    def trained(self, key: object, known: dict[datetime, float | None]):
        """The buckets of a baseline: those that overlap an excluded range have no value."""
        ranges = [(first, last) for owner, first, last in self.exclude if owner == key]
        return {
            start: None if any(first < self.calendar.next(start) and start < max(last, first + timedelta(microseconds=1)) for first, last in ranges) else value
            for start, value in known.items()
        }  # fmt: skip

    def is_over(self, start: datetime) -> bool:
        return self.until is None or self.calendar.next(start) <= self.until


@dataclass(frozen=True)
class Threshold:
    lowest: float | None
    highest: float | None
    inclusive: bool = False
    min_inclusive: bool | None = None  # as `inclusive`
    max_inclusive: bool | None = None

    def evaluate(self, _calendar: Calendar, _known: dict, _start: datetime, value: float):
        at_lowest = value == self.lowest and self.finds_equal(self.min_inclusive)
        if self.lowest is not None and (value < self.lowest or at_lowest):
            return self.lowest, self.lowest, self.highest
        return self.highest, self.lowest, self.highest

    def finds_equal(self, own: bool | None) -> bool:
        return self.inclusive if own is None else own

    def is_on_bound(self, value: float) -> bool:
        at_highest = value == self.highest and self.finds_equal(self.max_inclusive)
        return at_highest or self.is_on_lowest(value)

    def is_on_lowest(self, value: float) -> bool:
        return value == self.lowest and self.finds_equal(self.min_inclusive)


@dataclass(frozen=True)
class Change:
    """Either `percentage` or `amount`."""

    offset: Length
    percentage: float | None = None
    amount: float | None = None

    def evaluate(self, calendar: Calendar, known: dict, start: datetime, _value: float):
        on_clock = self.offset.unit == "days"
        wanted = calendar.position(start, on_clock) - calendar.in_units(self.offset)
        for earlier, value in known.items():  # by time: of a repeated hour the first pass
            if calendar.position(earlier, on_clock) == wanted:
                if value is None or math.isinf(value):
                    return None
                margin = (
                    self.amount if self.percentage is None else abs(value) * self.percentage / 100
                )
                return value, value - margin, value + margin
        return None


def before(
    calendar: Calendar, known: dict, start: datetime, lookback: Length, seasonality: Length | None
) -> list[float]:
    """The finite values within a look-back before a bucket, of its position in the season."""
    on_clock = "days" in (lookback.unit, seasonality and seasonality.unit)
    season = calendar.in_units(seasonality) if seasonality else 1
    here, furthest = calendar.position(start, on_clock), calendar.in_units(lookback)
    values = []
    for earlier, value in known.items():
        distance = here - calendar.position(earlier, on_clock)
        is_near = 0 < distance <= furthest
        if is_near and distance % season == 0 and value is not None and math.isfinite(value):
            values.append(value)
    return values


@dataclass(frozen=True)
class Peer:
    """All keys are peers."""

    deviations: float = 8
    min_change: float = 0
    min_peers: int = 4

    def evaluate_among(self, values: list[float | None]):
        """The baseline and the bounds of all that have a value at one time."""
        finite = [value for value in values if value is not None and math.isfinite(value)]
        if len(finite) < self.min_peers:
            return None
        return around_median(finite, self.deviations, self.min_change)


def around_median(values: list[float], deviations: float, min_change: float):
    median = statistics.median(values)
    deviation = statistics.median(abs(value - median) for value in values)
    margin = max(deviations * deviation, min_change)
    return median, median - margin, median + margin


@dataclass(frozen=True)
class Quantile:
    lookback: Length
    seasonality: Length | None = None
    lower: float | None = None
    upper: float | None = None
    min_change: float = 0
    min_values: int = 10

    def evaluate(self, calendar: Calendar, known: dict, start: datetime, _value: float):
        values = sorted(before(calendar, known, start, self.lookback, self.seasonality))
        if len(values) < self.min_values:
            return None
        lower = None if self.lower is None else quantile(values, self.lower) - self.min_change
        upper = None if self.upper is None else quantile(values, self.upper) + self.min_change
        return statistics.median(values), lower, upper


def quantile(values: list[float], share: float) -> float:
    """Between two values in proportion."""
    place = share * (len(values) - 1)
    below, above = values[math.floor(place)], values[math.ceil(place)]
    return below + (place - math.floor(place)) * (above - below)


@dataclass(frozen=True)
class Median:
    lookback: Length
    seasonality: Length | None = None
    deviations: float = 8
    min_change: float = 0
    min_values: int = 4

    def evaluate(self, calendar: Calendar, known: dict, start: datetime, _value: float):
        values = before(calendar, known, start, self.lookback, self.seasonality)
        if len(values) < self.min_values:
            return None
        return around_median(values, self.deviations, self.min_change)


@dataclass(frozen=True)
class MeanVariance:
    lookback: Length
    seasonality: Length | None = None
    sensitivity: float = 5
    min_values: int = 2
    deviations: float | None = None  # instead of the scale of `sensitivity`

    def evaluate(self, calendar: Calendar, known: dict, start: datetime, _value: float):
        values = before(calendar, known, start, self.lookback, self.seasonality)
        if len(values) < self.min_values:
            return None
        mean = values[0] if len(set(values)) == 1 else statistics.fmean(values)
        scale = 1.5 - self.sensitivity / 10 if self.deviations is None else self.deviations
        margin = scale * statistics.stdev(values)
        return mean, mean - margin, mean + margin


Rule = Threshold | Change | MeanVariance | Median | Peer | Quantile


def detect(
    rows: Iterable[tuple[object, datetime, float | None]],
    series: Series,
    rule: Rule,
    pattern: str = "up_or_down",
) -> list[Found]:
    """All anomalies of all keys."""
    by_key: dict[object, list] = {}
    for key, start, value in rows:
        by_key.setdefault(key, []).append((start, value))
    newest = max(start for each in by_key.values() for start, _ in each)
    found = []
    filled = {key: series.filled(each, newest) for key, each in by_key.items()}
    for key, known in filled.items():
        trained = series.trained(key, known)
        runs = {}  # by the end of a row: its side and length
        for start, value in known.items():
            if value is None or not series.is_over(start):
                evaluated = None
            elif isinstance(rule, Peer):
                evaluated = rule.evaluate_among([each.get(start) for each in filled.values()])
            else:
                evaluated = rule.evaluate(series.calendar, trained, start, value)
            if evaluated is None:
                continue
            baseline, lower, upper = evaluated
            lower = None if pattern == "up" else lower
            upper = None if pattern == "down" else upper
            on_bound = isinstance(rule, Threshold) and rule.is_on_bound(value)
            beyond = (lower is not None and value < lower) or (upper is not None and value > upper)
            if beyond or on_bound:
                end = series.calendar.next(start)
                is_low = lower is not None and (
                    value < lower or (on_bound and rule.is_on_lowest(value))
                )
                before_it = runs.get(start, (is_low, 0))
                runs[end] = is_low, 1 + (before_it[1] if before_it[0] == is_low else 0)
                if runs[end][1] < series.min_run:
                    continue
                found.append(Found(key, start, end, value, baseline, lower, upper))
    return found


@dataclass(frozen=True)
class MissingData:
    """Either what is allowed, or what is usual in a look-back."""

    sla: Length | None = None
    lookback: Length | None = None
    factor: float = 1.5
    outages: int = 1
    min_values: int = 10
    max_duration: Length | None = None
    combine: bool = True

    def limit(self, calendar: Calendar, starts: list[datetime]) -> tuple[float, float] | None:
        """The usual silence after the last of these starts, and the bound, in units of a position."""
        step = calendar.in_units(calendar.granularity)
        if self.sla:
            return calendar.in_units(self.sla), calendar.in_units(self.sla)
        at = [calendar.position(start, False) for start in starts]
        near = [place for place in range(len(at)) if at[-1] - at[place] < calendar.in_units(self.lookback)]  # fmt: skip
        if len(near) < self.min_values:
            return None
        distances = sorted((at[place] - at[place - 1] for place in near if place), reverse=True)
        usual = distances[self.outages]
        return usual - step, self.factor * usual - step

    def is_found(self, silence: int, bound: float) -> bool:
        return silence >= bound if self.sla else silence > bound


def missing(
    rows: Iterable[tuple[object, datetime, float | None]], series: Series, rule: MissingData
) -> list[Found]:
    """The buckets without a row in which a series has been silent for too long."""
    calendar, by_key = series.calendar, {}
    rows = list(rows)
    newest = max(start for _, start, _ in rows)
    for key, start, value in rows:
        by_key.setdefault(key, set())
        if value is not None and not math.isnan(value):
            by_key[key].add(start)
    end = series.until or calendar.next(newest)
    found = [it for key, starts in by_key.items() for it in _silent(key, starts, end, calendar, rule)]  # fmt: skip
    if not rule.combine or len(by_key) == 1:
        return found
    of_all = _silent(None, set().union(*by_key.values()), end, calendar, rule)
    lacking = {it.starts_at for it in of_all}
    return of_all + [it for it in found if it.starts_at not in lacking]


def _silent(key, starts: set[datetime], end: datetime, calendar: Calendar, rule: MissingData):
    step = calendar.in_units(calendar.granularity)
    year, week = {"months": 12, "days": 7}, 7 * 24 * 60
    longest = calendar.in_units(rule.max_duration) if rule.max_duration else max(
        step, year.get(calendar.granularity.unit, week))  # fmt: skip
    unit = 1 if not calendar.granularity.is_of_clock or step % 60 else 60
    found, known = [], sorted(starts)
    for place, last in enumerate(known):
        limit = rule.limit(calendar, known[: place + 1])
        bucket, silence = calendar.next(last), step
        while limit and bucket not in starts and calendar.next(bucket) <= end and silence <= longest:  # fmt: skip
            if rule.is_found(silence, limit[1]):
                current, usual, bound = silence / unit, limit[0] / unit, limit[1] / unit
                found.append(Found(key, bucket, calendar.next(bucket), current, usual, None, bound))
            bucket, silence = calendar.next(bucket), silence + step
    return found


@dataclass(frozen=True)
class FlatLine:
    duration: Length
    tolerance: float = 0
    idle: float | None = None


def flat(
    rows: Iterable[tuple[object, datetime, float | None]], series: Series, rule: FlatLine
) -> list[Found]:
    """The buckets that end a duration in which the value has not moved."""
    by_key: dict[object, list] = {}
    for key, start, value in rows:
        by_key.setdefault(key, []).append((start, value))
    newest = max(start for each in by_key.values() for start, _ in each)
    count = series.calendar.in_units(rule.duration) // series.calendar.in_units(series.calendar.granularity)  # fmt: skip
    found = []
    for key, each in by_key.items():
        known = series.filled(each, newest)
        for start in known:
            end = series.calendar.next(start)
            before_it = [it for it in known if it <= start][-count:]
            is_whole = len(before_it) == count and all(
                series.calendar.next(a) == b for a, b in pairwise(before_it)
            )
            values = [known[bucket] for bucket in before_it]
            if not is_whole or any(it is None or math.isinf(it) for it in values):
                continue
            spread = max(values) - min(values)
            is_idle = rule.idle is not None and set(values) == {rule.idle}
            if spread <= rule.tolerance and not is_idle and series.is_over(start):
                found.append(Found(key, start, end, spread, rule.tolerance, rule.tolerance, None))
    return found
