"""Windows whose rule is sequential: highest, lowest, `max`, and a number of rows by key."""

from __future__ import annotations

from typing import Any

import pytest

EVENTS = "source=source('feed', 'events'), ts='ts', "


@pytest.mark.soak
def test_the_lowest_and_the_highest_five_of_thirty(windows: Any) -> None:
    windows.events("id bigint")
    windows.models(
        low=EVENTS + "store='lowest 5 using id'", high=EVENTS + "store='highest 5 using id'"
    )
    for first in (1, 11, 21):
        windows.land((n, n, n) for n in range(first, first + 10))
        windows.run()
    inside = "select collect_list(id) from (select id from windowed.{} where row_kind = 'row' and expelled is null order by id)"
    assert windows.spark.sql(inside.format("low")).first()[0] == [1, 2, 3, 4, 5]
    assert windows.spark.sql(inside.format("high")).first()[0] == [26, 27, 28, 29, 30]
    assert windows.stays("low", "id") == [(n, str(n), None) for n in range(1, 6)]
    assert windows.stays("high", "id")[:2] == [(1, "1", "6"), (2, "2", "7")]


@pytest.mark.soak
def test_top_items_by_their_sums(windows: Any) -> None:
    """The source's best-selling items, with two instead of five."""
    windows.events("state string, sku string, qty bigint")
    windows.models(
        sums=EVENTS + "keys=['state', 'sku'], store='last 30 days', "
        "aggregates={'total': 'sum(qty)'}",
        top="source=ref('sums'), keys=['state'], store='highest 2 using total', "
        "update_group=['state', 'sku'], where='$row_status is new'",
    )
    day = 86400
    windows.land([(1, 0, "CA", "a", 10), (2, day, "CA", "b", 7), (3, 2 * day, "CA", "c", 5)])
    windows.run()
    assert windows.stays("top", "sku, total") == [("a", 10, "0", None), ("b", 7, "86400", None)]
    windows.land(
        [(4, 3 * day, "CA", "c", 4), (5, 4 * day, "CA", "b", 1), (6, 31 * day, "CA", "c", 1)]
    )
    windows.run()
    assert windows.stays("top", "sku, total") == [
        ("a", 10, "0", None),
        ("b", 7, "86400", "259200"),
        ("c", 9, "259200", "2.6784e+06"),
        ("c", 10, "2.6784e+06", None),
    ]


def test_a_time_window_of_at_most_ten(windows: Any) -> None:
    windows.events("id bigint")
    windows.models(most=EVENTS + "store='last 60 seconds max 10'")
    windows.land((1, 5, id) for id in range(1, 26))
    windows.land([(2, 100, 26)])
    windows.run()
    assert windows.stays("most", "id") == [
        *((id, "5", "5.1") for id in range(1, 11)),
        *((id, "5.1", "5.2" if id < 16 else "65") for id in range(11, 21)),
        *((id, "5.2", "65") for id in range(21, 26)),
        (26, "100", None),
    ]


def test_a_number_of_rows_by_key(windows: Any) -> None:
    windows.events("tier string, id bigint")
    store = "store=\"last (case when tier = 'gold' then 3 else 1 end)\""
    windows.models(kept=EVENTS + "keys=['tier'], " + store)
    windows.land([(n, n, "gold" if n % 2 else "blue", n) for n in range(1, 5)])
    windows.run()
    windows.land([(n, n, "gold" if n % 2 else "blue", n) for n in range(5, 9)])
    windows.run()
    assert windows.stays("kept", "tier, id") == [
        ("gold", 1, "1", "7"), ("blue", 2, "2", "4"), ("gold", 3, "3", None), ("blue", 4, "4", "6"),
        ("gold", 5, "5", None), ("blue", 6, "6", "8"), ("gold", 7, "7", None), ("blue", 8, "8", None),
    ]  # fmt: skip


def test_a_length_by_key(windows: Any) -> None:
    windows.events("tier string, id bigint")
    store = (
        "store=\"last (case when tier = 'gold' then 60 when tier = 'blue' then 10 end) seconds\""
    )
    windows.models(kept=EVENTS + "keys=['tier'], " + store)
    windows.land([(1, 0, "gold", 1), (2, 0, "blue", 2), (3, 0, "grey", 3), (4, 61, "gold", 4)])
    windows.run()
    assert windows.stays("kept", "id") == [(1, "0", "60"), (2, "0/2", "10"), (4, "61", None)]
    assert windows.kinds("kept", "late", "id, split(reason, ':')[0]") == [(3, "size")]


def test_a_length_by_key_of_an_hour(windows: Any) -> None:
    """60 minutes are more microseconds than the greatest INT."""
    windows.events("tier string, id bigint")
    windows.models(kept=EVENTS + "keys=['tier'], store='last (length(tier) * 15) minutes'")
    windows.land([(1, 0, "gold", 1), (2, 3_700, "gold", 2)])
    windows.run()
    assert windows.stays("kept", "id") == [(1, "0", "3600"), (2, "3700", None)]
