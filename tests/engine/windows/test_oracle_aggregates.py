"""The oracle of windows against the texts: aggregates, their versions, and windows that follow."""

from __future__ import annotations

import math
from typing import Any

import pytest
from tests.engine.windows.oracle import Simulator, simulate
from tests.engine.windows.oracle_aggregates import FUNCTIONS
from tests.engine.windows.oracle_rows import SECOND, Aggregate, Event, Store, Table, Window
from tests.engine.windows.views import events, moments, versions

# The example that spreadsheets give for SKEW and KURT.
TEN = [3, 4, 5, 2, 3, 4, 5, 6, 4, 7]


@pytest.mark.parametrize(
    ("function", "values", "expected"),
    [
        ("count", [1, None, 3], 2),
        ("count", [], 0),
        ("sum", [1, None, 3], 4),
        ("sum", [None], None),
        ("sum", [1.5, math.inf], None),
        ("min", [2, None, 1], 1),
        ("max", [2.5, math.nan], None),
        ("avg", [1, 2], 1.5),
        ("median", [9, 1, 4, 2], 3.0),
        ("median", [9, 1, 4], 4.0),
        ("variance", TEN, 20.1 / 9),
        ("variance", [7], None),
        ("variance", [7, 7], 0),
        ("stddev", TEN, math.sqrt(20.1 / 9)),
        ("stddev", [7, None], None),
        ("geometric_mean", [2, 8, None], 4),
        ("geometric_mean", [2, 0], 0),
        ("geometric_mean", [2, 0, -1], None),
        ("skewness", TEN, 0.359543071),
        ("skewness", [-value for value in TEN], -0.359543071),
        ("skewness", [1, 2], None),
        ("skewness", [1, 2, 3], 0),
        ("skewness", [0.1, 0.1, 0.1], None),
        ("kurtosis", TEN, -0.151799637),
        ("kurtosis", [1, 2, 4], None),
        ("kurtosis", [3, 3, 3, 3], None),
        ("sumsq", [1, None, 0.5], 1.25),
        ("sumsq", [1e200, 1e200], None),
        ("var_pop", [1, 2, None], 0.25),
        ("stddev_pop", [1, 3], 1),
        ("distinctCount", [1, 1.0, None, 2], 2),
        *((name, [], None) for name in FUNCTIONS if name not in ("count", "distinctCount")),
    ],
)
def test_aggregates(function: str, values: list, expected: Any) -> None:
    assert FUNCTIONS[function](values) == (expected and pytest.approx(expected, rel=1e-8))


ATTACK = events(
    (1, 0, {"ip": "a"}), (2, 5, {"ip": "a"}), (3, 30, {"ip": "b"}), (4, 40, {"ip": "a"})
)
COUNTERS = {
    "recent": Aggregate("count", "id"),
    "total": Aggregate("count", "id", entrance=True),
    "mean": Aggregate("avg", "id"),
}


def test_pinned_reports_itself_empty_and_counts_on() -> None:
    window = Window(Store("time", size=10 * SECOND), ("ip",), aggregates=COUNTERS, pinned=True)

    assert versions(simulate(window, [ATTACK])) == [
        ("a", 1, 1, 1.0, (0, None, 0), (5, None, 0)),
        ("a", 2, 2, 1.5, (5, None, 0), (10, None, 0)),
        ("a", 1, 2, 2.0, (10, None, 0), (15, None, 0)),
        ("a", 0, 2, None, (15, None, 0), (40, None, 0)),
        ("b", 1, 1, 3.0, (30, None, 0), (40, None, 0)),
        ("b", 0, 1, None, (40, None, 0), None),
        ("a", 1, 3, 4.0, (40, None, 0), None),
    ]


def test_an_ended_window_starts_from_nothing() -> None:
    window = Window(Store("time", size=10 * SECOND), ("ip",), aggregates=COUNTERS)

    assert versions(simulate(window, [ATTACK])) == [
        ("a", 1, 1, 1.0, (0, None, 0), (5, None, 0)),
        ("a", 2, 2, 1.5, (5, None, 0), (10, None, 0)),
        ("a", 1, 2, 2.0, (10, None, 0), (15, None, 0)),
        ("b", 1, 1, 3.0, (30, None, 0), (40, None, 0)),
        ("a", 1, 1, 4.0, (40, None, 0), None),
    ]


def test_diff() -> None:
    given = events((1, 0, {"qty": 5}), (2, 1, {"qty": 5}))
    aggregates = {
        "n": Aggregate("count", "qty", diff=True),
        "mean": Aggregate("avg", "qty", diff=True),
        "above": Aggregate("avg", "qty", diff=True, baseline=3),
        "by_key": Aggregate("count", "qty", diff=True, baseline=lambda key: 1 + len(key)),
    }
    window = Window(Store("time", size=10 * SECOND), aggregates=aggregates, pinned=True)

    assert [
        tuple(version.values.values())
        for version in simulate(window, [given], [20 * SECOND]).versions
    ] == [
        (1, 5, 2, 0),
        (1, 0, 2, 1),
        (-1, 0, 2, 0),
        (-1, -5, -3, -1),
    ]


def test_an_unchanged_aggregate_is_no_row() -> None:
    given = events(
        (1, 0, {"qty": 5}), (2, 1, {"qty": 5}), (3, 2, {"qty": None}), (4, 3, {"qty": 6})
    )
    table = simulate(
        Window(Store("sliding", 2), aggregates={"top": Aggregate("max", "qty")}), [given]
    )

    assert versions(table) == [(5, (0, None, 0), (3, None, 0)), (6, (3, None, 0), None)]


def chained(source: Window, window: Window, given: list[Event], as_of: int | None = None) -> Table:
    first, second = Simulator(source), Simulator(window, depth=2)
    first.run(given, as_of)
    second.follow(first.table, "new")
    return second.table


def test_chained_country_skus() -> None:
    """At least 2 and at most 3 SKUs in 5 seconds, kept for 5 seconds."""
    source = Window(
        Store("time", size=5 * SECOND), ("country",), aggregates={"skus": Aggregate("count", "id")}
    )
    window = Window(Store("time", size=5 * SECOND), where=lambda row: 2 <= row["skus"] <= 3)
    given = events(
        *(
            (n, at, {"country": country})
            for n, (at, country) in enumerate([(0, "x"), (1, "x"), (1, "y"), (2, "x"), (3, "x")])
        )
    )

    assert [
        (stay.row, moments(stay.entered), moments(stay.expelled))
        for stay in chained(source, window, given, 11 * SECOND).stays
    ] == [
        ({"country": "x", "skus": 2}, (1, None, 0, 0), (6, None, 0, 0)),
        ({"country": "x", "skus": 3}, (2, None, 0, 0), (7, None, 0, 0)),
        ({"country": "x", "skus": 3}, (5, None, 0, 0), (10, None, 0, 0)),
        ({"country": "x", "skus": 2}, (6, None, 0, 0), (11, None, 0, 0)),
    ]


def test_top_items_of_a_sum_over_30_days() -> None:
    day = 86_400
    source = Window(
        Store("time", size=30 * day * SECOND),
        ("sku",),
        aggregates={"total": Aggregate("sum", "qty")},
    )
    window = Window(Store("highest", 2, using="total", update_group=("sku",)))
    sold = [(0, "a", 5), (1, "b", 7), (2, "a", 4), (3, "c", 8), (4, "b", 3), (31, "c", 1)]
    given = events(
        *((n, at * day, {"sku": sku, "qty": qty}) for n, (at, sku, qty) in enumerate(sold))
    )

    assert [
        (
            *stay.row.values(),
            stay.entered.at // SECOND / day,
            stay.expelled and stay.expelled.at // SECOND / day,
        )
        for stay in chained(source, window, given).stays
    ] == [
        ("a", 5, 0, 2),
        ("b", 7, 1, 3),  # the eight of c are more
        ("a", 9, 2, 30),  # what is left of it, 4, is less than the ten of b: both are out
        ("c", 8, 3, 4),
        ("b", 10, 4, 31),
        ("b", 3, 31, None),  # there is room since a is out
        ("c", 9, 31, None),
    ]
