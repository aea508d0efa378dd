"""Buckets that stop a query, because only the data can show what is wrong: each with its message."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from tests.engine.detectors.conftest import load, query, series

from strandline.spark.errors import message_of

COMPARED = [
    ("percentage_change_detector", {"offset": "P7D", "percentage": 50}),
    ("absolute_change_detector", {"offset": "P7D", "change": 50}),
    ("mean_variance_detector", {"lookback": "P7D"}),
    ("median_detector", {"lookback": "P7D"}),
    ("threshold_detector", {"min": 5, "missing": "zero"}),
]
EVERY = [*COMPARED, ("threshold_detector", {"min": 5})]


def refused(spark, macro, rows, **call) -> str:
    load(spark, rows)
    with pytest.raises(Exception) as stopped:  # noqa: PT011 - the message is the test
        spark.sql(query(macro, **call)).collect()
    return message_of(stopped.value)


@pytest.mark.parametrize(("macro", "call"), EVERY)
def test_a_time_at_which_no_bucket_begins(spark, macro, call):
    # A day of New York, while UTC is meant.
    rows = [*series("2024-01-01", AA="7"), ("AA", datetime(2024, 1, 2, 5), 1.0)]
    assert (
        f"{macro}: the query has a row at 2024-01-02 05:00:00, where no day begins in UTC; "
        "`ts` must be the start of a bucket of 'P1D': is `time_zone` right?"
    ) in refused(spark, macro, rows, **call)


def test_a_day_that_is_no_month_and_a_row_without_a_time(spark):
    rows = series("2024-01-02", AA="1")
    message = refused(
        spark, "threshold_detector", rows, min=5, granularity="P3M", time_zone="Asia/Kolkata"
    )
    assert (
        "threshold_detector: the query has a row at 2024-01-02 00:00:00, where no month begins in Asia/Kolkata; "
        "`ts` must be the start of a bucket of 'P3M': is `time_zone` right?"
    ) in message
    message = refused(spark, "threshold_detector", [("AA", None, 1.0)], min=5, granularity="PT1H")
    assert (
        "threshold_detector: the query has a row at null, where no bucket begins in UTC; "
        "`ts` must be the start of a bucket of 'PT1H': is `time_zone` right?"
    ) in message


ONE = "; a series has one row per bucket of '{}': add a column that distinguishes them to `keys`, or correct `granularity`"


@pytest.mark.parametrize(("macro", "call"), COMPARED)
def test_two_rows_of_one_bucket(spark, macro, call):
    rows = [*series("2024-01-01", AA="7 7", UA="7"), *series("2024-01-02", AA="8")]
    assert (
        f'{macro}: the query has rows of {{"carrier":"AA"}} at 2024-01-02 00:00:00 and at 2024-01-02 00:00:00'
        + ONE.format("P1D")
    ) in refused(spark, macro, rows, **call)


def test_misaligned_buckets(spark):
    rows = [("AA", datetime(2024, 1, 1) + timedelta(minutes=k), 7.0) for k in (0, 15, 40)]
    call = {"granularity": "PT15M", "offset": "PT1H", "change": 5}
    assert (
        'absolute_change_detector: the query has rows of {"carrier":"AA"} at 2024-01-01 00:15:00 and at 2024-01-01 00:40:00'
        + ONE.format("PT15M")
    ) in refused(spark, "absolute_change_detector", rows, **call)
    # One series, weeks that are no weeks.
    rows = series("2024-01-01", AA="7 7")
    call = {"granularity": "P1W", "offset": "P1W", "change": 5, "keys": []}
    assert (
        "absolute_change_detector: the query has rows of the series at 2024-01-01 00:00:00 and at 2024-01-02 00:00:00"
        + ONE.format("P1W")
    ) in refused(spark, "absolute_change_detector", rows, **call)


def test_rows_that_are_not_in_the_relation_are_not_looked_at(spark):
    """Spark puts filters in front of a join; a row that the join leaves out is no fault."""
    load(spark, [*series("2024-01-01", AA="1 9"), ("UA", datetime(2024, 1, 1, 5), 1.0)])
    kept = "(select * from buckets inner join values ('AA') as kept(carrier) using (carrier))"
    for macro, call, rows in [
        ("threshold_detector", {"min": 5, "until": "timestamp'2024-01-04'"}, 1),
        ("absolute_change_detector", {"offset": "P1D", "change": 5}, 1),
    ]:
        assert spark.sql(query(macro, source=kept, **call)).count() == rows
        read = f"select * from ({query(macro, source=kept, **call)}) where starts_at >= timestamp'2024-01-01'"
        assert len(spark.sql(read).collect()) == rows
