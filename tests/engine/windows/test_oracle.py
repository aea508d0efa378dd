"""The oracle of windows against the texts: each kind of window, worked out by hand."""

from __future__ import annotations

import pytest
from tests.engine.windows.oracle import simulate
from tests.engine.windows.oracle_rows import SECOND, Aggregate, Event, Store, Window
from tests.engine.windows.views import at_once, by_cycle, events, ids, inside, stays, versions

COUNT = {"n": Aggregate("count", "id")}


def test_12_at_once_into_last_10() -> None:
    table = simulate(Window(Store("sliding", 10)), [at_once(12)])

    assert by_cycle(table, "new") == [(0, [*range(1, 11)]), (1, [11]), (2, [12])]
    assert by_cycle(table, "dead") == [(1, [1]), (2, [2])]
    assert [stay.exit for stay in table.stays[:3]] == [11, 12, None]


def test_a_full_sliding_window_begins_with_step_0() -> None:
    table = simulate(
        Window(Store("sliding", 1)), [events((1, 0, {}), (2, 5, {}), (2, 4, {}), (3, 1, {}))]
    )

    assert stays(table) == [
        (1, (0, None, 0), (5, None, 0)),
        (3, (5, None, 0), (5, None, 1)),  # before 2, as its ts is
        (2, (5, None, 1), (5, 3, 0)),
        (4, (5, 3, 0), None),  # the clock stood still
    ]


def test_tumbling() -> None:
    table = simulate(Window(Store("tumbling", 10)), [at_once(25), [Event(2, 99, {"id": 26})]])

    assert [rows for _, rows in by_cycle(table, "new")] == ids(
        (1, 10), (11, 20), (21, 25), (26, 26)
    )
    assert by_cycle(table, "dead") == list(
        zip([1, 2, 0], ids((1, 10), (11, 20), (21, 25)), strict=True)
    )
    assert [stay.exit for stay in table.stays] == [*range(1, 26), None]


@pytest.mark.parametrize(
    ("kind", "left"), [("lowest", [1, 2, 3, 4, 5]), ("highest", [26, 27, 28, 29, 30])]
)
def test_lowest_and_highest_5_of_30(kind: str, left: list[int]) -> None:
    single = [Event(number, number, {"id": number}) for number in range(1, 31)]

    for given in (single, at_once(30)):
        table = simulate(Window(Store(kind, 5, using="id")), [given])
        assert inside(table) == left
        assert len(table.rows("dead")) == (25 if kind == "highest" else 0)


def test_of_equal_values_the_older_leaves() -> None:
    given = events(
        *((number, number, {"qty": qty}) for number, qty in enumerate([7, 7, 9, 7, 6, None]))
    )
    table = simulate(Window(Store("highest", 2, using="qty")), [given])

    assert by_cycle(table, "dead") == [(0, [1]), (0, [2])]
    assert inside(table) == [3, 4]
    assert [(late.row["id"], late.reason) for late in table.late] == [(6, "value")]


def test_an_update_group() -> None:
    sums = [
        ("a", 10),
        ("b", 20),
        ("a", 15),
        ("c", 30),
        ("c", 16),
        ("a", 12),
        ("d", 1),
        ("d", 0),
        ("e", 0),
    ]
    given = events(
        *((number, number, {"sku": sku, "qty": qty}) for number, (sku, qty) in enumerate(sums))
    )
    table = simulate(Window(Store("highest", 3, using="qty", update_group=("sku",))), [given])

    assert stays(table) == [
        (1, (0, None, 0), (2, None, 0)),
        (2, (1, None, 0), None),
        (3, (2, None, 0), (5, None, 0)),  # replaced by 12, which is the smallest of 3: both are out
        (4, (3, None, 0), (4, None, 0)),  # replaced by 16, which is not
        (5, (4, None, 0), None),
        (7, (6, None, 0), (7, None, 0)),  # fills; then it is out together with 8
        (9, (8, None, 0), None),
    ]


def test_steps_of_a_window_that_fills_and_displaces_at_once() -> None:
    skus = [("a", 1), ("b", 2), ("a", 3), ("c", 5), ("d", 0), ("e", 9)]
    given = [
        Event(1, n, {"id": n, "sku": sku, "qty": qty}) for n, (sku, qty) in enumerate(skus, start=1)
    ]
    table = simulate(Window(Store("highest", 3, using="qty", update_group=("sku",))), [given])

    assert by_cycle(table, "new") == [(0, [1, 2]), (1, [3]), (2, [4]), (3, [6])]
    assert by_cycle(table, "dead") == [(1, [1]), (3, [2])]


def test_a_time_window_and_late_events() -> None:
    given = events(
        (1, 0, {}), (2, 7, {}), (3, 7, {}), (4, 20, {}), (5, 14, {}), (6, 10, {}), (7, None, {})
    )
    table = simulate(
        Window(Store("time", size=10 * SECOND), aggregates=COUNT), [given], [24 * SECOND]
    )

    assert stays(table) == [
        (1, (0, None, 0), (10, None, 0)),
        (2, (7, None, 0), (17, None, 0)),
        (3, (7, 3, 0), (17, None, 0)),
        (4, (20, None, 0), None),
        (5, (20, 5, 0), (24, None, 0)),  # late, and still younger than 10 seconds
    ]
    assert [(late.row["id"], late.reason) for late in table.late] == [(6, "late"), (7, "no time")]
    assert versions(table) == [
        (1, (0, None, 0), (7, None, 0)),
        (2, (7, None, 0), (7, 3, 0)),
        (3, (7, 3, 0), (10, None, 0)),
        (2, (10, None, 0), (17, None, 0)),
        (1, (20, None, 0), (20, 5, 0)),
        (2, (20, 5, 0), (24, None, 0)),
        (1, (24, None, 0), None),
    ]
    assert [(v.entry, v.exit) for v in table.versions] == [
        (1, 2),
        (2, 3),
        (3, 1),
        (1, 2),
        (4, 5),
        (5, 5),
        (5, None),
    ]


def test_an_expiry_and_an_arrival_are_one_cycle() -> None:
    given = events((1, 0, {}), (2, 10, {}))
    table = simulate(
        Window(
            Store("time", size=10 * SECOND),
            aggregates={"n": Aggregate("count", "id", entrance=True)},
        ),
        [given],
    )

    assert stays(table) == [(1, (0, None, 0), (10, None, 0)), (2, (10, None, 0), None)]
    assert versions(table) == [(1, (0, None, 0), (10, None, 0)), (2, (10, None, 0), None)]


def test_a_time_window_of_at_most_10() -> None:
    table = simulate(Window(Store("time", size=60 * SECOND, max=10)), [at_once(25)], [70 * SECOND])

    assert by_cycle(table, "new") == list(enumerate(ids((1, 10), (11, 20), (21, 25))))
    assert by_cycle(table, "dead")[:2] == [(1, [*range(1, 11)]), (2, [*range(11, 16)])]
    assert [stay.exit for stay in table.stays] == [
        *range(11, 21),
        *range(21, 26),
        *range(16, 21),
        *range(21, 26),
    ]
    assert inside(table) == []


def test_a_weight_of_a_fifth() -> None:
    """Eight come at once, the filter drops two: the other six are heavier than one, and all enter."""
    first = [Event(1, number, {"id": number, "ok": number > 2}) for number in range(1, 9)]
    second = [Event(number, 9, {"id": number, "ok": True}) for number in range(9, 15)]
    window = Window(Store("sliding", 10), where=lambda row: row["ok"], weight=0.2)

    table = simulate(window, [first])
    assert ([stay.entry for stay in table.stays], [item.entry for item in table.pending]) == (
        [3, 4, 5, 6, 7, 8],
        [],
    )

    table = simulate(window, [first, second])
    assert [(stay.entered.arrival, stay.entry) for stay in table.stays[6:]] == [
        (13, number) for number in range(9, 14)
    ]
    assert [item.entry for item in table.pending] == [14]
    assert simulate(Window(Store("time", size=SECOND), weight=0.2), [first[:1]]).pending == []


def test_weights_of_two_streams() -> None:
    """Of quotes, a fifth each, and trades: what enters the window of one, and of the other."""
    kinds = ["quote", "note", "quote", "trade", "note", *["quote"] * 6]
    given = events(*((n, n, {"kind": kind}) for n, kind in enumerate(kinds, 1)))
    of = {each: lambda row, kind=each: row["kind"] == kind for each in kinds}
    weights = ((of["quote"], 0.2), (of["trade"], 1))
    found = {}
    for kind, where in of.items():
        window = Window(Store("sliding", 9), where=where, weights=weights)
        table = simulate(window, [given])
        entered = [(stay.entered.at // SECOND, stay.entry) for stay in table.stays]
        found[kind] = entered, [item.entry for item in table.pending]

    assert found == {
        "quote": ([(4, 1), (4, 3), *((10, n) for n in range(6, 11))], [11]),
        "trade": ([(4, 4)], []),
        "note": ([(4, 2), (10, 5)], []),
    }


def test_every_10_seconds() -> None:
    given = events((1, 1, {}), (2, 9, {}), (3, 10, {}), (4, 23, {}), (5, 3, {}))
    sliding = simulate(Window(Store("sliding", 1), every=10 * SECOND), [given], [30 * SECOND])
    timed = simulate(
        Window(Store("time", size=12 * SECOND), every=10 * SECOND), [given], [30 * SECOND]
    )

    assert stays(sliding) == [
        (1, (10, None, 0), (10, None, 1)),
        (2, (10, None, 1), (20, None, 0)),
        (3, (20, None, 0), (30, None, 0)),
        (4, (30, None, 0), (30, None, 1)),
        (5, (30, None, 1), None),
    ]
    assert stays(timed) == [
        (1, (10, None, 0), (20, None, 0)),
        (2, (10, None, 0), (30, None, 0)),
        (3, (20, None, 0), (30, None, 0)),
        (4, (30, None, 0), None),
    ]
    assert [(late.row["id"], late.reason) for late in timed.late] == [(5, "late")]
