"""The rows that the tables of an aggregation must have: a fold over the events, in plain Python.

Written from the words of the specification. No Spark, no SQL, nothing of the product: where both
agree, they agree for a reason.
"""

from __future__ import annotations

import functools
import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from tests.engine.runs.clock import bucket_start
from tests.engine.runs.definition import Definition, Event

# Between Julius's calendar and Gregory's: Delta cannot search such times.
SKIPPED = (datetime(1582, 10, 4, tzinfo=timezone.utc), datetime(1582, 10, 17, tzinfo=timezone.utc))
EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
EARLIEST, AFTER = datetime(2, 1, 1, tzinfo=timezone.utc), datetime(9999, 1, 1, tzinfo=timezone.utc)
SECOND = 1_000_000
EXACT = Context(prec=80)  # Python's own rounds decimals to 28 digits
LENGTHS = {"seconds": 1, "minutes": 60, "hours": 3600}
Key = tuple
"""Unix seconds of the bucket's start, then the values of the group columns."""


@dataclass
class Expected:
    """Rows by duration and key; late events with the first word(s) of their reason."""

    rows: dict[str, dict[Key, dict[str, Any]]]
    late: list[tuple[str, Event]] = field(default_factory=list)


@dataclass(frozen=True)
class Placed:
    """An event that counts: when it was, by which zone's clock it was written, and in which bucket."""

    event: Event
    at: int
    zone: str | None
    arrival: int
    bucket: int


def fold(definition: Definition, events: Iterable[Event]) -> Expected:
    """The rows of every table after these events, whatever the runs."""
    placed, late = classify(definition, events)
    zone = ZoneInfo(definition.time_zone)
    rows: dict[str, dict[Key, dict[str, Any]]] = {}
    starts = [each.bucket for each in placed]
    for duration in definition.every:
        buckets: dict[Key, list[Placed]] = defaultdict(list)
        if duration != definition.every[0]:  # a roll-up
            starts = [
                bucket_start(start * SECOND, duration, zone, definition.day_start)
                for start in starts
            ]
        for start, each in zip(starts, placed, strict=True):
            buckets[(start, *(each.event[column] for column in definition.keys))].append(each)
        rows[duration] = {key: _row(definition, key, all_) for key, all_ in buckets.items()}
    return Expected(rows, late)


def classify(
    definition: Definition, events: Iterable[Event]
) -> tuple[list[Placed], list[tuple[str, Event]]]:
    """Which events count, in the order of their arrival, and why the others do not."""
    zone, base = ZoneInfo(definition.time_zone), definition.every[0]
    size = definition.buffer_size
    if size is None and definition.drops:
        size = 0
    placed: list[Placed] = []
    late: list[tuple[str, Event]] = []
    ids: set[Any] = set()
    batches: dict[int, list[tuple[int, str | None, Event]]] = defaultdict(list)
    for event in events:
        at, offset = event_time(
            event[definition.time_column], definition.columns[definition.time_column]
        )
        if at is None:
            late.append(("no event time", event))
        elif definition.event_id and event[definition.event_id] is None:
            late.append(("no event id", event))
        else:
            batches[event[definition.arrival]].append((at, offset, event))

    newest: int | None = None
    for arrival in sorted(batches):
        read: list[int] = []
        for at, offset, event in sorted(batches[arrival], key=lambda each: each[0]):
            if definition.event_id:
                if event[definition.event_id] in ids:
                    late.append(("duplicate", event))
                    continue
                ids.add(event[definition.event_id])
            bucket = bucket_start(at, base, zone, definition.day_start)
            read.append(bucket)
            if size is not None and newest is not None:
                oldest = back(newest, size, base, zone)
                if bucket < oldest and definition.drops:
                    late.append(("late", event))
                    continue
                bucket = max(bucket, oldest)
            placed.append(Placed(event, at, offset, arrival, bucket))
        newest = max([*read, *([newest] if newest is not None else [])], default=None)
    return placed, late


def back(bucket: int, steps: int, duration: str, zone: ZoneInfo) -> int:
    """The bucket so many buckets before another."""
    if duration in LENGTHS:
        return bucket_start((bucket - steps * LENGTHS[duration]) * SECOND, duration, zone)
    day = (EPOCH + timedelta(seconds=bucket)).astimezone(zone).date() - timedelta(days=steps)
    start = datetime(day.year, day.month, day.day, tzinfo=zone)
    return int((start - EPOCH).total_seconds())


def event_time(given: Any, kind: str) -> tuple[int | None, str | None]:
    """Unix microseconds, and the offset given with them; none when it is no time."""
    offset = None
    if given is None:
        return None, None
    if kind == "bigint":
        given *= 1000
    if kind == "string":
        read = re.fullmatch(r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?: ?(Z|[+-]\d\d:[0-5]\d))?", given)
        if read is None:
            return None, None
        offset = read[2]
        try:
            instant = datetime.fromisoformat(
                read[1] + ("+00:00" if offset in (None, "Z") else offset)
            )
        except ValueError:
            return None, None
        given = (instant - EPOCH) // timedelta(microseconds=1)
    if not _micros(EARLIEST) <= given < _micros(AFTER):
        return None, None
    if _micros(SKIPPED[0]) <= given < _micros(SKIPPED[1]):
        return None, None
    return given, offset


def _micros(instant: datetime) -> int:
    return (instant - EPOCH) // timedelta(microseconds=1)


def _row(definition: Definition, key: Key, events: list[Placed]) -> dict[str, Any]:
    """One row as it is read: its key, its zone, its outputs and its greatest arrival."""
    zone = max(events, key=lambda p: (p.at, p.arrival, _order(p.zone))).zone
    row: dict[str, Any] = {"agg_timestamp": key[0], "agg_timezone": zone or definition.time_zone}
    row |= dict(zip(definition.keys, key[1:], strict=True))
    for name, output in definition.outputs.items():
        row[name] = _aggregate(output, [(p.at, p.arrival, output.value(p.event)) for p in events])
    row["agg_arrival"] = max(p.arrival for p in events)
    return row


def partition(bucket: int, width: str, zone: ZoneInfo) -> str | int:
    """The first day of the week (a Monday), month or year, the day, or of the hour Unix microseconds."""
    if width == "hour":
        return bucket_start(bucket * SECOND, "hours", zone) * SECOND
    day = (EPOCH + timedelta(seconds=bucket)).astimezone(zone).date()
    if width in ("month", "year"):
        return day.replace(day=1, month=1 if width == "year" else day.month).isoformat()
    return (day - timedelta(days=day.weekday() if width == "week" else 0)).isoformat()


def _aggregate(output: Any, timed: list[tuple[int, int, Any]]) -> Any:
    if output.function == "latest":
        return max(timed, key=lambda t: (t[0], t[1], _order(t[2])))[2]
    known = [each for each in timed if each[2] is not None]
    if output.function in ("first", "last"):
        pick = min if output.function == "first" else max
        return pick(known, key=lambda t: (t[0], t[1], _order(t[2])))[2] if known else None
    values = [value for *_, value in known]
    if output.function == "quantile":
        values = sorted(value for value in values if not _is_nan(value))
        return values[max(math.ceil(output.fraction * len(values)) - 1, 0)] if values else None
    return AGGREGATES[output.function](values)


def _is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def _order(value: Any) -> tuple:
    """Null first, NaN last, as Spark orders values."""
    return (value is not None, _is_nan(value), 0 if value is None or _is_nan(value) else value)


def _sum(values: list) -> Any:
    if not values:
        return None
    if any(_is_nan(value) for value in values):
        return math.nan
    if isinstance(values[0], float):
        return math.fsum(values)
    return functools.reduce(EXACT.add, values) if isinstance(values[0], Decimal) else sum(values)


def _avg(values: list) -> float | None:
    if not values:
        return None
    total = _sum(values)
    return total / len(values) if isinstance(total, float) else float(Fraction(total) / len(values))


def _variance(values: list, less: int) -> float | None:
    """Exact, by fractions; `less` is 1 for a sample and 0 for all there is."""
    if len(values) <= less:
        return None
    exact = [Fraction(value) for value in values]
    mean = sum(exact) / len(exact)
    return float(sum((value - mean) ** 2 for value in exact) / (len(exact) - less))


def _root(value: float | None) -> float | None:
    return None if value is None else math.sqrt(value)


def _as_doubles(statistic: Callable[[list[float]], Any]) -> Callable[[list], Any]:
    """Of the values as doubles: two great whole numbers may be one."""
    return lambda values: statistic([float(value) for value in values])


def _central(values: list[float], power: int) -> Fraction:
    exact = [Fraction(value) for value in values]
    mean = sum(exact) / len(exact)
    return sum((value - mean) ** power for value in exact) / len(exact)


def _skewness(values: list[float]) -> float | None:
    """Of a sample: the third central moment over the second to the power 1.5, corrected."""
    count = len(values)
    if count < 3 or len(set(values)) == 1:
        return None
    third, second = _central(values, 3), _central(values, 2)
    size = math.sqrt(third**2 / second**3 * count * (count - 1)) / (count - 2)
    return math.copysign(size, third)


def _kurtosis(values: list[float]) -> float | None:
    """Of a sample, above that of a normal distribution."""
    count = len(values)
    if count < 4 or len(set(values)) == 1:
        return None
    excess = _central(values, 4) / _central(values, 2) ** 2 - 3
    return float(((count + 1) * excess + 6) * (count - 1) / ((count - 2) * (count - 3)))


def _geometric_mean(values: list[float]) -> float | None:
    if not values or min(values) < 0:
        return None
    if min(values) == 0:
        return 0.0
    return math.exp(math.fsum(math.log(value) for value in values) / len(values))


def _distinct(values: list) -> int:
    return len({"NaN" if _is_nan(value) else value for value in values})


AGGREGATES: dict[str, Callable[[list], Any]] = {
    "avg": _avg,
    "sum": _sum,
    "min": lambda values: min(values, key=_order, default=None),
    "max": lambda values: max(values, key=_order, default=None),
    "count": len,
    "distinctCount": _distinct,
    "approx_count_distinct": _distinct,  # a sketch of a few values is exact
    "variance": lambda values: _variance(values, 1),
    "var_pop": lambda values: _variance(values, 0),
    "stddev": lambda values: _root(_variance(values, 1)),
    "stddev_pop": lambda values: _root(_variance(values, 0)),
    "skewness": _as_doubles(_skewness),
    "kurtosis": _as_doubles(_kurtosis),
    "geometric_mean": _as_doubles(_geometric_mean),
    "sumsq": _as_doubles(lambda values: math.fsum(v * v for v in values) if values else None),
}
