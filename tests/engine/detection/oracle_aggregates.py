"""Aggregates and comparisons of the detection oracle, in plain Python.

Choices, where source and specification are silent:

- Every aggregate skips nulls, `first` and `last` too; count counts what is left. An aggregate of
  nothing is null, count of nothing is 0.
- std and var are those of a sample, null for one value. med of an even count is the mean of two.
- percentile: nearest rank is the value at ceil(p / 100 * n). The others use the rank
  p / 100 * (n - 1) counted from 0; `nearest` takes the lower of two that are equally near.
- A comparison with a null is null, which is no detection.
- NaN, if it gets here at all (see `oracle.py`), is Spark's: equal to itself, greater than the
  rest, and whatever is summed with it is NaN.

Sums and means are exact fractions until the end. Infinities are not covered.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any


def is_nan(value: Any) -> bool:
    return isinstance(value, float) and math.isnan(value)


def order(value: Any) -> tuple:
    return (is_nan(value), 0 if is_nan(value) else value)


def lift(function: Callable, *values: Any) -> Any:
    """The function of these values; null where one of them is."""
    return None if any(value is None for value in values) else function(*values)


OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


def compare(left: Any, sign: str, right: Any) -> bool | None:
    return lift(lambda a, b: OPERATORS[sign](order(a), order(b)), left, right)


def percentile(values: list, p: float, interpolation: str = "nearest_rank") -> Any:
    """The p-th percentile, p from 0 to 100, of values that are no nulls."""
    if not 0 <= p <= 100:
        raise ValueError(f"percentile: p must be from 0 to 100, got {p!r}")
    if not values:
        return None
    ranked, share = sorted(values, key=order), Fraction(str(p)) / 100
    if interpolation == "nearest_rank":
        return ranked[max(math.ceil(share * len(ranked)) - 1, 0)]
    rank = share * (len(ranked) - 1)
    low, high = ranked[math.floor(rank)], ranked[math.ceil(rank)]
    past = rank - math.floor(rank)
    return {
        "lower": lambda: low,
        "higher": lambda: high,
        "midpoint": lambda: _between(low, high, Fraction(1, 2)),
        "nearest": lambda: low if past <= Fraction(1, 2) else high,
        "linear": lambda: _between(low, high, past),
    }[interpolation]()


def _between(low: Any, high: Any, share: Fraction) -> float:
    if is_nan(low) or (is_nan(high) and share):
        return math.nan
    if share == 0:
        return float(low)
    return float(Fraction(low) + (Fraction(high) - Fraction(low)) * share)


def _sum(values: list) -> Any:
    if not values or any(is_nan(value) for value in values):
        return math.nan if values else None
    return math.fsum(values) if isinstance(values[0], float) else sum(values)


def _avg(values: list) -> float | None:
    if not values or any(is_nan(value) for value in values):
        return math.nan if values else None
    return float(sum(map(Fraction, values)) / len(values))


def _var(values: list) -> float | None:
    if len(values) < 2 or any(is_nan(value) for value in values):
        return math.nan if len(values) > 1 else None
    exact = [Fraction(value) for value in values]
    mean = sum(exact) / len(exact)
    return float(sum((value - mean) ** 2 for value in exact) / (len(exact) - 1))


AGGREGATES: dict[str, Callable] = {
    "avg": _avg,
    "sum": _sum,
    "count": len,
    "min": lambda values: min(values, key=order, default=None),
    "max": lambda values: max(values, key=order, default=None),
    "med": lambda values: lift(float, percentile(values, 50, "midpoint")),
    "std": lambda values: lift(math.sqrt, _var(values)),
    "var": _var,
    "first": lambda values: values[0] if values else None,
    "last": lambda values: values[-1] if values else None,
    "percentile": percentile,
}
