"""Events from the future: late rows, which close no buffer and count nowhere."""

from __future__ import annotations

from typing import Any

import pytest

COLUMNS = "arrival bigint, ts timestamp, received_at timestamp, n int"


def row(arrival: int, ts: str, received: str | None) -> str:
    at = "null" if received is None else f"timestamp'2024-01-01 {received}:00Z'"
    return f"{arrival}, timestamp'{ts}:00Z', {at}, 1"


@pytest.mark.parametrize(
    "at_once",
    [
        pytest.param(True, id="one run"),
        pytest.param(False, id="a run for each event", marks=pytest.mark.soak),
    ],
)
def test_an_event_after_its_bound_moves_no_clock(small: Any, at_once: bool) -> None:
    small.define("shop", COLUMNS, ["hours", "days", "late"],
                 "select={'events': 'count(*)'}, ts='ts', every='hour, day', buffer_size=1, "
                 "ignore_events_older_than_buffer=true, not_after='received_at + interval 1 hour'")  # fmt: skip
    events = [
        row(1, "2024-01-01 08:10", "08:11"),
        row(2, "2024-01-01 09:11", "08:11"),  # at the bound
        row(3, "2099-01-01 00:00", "08:12"),
        row(4, "2024-01-01 09:12", "08:12"),  # the one before has closed no buffer
        row(5, "2024-01-01 09:14", "08:13"),
        row(6, "2024-01-01 10:30", None),  # no bound is known
        row(7, "2024-01-01 08:50", "10:31"),
    ]
    for some in [events] if at_once else [[event] for event in events]:
        small.feed("shop", *some)
        small.run()
    assert small.read("shop", "agg_count", "hours") == [
        ("2024-01-01 08:00:00", 1),
        ("2024-01-01 09:00:00", 2),
        ("2024-01-01 10:00:00", 1),
    ]
    future = "from the future: ts is after received_at + interval 1 hour"
    assert small.rows("select arrival, late_reason from small.shop_late order by arrival") == [
        (3, future),
        (5, future),
        (7, "late: older than the buffer of 1 hours"),
    ]


def test_a_field_of_a_struct_that_is_called_upstream(small: Any) -> None:
    """It is the bound, and not the column of its name."""
    small.define("shop", f"{COLUMNS}, upstream struct<received_at: timestamp>", ["hours", "late"],
                 "select={'events': 'count(*)'}, ts='ts', every='hour', not_after='upstream.received_at'")  # fmt: skip
    bound = "named_struct('received_at', timestamp'2024-01-01 09:00:00Z')"
    events = [row(1, "2024-01-01 08:10", "08:00"), row(2, "2024-01-01 09:10", "10:00")]
    small.feed("shop", *(f"{event}, {bound}" for event in events))
    small.run()
    assert small.read("shop", "agg_count", "hours") == [("2024-01-01 08:00:00", 1)]
    assert small.rows("select arrival from small.shop_late") == [(2,)]


@pytest.mark.parametrize(
    ("bound", "fault"),
    [
        ("n", "`not_after` is 'n', which is INT; make it a TIMESTAMP"),
        ("recieved_at", "`not_after` is 'recieved_at', and feed_shop has no column 'recieved_at'; it has "
         "arrival, ts, received_at, n; did you mean 'received_at'?"),
    ],
    ids=["no time", "no column"],
)  # fmt: skip
def test_what_is_refused(small: Any, bound: str, fault: str) -> None:
    small.define("shop", COLUMNS, ["hours"],
                 f"select={{'events': 'count(*)'}}, ts='ts', every='hour', not_after='{bound}'")  # fmt: skip
    assert fault in small.fails()


@pytest.mark.soak
def test_another_bound_is_another_definition(small: Any) -> None:
    arguments = "select={'events': 'count(*)'}, ts='ts', every='hour', not_after='%s'"
    small.define("shop", COLUMNS, ["hours"], arguments % "received_at")
    small.feed("shop", row(1, "2024-01-01 08:10", "08:11"))
    small.run()
    small.redefine("shop", arguments % "received_at + interval 1 hour")
    assert (
        "`not_after` is now 'received_at + interval 1 hour', and the stored rows were built with 'received_at'"
    ) in small.fails()
