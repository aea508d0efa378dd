"""The query of `strandline trial`: detections that follow each other are one incident."""

from __future__ import annotations

from datetime import datetime, timedelta

from strandline.cli.trial import counted

HOURS = """
    select carrier, timestamp(starts_at || 'Z') as starts_at,
        timestamp(starts_at || 'Z') + interval 1 hour as ends_at
    from values ('UA', '2024-01-01 00:00:00'), ('UA', '2024-01-01 01:00:00'),
        ('UA', '2024-01-01 04:00:00'), (null, '2024-01-01 00:00:00'),
        ('UA', '2024-01-07 23:00:00'), ('UA', '2024-01-08 00:00:00'), ('UA', '2024-01-08 08:00:00')
        as (carrier, starts_at)
"""


def weeks(spark, keys=("carrier",), since=None, gap=timedelta(seconds=1), zone="UTC") -> list:
    query = counted(HOURS, keys, since, gap, zone) + "order by 1, 2"
    return [tuple(row) for row in spark.sql(query).collect()]


def test_detections_that_follow_each_other_are_one_incident(spark):
    """The one that goes on over midnight on Sunday began in the week before."""
    assert weeks(spark) == [
        ("2024-01-01", '{"carrier":"UA"}', 3, 4),
        ("2024-01-01", '{"carrier":null}', 1, 1),
        ("2024-01-08", '{"carrier":"UA"}', 1, 2),
    ]


def test_a_gap_that_is_bridged(spark):
    assert weeks(spark, gap=timedelta(hours=2))[0] == ("2024-01-01", '{"carrier":"UA"}', 2, 4)


def test_from_an_instant_on(spark):
    assert weeks(spark, since=datetime(2024, 1, 8)) == [
        ("2024-01-08", '{"carrier":"UA"}', 2, 2),
    ]


def test_without_keys(spark):
    assert weeks(spark, keys=()) == [("2024-01-01", "", 3, 5), ("2024-01-08", "", 1, 2)]


def test_weeks_of_a_zone(spark):
    assert weeks(spark, zone="America/New_York")[0] == ("2023-12-25", '{"carrier":"UA"}', 2, 3)
