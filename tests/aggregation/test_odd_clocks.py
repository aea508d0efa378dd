"""Clocks that change by minutes at midnight: a bucket may begin a day, and a week, before what it holds."""

from __future__ import annotations

COLUMNS = "arrival bigint, ts timestamp, s string, n int"
LAGOS = (
    "aggregate_by='ts', group_by=['s'], select={'total': 'sum(n)'}, every='minutes, hours',"
    " time_zone='Africa/Lagos'"
)


def hours(small) -> list[tuple]:
    return small.rows(
        "select cast(agg_timestamp as string), s, agg_sum_n, cast(agg_partition as string)"
        " from small.lagos_hours order by all"
    )


def test_a_week_that_is_made_anew_keeps_the_hour_that_reaches_into_the_next(small):
    """In Lagos, Monday 1 September 1919 began at half past twelve. Its first full minutes count in the hour that
    began half an hour before midnight: in the week before, though their minutes are in the new one."""
    small.define("lagos", COLUMNS, ["minutes", "hours"], LAGOS)
    small.feed("lagos", "1, timestamp'1919-08-31 23:40:00Z', 'A', 1")
    small.run()
    across = ("1919-08-31 23:00:00", "A", 1, "1919-08-25")
    assert hours(small) == [across]
    small.feed("lagos", "2, timestamp'1919-08-27 10:00:00Z', 'A', 2")
    small.run()
    assert hours(small) == [("1919-08-27 09:30:00", "A", 2, "1919-08-25"), across]
