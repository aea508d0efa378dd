"""What a roll-up recomputes: the partitions that changed in its upstream table since its own watermark."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.runs.kill import killing, twice_at_once

COLUMNS = "arrival bigint, ts timestamp, s string, n int"
SHARED = "ts='ts', keys=['s'], select={'total': 'sum(n)'}"
LATER = "2, timestamp'2024-03-06 10:20:00Z', 'A', 2"


def stored(small, duration: str) -> list[tuple]:
    return small.read("deep", "s, agg_sum_n", duration)


@pytest.fixture
def deep(small) -> Any:
    small.define(
        "deep", COLUMNS, ["hours", "days", "months"], f"{SHARED}, every='hours, days, months'"
    )
    small.feed("deep", "1, timestamp'2024-03-06 10:00:00Z', 'A', 1")
    small.run()
    return small


@pytest.mark.soak
def test_a_table_that_a_crash_left_behind_catches_up(deep):
    """The crash comes after the hours; a second run of the days alone leaves the months behind."""
    deep.feed("deep", LATER)
    with killing("small", 1, before=False):
        assert "killed by the test" in deep.fails()
    assert stored(deep, "days") == [("2024-03-06 00:00:00", "A", 1)]
    assert deep.run("--select", "deep_hours", "deep_days") == {
        "deep_hours": "nothing new",
        "deep_days": "rewrote 1 partition, from 2024-03-04",
    }
    deep.feed("deep", "3, timestamp'2024-04-07 10:20:00Z', 'A', 4")
    assert deep.run() == {
        "deep_hours": "rewrote 1 partition, from 2024-04-01",
        "deep_days": "rewrote 1 partition, from 2024-04-01",
        "deep_months": "rewrote 2 partitions, from 2024-03-01",
    }
    assert stored(deep, "months") == [
        ("2024-03-01 00:00:00", "A", 3),
        ("2024-04-01 00:00:00", "A", 4),
    ]


@pytest.mark.soak
def test_a_table_that_another_run_writes_meanwhile_is_not_written_twice(deep):
    deep.feed("deep", LATER)
    with twice_at_once(deep.spark, "small.deep_days"):
        assert "another run has written to this table" in deep.fails()
    assert stored(deep, "days") == [("2024-03-06 00:00:00", "A", 3)]
    assert deep.run()["deep_days"] == "nothing new"
    assert stored(deep, "months") == [("2024-03-01 00:00:00", "A", 3)]


@pytest.mark.soak
def test_a_week_in_two_years_and_quarters_between_months_and_years(small):
    """Monday 30 December 2024 to Sunday 5 January 2025; only the days of one year change."""
    durations = ["days", "months", "quarters", "years"]
    small.define("deep", COLUMNS, durations, f"{SHARED}, every='days, months, quarters, years'")
    small.feed("deep", "1, timestamp'2024-12-30 10:00:00Z', 'A', 1",
               "2, timestamp'2025-01-02 10:00:00Z', 'A', 2",
               "3, timestamp'2025-06-30 23:59:59Z', 'A', 8")  # fmt: skip
    small.run()
    small.feed("deep", "4, timestamp'2025-01-05 23:59:59Z', 'A', 4")
    said = small.run()
    assert said["deep_months"] == "rewrote 1 partition, from 2025-01-01"
    assert stored(small, "months") == [
        ("2024-12-01 00:00:00", "A", 1),
        ("2025-01-01 00:00:00", "A", 6),
        ("2025-06-01 00:00:00", "A", 8),
    ]
    assert stored(small, "quarters") == [
        ("2024-10-01 00:00:00", "A", 1),
        ("2025-01-01 00:00:00", "A", 6),
        ("2025-04-01 00:00:00", "A", 8),
    ]
    assert stored(small, "years") == [
        ("2024-01-01 00:00:00", "A", 1),
        ("2025-01-01 00:00:00", "A", 14),
    ]


@pytest.mark.soak
def test_a_clock_that_changes_near_the_edge_of_a_week(small):
    """In New York clocks change on a Sunday, the last day of a week."""
    small.define(
        "deep",
        COLUMNS,
        ["hours", "days"],
        f"{SHARED}, every='hours, days', time_zone='America/New_York'",
    )
    small.feed("deep", "1, timestamp'2024-03-06 10:00:00Z', 'A', 1")
    small.run()
    small.feed("deep", "2, timestamp'2024-03-11 03:30:00Z', 'A', 2",
               "3, timestamp'2024-02-20 12:00:00Z', 'A', 4")  # fmt: skip
    small.run()
    assert stored(small, "days") == [
        ("2024-02-20 05:00:00", "A", 4),
        ("2024-03-06 05:00:00", "A", 1),
        ("2024-03-10 05:00:00", "A", 2),
    ]
