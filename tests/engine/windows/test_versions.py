"""The versions of aggregates: what enters, leaves, ends, and continues."""

from __future__ import annotations

from typing import Any

import pytest

EVENTS = "source=source('feed', 'events'), ts='ts', "


@pytest.mark.soak
def test_a_window_that_empties_ends_unless_pinned(windows: Any) -> None:
    windows.events("key string, v bigint")
    counts = (
        "aggregates={'n': 'count(v)', 'ever': 'count(*) entrance only', 'mean': 'avg(v)', "
        "'change': 'count(v) diff', 'off': 'avg(v) diff from 4'}"
    )
    window = EVENTS + "keys=['key'], store='last 10 seconds', " + counts
    windows.models(ended=window, pinned=window + ", pinned=true")
    windows.land([(1, 0, "a", 5), (2, 4, "b", 1)])
    windows.run()
    windows.land([(3, 12, "b", 3), (4, 30, "a", 7)])
    windows.run()
    assert windows.stays("ended", "key, n, ever, mean, change, off") == [
        ("a", 1, 1, 5.0, 1, 1.0, "0", "10"),
        ("b", 1, 1, 1.0, 1, -3.0, "4", "12"),
        ("b", 2, 2, 2.0, 1, -2.0, "12", "14"),
        ("b", 1, 2, 3.0, -1, -1.0, "14", "22"),
        ("a", 1, 1, 7.0, 1, 3.0, "30", None),
    ]
    assert windows.stays("pinned", "key, n, ever, mean, change, off") == [
        ("a", 1, 1, 5.0, 1, 1.0, "0", "10"),
        ("b", 1, 1, 1.0, 1, -3.0, "4", "12"),
        ("a", 0, 1, None, -1, -4.0, "10", "30"),
        ("b", 2, 2, 2.0, 1, -2.0, "12", "14"),
        ("b", 1, 2, 3.0, -1, -1.0, "14", "22"),
        ("b", 0, 2, None, -1, -4.0, "22", None),
        ("a", 1, 2, 7.0, 1, 3.0, "30", None),
    ]


@pytest.mark.soak
def test_every_aggregate_over_a_sliding_window(windows: Any) -> None:
    windows.events("v double")
    functions = (
        "count", "sum", "min", "max", "avg", "median", "variance", "stddev", "geometric_mean",
        "skewness", "kurtosis", "sumsq", "var_pop", "stddev_pop", "distinctCount",
    )  # fmt: skip
    given = ", ".join(f"'a_{name}': '{name}(v)'" for name in functions)
    windows.models(all=EVENTS + f"store='last 4', aggregates={{{given}}}")
    windows.land((n, n, v) for n, v in enumerate([9.0, 1.0, 2.0], 1))
    windows.run()
    windows.land([(4, 4, 4.0), (5, 5, 8.0)])
    windows.run()
    values = windows.stays("all", ", ".join(f"round(a_{name}, 6)" for name in functions))
    # Of 1, 2, 4, 8, by the definitions of the sample statistics.
    assert values[-1] == (
        4, 15.0, 1.0, 8.0, 3.75, 3.0, 9.583333, 3.095696, 2.828427, 1.137624, 0.757656, 85.0, 7.1875, 2.680951, 4,
        "5", None,
    )  # fmt: skip
    assert values[0][:8] == (1, 9.0, 9.0, 9.0, 9.0, 9.0, None, None)


@pytest.mark.soak
def test_what_entered_is_the_same_in_any_split(windows: Any) -> None:
    windows.events("v double")
    functions = (
        "count", "sum", "min", "max", "avg", "variance", "stddev", "geometric_mean", "skewness", "kurtosis", "sumsq",
        "var_pop", "stddev_pop",
    )  # fmt: skip
    given = ", ".join(f"'a_{name}': '{name}(v) entrance only'" for name in functions)
    windows.models(all=EVENTS + f"store='last 2', aggregates={{{given}}}")
    for rows in ([(1, 1, 1.0)], [(2, 2, 2.0), (3, 3, 4.0), (4, 4, 8.0)]):
        windows.land(rows)
        windows.run()
    shown = ", ".join(f"round(a_{name}, 6)" for name in functions)
    split = windows.stays("all", shown)
    windows.run("--full-refresh")
    assert windows.stays("all", shown) == split
    assert split[-1] == (
        4, 15.0, 1.0, 8.0, 3.75, 9.583333, 3.095696, 2.828427, 1.137624, 0.757656, 85.0, 7.1875, 2.680951, "4", None,
    )  # fmt: skip


def test_an_aggregate_of_ones_own(windows: Any) -> None:
    windows.events("key string, v bigint")
    own = "aggregates={'spread': ['max(v) - min(v)', '-1']}, pinned=true"
    windows.models(spread=EVENTS + "store='last 5 seconds', " + own)
    windows.land([(1, 0, "a", 5), (2, 1, "b", 9), (3, 20, "b", 4)])
    windows.run()
    assert windows.stays("spread", "spread") == [
        (0, "0", "1"), (4, "1", "5"), (0, "5", "6"), (-1, "6", "20"), (0, "20", None),
    ]  # fmt: skip


@pytest.mark.soak
def test_a_chained_window_reads_new_versions(windows: Any) -> None:
    """The source's country SKUs, with two instead of ten."""
    windows.events("country string, sku string, qty bigint")
    windows.models(
        countries=EVENTS + "keys=['country'], store='last 5 seconds', "
        "aggregates={'num_skus': 'count(sku)', 'avg_qty': 'avg(qty)'}",
        busy="source=ref('countries'), store='last 5 seconds', "
        "where='$row_status is new and (num_skus >= 2 and num_skus <= 3)'",
    )
    windows.land([(1, 0, "US", "a", 4), (2, 1, "US", "b", 6), (3, 2, "UK", "a", 1)])
    windows.run()
    windows.land([(4, 4, "US", "c", 5), (5, 4, "US", "d", 5), (6, 30, "UK", "a", 1)])
    windows.run()
    assert windows.stays("busy", "country, num_skus, avg_qty") == [
        ("US", 2, 5.0, "1", "6"), ("US", 3, 5.0, "4", "9"), ("US", 3, 16 / 3, "5", "10"),
        ("US", 2, 5.0, "6", "11"),
    ]  # fmt: skip
