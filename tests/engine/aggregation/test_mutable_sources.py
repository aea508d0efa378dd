"""Sources that change: the mutability period, and backfill ranges."""

from __future__ import annotations

import random

import pytest

DURATIONS = ["hours", "days", "months", "years"]
SHARED = "ts='ts', keys=['s'], select={'total': 'sum(n)', 'r': 'count(*)'}"
COLUMNS = "arrival bigint, ts timestamp, s string, n int"
ACCEPTED = "strandline_accept_removed: true"


def plain(small, name: str, duration: str, condition: str = "true") -> list[tuple]:
    unit = duration.removesuffix("s")
    return small.rows(
        f"select date_format(date_trunc('{unit}', ts), 'yyyy-MM-dd HH:mm:ss') as at, s, sum(n), count(*), max(arrival)"
        f" from small.feed_{name} where {condition} group by all order by all"
    )


def stored(small, name: str, duration: str) -> list[tuple]:
    return small.read(name, "s, agg_sum_n, agg_count, agg_arrival", duration)


class Churning:
    """Sixty groups at random: new events of any age; corrected, moved and removed ones of the last days."""

    def __init__(self, small) -> None:
        self.small, self.chance, self.arrival = small, random.Random(1210), 0  # noqa: S311
        small.define("churning", COLUMNS, ["hours", "days"],
                     f"{SHARED}, every='hours, days', mutability_period='P3D'")  # fmt: skip
        small.feed("churning", "0, timestamp'2024-03-10 00:00:00Z', 'newest', 1")

    def change(self, count: int = 240) -> None:
        recent = "ts between timestamp'2024-03-07 00:00:00Z' and timestamp'2024-03-09 23:00:00Z'"
        change, gone = self.chance.sample(range(7), 2)
        feed, recent = "small.feed_churning", f"{recent} and arrival % 7"
        self.small.spark.sql(
            f"update {feed} set n = n + 1, ts = ts + interval 50 minutes where {recent} = {change}"
        )
        # The last to arrive are always among those that are gone.
        self.small.spark.sql(
            f"delete from {feed} where {recent} = {gone} or {recent} >= 0 and arrival > {self.arrival - 9}"
        )
        rows, self.arrival = [], self.arrival + 1
        for _ in range(count):
            self.arrival += self.chance.choice([0, 1, 1, 3])
            hours = self.chance.choice([60, 60, 400])
            ts = f"timestamp'2024-03-09 22:00:00Z' - interval {self.chance.randrange(hours)} hours"
            rows.append(f"{self.arrival}, {ts}, 's{self.chance.randrange(60)}', 1")
        if rows:
            self.small.feed("churning", *rows)

    def is_plain(self) -> None:
        for duration in ("hours", "days"):
            assert stored(self.small, "churning", duration) == plain(
                self.small, "churning", duration
            )


@pytest.mark.parametrize(
    "durations",
    [
        pytest.param(["hours", "days"], id="two", marks=pytest.mark.soak),
        pytest.param(DURATIONS, id="four", marks=pytest.mark.soak),
    ],
)
def test_the_mutability_period_is_recomputed_and_emptied_buckets_disappear(small, durations):
    every = f"every='{', '.join(durations)}', mutability_period='3 days'"
    small.define("changing", COLUMNS, durations, f"{SHARED}, {every}")
    small.feed("changing",
               "1, timestamp'2023-12-20 10:00:00Z', 'A', 1", "2, timestamp'2023-12-29 10:00:00Z', 'A', 2",
               "3, timestamp'2023-12-30 10:00:00Z', 'A', 4", "4, timestamp'2023-12-31 10:00:00Z', null, 8",
               "5, timestamp'2024-01-01 10:00:00Z', 'B', 16")  # fmt: skip
    small.run()
    for duration in durations:
        assert stored(small, "changing", duration) == plain(small, "changing", duration)

    # Within three days of the newest event: one corrected, one moved, one gone, one new.
    small.spark.sql("update small.feed_changing set n = 40 where arrival = 3")
    small.spark.sql(
        "update small.feed_changing set ts = timestamp'2023-12-30 10:00:01Z' where arrival = 4"
    )
    small.spark.sql("delete from small.feed_changing where arrival = 2")
    small.feed("changing", "6, timestamp'2023-12-31 23:59:59Z', 'A', 32")
    # Long before: a late event arrives in a bucket of its own; no other one there is read again.
    small.feed("changing", "7, timestamp'2023-11-01 00:00:00Z', 'A', 64")
    small.run()
    for duration in durations:
        assert stored(small, "changing", duration) == plain(small, "changing", duration), duration

    # The newest event itself is removed, and with it the whole year.
    small.spark.sql("delete from small.feed_changing where arrival = 5")
    small.run()
    for duration in durations:
        assert stored(small, "changing", duration) == plain(small, "changing", duration), duration
    # What is older than the period stays as it was counted.
    small.spark.sql("update small.feed_changing set n = 1000 where arrival = 1")
    small.run()
    assert ("2023-12-20 10:00:00", "A", 1, 1, 1) in stored(small, "changing", "hours")


def test_an_old_bucket_whose_events_were_removed_keeps_them_when_one_arrives_late(small):
    small.define("kept", COLUMNS, ["hours", "days"],
                 f"{SHARED}, every='hours, days', mutability_period='3 days'")  # fmt: skip
    small.feed("kept",
               "1, timestamp'2023-12-20 10:00:00Z', 'A', 1", "2, timestamp'2023-12-20 10:30:00Z', 'A', 2",
               "3, timestamp'2023-12-20 11:00:00Z', 'A', 4", "4, timestamp'2024-01-01 10:00:00Z', 'B', 8")  # fmt: skip
    small.run()
    small.spark.sql("delete from small.feed_kept where ts < timestamp'2023-12-25 00:00:00Z'")
    small.feed("kept", "5, timestamp'2023-12-20 10:45:00Z', 'A', 16")
    small.run()
    assert stored(small, "kept", "hours") == [
        ("2023-12-20 10:00:00", "A", 19, 3, 5),
        ("2023-12-20 11:00:00", "A", 4, 1, 3),
        ("2024-01-01 10:00:00", "B", 8, 1, 4),
    ]
    assert stored(small, "kept", "days") == [
        ("2023-12-20 00:00:00", "A", 23, 4, 5),
        ("2024-01-01 00:00:00", "B", 8, 1, 4),
    ]


@pytest.mark.soak
def test_sixty_groups_are_those_of_their_source_after_each_run(small):
    churning = Churning(small)
    for count in (240, 240, 0, 240):  # without a later arrival, the watermark goes back
        churning.change(count)
        small.run()
        churning.is_plain()


@pytest.mark.soak
def test_a_backfill_range_is_recomputed_and_nothing_is_counted_twice(small):
    small.define("fixed", COLUMNS, DURATIONS, f"{SHARED}, every='hour...year'")
    small.feed("fixed",
               "1, timestamp'2024-01-01 10:00:00Z', 'A', 1", "2, timestamp'2024-01-02 10:00:00Z', 'A', 2",
               "3, timestamp'2024-02-03 10:00:00Z', 'B', 4")  # fmt: skip
    small.run()
    small.spark.sql("update small.feed_fixed set n = 100 where arrival in (1, 2)")
    small.spark.sql("delete from small.feed_fixed where arrival = 3")
    small.feed("fixed", "4, timestamp'2024-02-03 11:00:00Z', 'B', 8")
    # The range begins inside a month whose only event is gone, and inside a day.
    backfill = "{strandline_from: '2024-01-02 00:00:00', strandline_to: '2024-02-04 00:00:00', %s}"
    small.run("--vars", backfill % ACCEPTED)
    # The second of January onwards is the source's; the first is as it was.
    assert stored(small, "fixed", "days") == [
        ("2024-01-01 00:00:00", "A", 1, 1, 1),
        ("2024-01-02 00:00:00", "A", 100, 1, 2),
        ("2024-02-03 00:00:00", "B", 8, 1, 4),
    ]
    assert stored(small, "fixed", "years") == [
        ("2024-01-01 00:00:00", "A", 101, 2, 2),
        ("2024-01-01 00:00:00", "B", 8, 1, 4),
    ]
    assert set(small.run().values()) == {"nothing new"}

    # A range that begins inside an hour and empties it: the row with the greatest arrival goes, later events count.
    small.spark.sql("delete from small.feed_fixed where arrival = 4")
    small.run(
        "--vars",
        f"{{strandline_from: '2024-02-03 10:59:00', strandline_to: '2024-02-03 12:00:00', {ACCEPTED}}}",
    )
    assert [row[0] for row in stored(small, "fixed", "hours")] == [
        "2024-01-01 10:00:00",
        "2024-01-02 10:00:00",
    ]
    assert [row[2] for row in stored(small, "fixed", "years")] == [101]
    small.feed("fixed", "5, timestamp'2024-02-03 11:30:00Z', 'B', 16")
    small.run()
    assert stored(small, "fixed", "years") == [
        ("2024-01-01 00:00:00", "A", 101, 2, 2),
        ("2024-01-01 00:00:00", "B", 16, 1, 5),
    ]


@pytest.mark.soak
def test_a_range_whose_events_were_removed_is_not_recomputed(small):
    small.define("pruned", COLUMNS, ["hours", "days"], f"{SHARED}, every='hour, day'")
    small.feed("pruned",
               "1, timestamp'2024-01-01 10:00:00Z', 'A', 1", "2, timestamp'2024-01-01 10:30:00Z', 'B', 2",
               "3, timestamp'2024-01-01 11:00:00Z', 'A', 4", "4, timestamp'2024-01-02 10:00:00Z', 'A', 8")  # fmt: skip
    small.run()
    before = stored(small, "pruned", "hours"), stored(small, "pruned", "days")
    small.spark.sql("delete from small.feed_pruned where ts < timestamp'2024-01-01 10:15:00Z'")
    # A late event does not stand for one that was removed.
    small.feed("pruned", "5, timestamp'2024-01-01 10:45:00Z', 'A', 16")
    given = "{strandline_from: '2024-01-01 00:00:00', strandline_to: '2024-01-02 00:00:00'%s}"
    message = " ".join(small.fails("--vars", given % "").split())
    assert (
        "aggregation pruned: - feed_pruned has 1 of the 2 events that pruned_hours has counted in 1 bucket of the range,"
        " from 2024-01-01 10:00:00"
    ) in message
    assert "--accept-removed" in message
    assert (stored(small, "pruned", "hours"), stored(small, "pruned", "days")) == before
    small.run("--vars", given % f", {ACCEPTED}")
    assert stored(small, "pruned", "days") == [
        ("2024-01-01 00:00:00", "A", 20, 2, 5),
        ("2024-01-01 00:00:00", "B", 2, 1, 2),
        ("2024-01-02 00:00:00", "A", 8, 1, 4),
    ]


def test_a_range_cannot_be_recomputed_with_a_buffer(small):
    small.define("buffered", COLUMNS, ["seconds"], f"{SHARED}, buffer_size=3, every='sec'")
    small.feed("buffered", "1, timestamp'2024-01-01 10:00:00Z', 'A', 1")
    small.run()
    assert (
        "a range of time cannot be recomputed with a buffer, because the bucket of an event depends on all earlier arrivals;"
        " rebuild the whole table: `dbt build --full-refresh --select buffered_seconds+`"
    ) in small.fails(
        "--vars", "{strandline_from: '2024-01-01 00:00:00', strandline_to: '2024-01-02 00:00:00'}"
    )


@pytest.mark.soak
def test_a_table_that_was_restored_is_brought_up_to_date_again(small):
    small.define("undone", COLUMNS, ["seconds", "minutes"], f"{SHARED}, every='sec, min'")
    small.feed("undone", "1, timestamp'2024-01-01 10:00:00Z', 'A', 1")
    small.run()
    small.feed("undone", "2, timestamp'2024-01-01 10:00:30Z', 'A', 2")
    small.run()
    for duration in ("seconds", "minutes"):
        small.spark.sql(f"restore table small.undone_{duration} to version as of 0")
    assert stored(small, "undone", "minutes") == [("2024-01-01 10:00:00", "A", 1, 1, 1)]
    small.run()
    assert stored(small, "undone", "seconds") == plain(small, "undone", "seconds")
    assert stored(small, "undone", "minutes") == plain(small, "undone", "minutes")
    assert set(small.run().values()) == {"nothing new"}
