"""Any name of a column is allowed: all of our own words, keywords, blanks, dots, umlauts, upper case."""

from __future__ import annotations

from typing import Any

import pytest

OWN = [
    *("events", "newest", "tick", "trigger", "accepted", "before", "former", "cycle", "place", "stays", "changes"),
    *("moves", "counts", "lives", "totals", "versions", "written", "arrived", "ranges", "step", "at", "each", "x"),
    *("window_t", "window_turn", "window_cycle", "window_rows", "window_stored", "window_life"),
]  # fmt: skip
KEYWORDS = ["select", "from", "order", "join", "cross", "Group", "null", "interval"]
ODD = ["größe", "item qty", "a.b", "x=y;", "Ärger (mm)"]
NAMES = [*OWN, *KEYWORDS, *ODD]
EVENTS = "source=source('feed', 'events'), ts='ts', "
COUNTS = (
    "aggregates={'events': 'count(*)', 'order': 'sum(`item qty`)', 'former': 'sum(größe) entrance only', "
    "'newest': 'avg(former) entrance only diff', 'größe m²': 'count(*) diff', 'sum, all': 'sumsq(former) entrance only', 'median': 'median(tick)', 'place': ['count(distinct trigger)', '0']}"
)
MODELS = {
    "plain": EVENTS + "store='last 2'",
    "weighed": EVENTS + "store='last 2', weight=0.5",
    "grouped": EVENTS
    + "store='last 2', weight={'`größe` % 2 = 0': 1, '`select` > 0': 0.25}, where='x <> 4'",
    "ticks": EVENTS + "store='last 1 hour', every='1 second', keys=['before', 'select']",
    "top": EVENTS + "store='highest 2 using `item qty`', update_group=['größe'], keys=['a.b']",
    "counted": EVENTS + "store='last 2', keys=['before', 'item qty', 'x'], " + COUNTS,
    "whole": EVENTS + "store='latest 2', " + COUNTS.replace("order", "cycle"),
    "chained": "source=ref('counted'), store='last 2', where='$row_status is new and events >= 1'",
    "again": "source=ref('counted'), store='last 2', keys=['item qty'], "
    "where='$row_status is dead and `order` > 0', aggregates={'events': 'sum(events)'}",
}


@pytest.mark.soak
def test_a_source_may_have_any_columns(windows: Any) -> None:
    columns = ", ".join(f"`{name.replace('`', '``')}` int" for name in NAMES)
    windows.spark.sql(
        f"create or replace table {windows.schema}.events (arrival bigint, ts timestamp, {columns}) using delta "
        "tblproperties ('delta.columnMapping.mode' = 'name')"
    )
    windows.models(**MODELS)
    for first in (1, 4):
        rows = [
            (n, n, *[7 if name == "before" else n for name in NAMES])
            for n in range(first, first + 3)
        ]
        windows.land(rows)
        windows.run()
    everything = ", ".join(f"`{name.replace('`', '``')}`" for name in NAMES)
    rows = windows.stays("plain", everything)
    assert [row[-2:] for row in rows] == [
        ("1", "3"), ("2", "4"), ("3", "5"), ("4", "6"), ("5", None), ("6", None),
    ]  # fmt: skip
    assert [row[:-2] for row in rows] == [
        tuple(7 if name == "before" else n for name in NAMES) for n in range(1, 7)
    ]
    assert windows.stays("weighed", "x") == [
        (1, "2", "4"), (2, "2", "4.1"), (3, "4", "6"), (4, "4.1", "6.1"), (5, "6", None), (6, "6.1", None),
    ]  # fmt: skip
    assert windows.stays("grouped", "x") == [
        (1, "2", "4"), (2, "2", "6"), (3, "4", "6.1"), (5, "6", None), (6, "6.1", None),
    ]  # fmt: skip
    assert [row[0] for row in windows.stays("ticks", "`select`")] == [1, 2, 3, 4, 5]
    assert windows.stays("top", "`größe`")[:2] == [(1, "1", None), (2, "2", None)]
    assert windows.stays("counted", "before, x, `item qty`, events, `order`, newest, place")[:2] == [
        (7, 1, 1, 1, 1, 1.0, 1, "1", None), (7, 2, 2, 1, 2, 2.0, 1, "2", None),
    ]  # fmt: skip
    assert windows.stays("whole", "events, cycle, former, median, place")[-1] == (
        1,
        6,
        21,
        6.0,
        1,
        "6",
        None,
    )
    assert windows.stays("chained", "`item qty`, events") == [
        (n, 1, f"{n}", f"{n + 2}" if n < 5 else None) for n in range(1, 7)
    ]
    assert windows.stays("again", "events") == []
    # Twice the same rows: nothing is new.
    assert set(windows.run()) == {"nothing new"}


def test_our_own_names_are_refused(windows: Any) -> None:
    windows.events("entered int, __turn int")
    windows.models(refused=EVENTS + "store='last 2', aggregates={'__n': 'count(*)'}")
    assert (
        "`aggregates` has the name '__n'; write a column name that is no column of every window; a name has no line "
        "break and no ${, and does not begin with __" in windows.fails()
    )
    windows.models(refused=EVENTS + "store='last 2'")
    message = windows.fails()
    for name in ("entered", "__turn"):
        assert (
            f"has the column '{name}', which is the name of a column of every window or begins with __; rename it "
            "in a staging model" in message
        )
