"""The oracle of correlation on streams written by hand: the source's traces, lives, ties."""

from __future__ import annotations

import pytest
from tests.engine.correlation.oracle import Correlation, Frontier, Pattern
from tests.engine.windows.oracle import Simulator
from tests.engine.windows.oracle_rows import SECOND, Event, Store, Window

ABC = {"a": "id", "b": "id", "c": "id"}
A_B_NOT_C = Pattern(frozenset("ab"), frozenset("c"))


def fired(events: list[tuple[int, str]], *when: Pattern, size: int = 5) -> list[tuple[int, int]]:
    """(pattern, second) of events (second, stream) of one id, in windows of so many seconds."""
    given = [
        Event(number, at * SECOND, {"id": 1, "stream": stream})
        for number, (at, stream) in enumerate(events, 1)
    ]
    tables = {}
    for alias in ABC:
        mine = lambda row, alias=alias: row["stream"] == alias  # noqa: E731
        simulator = Simulator(Window(Store("time", size=size * SECOND), where=mine))
        simulator.run(given, as_of=1_000 * SECOND)
        tables[alias] = simulator.table
    correlation = Correlation(ABC, list(when))
    correlation.run(tables, Frontier(1_000 * SECOND, len(given)))
    return [(each.pattern, each.cycle.at // SECOND) for each in correlation.firings]


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([(0, "a"), (1, "c")], []),
        ([(0, "a"), (1, "b")], [(0, 5)]),
        ([(0, "a"), (1, "b"), (3, "c")], []),
        # c comes late into its window, and leaves before a and b do.
        ([(0, "a"), (1, "b"), (-3, "c")], []),
        ([(0, "a"), (1, "b"), (-3, "c"), (3, "a")], [(0, 6)]),
        ([(0, "a"), (1, "b"), (5, "c")], [(0, 5)]),
        ([(0, "a"), (1, "b"), (3, "a")], [(0, 6)]),
        ([(0, "a"), (1, "b"), (20, "a"), (21, "b")], [(0, 5), (0, 25)]),
        ([(0, "a"), (1, "b"), (5, "b"), (7, "a")], [(0, 5)]),
    ],
    ids=["b never comes", "a leaves", "c taints", "c taints though it leaves", "a fresh a heals",
         "c comes as a leaves", "the last a counts", "again after all have left", "not before"],
)  # fmt: skip
def test_a_and_b_and_not_c(events: list, expected: list) -> None:
    assert fired(events, A_B_NOT_C) == expected


def test_patterns_without_not_fire_as_the_streams_become_theirs() -> None:
    both = Pattern(frozenset("ab"), frozenset())
    assert fired([(0, "a"), (1, "b"), (2, "c")], both) == [(0, 1)]
    assert fired([(0, "a"), (1, "c"), (2, "b")], both) == []
    assert fired([(1, "a"), (0, "c"), (2, "b")], both) == [(0, 5)], "c has left"


def test_the_first_pattern_of_the_list_fires_alone() -> None:
    one, other = Pattern(frozenset("a"), frozenset("b")), Pattern(frozenset("a"), frozenset("c"))
    assert fired([(0, "a")], one, other) == fired([(0, "a")], other, one) == [(0, 5)]
    assert fired([(0, "a"), (1, "c")], other, one) == [(1, 5)]
