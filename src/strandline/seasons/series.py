"""One series, bucket by bucket: it learns over its first seasons, and is smoothed from there on."""

from __future__ import annotations

import math
from dataclasses import asdict
from typing import Any

import numpy as np

from strandline.seasons.rule import Rule
from strandline.seasons.smoothing import Smoothed, expected, fitted, is_enough, is_lost, move

NONE = math.nan


class Series:
    """What is known of a series after the last bucket that was read.

    Attributes:
        position: that of the last bucket; None before the first.
        smoothed: what its first seasons and all buckets since give; None while it learns.
    """

    def __init__(self, rule: Rule) -> None:
        self._rule = rule
        self.position: int | None = None
        self.smoothed: Smoothed | None = None
        self._first = 0  # the position of the first bucket that is learned from
        self._values: list[float] = []  # one for each bucket since then; NaN is none
        self._places: list[int] = []

    def read(self, position: int, place: int, value: float) -> tuple[float, float] | None:
        """What was expected, and the deviation of errors; None while the series learns.

        Args:
            position: above that of the bucket before.
            place: from 0 on, in the season.
            value: NaN if it is none, or is not to be learned from.
        """
        gap = 0 if self.position is None else (position - self.position) // self._rule.step - 1
        self.position = position
        if self.smoothed is not None:
            skip(self.smoothed, gap, self._rule)
            if is_lost(self.smoothed, place, self._rule):
                self.smoothed = None
        if self.smoothed is None:
            self._learn(position, place, value)  # it passes a gap by itself
            if self.smoothed is None:
                return None
        found = expected(self.smoothed, place, self._rule), math.sqrt(self.smoothed.variance)
        move(self.smoothed, value, place, self._rule)
        return found

    def _learn(self, position: int, place: int, value: float) -> None:
        """Adds a bucket to the first seasons, or ends them before it."""
        rule, size = self._rule, self._rule.seasons * self._rule.length
        if not self._values:
            self._first = position
        slot = (position - self._first) // rule.step
        if slot >= size:
            self._fill(size)
            values, places = np.array(self._values), np.array(self._places)
            self._values, self._places = [], []
            if is_enough(values, rule):
                self.smoothed = fitted(values, places, rule)
            if self.smoothed is not None:
                skip(self.smoothed, slot - size, rule)
                return
            self._first, slot = position, 0  # it learns again from here on
        self._fill(slot)
        self._values.append(value)
        self._places.append(place)

    def _fill(self, size: int) -> None:
        """Missing buckets up to this number; they follow each other in the season."""
        while len(self._values) < size:
            self._values.append(NONE)
            self._places.append((self._places[-1] + 1) % self._rule.length)

    def state(self) -> dict[str, Any]:
        """All that the next bucket needs, as `restore` reads it."""
        smoothed = None if self.smoothed is None else asdict(self.smoothed)
        return {
            "position": self.position, "smoothed": smoothed, "first": self._first,
            "values": list(self._values), "places": list(self._places),
            "damping": self._rule.damping, "is_factor": self._rule.is_multiplicative,
        }  # fmt: skip

    @classmethod
    def restore(cls, state: dict[str, Any], rule: Rule) -> Series:
        series = cls(rule)
        series.position, series._first = state["position"], state["first"]
        series._values, series._places = list(state["values"]), list(state["places"])
        if state["smoothed"] is not None:
            series.smoothed = Smoothed(**state["smoothed"])
        return series


def skip(state: Smoothed, count: int, rule: Rule) -> None:
    """The state after buckets without a value."""
    for _ in range(count if rule.damping < 1 else 0):
        state.trend *= rule.damping
        state.level += state.trend
        if abs(state.trend) < 1e-300:
            break
    if rule.damping == 1:
        state.level += count * state.trend
