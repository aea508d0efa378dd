"""The oracle itself: small cases of each class of metrics, worked by hand."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.detection.catalogue import before, column, of, prev
from tests.engine.detection.oracle import Detection, Engine
from tests.engine.detection.oracle_metrics import Metric, Row

HOT = Metric("row", column("temp"), ">", 65)
SUM = Metric("window", of("sum", "qty"), ">=", -99)  # of any value: shows each closed window


def rows(column: str, *given: tuple[int, Any] | tuple[int, Any, str]) -> list[Row]:
    """Rows of one column: time, value and, where it is not A, key."""
    return [
        Row(arrival, time, tuple(key) or ("A",), {column: value})
        for arrival, (time, value, *key) in enumerate(given)
    ]


def brief(found: list[Detection]) -> list[tuple]:
    """(arrival, time, key, metric), the window as a pair or null, both sides."""
    return [
        (each.arrival, each.time, *each.key, each.metric, bounds(each), each.left, each.right)
        for each in found
    ]


def bounds(each: Detection) -> tuple[int, int] | None:
    return None if each.window_start is None else (each.window_start, each.window_end)


# The first class: every row by itself --------------------------------------------------------


def test_prev_and_deltas_go_by_key_and_by_arrival() -> None:
    """Without aggregates a row from the past is taken: B's 4 is prev of what comes after it."""
    fell = Metric("row", column("qty"), "<", prev("qty"))
    jumped = Metric("row", lambda row: row.deltas("qty"), ">=", 5)

    found = Engine([fell, jumped]).run(
        rows("qty", (1, 9), (2, 7, "B"), (3, 2), (1, 4, "B"), (3, None), (4, 1), (5, 9, "B"))
    )

    assert brief(found) == [
        (2, 3, "A", 0, None, 2, 9),
        (3, 1, "B", 0, None, 4, 7),
        (6, 5, "B", 1, None, 5, 5),  # A's 1 after the null is no fall
    ]


def test_prev_of_prev() -> None:
    same = Metric("row", column("qty"), "==", lambda row: row.prev("qty", back=2))

    found = Engine([same]).run(rows("qty", (1, 5), (2, 6), (3, 5), (4, 5), (5, 5)))

    assert brief(found) == [(2, 3, "A", 0, None, 5, 5), (4, 5, "A", 0, None, 5, 5)]


def test_a_null_compares_to_nothing_but_can_be_tested_for() -> None:
    low, other = Metric("row", column("qty"), "<", 4), Metric("row", column("qty"), "!=", 4)
    known = Metric("row", lambda row: row["qty"] is None, "==", False)
    missing = Metric("row", lambda row: row["qty"] is None)

    found = Engine([low, other, known, missing]).run(
        rows("qty", (1, None), (2, 3.0), (3, float("nan")))
    )

    assert brief(found) == [
        (0, 1, "A", 3, None, None, None),
        (1, 2, "A", 0, None, 3.0, 4),
        (1, 2, "A", 1, None, 3.0, 4),
        (1, 2, "A", 2, None, False, False),
        (2, 3, "A", 3, None, None, None),  # NaN is a null
    ]


# The second class: once for each window and key, when it closes ------------------------------


def test_several_windows_close_at_once_and_empty_ones_give_nothing() -> None:
    """Alignment 2: the first row 2 makes [0, 4), then [2, 6), …; 20 closes all that 2 and 3 are in."""
    found = Engine([SUM], window_size=4, step=2).run(
        rows("qty", (2, 1), (3, 2), (20, 4), (21, 8), (24, 16))
    )

    assert brief(found) == [
        (2, 4, "A", 0, (0, 4), 3, -99),
        (2, 6, "A", 0, (2, 6), 3, -99),
        (4, 22, "A", 0, (18, 22), 12, -99),
        (4, 24, "A", 0, (20, 24), 12, -99),  # 24 itself is not in it
    ]


def test_a_key_closes_its_own_windows_only() -> None:
    """All keys have the grid of the first row: B's windows are those of A, also to the left."""
    found = Engine([SUM], window_size=5, step=5).run(
        rows("qty", (12, 1), (3, 2, "B"), (99, 4, "B"), (14, 8), (15, 16))
    )

    assert brief(found) == [
        (2, 5, "B", 0, (0, 5), 2, -99),
        (4, 15, "A", 0, (10, 15), 9, -99),
    ]


def test_months_have_the_grid_of_january() -> None:
    """The first row is of November 2018: quarters by January, half a year long."""
    january = (2018 - 1970) * 12

    found = Engine([SUM], window_size=6, step=3, precision="MONTH").run(
        rows("qty", (january + 10, 1), (january + 12, 2), (january + 18, 4))
    )

    assert [(e.window_start - january, e.window_end - january, e.left) for e in found] == [
        (6, 12, 1),
        (9, 15, 3),
        (12, 18, 2),
    ]


def test_days_have_the_grid_of_the_first_row() -> None:
    found = Engine([SUM], window_size=7, step=7, precision="DATE").run(
        rows("qty", (17_812, 1), (17_818, 2), (17_819, 4))
    )

    assert brief(found) == [(2, 17_819, "A", 0, (17_812, 17_819), 3, -99)]


def test_a_row_without_a_time_is_put_aside() -> None:
    engine = Engine([SUM], window_size=5, step=5)

    found = engine.run(rows("qty", (None, 1), (3, 2), (None, 4), (5, 8)))

    assert brief(found) == [(3, 5, "A", 0, (0, 5), 2, -99)]
    assert [(reason, row.arrival) for reason, row in engine.late] == [
        ("no time", 0),
        ("no time", 2),
    ]


def test_a_late_row_is_in_no_window_and_a_tie_is_not_late() -> None:
    engine = Engine([SUM, HOT], window_size=5, step=5)
    given = [(12, 1), (13, 2), (13, 4), (12, 8), (11, 16, "B"), (15, 32)]
    some = [Row(r.arrival, r.time, r.key, r.values | {"temp": 70}) for r in rows("qty", *given)]

    found = engine.run(some)

    assert [(e.arrival, e.metric, e.left) for e in found] == [
        *[(0, 1, 70), (1, 1, 70), (2, 1, 70)],
        (4, 1, 70),  # B has no row before
        (5, 0, 7),
        (5, 1, 70),
    ]
    assert [(reason, row.arrival) for reason, row in engine.late] == [("late", 3)]


def test_windows_come_before_the_row_and_metrics_by_index() -> None:
    above = Metric("against", column("qty"), ">", of("avg", "qty"))
    count = Metric("window", of("count", "qty"), ">", 0)
    any_row = Metric("row", column("qty"), ">", 0)

    found = Engine([above, SUM, any_row, count], window_size=4, step=2).run(
        rows("qty", (2, 1), (8, 5))
    )

    assert [(e.metric, e.time) for e in found] == [(2, 2), (1, 4), (3, 4), (1, 6), (3, 6), (0, 8), (2, 8)]  # fmt: skip


def test_the_window_before_is_the_last_one_before_it_with_rows() -> None:
    more = Metric("window", of("sum", "qty"), ">", before("sum", "qty"))
    counted = Metric("window", before("count", "qty"), ">=", 0)

    found = Engine([more, counted], window_size=5, step=5).run(
        rows("qty", (0, 3), (7, 1), (31, 2), (36, 9))
    )

    assert brief(found) == [
        (2, 10, "A", 1, (5, 10), 1, 0),
        (3, 35, "A", 0, (30, 35), 2, 1),  # six empty windows between them
        (3, 35, "A", 1, (30, 35), 1, 0),
    ]


# The third class: a row against its key's last closed window with rows ------------------------


def test_a_key_without_a_closed_window_gives_nothing() -> None:
    above = Metric("against", column("qty"), ">", of("max", "qty"))

    found = Engine([above], window_size=5, step=5).run(
        rows("qty", (0, 1), (4, 9), (6, 99, "B"), (7, 5), (8, 10), (9, 11, "B"))
    )

    assert brief(found) == [(4, 8, "A", 0, (0, 5), 10, 9)]


def test_the_last_window_with_rows_lasts_over_empty_ones() -> None:
    above = Metric("against", column("qty"), ">", of("max", "qty"))

    found = Engine([above], window_size=6, step=3).run(
        rows("qty", (0, 5), (4, 1), (100, 2), (101, 0))
    )

    assert brief(found) == [(2, 100, "A", 0, (3, 9), 2, 1)]  # the 5 is in [0, 6)


def test_a_window_of_nulls_has_rows() -> None:
    """Its aggregates are null, so nothing is above them, though the window before had a maximum."""
    above = Metric("against", column("qty"), ">", of("max", "qty"))
    none = Metric("against", of("count", "qty"), "==", lambda *_: 0)

    found = Engine([above, none], window_size=5, step=5).run(
        rows("qty", (0, 1), (5, None), (10, 7))
    )

    assert brief(found) == [(2, 10, "A", 1, (5, 10), 0, 0)]


def test_a_window_that_a_tie_closes_counts_for_all_rows_of_that_time() -> None:
    above = Metric("against", column("qty"), ">", of("last", "qty"))

    found = Engine([above], window_size=5, step=5).run(rows("qty", (0, 3), (5, 4), (5, 9), (10, 8)))

    assert [(e.arrival, e.left, e.right) for e in found] == [(1, 4, 3), (2, 9, 3)]


# What is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("windows", "message"),
    [({}, "must be given"), ({"window_size": 7, "step": 3}, "multiple of step 3")],
)
def test_windows_that_are_refused(windows: dict, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Engine([SUM], **windows)
    Engine([HOT], **windows)  # not needed, not checked
