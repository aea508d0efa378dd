"""What the metrics of the detection oracle are, and what they see of rows and windows.

Metrics are structures with functions in them, not text: nothing here parses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from tests.engine.detection.oracle_aggregates import AGGREGATES, compare, lift


@dataclass(frozen=True)
class Row:
    """Time is an integer of the unit that also counts window and step."""

    arrival: int
    time: int | None
    key: tuple
    values: dict[str, Any]


@dataclass(frozen=True)
class Closed:
    start: int
    end: int
    rows: tuple[Row, ...]


class RowView:
    """A row as its metrics see it: `row["qty"]`, `row.prev("qty")`, `row.deltas("qty")`."""

    def __init__(self, rows: list[Row], position: int) -> None:
        self._rows, self._position = rows, position

    def __getitem__(self, column: str) -> Any:
        return self._rows[self._position].values[column]

    def prev(self, what: str | Callable, back: int = 1) -> Any:
        """Of a column or of a function of a row; back=2 for prev(prev(…))."""
        position = self._position - back
        return None if position < 0 else _value(RowView(self._rows, position), what)

    def deltas(self, what: str | Callable) -> Any:
        return lift(lambda now, before: now - before, _value(self, what), self.prev(what))


class WindowView:
    """A closed window: `window.sum("qty")`, `window.percentile("qty", 90)`, `window.before.sum("qty")`."""

    def __init__(self, windows: list[Closed], position: int) -> None:
        self._windows, self._position = windows, position

    @property
    def before(self) -> WindowView:
        return WindowView(self._windows, self._position - 1)

    def __getattr__(self, function: str) -> Callable:
        if function not in AGGREGATES:
            raise AttributeError(function)
        return lambda what, *more: self._aggregate(function, what, more)

    def _aggregate(self, function: str, what: str | Callable, more: tuple) -> Any:
        if self._position < 0:
            return None  # no window before the first: prev is null, even of a count
        rows = list(self._windows[self._position].rows)
        values = [_value(RowView(rows, position), what) for position in range(len(rows))]
        return AGGREGATES[function]([value for value in values if value is not None], *more)


def _value(row: RowView, what: str | Callable) -> Any:
    return row[what] if isinstance(what, str) else what(row)


Kind = Literal["row", "window", "against"]


@dataclass(frozen=True)
class Metric:
    """A comparison of two sides: constants, or functions of a RowView, a WindowView, or both.

    Kind "row" is the source's first class, f(row); "window" the second, f(window); "against" the
    third, f(row, window). Without a sign the left side is the whole condition, true or not.
    """

    kind: Kind
    left: Any
    sign: str | None = None
    right: Any = None

    def evaluate(self, *views: RowView | WindowView) -> tuple[bool, Any, Any]:
        left, right = (side(*views) if callable(side) else side for side in (self.left, self.right))
        if self.sign is None:
            return left is True, None, None
        return compare(left, self.sign, right) is True, left, right
