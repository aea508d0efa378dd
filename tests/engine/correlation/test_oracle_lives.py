"""The oracle of correlation: lives of an id, and the taint of a pattern with `not`."""

from __future__ import annotations

import pytest
from tests.engine.correlation.cases import simulate
from tests.engine.correlation.examples import fired, letters
from tests.engine.windows.oracle_rows import SECOND


def test_fires_again_after_the_whole_pattern_expired() -> None:
    again = [("a", 0), ("c", 1), ("c", 5), ("a", 9), ("c", 13)]  # a is inside until 19

    assert fired(["a and c"], *again) == [(1, 1, 0, (1, None, 2))]
    assert fired(["a and c"], *again, ("a", 20), ("c", 21)) == [
        (1, 1, 0, (1, None, 2)),
        (1, 21, 0, (6, None, 7)),
    ]


def test_a_life_that_fired_one_pattern_fires_no_other() -> None:
    when = ["a and c", "a and not c", "b"]
    # b is alone from 12 on, a was at 10
    assert fired(when, ("a", 0), ("c", 1), ("b", 2)) == [(1, 1, 0, (1, None, 2))]


def test_a_new_life_in_the_cycle_in_which_the_previous_one_ends() -> None:
    when = ["a and not b", "b"]
    case = letters(when, ("a", 0), ("b", 10))

    assert simulate(case) == [
        (1, (10 * SECOND, None, (0,)), 0, (1, None, None)),
        (1, (10 * SECOND, None, (0,)), 1, (None, 2, None)),
    ]
    # While b is inside, the life continues, and with it the taint.
    assert fired(when, ("a", 0), ("b", 9), ("a", 10)) == [(1, 20, 1, (None, 2, None))]


def test_a_new_life_has_no_taint() -> None:
    when = ["a and not c"]
    assert fired(when, ("a", 0), ("c", 7), ("a", 10)) == [(1, 20, 0, (3, None, None))]
    assert fired(when, ("a", 0), ("c", 8), ("b", 9), ("a", 10)) == []


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([("a", 0), ("c", 1), ("a", 5)], [(1, 15, 0, (3, None))]),  # the second a removes the taint
        ([("a", 0), ("c", 4), ("a", 5)], []),  # c was there: the set was another
        ([("c", 0), ("a", 1)], []),  # also before it was all there
        ([("c", 0), ("a", 1), ("a", 4)], [(1, 14, 0, (3, None))]),
        ([("a", 0), ("c", 1), ("a", 5), ("c", 6), ("z", 9)], []),
        ([("a", 0), ("c", 0)], []),
        ([("a", 0), ("c", 1), ("a", 4)], [(1, 14, 0, (3, None))]),  # as c leaves
    ],
)
def test_taint(steps: list[tuple], expected: list[tuple]) -> None:
    assert fired(["a and not c"], *steps, aliases="ac") == expected


def test_other_streams_neither_taint_nor_take_off() -> None:
    when = ["a and b and not c"]
    both = [(1, 10, 0, (1, 2, None, None))]
    assert fired(when, ("a", 0), ("b", 1), ("d", 2), aliases="abcd") == both
    assert fired(when, ("a", 0), ("b", 1), ("d", 7), aliases="abcd") == both
    # It is put on the list when d leaves.
    late = [("a", 0), ("d", 1), ("b", 2)]
    assert fired(when, *late, aliases="abcd") == [(1, 10, 0, (1, 3, None, None))]
    # Unless c arrived meanwhile.
    assert fired(when, *late, ("c", 2), aliases="abcd") == []
    # Never equal: d is there until a is out.
    assert fired(when, ("a", 0), ("d", 1), ("b", 2), ("d", 5), aliases="abcd") == []
