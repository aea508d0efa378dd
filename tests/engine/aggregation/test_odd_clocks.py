"""Clocks that change by part of an hour, or at midnight: the rows of each table, and what `within` finds."""

from __future__ import annotations

import pytest

COLUMNS = "arrival bigint, ts timestamp, s string, n int"


def define(small, name: str, zone: str, *durations: str) -> None:
    small.define(
        name,
        COLUMNS,
        list(durations),
        "ts='ts', keys=['s'], select={'total': 'sum(n)'},"
        f" every={list(durations)}, time_zone='{zone}'",
    )


def stored(small, name: str, duration: str) -> list[tuple]:
    return small.rows(
        "select cast(agg_timestamp as string), agg_sum_n, cast(agg_partition as string)"
        f" from small.{name}_{duration} order by all"
    )


@pytest.mark.soak
def test_an_hour_that_a_clock_change_shortens_begins_with_the_change(small):
    """Lord Howe goes back at 15:00Z from 02:00 to 01:30, and on at 15:30Z in October. Lagos went on from
    midnight to half past twelve, and from one week to the next, at 23:30Z. St John's, at 02:31Z, went back from
    one minute past midnight into yesterday."""
    define(small, "lord_howe", "Australia/Lord_Howe", "hours")
    define(small, "lagos", "Africa/Lagos", "minutes", "hours")
    define(small, "st_johns", "America/St_Johns", "minutes", "hours", "days")
    hour = "select total from {{ strandline.aggregation_within(lord_howe(), per='hours', within=[%s]) }}"
    small.change("back", hour % "'2013-04-06 15:00:00', '2013-04-06 15:30:00'")
    small.change("on", hour % "'2013-10-05 15:30:00', '2013-10-05 16:00:00'")
    small.feed("lord_howe",
               "1, timestamp'2013-04-06 14:59:59Z', 'A', 1", "2, timestamp'2013-04-06 15:00:00Z', 'A', 2",
               "3, timestamp'2013-04-06 15:30:00Z', 'A', 4", "4, timestamp'2013-10-05 15:29:59Z', 'A', 8",
               "5, timestamp'2013-10-05 15:59:59Z', 'A', 16")  # fmt: skip
    small.feed("lagos", "1, timestamp'1919-08-31 23:40:00Z', 'A', 1")
    small.feed("st_johns", "1, timestamp'2009-11-01 02:45:00Z', 'A', 1")
    small.run()
    small.feed("lord_howe", "6, timestamp'2013-04-06 15:29:59Z', 'A', 32")
    small.feed("lagos", "2, timestamp'1919-08-27 10:00:00Z', 'A', 2")
    small.run()

    assert stored(small, "lord_howe", "hours") == [
        ("2013-04-06 14:00:00", 1, "2013-04-01"),
        ("2013-04-06 15:00:00", 34, "2013-04-01"),
        ("2013-04-06 15:30:00", 4, "2013-04-01"),
        ("2013-10-05 14:30:00", 8, "2013-09-30"),
        ("2013-10-05 15:30:00", 16, "2013-09-30"),
    ]
    assert small.rows("select * from small.back") == [(34,)]
    assert small.rows("select * from small.on") == [(16,)]
    # Monday 1 September 1919 began at half past twelve.
    assert stored(small, "lagos", "hours") == [
        ("1919-08-27 09:30:00", 2, "1919-08-25"),
        ("1919-08-31 23:30:00", 1, "1919-09-01"),
    ]
    # The minute's clock shows 31 October; its hour and its day began on 1 November.
    assert stored(small, "st_johns", "minutes") == [("2009-11-01 02:45:00", 1, "2009-10-26")]
    assert stored(small, "st_johns", "hours") == [("2009-11-01 02:30:00", 1, "2009-10-26")]
    assert stored(small, "st_johns", "days") == [("2009-11-01 02:30:00", 1, "2009-10-26")]
