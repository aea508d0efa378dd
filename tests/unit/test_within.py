"""`within` of retrieval: pairs, patterns, offsets, and what is refused."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from tests.unit.jinja_macros import Refused, macros


def millis(*fields, ahead=timedelta(0)) -> int:
    """Unix milliseconds by Python's own clock, for a time written at an offset."""
    return int((datetime(*fields, tzinfo=timezone.utc) - ahead).timestamp() * 1000)


INDIA = timedelta(hours=5, minutes=30)

BOUNDS = [
    # a pair, as the source writes it
    (
        ["2014-02-15 00:00:00 +05:30", "2014-03-16 00:00:00 +05:30"],
        [millis(2014, 2, 15, ahead=INDIA), millis(2014, 3, 16, ahead=INDIA)],
    ),
    (
        ["2014-02-15 00:00:00", "2014-02-15 00:00:01"],
        [millis(2014, 2, 15), millis(2014, 2, 15) + 1000],
    ),
    (
        ["2014-02-15 00:00:00 -04:00", "2014-02-15 00:00:00 -05:00"],
        [millis(2014, 2, 15, 4), millis(2014, 2, 15, 5)],
    ),
    ([1392422400000, 1394928000000], [1392422400000, 1394928000000]),
    ([-1000, 0], [-1000, 0]),
    # one pattern, from year to second
    ("2018-**-** **:**:**", [millis(2018, 1, 1), millis(2019, 1, 1)]),
    ("2018-01-** **:**:**", [millis(2018, 1, 1), millis(2018, 2, 1)]),
    ("2018-12-** **:**:**", [millis(2018, 12, 1), millis(2019, 1, 1)]),
    ("2020-02-** **:**:**", [millis(2020, 2, 1), millis(2020, 3, 1)]),
    ("2018-01-05 **:**:**", [millis(2018, 1, 5), millis(2018, 1, 6)]),
    ("2018-01-05 10:**:**", [millis(2018, 1, 5, 10), millis(2018, 1, 5, 11)]),
    ("2018-01-05 10:20:**", [millis(2018, 1, 5, 10, 20), millis(2018, 1, 5, 10, 21)]),
    ("2018-01-05 10:20:30", [millis(2018, 1, 5, 10, 20, 30), millis(2018, 1, 5, 10, 20, 31)]),
    (
        "2018-01-** **:**:** +05:30",
        [millis(2018, 1, 1, ahead=INDIA), millis(2018, 2, 1, ahead=INDIA)],
    ),
    ("1969-12-31 **:**:**", [-86400000, 0]),
]


@pytest.mark.parametrize(("within", "bounds"), BOUNDS, ids=[str(within) for within, _ in BOUNDS])
def test_bounds_are_half_open_milliseconds(within, bounds):
    assert macros()._within_bounds(within, "aggregation_within of 'trades'") == bounds


@pytest.mark.parametrize(
    "within",
    [
        "2017-06-** 12:**:**",  # the source's bad pattern
        "2017-**-05 **:**:**",
        "2017-13-** **:**:**",
        "2017-02-30 **:**:**",
        "2017",
        1392422400000,
        [1392422400000],
        ["2014-02-15", "2014-03-16"],
        ["2014-02-30 00:00:00", "2014-03-16 00:00:00"],
        ["2014-02-15 24:00:00", "2014-03-16 00:00:00"],
        ["2014-02-15 00:00:00 +18:30", "2014-03-16 00:00:00"],
        ["2014-02-15 00:00:00 +05:60", "2014-03-16 00:00:00"],
        ["２０14-02-15 00:00:00", "2014-03-16 00:00:00"],
        "２０18-01-** **:**:**",
        [],
        None,
    ],
    ids=str,
)
def test_what_is_no_range_of_time_is_refused_with_the_forms(within):
    with pytest.raises(Refused) as refused:
        macros()._within_bounds(within, "aggregation_within of 'trades'")
    message = str(refused.value)
    assert message.startswith("aggregation_within of 'trades':\n  - `within` is ")
    assert str(within) in message
    assert (
        "write a pair ['2014-02-15 00:00:00 +05:30', '2014-03-16 00:00:00 +05:30'], a pair of Unix"
        in message
    )


@pytest.mark.parametrize(
    "within", [[5, 5], [6, 5], ["2014-03-16 00:00:00", "2014-02-15 00:00:00"]], ids=str
)
def test_an_end_that_is_not_after_its_start_is_refused(within):
    with pytest.raises(
        Refused,
        match="whose start is not before its end; the first must be earlier than the second",
    ):
        macros()._within_bounds(within, "aggregation_within of 'trades'")
