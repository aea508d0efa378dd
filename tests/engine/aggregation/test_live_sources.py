"""What arrives while a run is under way: it is left to the next one, and counts then."""

from __future__ import annotations

import pytest
from tests.engine.runs.kill import meanwhile

SHARED = "ts='ts', keys=['s'], select={'total': 'sum(n)'}"
COLUMNS = "arrival bigint, ts timestamp, s string, n int"


def stored(small, name: str, duration: str) -> list[tuple]:
    return small.read(name, "s, agg_sum_n, agg_arrival", duration)


def test_events_that_arrive_while_the_base_table_is_written_count_in_the_next_run(small):
    """One of the same hour, one of a week that is not among the run's changed partitions."""
    small.define("live", COLUMNS, ["hours"], f"{SHARED}, every='hours'")
    small.feed("live", "1, timestamp'2024-03-06 10:00:00Z', 'A', 1")
    small.run()
    small.feed("live", "2, timestamp'2024-03-06 10:20:00Z', 'A', 2")

    def more() -> None:
        small.feed("live", "3, timestamp'2024-03-06 10:40:00Z', 'A', 4",
                   "4, timestamp'2024-02-07 08:00:00Z', 'A', 8")  # fmt: skip

    with meanwhile("small.live_hours", more):
        small.run()
    assert stored(small, "live", "hours") == [("2024-03-06 10:00:00", "A", 3, 2)]
    small.run()
    assert stored(small, "live", "hours") == [
        ("2024-02-07 08:00:00", "A", 8, 4),
        ("2024-03-06 10:00:00", "A", 7, 3),
    ]
    assert set(small.run().values()) == {"nothing new"}


@pytest.mark.soak
def test_upstream_rows_that_another_run_writes_meanwhile_are_read_by_the_next(small):
    """They have the arrivals 3 (of another week) and 4: a watermark of 4 in the days would lose 3."""
    small.define("deep", COLUMNS, ["hours", "days"], f"{SHARED}, every='hours, days'")
    small.feed("deep", "1, timestamp'2024-03-06 10:00:00Z', 'A', 1")
    small.run()
    small.feed("deep", "2, timestamp'2024-03-06 10:20:00Z', 'A', 2")

    def other_run() -> None:
        small.feed("deep", "3, timestamp'2024-02-07 08:00:00Z', 'A', 4",
                   "4, timestamp'2024-03-06 11:00:00Z', 'A', 8")  # fmt: skip
        small.spark.sql("""
            insert into small.deep_hours values
                (timestamp'2024-02-07 08:00:00Z', 'UTC', 'A', 3, 4, date'2024-02-05'),
                (timestamp'2024-03-06 11:00:00Z', 'UTC', 'A', 4, 8, date'2024-03-04')
        """)

    with meanwhile("small.deep_days", other_run):
        small.run()
    small.run()
    assert stored(small, "deep", "days") == [
        ("2024-02-07 00:00:00", "A", 4, 3),
        ("2024-03-06 00:00:00", "A", 11, 4),
    ]
    assert set(small.run().values()) == {"nothing new"}


@pytest.mark.soak
def test_points_that_arrive_while_their_summaries_are_written_count_in_the_next_run(small):
    """The second of them is of the same hour, the third of a day that is not among the changed partitions."""
    small.model("signal", "arrival bigint, ts timestamp, sensor string, value double", """
        {{ strandline.time_weight_table(source('feed', 'feed_signal'), keys=['sensor'], ts='ts', value='value',
            method='locf', gap='90 minutes', bucket='1 hour') }}
    """)  # fmt: skip
    small.feed("signal", "1, timestamp'2024-03-06 10:00:00Z', 'a', 1")
    small.run()
    small.feed("signal", "2, timestamp'2024-03-06 10:20:00Z', 'a', 3")

    def more() -> None:
        small.feed("signal", "3, timestamp'2024-03-06 10:40:00Z', 'a', 5",
                   "4, timestamp'2023-02-07 08:00:00Z', 'a', 7")  # fmt: skip

    def read() -> list[tuple]:
        return small.rows(
            "select cast(agg_timestamp as string), agg_arrival from small.signal order by all"
        )

    with meanwhile("small.signal", more):
        small.run()
    assert read() == [("2024-03-06 10:00:00", 2)]
    small.run()
    assert read() == [("2023-02-07 08:00:00", 4), ("2024-03-06 10:00:00", 3)]
    assert set(small.run().values()) == {"nothing new"}
