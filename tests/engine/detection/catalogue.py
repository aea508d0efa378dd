"""Metrics in both forms: the text that an analyst writes, and the structure that the oracle evaluates.

The columns are those of `streams.py`. Bounds of roots and variances are no values that these can
take, so that a last bit does not decide.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import mul, sub
from typing import Any

from tests.engine.detection.oracle_aggregates import compare, lift
from tests.engine.detection.oracle_metrics import Metric, RowView, WindowView


def column(name: str) -> Callable[..., Any]:
    """The row's own value, for metrics of the first and third class."""
    return lambda row, *_: row[name]


def prev(name: str) -> Callable[..., Any]:
    return lambda row, *_: row.prev(name)


def of(function: str, what: str | Callable, *more: Any) -> Callable[..., Any]:
    """An aggregate, for metrics of the second and third class."""
    return lambda *views: getattr(views[-1], function)(what, *more)


def before(function: str, what: str) -> Callable[..., Any]:
    return lambda *views: getattr(views[-1].before, function)(what)


def _hot_and_few(row: RowView) -> bool:
    return compare(row["temp"], ">", 4) is True and compare(row["qty"], "<", 4) is True


def _few_or_unknown(row: RowView) -> bool:
    return compare(row["qty"], "<", 1) is True or row["temp"] is None


def _spread(row: RowView) -> Any:
    return lift(sub, row["qty"], row["price"])


def _is_many(row: RowView) -> bool | None:
    return compare(row["qty"], ">", 3)


def _twice_avg(window: WindowView) -> Any:
    return lift(mul, window.avg("qty"), 2)


ROW = {
    "temp > 5": Metric("row", column("temp"), ">", 5),
    "qty > price": Metric("row", column("qty"), ">", column("price")),
    "lt(qty, prev(qty))": Metric("row", column("qty"), "<", prev("qty")),
    "deltas(temp) > 2": Metric("row", lambda row: row.deltas("temp"), ">", 2),
    "isNull(qty) == false": Metric("row", lambda row: row["qty"] is None, "==", False),
    "temp > 4 && qty < 4": Metric("row", _hot_and_few),
    "qty < 1 || isNull(temp)": Metric("row", _few_or_unknown),
}
WINDOW = {
    "avg(qty - price) > 1": Metric("window", of("avg", _spread), ">", 1),
    "percentile(qty, 90) < 7": Metric("window", of("percentile", "qty", 90), "<", 7),
    "max(qty) < avg(qty) * 2": Metric("window", of("max", "qty"), "<", _twice_avg),
    "le(sum(qty), 5)": Metric("window", of("sum", "qty"), "<=", 5),
    "sum(qty) > prev(sum(qty))": Metric("window", of("sum", "qty"), ">", before("sum", "qty")),
    "count(qty) >= 2": Metric("window", of("count", "qty"), ">=", 2),
    "sum(qty > 3) >= 2": Metric("window", of("sum", _is_many), ">=", 2),
    "med(temp) >= 3": Metric("window", of("med", "temp"), ">=", 3),
    "first(qty) != last(qty)": Metric("window", of("first", "qty"), "!=", of("last", "qty")),
    "std(qty) > 1.2345": Metric("window", of("std", "qty"), ">", 1.2345),
    "var(temp) < 9.8765": Metric("window", of("var", "temp"), "<", 9.8765),
    "min(temp) == max(temp)": Metric("window", of("min", "temp"), "==", of("max", "temp")),
}
WINDOW |= {
    f"percentile(temp, 35, '{name}') > 2": Metric("window", of("percentile", "temp", 35, name), ">", 2)
    for name in ["linear", "lower", "higher", "midpoint", "nearest"]
}  # fmt: skip
AGAINST = {
    "temp > percentile(temp, 75)": Metric("against", column("temp"), ">", of("percentile", "temp", 75)),
    "avg(qty) > qty": Metric("against", of("avg", "qty"), ">", column("qty")),
    "le(med(qty), price)": Metric("against", of("med", "qty"), "<=", column("price")),
    "prev(qty) > max(qty)": Metric("against", prev("qty"), ">", of("max", "qty")),
    "temp > prev(max(temp))": Metric("against", column("temp"), ">", before("max", "temp")),
}  # fmt: skip
CATALOGUE = ROW | WINDOW | AGAINST
