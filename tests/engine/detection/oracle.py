"""The detections that an engine must give: one row after the other, in plain Python.

Written from the text of the source and the specification. No Spark, no SQL, nothing of the
product: where both agree, they agree for a reason. Choices, where both texts are silent:

- The windows are on a grid that extends to both sides of the first one: a row of another key that
  is older than the first row of all is in windows too, and MONTH has windows that begin before
  the January in which it begins.
- A late row (older than the last of its key, with an aggregate in any metric) is evaluated by no
  metric, and `prev` does not read it. An equal time is not late.
- A row without a time is in no window, is evaluated by nothing and never sets the grid.
- The window before another, for `prev(sum(qty))`, is the one before it of those of its key that
  had rows, as empty windows give nothing.
- A window of nulls only has rows: its aggregates are null, so that its class 3 metrics are.
- NaN is a null, as it is in the source's field (`nan_is_null=False`: Spark's NaN).
- A key may be null, and is then a key like others.
- An arrival number that was already read, or a smaller one, is a row sent again: it is skipped.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from tests.engine.detection.oracle_aggregates import is_nan
from tests.engine.detection.oracle_alignment import first_window_start
from tests.engine.detection.oracle_metrics import Closed, Kind, Metric, Row, RowView, WindowView


@dataclass(frozen=True)
class Detection:
    """Metric is its index; window_start and window_end are null for metrics without aggregate."""

    arrival: int
    time: int
    key: tuple
    metric: int
    window_start: int | None
    window_end: int | None
    left: Any
    right: Any


@dataclass
class KeyState:
    rows: list[Row] = field(default_factory=list)
    closed: list[Closed] = field(default_factory=list)


class Engine:
    """`run` it with rows in the order of their arrival; `copy.deepcopy` of it is a snapshot."""

    def __init__(
        self,
        metrics: list[Metric],
        window_size: int | None = None,
        step: int | None = None,
        round_time: bool = True,
        precision: str = "ms",
        alignment: int | None = None,
        nan_is_null: bool = True,
    ) -> None:
        self.metrics, self.size, self.step = metrics, window_size, step
        self.windowed = any(metric.kind != "row" for metric in metrics)
        if self.windowed:
            _check(window_size, step)
        self.align = {"round_time": round_time, "precision": precision, "alignment": alignment}
        self.nan_is_null = nan_is_null
        self.grid: int | None = None  # the start of the first window
        self.keys: dict[tuple, KeyState] = {}
        self.late: list[tuple[str, Row]] = []
        self.consumed: int | None = None  # the last arrival number

    def run(self, rows: Iterable[Row]) -> list[Detection]:
        return [found for row in rows for found in self.add(row)]

    def add(self, row: Row) -> list[Detection]:
        """The detections by this row: first those of the windows it closes, then those of its own metrics."""
        if self.consumed is not None and row.arrival <= self.consumed:
            return []
        self.consumed = row.arrival
        if row.time is None:
            self.late.append(("no time", row))
            return []
        state = self.keys.setdefault(row.key, KeyState())
        if not self.windowed:
            return self._evaluate_row(state, row)
        if state.rows and row.time < state.rows[-1].time:
            self.late.append(("late", row))
            return []
        if self.grid is None:
            self.grid = first_window_start(row.time, self.size, self.step, **self.align)
        return self._close_windows(state, row) + self._evaluate_row(state, row)

    def _close_windows(self, state: KeyState, row: Row) -> list[Detection]:
        found = []
        for window in self._closing(state, row.time):
            state.closed.append(window)
            view = WindowView(state.closed, len(state.closed) - 1)
            for index, metric in self._of_kind("window"):
                hit, *sides = metric.evaluate(view)
                if hit:
                    at = (window.end, row.key, index, window.start, window.end)
                    found.append(Detection(row.arrival, *at, *sides))
        return found

    def _closing(self, state: KeyState, now: int) -> list[Closed]:
        """Windows with rows of this key that were open at its last row and are over now."""
        if not state.rows:
            return []
        last = state.rows[-1].time
        backwards = itertools.takewhile(lambda r: r.time >= last - self.size, reversed(state.rows))
        recent = tuple(backwards)[::-1]
        starts = {start for row in recent for start in self._starts(row.time)}
        windows = []
        for start in sorted(start for start in starts if last < start + self.size <= now):
            end = start + self.size
            inside = tuple(row for row in recent if start <= row.time < end)
            windows.append(Closed(start, end, inside))
        return windows

    def _starts(self, time: int) -> range:
        """The starts of the windows that a time is in."""
        newest = time - (time - self.grid) % self.step
        return range(newest, time - self.size, -self.step)

    def _evaluate_row(self, state: KeyState, row: Row) -> list[Detection]:
        state.rows.append(self._without_nan(row))
        view = RowView(state.rows, len(state.rows) - 1)
        closed = WindowView(state.closed, len(state.closed) - 1)
        window = state.closed[-1] if state.closed else None
        found = []
        for index, metric in self._of_kind("row", "against"):
            bounds = (None, None)
            if metric.kind == "row":
                hit, *sides = metric.evaluate(view)
            elif window is None:
                continue
            else:
                hit, *sides = metric.evaluate(view, closed)
                bounds = (window.start, window.end)
            if hit:
                found.append(Detection(row.arrival, row.time, row.key, index, *bounds, *sides))
        return found

    def _of_kind(self, *kinds: Kind) -> list[tuple[int, Metric]]:
        return [each for each in enumerate(self.metrics) if each[1].kind in kinds]

    def _without_nan(self, row: Row) -> Row:
        if not self.nan_is_null:
            return row
        known = {name: None if is_nan(value) else value for name, value in row.values.items()}
        return replace(row, values=known)


def _check(window_size: int | None, step: int | None) -> None:
    if window_size is None or step is None:
        raise ValueError("window_size and step must be given: a metric has an aggregate")
    if step < 1 or window_size < 1 or window_size % step:
        raise ValueError(f"window_size {window_size} must be a positive multiple of step {step}")
