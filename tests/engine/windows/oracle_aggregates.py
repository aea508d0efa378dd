"""Aggregates of the windows' oracle, in plain Python.

- Nulls are skipped. An aggregate of nothing is null, count of nothing is 0.
- Variance and stddev are those of a sample, null for one value. Skewness is the sample's G1, null
  below three values, kurtosis the sample's excess G2, null below four; both null if all are equal.
- The median is percentile 50: for an even count the mean of the two in the middle.
- The geometric mean is null if a value is negative, else 0 if one is 0.
- A result that is NaN or infinite is null. NaN is greater than the rest, as Spark's is.

Sums and means are exact fractions until the end: the same values in any order are the same result.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any


def _is_undefined(value: Any) -> bool:
    return isinstance(value, float) and not math.isfinite(value)


def _order(value: Any) -> tuple:
    nan = isinstance(value, float) and math.isnan(value)
    return (nan, 0 if nan else value)


def _known(function: Callable[[list], Any]) -> Callable[[list], Any]:
    """Without nulls; null for nothing and if the result is no finite number."""

    def known(values: list) -> Any:
        given = [value for value in values if value is not None]
        try:
            result = function(given) if given else None
        except OverflowError:
            return None
        return None if _is_undefined(result) else result

    return known


def _finite(function: Callable[[list[Fraction]], Any]) -> Callable[[list], Any]:
    """For arithmetic: any NaN or infinity among the values makes the result null."""

    def finite(values: list) -> Any:
        if any(_is_undefined(value) for value in values):
            return None
        result = function([Fraction(value) for value in values])
        if isinstance(result, Fraction):
            whole = all(isinstance(value, int) for value in values) and result.denominator == 1
            return int(result) if whole else float(result)
        return result

    return _known(finite)


def _moment(values: list[Fraction], power: int) -> Fraction:
    mean = sum(values) / Fraction(len(values))
    return sum((value - mean) ** power for value in values) / Fraction(len(values))


def _variance(values: list[Fraction]) -> float | None:
    count = len(values)
    return float(_moment(values, 2) * count / (count - 1)) if count > 1 else None


def _stddev(values: list[Fraction]) -> float | None:
    variance = _variance(values)
    return None if variance is None else math.sqrt(variance)


def _skewness(values: list[Fraction]) -> float | None:
    count = len(values)
    if count < 3 or len(set(values)) == 1:
        return None
    # The square is exact; the sign is that of the third moment.
    third = _moment(values, 3)
    square = third**2 / _moment(values, 2) ** 3 * count * (count - 1) / (count - 2) ** 2
    return math.copysign(math.sqrt(square), third)


def _kurtosis(values: list[Fraction]) -> float | None:
    count = len(values)
    if count < 4 or len(set(values)) == 1:
        return None
    excess = _moment(values, 4) / _moment(values, 2) ** 2 - 3
    return float(((count + 1) * excess + 6) * (count - 1) / ((count - 2) * (count - 3)))


def _geometric_mean(values: list[Fraction]) -> float | None:
    if min(values) < 0:
        return None
    if min(values) == 0:
        return 0.0
    return math.exp(math.fsum(math.log(value) for value in values) / len(values))


def _distinct(values: list) -> int:
    """NaN equals itself, and zero its negative."""
    return len({repr(value) if value != value else value for value in values if value is not None})


def _median(values: list) -> float:
    ranked, half = sorted(values, key=_order), len(values) // 2
    if len(values) % 2:
        return float(ranked[half])
    low, high = ranked[half - 1], ranked[half]
    if _is_undefined(low) or _is_undefined(high):
        return math.nan
    return float((Fraction(low) + Fraction(high)) / 2)


FUNCTIONS: dict[str, Callable[[list], Any]] = {
    "count": lambda values: sum(value is not None for value in values),
    "sum": _finite(sum),
    "min": _known(lambda values: min(values, key=_order)),
    "max": _known(lambda values: max(values, key=_order)),
    "avg": _finite(lambda values: float(sum(values) / len(values))),
    "median": _known(_median),
    "variance": _finite(_variance),
    "stddev": _finite(_stddev),
    "var_pop": _finite(lambda values: float(_moment(values, 2))),
    "stddev_pop": _finite(lambda values: math.sqrt(_moment(values, 2))),
    "distinctCount": _distinct,
    "geometric_mean": _finite(_geometric_mean),
    "skewness": _finite(_skewness),
    "kurtosis": _finite(_kurtosis),
    "sumsq": _finite(lambda values: sum(value**2 for value in values)),
}
