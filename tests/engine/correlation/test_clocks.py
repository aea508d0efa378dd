"""An event with a clock in the future: a correlation goes by the earliest clock of its windows."""

from __future__ import annotations

from typing import Any

import pytest

VIEW = (
    "{{ config(materialized='view') }} select * from {{ source('feed', 'events') }} where stream = "
)
DECADES = 10**9  # in seconds
PATTERNS = """{{ strandline.correlation_table(streams={'a': {'window': ref('a'), 'on': 'id'},
    'b': {'window': ref('b'), 'on': 'id'}}, when=['a and b', 'b and not a'],
    select={'a_id': 'a.id', 'b_id': 'b.id'}) }}"""


def fired(windows: Any) -> list[tuple]:
    rows = windows.spark.sql(
        "select a_id, b_id from windowed.fired where row_kind = 'row' order by entered, entry"
    ).collect()
    return [tuple(row) for row in rows]


@pytest.mark.soak
def test_a_future_clock_of_one_window_and_of_all(windows: Any) -> None:
    windows.events("stream string, id bigint")
    windows.models(
        of_a=VIEW + "'a'",
        of_b=VIEW + "'b'",
        a="source=ref('of_a'), ts='ts', store='last 5 seconds'",
        b="source=ref('of_b'), ts='ts', store='last 5 seconds'",
        fired=PATTERNS,
    )
    windows.land([(1, 0, "a", 1), (2, 1, "b", 1), (3, 2, "b", 2), (4, DECADES, "a", 9)])
    windows.run()
    # `a` is ahead: its row of id 1 has left at 5, but the correlation is at 2.
    assert fired(windows) == [(1, 1)]
    # A correct event is late in `a`; the correlation continues with `b`, in which id 2 leaves at 7.
    windows.land([(5, 3, "a", 2), (6, 20, "b", 3)])
    windows.run()
    assert windows.kinds("a", "late", "id") == [(2,)]
    assert fired(windows) == [(1, 1), (None, 2)]
    # The clock of both is in the future: what is inside leaves, and what comes later is late.
    windows.land([(7, DECADES, "b", 9)])
    windows.run()
    assert fired(windows) == [(1, 1), (None, 2), (None, 3), (9, 9)]
    windows.land([(8, 30, "a", 4), (9, 30, "b", 4)])
    windows.run()
    assert windows.kinds("b", "late", "id") == [(4,)]
    assert fired(windows) == [(1, 1), (None, 2), (None, 3), (9, 9)]
