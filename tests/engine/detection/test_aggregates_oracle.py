"""The oracle's aggregates and comparisons, worked by hand."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import pytest
from tests.engine.detection.oracle import Engine
from tests.engine.detection.oracle_aggregates import AGGREGATES, compare, lift, percentile
from tests.engine.detection.oracle_metrics import Metric, Row

NAN = math.nan


@pytest.mark.parametrize(
    ("values", "p", "expected"),
    [
        ([59], 75, 59),  # the source's example 1: its three windows
        ([59, 66, 57, 60], 75, 60),
        ([66, 57, 60, 63, 51, 53], 75, 63),
        ([3, 1, 2], 0, 1),
        ([3, 1, 2], 100, 3),
        ([3, 1, 2, 4], 50, 2),
        ([3, 1, 2, 4], 50.1, 3),
        (list(range(1, 1001)), 99.9, 999),  # 99.9 / 100 * 1000 is 999.0000000000001 in doubles
        ([], 50, None),
    ],
)
def test_percentile_is_by_default_the_nearest_rank(values: list, p: float, expected: Any) -> None:
    assert percentile(values, p) == expected


INTERPOLATIONS = ["linear", "lower", "higher", "midpoint", "nearest"]


@pytest.mark.parametrize(
    ("p", "expected"),
    [
        # of 10, 20, 30, 50: the rank is p / 100 * 3
        (0, [10, 10, 10, 10, 10]),
        (10, [13, 10, 20, 15, 10]),
        (20, [16, 10, 20, 15, 20]),
        (50, [25, 20, 30, 25, 20]),  # as near to both: the lower
        (75, [35, 30, 50, 40, 30]),
        (90, [44, 30, 50, 40, 50]),
        (100, [50, 50, 50, 50, 50]),
    ],
)
def test_percentile_with_an_interpolation(p: float, expected: list) -> None:
    found = [percentile([50, 10, 30, 20], p, name) for name in INTERPOLATIONS]

    assert found == expected


@pytest.mark.parametrize("p", [-1, 100.5])
def test_percentile_outside_of_0_to_100_is_refused(p: float) -> None:
    with pytest.raises(ValueError, match="from 0 to 100"):
        percentile([1, 2], p)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        # of [], [4.0], [2.0, 8.0, 4.0, 4.0] and [1.0, NaN, 2.0]
        ("avg", [None, 4.0, 4.5, NAN]),
        ("sum", [None, 4.0, 18.0, NAN]),
        ("count", [0, 1, 4, 3]),
        ("min", [None, 4.0, 2.0, 1.0]),
        ("max", [None, 4.0, 8.0, NAN]),
        ("med", [None, 4.0, 4.0, 2.0]),
        ("var", [None, None, 19 / 3, NAN]),
        ("std", [None, None, math.sqrt(19 / 3), NAN]),
        ("first", [None, 4.0, 2.0, 1.0]),
        ("last", [None, 4.0, 4.0, 2.0]),
    ],
)
def test_an_aggregate(function: str, expected: list) -> None:
    lists = [[], [4.0], [2.0, 8.0, 4.0, 4.0], [1.0, NAN, 2.0]]
    found = [AGGREGATES[function](values) for values in lists]

    assert repr(found) == repr(expected)  # NaN is no equal of itself


def test_sums_and_means_are_exact() -> None:
    assert AGGREGATES["sum"]([0.1] * 10) == 1.0
    assert AGGREGATES["sum"]([2**62, 1, -(2**62)]) == 1
    assert AGGREGATES["sum"]([Decimal("0.10"), Decimal("0.20")]) == Decimal("0.30")
    assert AGGREGATES["avg"]([2**62, 1, -(2**62)]) == pytest.approx(1 / 3)
    assert AGGREGATES["var"]([1e9, 1e9 + 1, 1e9 + 2]) == 1.0


@pytest.mark.parametrize(
    ("left", "sign", "right", "expected"),
    [
        (None, "<", 4, None),
        (4, "!=", None, None),
        (None, "==", None, None),
        (NAN, "==", NAN, True),
        (NAN, ">", 1e308, True),
        (1.0, "<", NAN, True),
        (-0.0, "==", 0, True),
        ("a", "<", "b", True),
        (2, ">=", 2.0, True),
    ],
)
def test_a_comparison(left: Any, sign: str, right: Any, expected: bool | None) -> None:
    assert compare(left, sign, right) is expected


def test_lift_gives_null_where_a_value_is_null() -> None:
    assert [lift(max, 1, 2), lift(max, None, 2)] == [2, None]


@pytest.mark.parametrize(("nan_is_null", "expected"), [(True, [3.0, 2]), (False, [NAN, 3])])
def test_nan_is_a_null_or_sparks_nan(nan_is_null: bool, expected: list) -> None:
    values = [1.0, NAN, None, 3.0]
    metrics = [
        Metric("window", lambda window: window.max("x"), ">=", -9),
        Metric("window", lambda window: window.count("x"), ">=", -9),
    ]
    engine = Engine(metrics, window_size=10, step=10, nan_is_null=nan_is_null)

    found = engine.run(Row(n, n * 3, (), {"x": x}) for n, x in enumerate([*values, 0.0]))

    assert [each.left for each in found] == pytest.approx(expected, nan_ok=True)
