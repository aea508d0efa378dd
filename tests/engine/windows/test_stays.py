"""In which cycle each row enters and leaves, by the kind of the window."""

from __future__ import annotations

from typing import Any

import pytest

EVENTS = "source=source('feed', 'events'), ts='ts', "


def test_twelve_events_at_once_into_a_window_of_ten(windows: Any) -> None:
    windows.events("id bigint")
    windows.models(recent=EVENTS + "store='last 10'")
    windows.land((1, 5, id) for id in range(1, 13))
    windows.run()
    assert windows.stays("recent", "id") == [
        *((id, "5", {1: "5.1", 2: "5.2"}.get(id)) for id in range(1, 11)),
        (11, "5.1", None),
        (12, "5.2", None),
    ]
    assert windows.run() == ["nothing new"]
    windows.land([(2, 5, 13), (3, 9, 14)])
    windows.run()
    assert windows.stays("recent", "id")[2:5] == [(3, "5", "5/2"), (4, "5", "9"), (5, "5", None)]
    assert windows.stays("recent", "id")[-2:] == [(13, "5/2", None), (14, "9", None)]


def test_a_time_window_by_the_clock_of_all_events(windows: Any) -> None:
    windows.events("key string, id bigint")
    windows.models(recent=EVENTS + "keys=['key'], store='last 10 seconds', where=\"key <> 'x'\"")
    windows.land([(1, 0, "a", 1), (2, 4, "b", 2), (3, 4, "a", 3)])
    windows.run()
    windows.land([(4, 12, "x", 4), (5, 3, "a", 5), (6, 2, "a", 6), (7, 14, "a", 7)])
    windows.run()
    assert windows.stays("recent", "id") == [
        (1, "0", "10"),
        (2, "4", "14"),
        (3, "4/3", "14"),
        (5, "12/5", "13"),
        (7, "14", None),
    ]
    assert windows.kinds("recent", "late", "id, split(reason, ':')[0]") == [(6, "late")]
    assert windows.run(as_of="2024-01-01 00:00:24") == ["wrote rows"]
    assert windows.stays("recent", "id")[-1] == (7, "14", "24")


def test_a_tumbling_window_shows_a_batch_as_dead_when_the_next_enters(windows: Any) -> None:
    windows.events("id bigint")
    windows.models(batches=EVENTS + "store='latest 2'")
    windows.land((1, 0, id) for id in range(1, 4))
    windows.run()
    windows.land([(2, 7, 4)])
    windows.run()
    assert windows.stays("batches", "id") == [
        (1, "0", "0.1"),
        (2, "0", "0.1"),
        (3, "0.1", "7"),
        (4, "7", None),
    ]


def test_five_events_of_weight_a_fifth_make_a_cycle(windows: Any) -> None:
    windows.events("id bigint")
    windows.models(five=EVENTS + "store='last 3', weight=0.2, where='id <> 3'")
    windows.land((n, n, n) for n in range(1, 5))
    windows.run()
    assert windows.stays("five", "id") == []
    windows.land((n, n, n) for n in range(5, 9))
    windows.run()
    assert windows.stays("five", "id") == [
        (1, "6", "6.1"), (2, "6", "6.2"), (4, "6", None), (5, "6.1", None), (6, "6.2", None),
    ]  # fmt: skip
    assert windows.kinds("five", "pending", "id") == [(7,), (8,)]


@pytest.mark.soak  # a minute and more
def test_an_event_of_one_stream_lets_in_what_waits_in_the_others(windows: Any) -> None:
    """Events of `b` weigh 1, of `a` a fifth, those of `c` nothing; each run has a few of them."""
    windows.events("kind string, id bigint")
    weights = "weight={\"kind = 'b'\": 1, \"kind in ('a', 'b')\": 0.2}, "
    windows.models(
        **{kind: EVENTS + f"store='last 9', {weights} where=\"kind = '{kind}'\"" for kind in "abc"},
        dear=EVENTS + f"store='last 9', {weights} where='id > 7'",
        batches=EVENTS + f"store='latest 9', {weights} where=\"kind = 'a'\"",
    )
    windows.warnings()
    windows.land([(1, 1, "a", 1), (2, 2, "c", 2), (3, 3, "a", 3)])
    windows.run()
    assert [windows.stays(name, "id") for name in ("a", "b", "c", "dear")] == [[]] * 4
    assert any(
        "`weight` is a mapping, and a tumbling window has no weights" in each
        for each in windows.warnings()
    )
    windows.land([(4, 4, "b", 4), (5, 4, "b", 5), (5, 4, "c", 6), (6, 6, "c", 7)])
    windows.run()
    assert windows.stays("a", "id") == [(1, "4", None), (3, "4", None)]
    assert windows.stays("b", "id") == [(4, "4", None), (5, "4/5", None)]
    assert windows.stays("c", "id") == [(2, "4", None), (6, "4/5", None)]
    assert windows.kinds("c", "pending", "id") == [(7,)]
    # Four of the five that make the next cycle are read by a run of their own, and enter `a` only.
    windows.land((n, n, "a", n) for n in range(8, 12))
    windows.run()
    assert windows.kinds("a", "pending", "id") == [(8,), (9,), (10,), (11,)]
    windows.land([(12, 12, "a", 12), (13, 13, "a", 13), (14, 14, "c", 14)])
    windows.run()
    fifth = [(n, "12", None) for n in range(8, 13)]
    assert windows.stays("a", "id")[2:] == windows.stays("dear", "id") == fifth
    assert windows.kinds("dear", "pending", "id") == [(13,), (14,)]
    assert windows.stays("b", "id")[2:] == []
    assert windows.stays("c", "id")[2:] == [(7, "12", None)]
    assert [row[1] for row in windows.stays("batches", "id")] == [
        *("1", "3", "8", "9", "10", "11", "12", "13")
    ]


def test_cycles_at_fixed_intervals(windows: Any) -> None:
    windows.events("id bigint")
    windows.models(ticks=EVENTS + "store='last 15 seconds', every='10 seconds'")
    windows.land([(1, 1, 1), (2, 9, 2), (3, 10, 3)])
    windows.run()
    assert windows.stays("ticks", "id") == [(1, "10", None), (2, "10", None)]
    windows.land([(4, 32, 4)])
    windows.run()
    assert windows.stays("ticks", "id") == [(1, "10", "20"), (2, "10", "30"), (3, "20", "30")]


@pytest.mark.soak
def test_events_before_the_clock_has_a_time_wait_for_its_first_tick(windows: Any) -> None:
    windows.events("id bigint")
    windows.models(
        last=EVENTS + "store='last 9', every='10 seconds'",
        timed=EVENTS + "store='last 15 seconds', every='10 seconds'",
    )
    windows.land([(1, None, 1), (2, None, 2)])
    windows.run()
    assert windows.kinds("last", "pending", "id") == [(1,), (2,)]
    windows.land([(3, None, 3), (4, 4, 4), (5, 25, 5)])
    windows.run()
    split = [windows.stays("last", "id"), windows.kinds("timed", "late", "id, reason")]
    assert split == [
        [(1, "10", None), (2, "10", None), (3, "10", None), (4, "10", None)],
        [(n, "no time: the time of the event is null") for n in (1, 2, 3)],
    ]
    assert windows.kinds("last", "pending", "id") == [(5,)]
    windows.run("--full-refresh")
    assert split == [windows.stays("last", "id"), windows.kinds("timed", "late", "id, reason")]


@pytest.mark.soak
def test_an_event_that_0_1_0_left_without_a_tick_enters_in_the_next_one(windows: Any) -> None:
    windows.events("id bigint")
    windows.models(last=EVENTS + "store='last 9', every='10 seconds'")
    windows.land([(1, 4, 1), (2, 25, 2)])
    windows.run()
    windows.spark.sql(
        f"update {windows.schema}.last set window_state.at = null where row_kind = 'pending'"
    )
    windows.land([(3, 40, 3)])
    windows.run()
    assert windows.stays("last", "id") == [(1, "10", None), (2, "30", None)]


@pytest.mark.soak
def test_random_events_are_the_same_in_any_split(windows: Any) -> None:
    windows.events("id bigint")
    windows.models(some=EVENTS + "store='random 3 seed 7'")
    for first in (1, 11, 16):
        windows.land((n, n, n) for n in range(first, first + 5))
        windows.run()
    split = windows.stays("some", "id")
    windows.run("--full-refresh")
    assert windows.stays("some", "id") == split
    assert 3 < len(split) < 12
