"""Series that stop, and series that do not move: examples, and random series against the oracle."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

import pytest
from tests.engine.detectors.conftest import RESULT, load, query, series
from tests.engine.detectors.oracle import FlatLine, Length, MissingData, Series, flat, missing
from tests.engine.detectors.test_random_on_spark import (
    SEED,
    SERIES,
    WITH_SOAK,
    _naive,
    _order,
    later,
    random_rows,
    same,
)

FIRST, HOUR = "2024-01-01", timedelta(hours=1)
HOURS = {"granularity": "PT1H"}


def texts(spark, macro: str, rows: list[tuple], **call) -> list[str]:
    load(spark, rows)
    frame = spark.sql(query(macro, **call)).orderBy("starts_at", "carrier")
    return [f"{row.carrier}: {row.description}" for row in frame.collect()]


# Missing data


def test_what_an_sla_allows(found):
    given = series(FIRST, HOUR, AA="1 - - 1 - - - - 1 1", UA="1 1 1 1 1 1 1 1 1 1")
    assert found("missing_data_detector", given, **HOURS, sla="PT3H") == [
        "AA 01-01 06:00 to 01-01 07:00: 3, not 3 (. to 3)",
        "AA 01-01 07:00 to 01-01 08:00: 4, not 3 (. to 3)",
    ]


def test_a_series_that_has_stopped_is_missing_until_the_newest_row_of_any_other(found):
    given = series(FIRST, AA="1 1 1", UA="1 1 1 1 1")
    assert found("missing_data_detector", given, sla="P1D") == [
        "AA 01-04 00:00 to 01-05 00:00: 1, not 1 (. to 1)",
        "AA 01-05 00:00 to 01-06 00:00: 2, not 1 (. to 1)",
    ]
    assert found("missing_data_detector", given, sla="P1D", max_duration="P1D") == [
        "AA 01-04 00:00 to 01-05 00:00: 1, not 1 (. to 1)"
    ]


def test_what_all_series_lack_is_found_once(spark, found):
    given = series(FIRST, AA="1 - - 1", UA="1 1 - 1", WN="1 1 - 1")
    assert found("missing_data_detector", given, sla="P1D") == [
        "AA 01-02 00:00 to 01-03 00:00: 1, not 1 (. to 1)",
        "None 01-03 00:00 to 01-04 00:00: 1, not 1 (. to 1)",
    ]
    assert texts(spark, "missing_data_detector", given, sla="P1D") == [
        "AA: 1 day without data, at or above 1",
        "None: 1 day without data of any series, at or above 1",
    ]
    assert texts(spark, "missing_data_detector", given, sla="P1D", combine=False) == [
        "AA: 1 day without data, at or above 1",
        "AA: 2 days without data, at or above 1",
        "UA: 1 day without data, at or above 1",
        "WN: 1 day without data, at or above 1",
    ]


def test_one_series_alone_is_named(found):
    given = series(FIRST, AA="1 - 1")
    assert found("missing_data_detector", given, sla="P1D") == [
        "AA 01-02 00:00 to 01-03 00:00: 1, not 1 (. to 1)"
    ]
    assert found("missing_data_detector", given, sla="P1D", keys=[]) == [
        "01-02 00:00 to 01-03 00:00: 1, not 1 (. to 1)"
    ]


def test_nothing_has_arrived_at_all(found):
    given = series(FIRST, AA="1 1", UA="1 1")
    assert found("missing_data_detector", given, sla="P2D") == []
    until = {"until": "timestamp'2024-01-05 12:00:00'"}
    assert found("missing_data_detector", given, sla="P2D", **until) == [
        "None 01-04 00:00 to 01-05 00:00: 2, not 2 (. to 2)"
    ]


def test_the_rhythm_of_a_series(found):
    # A row every third day; once, after 9 days. Half as much more is 4.5 days: the row after 5 days was late.
    given = series(FIRST, AA="1 - - 1 - - 1 - - - - - - - - 1 - - 1 - - 1 - - - - 1")
    call = {"lookback": "P60D", "min_values": 3}
    assert found("missing_data_detector", given, **call)[-1] == (
        "AA 01-26 00:00 to 01-27 00:00: 4, not 2 (. to 3.5)"
    )
    # The outage is a part of the rhythm if no outage is left out.
    assert found("missing_data_detector", given, **call, outages=0)[-1] == (
        "AA 01-14 00:00 to 01-15 00:00: 7, not 2 (. to 3.5)"
    )
    assert found("missing_data_detector", given, **call, factor=2) == [
        f"AA 01-{day:02} 00:00 to 01-{day + 1} 00:00: {day - 7}, not 2 (. to 5)" for day in (13, 14)
    ]


def test_with_too_few_rows_nothing_is_usual(found):
    given = series(FIRST, AA="1 1 1 1 - - 1", UA="- - - 1 1 1 1")
    call = {"lookback": "P30D", "outages": 0}
    assert found("missing_data_detector", given, **call, min_values=5) == []
    assert found("missing_data_detector", given, **call, min_values=4) == [
        "AA 01-05 00:00 to 01-06 00:00: 1, not 0 (. to 0.5)",
        "AA 01-06 00:00 to 01-07 00:00: 2, not 0 (. to 0.5)",
    ]


def test_a_row_without_a_value_is_no_data(found):
    given = series(FIRST, AA="1 null nan 1", UA="1 1 1 1")
    assert len(found("missing_data_detector", given, sla="P1D")) == 2


def test_quarters_of_an_hour_are_counted_in_minutes(spark):
    given = series(FIRST, timedelta(minutes=15), AA="1 1 - - - 1", UA="1 1 1 1 1 1")
    call = {"granularity": "PT15M", "sla": "PT45M"}
    assert texts(spark, "missing_data_detector", given, **call) == [
        "AA: 45 minutes without data, at or above 45"
    ]
    usual = {"granularity": "PT15M", "lookback": "P1D", "min_values": 2, "outages": 0}
    assert texts(spark, "missing_data_detector", given, **usual)[0] == (
        "AA: 15 minutes without data, above 7.5"
    )


def test_the_arrival_is_that_of_the_last_row_before_the_stop(spark):
    load(spark, series(FIRST, AA="1 2 - 4", UA="5 - - 8"))
    source = "(select *, cast(value * 10 as bigint) as landed from buckets)"
    found = spark.sql(
        query("missing_data_detector", source=source, sla="P1D", arrival="landed")
    ).orderBy("starts_at")
    assert [(str(row.starts_at)[:10], row.carrier, row.arrival) for row in found.collect()] == [
        ("2024-01-02", "UA", 50),
        ("2024-01-03", None, 20),
    ]


def test_two_rows_of_a_bucket_fail(spark):
    load(spark, [("AA", datetime(2024, 1, 1), 1.0), ("AA", datetime(2024, 1, 1), 2.0)])
    with pytest.raises(Exception, match="a series has one row per bucket of 'P1D'"):
        spark.sql(query("missing_data_detector", sla="P1D")).collect()


# Flat lines


def test_a_value_that_does_not_move(spark, found):
    given = series(FIRST, HOUR, AA="1 2 2 2 2 3 3 - 3 3", UA="5 5 5.25 5.1 5 4 5 6 7 8")
    call = HOURS | {"duration": "PT3H"}
    assert found("flat_line_detector", given, **call) == [
        "AA 01-01 03:00 to 01-01 04:00: 0, not 0 (0 to .)",
        "AA 01-01 04:00 to 01-01 05:00: 0, not 0 (0 to .)",
    ]
    assert texts(spark, "flat_line_detector", given, **call, tolerance=0.1) == [
        "AA: value stays at 2 for 3 hours",
        "AA: value stays at 2 for 3 hours",
    ]
    assert texts(spark, "flat_line_detector", given, **call, tolerance=0.25)[0] == (
        "UA: value stays at 5 to 5.25 for 3 hours"
    )


def test_a_value_that_may_stay(found):
    given = series(FIRST, AA="0 0 0 7 7 7", UA="0 0 0 0 0 0")
    call = {"duration": "P3D"}
    assert len(found("flat_line_detector", given, **call)) == 6
    assert found("flat_line_detector", given, **call, idle=0) == [
        "AA 01-06 00:00 to 01-07 00:00: 0, not 0 (0 to .)"
    ]


def test_missing_days_may_be_zeros(found):
    given = series(FIRST, AA="0 - 0 1", UA="0 0 - -")
    assert found("flat_line_detector", given, duration="P3D") == []
    assert len(found("flat_line_detector", given, duration="P3D", missing="zero")) == 3


# Random series


def _lengths(calendar, *counts: int) -> list[Length]:
    number, unit = calendar.granularity
    return [Length(number * count, unit) for count in counts]


@pytest.mark.parametrize("name", WITH_SOAK)
def test_random_series(spark, name):
    calendar, first, count = SERIES[name]
    chance = random.Random(f"{SEED} stopped {name}")  # noqa: S311
    rows = random_rows(chance, calendar, first, count)
    load(spark, rows)
    starts = sorted({at for _, at, _ in rows})
    two, three, many, most = _lengths(calendar, 2, 3, 30, 5)
    total = 0
    for rule in (
        MissingData(sla=two), MissingData(sla=three, max_duration=most, combine=False),
        MissingData(lookback=many, min_values=4), MissingData(lookback=many, factor=1, outages=0, min_values=2, combine=False),
        MissingData(lookback=many, factor=2.5, outages=3, min_values=8, max_duration=many),
        FlatLine(two, 0), FlatLine(three, 2.5), FlatLine(two, 1, 4),
    ):  # fmt: skip
        until = chance.choice((None, starts[len(starts) * 3 // 4], later(calendar, starts[-1], 5)))
        settings = Series(calendar, chance.choice(("null", "zero")), until)
        oracle = missing if isinstance(rule, MissingData) else flat
        expected = sorted(oracle(rows, settings, rule), key=_order)
        found = on_spark(spark, settings, rule)
        where = f"seed {SEED}, {name}, {rule}, {settings}"
        assert [row[:2] for row in found] == [row[:2] for row in expected], where
        for one, other in zip(found, expected, strict=True):
            assert same(one, other), f"{where}: {one} is {other}"
        total += len(found)
    assert total > 300, total


def on_spark(spark, settings: Series, rule: MissingData | FlatLine) -> list[tuple]:
    call = {name: value.text if isinstance(value, Length) else value for name, value in vars(rule).items()}  # fmt: skip
    call |= {"time_zone": settings.calendar.zone, "granularity": settings.calendar.granularity.text}
    call["until"] = settings.until and f"timestamp'{settings.until}'"
    macro = "missing_data_detector"
    if isinstance(rule, FlatLine):
        macro, call["missing"] = "flat_line_detector", settings.missing
    frame = spark.sql(query(macro, **call))
    times = "unix_seconds(starts_at)", "unix_seconds(ends_at)"
    rows = frame.selectExpr("carrier", *times, *RESULT[2:]).collect()
    return sorted(((row[0], _naive(row[1]), _naive(row[2]), *row[3:]) for row in rows), key=_order)


def test_random_series_have_holes():
    """Otherwise the comparison above would compare nothing."""
    calendar, first, count = SERIES["days"]
    rows = random_rows(random.Random(1), calendar, first, count)  # noqa: S311
    settings = Series(calendar)
    assert len(missing(rows, settings, MissingData(sla=Length(2, "days")))) > 100
    assert datetime(2024, 2, 20) <= min(at for _, at, _ in rows)
