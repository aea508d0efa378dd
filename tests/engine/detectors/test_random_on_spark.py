"""Each detector on Spark against the oracle, on hundreds of random series at once."""

from __future__ import annotations

import math
import random
from datetime import datetime, timedelta

import pytest
from tests.engine.detectors.conftest import RESULT, load, load_ranges, query
from tests.engine.detectors.oracle import (
    Calendar,
    Change,
    Length,
    MeanVariance,
    Median,
    Peer,
    Quantile,
    Rule,
    Series,
    Threshold,
    detect,
)

SEED = 3467
NEW_YORK = "America/New_York"
DAYS, HOURS, QUARTERS, MONTHS = (Length(1, "days"), Length(1, "hours"), Length(15, "minutes"), Length(1, "months"))  # fmt: skip
A_DAY, A_WEEK = Length(1, "days"), Length(7, "days")
SERIES = {
    "days": (Calendar(DAYS), datetime(2024, 2, 20), 60),
    "days of New York": (Calendar(DAYS, NEW_YORK), datetime(2013, 2, 20, 5), 60),
    "days of Sao Paulo": (Calendar(DAYS, "America/Sao_Paulo"), datetime(2013, 9, 20, 3), 60),
    "hours of New York in spring": (Calendar(HOURS, NEW_YORK), datetime(2013, 3, 8, 5), 110),
    "hours of New York in autumn": (Calendar(HOURS, NEW_YORK), datetime(2013, 11, 1, 4), 110),
    "quarters of Lord Howe": (Calendar(QUARTERS, "Australia/Lord_Howe"), datetime(2013, 10, 4, 13, 30), 150),
    "months": (Calendar(MONTHS), datetime(2011, 1, 1), 40),
    "months of New York": (Calendar(MONTHS, NEW_YORK), datetime(2011, 1, 1, 5), 40),
}  # fmt: skip
"""A calendar, the first bucket, and how many there are."""
QUICK = ("days of New York", "hours of New York in autumn")
WITH_SOAK = [pytest.param(name, marks=() if name in QUICK else pytest.mark.soak) for name in SERIES]
RULES = {
    "days": [
        Threshold(2, 7), Change(A_WEEK, percentage=50), Change(A_DAY, amount=3),
        MeanVariance(Length(28, "days"), A_WEEK, 2), MeanVariance(A_WEEK, None, 10, 4),
        Median(Length(28, "days"), A_WEEK, 2, 0, 2), Median(A_WEEK, None, 1, 0.5, 3),
        Peer(1.5), Quantile(Length(28, "days"), None, 0.1, 0.9, 0, 5),
    ],
    "clock": [
        Threshold(None, 8), Change(A_DAY, percentage=25), Change(Length(24, "hours"), percentage=25),
        Change(Length(1, "hours"), amount=4), MeanVariance(Length(3, "days"), A_DAY, 7),
        MeanVariance(Length(20, "hours"), Length(5, "hours"), 0),
        Median(Length(3, "days"), A_DAY, 1, 0, 2), Median(Length(20, "hours"), None, 1.5, 1, 4),
        Peer(1, 2, 20), Quantile(Length(3, "days"), A_DAY, None, 0.75, 0.5, 2),
    ],
    "months": [
        Threshold(3, None, True), Change(Length(12, "months"), percentage=10), Change(Length(1, "months"), amount=2),
        MeanVariance(Length(36, "months"), Length(12, "months"), 5), Median(Length(12, "months"), None, 2),
        Peer(2, 0, 2), Quantile(Length(24, "months"), None, 0.2, None, 0, 6),
    ],
}  # fmt: skip


def random_rows(chance: random.Random, calendar: Calendar, first: datetime, count: int):
    """Series that begin late, end early and have holes; whole numbers, or doubles that hardly ever tie."""
    rows = []
    for number in range(50):
        at, name = first, None if number == 0 else f"{number:02}"
        begins, ends = chance.randrange(count // 3), count - chance.choice((0, 0, 1, 5))
        holes, is_whole = chance.choice((0, 0.1, 0.5)), chance.random() < 0.5
        low = chance.choice((0, 1, -5))
        for place in range(count):
            if begins <= place < ends and chance.random() >= holes:
                value = chance.randint(low, 9) if is_whole else chance.uniform(low, 9)
                odd = chance.choice((None, math.nan, math.inf)) if chance.random() < 0.02 else value
                rows.append((name, at, None if odd is None else float(odd)))
            at = calendar.next(at)
    return rows


def arguments(rule: Rule) -> tuple[str, dict]:
    if isinstance(rule, Threshold):
        return "threshold_detector", {
            "min": rule.lowest, "max": rule.highest, "inclusive": rule.inclusive,
        }  # fmt: skip
    if isinstance(rule, Peer):
        return "peer_detector", vars(rule).copy()
    if isinstance(rule, Quantile):
        season = rule.seasonality and rule.seasonality.text
        names = "lower", "upper", "min_change", "min_values"
        given = {name: getattr(rule, name) for name in names}
        return "quantile_detector", {"lookback": rule.lookback.text, "seasonality": season} | given
    if isinstance(rule, Median):
        season = rule.seasonality and rule.seasonality.text
        names = "deviations", "min_change", "min_values"
        given = {name: getattr(rule, name) for name in names}
        return "median_detector", {"lookback": rule.lookback.text, "seasonality": season} | given
    if isinstance(rule, MeanVariance):
        season = rule.seasonality and rule.seasonality.text
        given = {"sensitivity": rule.sensitivity, "min_values": rule.min_values}
        return "mean_variance_detector", {"lookback": rule.lookback.text, "seasonality": season} | given  # fmt: skip
    if rule.percentage is None:
        return "absolute_change_detector", {"offset": rule.offset.text, "change": rule.amount}
    return "percentage_change_detector", {"offset": rule.offset.text, "percentage": rule.percentage}


def same(one: tuple, other: tuple) -> bool:
    """Times and keys exactly; doubles up to their rounding."""
    return all(
        math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)
        if isinstance(a, float) and isinstance(b, float | int)
        else a == b
        for a, b in zip(one, other, strict=True)
    )


@pytest.mark.parametrize("turn", [0, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("series", WITH_SOAK)
def test_random_series(spark, series, turn):
    """Zeros and nulls take turns from rule to rule and from series to series; in soak, each rule has both."""
    calendar, first, count = SERIES[series]
    chance = random.Random(f"{SEED} {series}")  # noqa: S311
    rows = random_rows(chance, calendar, first, count)
    load(spark, rows)
    starts = sorted({at for _, at, _ in rows})
    ends = None, starts[len(starts) * 3 // 4], later(calendar, starts[-1], 5)
    total = 0
    for number, rule in enumerate(RULES.get(calendar.granularity.unit, RULES["clock"])):
        missing = ("null", "zero")[(number + list(SERIES).index(series) + turn) % 2]
        pattern = "up_or_down" if isinstance(rule, Threshold | Quantile) else chance.choice(("up", "down", "up_or_down"))  # fmt: skip
        ranges = () if isinstance(rule, Threshold | Peer) or chance.random() < 0.5 else excluded(chance, rows)  # fmt: skip
        settings = Series(calendar, missing, chance.choice(ends), chance.choice((1, 1, 2, 3)), ranges)  # fmt: skip
        where = f"seed {SEED}, {series}, {rule}, {settings}, {pattern}"
        expected = sorted(detect(rows, settings, rule, pattern), key=_order)
        found = on_spark(spark, settings, rule, pattern)
        assert [row[:2] for row in found] == [row[:2] for row in expected], where
        for one, other in zip(found, expected, strict=True):
            assert same(one, other), f"{where}: {one} is {other}"
        total += len(found)
    assert total > 300, total


def excluded(chance: random.Random, rows: list[tuple]) -> tuple[tuple, ...]:
    """Ranges of some keys, of any length: from an instant on to those of days."""
    starts = sorted({at for _, at, _ in rows})
    ranges = []
    for key in sorted({key for key, _, _ in rows}, key=str):  # the same ones in each process
        for _ in range(chance.choice((0, 1, 3))):
            first = chance.choice(starts) + timedelta(minutes=chance.choice((-1, 0, 7)))
            ranges.append((key, first, first + chance.choice((timedelta(0), (starts[-1] - starts[0]) / 10))))  # fmt: skip
    return tuple(ranges)


def on_spark(spark, settings: Series, rule, pattern: str) -> list[tuple]:
    """What Spark finds in the view, by the clock of UTC, whatever Python's own zone is."""
    macro, call = arguments(rule)
    call |= {"missing": settings.missing, "time_zone": settings.calendar.zone, "granularity": settings.calendar.granularity.text}  # fmt: skip
    call["until"] = settings.until and f"timestamp'{settings.until}'"
    if settings.min_run > 1:
        number, unit = settings.calendar.granularity
        call["min_duration"] = Length(number * settings.min_run, unit).text
    if not isinstance(rule, Threshold | Quantile):
        call["pattern"] = pattern
    if settings.exclude:
        load_ranges(spark, settings.exclude)
        call |= {"exclude": "(select * from ranges)", "exclude_keys": ["carrier"]}
    frame = spark.sql(query(macro, **call))
    times = "unix_seconds(starts_at)", "unix_seconds(ends_at)"
    rows = frame.selectExpr("carrier", *times, *RESULT[2:]).collect()
    return sorted(((row[0], _naive(row[1]), _naive(row[2]), *row[3:]) for row in rows), key=_order)


def later(calendar: Calendar, start: datetime, buckets: int) -> datetime:
    for _ in range(buckets):
        start = calendar.next(start)
    return start


def _naive(seconds: int) -> datetime:
    return datetime(1970, 1, 1) + timedelta(seconds=seconds)


def _order(row: tuple) -> tuple:
    return (row[0] or "", row[1])
