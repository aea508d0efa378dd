"""How the Numenta Anomaly Benchmark scores detections: its standard profile.

The first 15 % of a series (of 5,000 rows at most) are a probation, in which nothing counts. The
earliest detection in a labelled window counts up to 1, the more the earlier it is. A detection
outside costs up to 0.11, the more the longer ago the last window ended. A window without a
detection costs 1. No detection at all is a score of 0, all windows found at their first row 100.

After Lavin and Ahmad, "Evaluating Real-time Anomaly Detection Algorithms", 2015.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
FALSE_POSITIVE = 0.11
PROBATION, MOST = 0.15, 5_000
FARTHEST = 3.0  # from there on a detection is as false as it can be


@dataclass(frozen=True)
class Labelled:
    """One series.

    Attributes:
        name: its file.
        times: of its rows, in order.
        values: of its rows.
        windows: the first and the last row of each labelled window, in order.
    """

    name: str
    times: Sequence[pd.Timestamp]
    values: Doubles
    windows: Sequence[tuple[int, int]]

    @property
    def probation(self) -> int:
        """The number of rows that do not count."""
        return min(int(PROBATION * len(self.values)), int(PROBATION * MOST))


def sigmoid(place: float) -> float:
    """The value of a detection by its place: -1 at the start of a window, 0 at its end."""
    return 2 / (1 + math.exp(5 * place)) - 1 if place < FARTHEST else -1.0


def scores_of(series: Labelled) -> tuple[Doubles, NDArray[np.int64]]:
    """What a detection of each row scores, and the number of its window; -1 outside of all."""
    size = len(series.values)
    score = np.full(size, -FALSE_POSITIVE)
    window = np.full(size, -1, dtype=np.int64)
    ends = [*[first for first, _ in series.windows][1:], size][: len(series.windows)]
    for number, ((first, last), end) in enumerate(zip(series.windows, ends, strict=True)):
        width = last - first + 1
        for row in range(first, last + 1):
            score[row] = sigmoid(-(last - row + 1) / width) / sigmoid(-1)
            window[row] = number
        for row in range(last + 1, end):
            score[row] = FALSE_POSITIVE * sigmoid((row - last) / max(width - 1, 1))
    return score, window


class Judge:
    """The score of detections in all series together."""

    def __init__(self, series: Iterable[Labelled]) -> None:
        self.series = {one.name: one for one in series}
        self._scores = {name: scores_of(one) for name, one in self.series.items()}
        self._windows = sum(len(one.windows) for one in self.series.values())

    def points(self, name: str, found: Doubles, threshold: float) -> tuple[float, set[int], int]:
        """The points of a series, the windows that are found, and how many detections are false."""
        series, (score, window) = self.series[name], self._scores[name]
        rows = np.flatnonzero(found >= threshold)
        total, seen, false = 0.0, set(), 0
        for row in rows[rows >= series.probation]:
            number = int(window[row])
            if number < 0:
                false += 1
            if number not in seen:
                total += float(score[row])
            if number >= 0:
                seen.add(number)
        return total - (len(series.windows) - len(seen)), seen, false

    def score(self, found: Mapping[str, Doubles], threshold: float) -> float:
        """From 0 for no detection to 100 for all of them in time; false ones can make it less."""
        total = sum(self.points(name, one, threshold)[0] for name, one in found.items())
        return 100 * (total + self._windows) / (2 * self._windows)

    def best(self, found: Mapping[str, Doubles]) -> tuple[float, float]:
        """The greatest score, and the one threshold of all series that gives it."""
        every = np.concatenate([one[one > 0] for one in found.values()])
        shares = 1 - np.logspace(-5.5, -0.5, 200)
        tried = np.unique(np.quantile(every, shares)) if every.size else [1.0]
        return max((self.score(found, float(one)), float(one)) for one in tried)


def first_of_incident(found: Doubles, rows: int) -> Doubles:
    """Only rows that are further off than all of so many rows before: an incident is told once."""
    before = pd.Series(found).shift(1).rolling(rows, min_periods=1).max().fillna(-1).to_numpy()
    return np.where(found > before, found, 0.0)
