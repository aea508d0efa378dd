"""What a coarser table makes anew: its feed's run has noted it, or else the feed is asked.

How far the coarser table is, it is not asked: it is presumed to be as far as its feed was before.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from tests.runs.kill import before, killing, twice_at_once

COLUMNS = "arrival bigint, ts timestamp, s string, n int"
SHARED = "aggregate_by='ts', group_by=['s'], select={'total': 'sum(n)'}"
LATER = "2, timestamp'2024-03-06 10:20:00Z', 'A', 2"


@contextmanager
def asking() -> Iterator[list[str]]:
    """Collects which tables are asked for what has changed in them."""
    asked: list[str] = []
    # A table that is fed from another one, and the finest, which reads its new events.
    form = re.compile(r"collect_set\(cast\(agg_partition|^with timed as")
    with before(form, lambda sql: asked.append(re.search(r"from small\.(\w+)", sql)[1])):
        yield asked


@contextmanager
def asking_how_far() -> Iterator[list[str]]:
    """Collects which tables are asked for their mark."""
    asked: list[str] = []
    form = re.compile(r"^select case\s+when typeof\(arrival\)")
    with before(form, lambda sql: asked.append(re.search(r"from small\.(\w+)", sql)[1])):
        yield asked


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


def test_only_the_finest_table_asks_what_is_new(deep):
    deep.feed("deep", LATER)
    with asking() as asked:
        deep.run()
        assert set(deep.run().values()) == {"nothing new"}
    assert asked == ["feed_deep", "feed_deep"]
    assert stored(deep, "months") == [("2024-03-01 00:00:00", "A", 3)]


def test_a_table_that_runs_without_its_feed_asks_it(deep):
    deep.feed("deep", LATER)
    deep.run("--select", "deep_hours")
    with asking() as asked:
        deep.run("--select", "deep_days+")
    assert asked == ["deep_hours"]
    assert stored(deep, "months") == [("2024-03-01 00:00:00", "A", 3)]


def test_a_table_that_a_dead_run_left_behind_its_feed_asks_it(deep):
    deep.feed("deep", LATER)
    with killing("small", 1, before=False):
        assert "killed by the test" in deep.fails()
    with asking() as asked:
        said = deep.run()
    assert said["deep_hours"] == "nothing new"
    assert asked == ["feed_deep", "deep_hours"]
    assert stored(deep, "days") == [("2024-03-06 00:00:00", "A", 3)]
    assert stored(deep, "months") == [("2024-03-01 00:00:00", "A", 3)]


def test_only_the_finest_table_is_asked_how_far_it_is(deep):
    deep.feed("deep", LATER)
    with asking_how_far() as asked:
        deep.run()
    assert asked == ["deep_hours"]
    with asking_how_far() as asked:
        deep.run()
    assert asked == ["deep_hours", "deep_days", "deep_months"]


def test_a_table_that_is_not_as_far_as_was_presumed_is_asked(deep):
    """The days lack the second event when the third comes; the months are as far as the days."""
    deep.feed("deep", LATER)
    deep.run("--select", "deep_hours")
    deep.feed("deep", "3, timestamp'2024-04-07 10:20:00Z', 'A', 4")
    with asking_how_far() as far, asking() as asked:
        said = deep.run()
    assert far == ["deep_hours", "deep_days"]
    assert asked == ["feed_deep", "deep_hours"]
    assert said["deep_hours"] == "rewrote 1 partition, from 2024-04-01"
    assert said["deep_days"] == "rewrote 2 partitions, from 2024-03-04"
    assert stored(deep, "days") == [
        ("2024-03-06 00:00:00", "A", 3),
        ("2024-04-07 00:00:00", "A", 4),
    ]
    assert stored(deep, "months") == [
        ("2024-03-01 00:00:00", "A", 3),
        ("2024-04-01 00:00:00", "A", 4),
    ]


def test_a_table_that_another_run_has_brought_further_meanwhile_is_asked(deep):
    """Another run writes the days when this one is about to: there is nothing left to do but the months."""
    deep.feed("deep", LATER)
    with twice_at_once(deep.spark, "small.deep_days"), asking_how_far() as far:
        said = deep.run()
    assert far == ["deep_hours", "deep_days", "deep_months"]
    assert said["deep_days"] == "nothing new"
    assert stored(deep, "days") == [("2024-03-06 00:00:00", "A", 3)]
    assert stored(deep, "months") == [("2024-03-01 00:00:00", "A", 3)]


def test_empty_tables_are_asked_how_far_they_are(small):
    small.define("deep", COLUMNS, ["hours", "days"], f"{SHARED}, every='hours, days'")
    small.run()
    small.feed("deep", LATER)
    with asking_how_far() as far:
        small.run()
    assert far == ["deep_hours", "deep_days"]
    assert stored(small, "days") == [("2024-03-06 00:00:00", "A", 2)]


def test_another_error_of_the_write_is_not_taken_for_that(deep):
    deep.feed("deep", LATER)
    with before(
        re.compile(r"insert into small\.deep_days"), lambda _sql: deep.rows("select 1 from nowhere")
    ):
        assert "nowhere" in deep.fails()
    assert stored(deep, "days") == [("2024-03-06 00:00:00", "A", 1)]


def test_a_week_in_two_years_stands_for_both(small):
    """Monday 30 December 2024 to Sunday 5 January 2025; each of its days is in one of the years."""
    small.define(
        "deep", COLUMNS, ["days", "months", "years"], f"{SHARED}, every='days, months, years'"
    )
    small.feed("deep", "1, timestamp'2024-12-30 10:00:00Z', 'A', 1",
               "2, timestamp'2025-01-02 10:00:00Z', 'A', 2")  # fmt: skip
    small.run()
    small.feed("deep", "3, timestamp'2025-01-05 23:59:59Z', 'A', 4")
    said = small.run()
    assert stored(small, "months") == [
        ("2024-12-01 00:00:00", "A", 1),
        ("2025-01-01 00:00:00", "A", 6),
    ]
    assert stored(small, "years") == [
        ("2024-01-01 00:00:00", "A", 1),
        ("2025-01-01 00:00:00", "A", 6),
    ]
    assert said["deep_months"] == "rewrote 2 partitions, from 2024-12-01"


def test_where_a_clock_changes_near_an_edge_the_feed_is_asked(small):
    """In New York clocks change on a Sunday, the last day of a week."""
    small.define(
        "deep",
        COLUMNS,
        ["hours", "days"],
        f"{SHARED}, every='hours, days', time_zone='America/New_York'",
    )
    small.feed("deep", "1, timestamp'2024-03-06 10:00:00Z', 'A', 1")
    small.run()
    small.feed("deep", "2, timestamp'2024-03-11 03:30:00Z', 'A', 2")
    with asking() as asked:
        small.run()
    assert asked == ["feed_deep", "deep_hours"]
    assert stored(small, "days") == [
        ("2024-03-06 05:00:00", "A", 1),
        ("2024-03-10 05:00:00", "A", 2),
    ]
    small.feed("deep", "3, timestamp'2024-02-20 12:00:00Z', 'A', 4")
    with asking() as asked:
        small.run()
    assert asked == ["feed_deep"]
    assert stored(small, "days")[0] == ("2024-02-20 05:00:00", "A", 4)
