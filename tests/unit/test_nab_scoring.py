"""The scoring of labelled series."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from bench.nab.scoring import Judge, Labelled, first_of_incident, sigmoid


def labelled(size: int, *windows: tuple[int, int]) -> Labelled:
    return Labelled("one", pd.date_range("2024-01-01", periods=size), np.zeros(size), windows)


def found(size: int, *rows: int) -> dict[str, np.ndarray]:
    at = np.zeros(size)
    at[list(rows)] = 1.0
    return {"one": at}


def score(rows: tuple[int, ...], *windows: tuple[int, int], size: int = 200) -> float:
    return Judge([labelled(size, *windows)]).score(found(size, *rows), 0.5)


def test_nothing_found_is_a_score_of_0_and_all_at_once_is_100():
    assert score((), (100, 119)) == 0
    assert score((100,), (100, 119)) == pytest.approx(100)
    assert score((100, 150), (100, 119), (150, 159)) == pytest.approx(100)
    assert score((100,), (100, 119), (150, 159)) == pytest.approx(50)


def test_a_window_is_found_once_and_the_earlier_the_better():
    assert score((100, 110), (100, 119)) == pytest.approx(100)
    assert 90 < score((110,), (100, 119)) < 100
    assert 50 < score((119,), (100, 119)) < 65


def test_a_false_detection_costs_more_the_longer_ago_the_window_was():
    assert score((100, 121), (100, 119)) == pytest.approx(100 + 50 * 0.11 * sigmoid(2 / 19))
    assert score((100, 190), (100, 119)) == pytest.approx(100 - 50 * 0.11)
    assert score((50, 100), (100, 119)) == pytest.approx(100 - 50 * 0.11)
    assert score((51, 50, 100), (100, 119)) == pytest.approx(100 - 100 * 0.11)


def test_the_first_rows_do_not_count():
    assert score((0, 29, 100), (100, 119)) == pytest.approx(100)
    assert score((0, 30, 100), (100, 119)) < 100


def test_a_series_without_windows_has_false_detections_only():
    empty = Labelled("two", pd.date_range("2024-01-01", periods=200), np.zeros(200), [])
    judge = Judge([labelled(200, (100, 119)), empty])
    rows = found(200, 100) | {"two": found(200, 50)["one"]}
    assert judge.score(rows, 0.5) == pytest.approx(100 - 50 * 0.11)
    assert judge.points("two", rows["two"], 0.5)[1:] == (set(), 1)


def test_one_threshold_is_chosen_for_all_series():
    judge = Judge([labelled(200, (100, 119))])
    scores = np.zeros(200)
    scores[[60, 100, 180]] = 2.0, 5.0, 3.0
    best, threshold = judge.best({"one": scores})
    assert best == pytest.approx(100)
    assert 3 < threshold <= 5
    assert judge.points("one", scores, threshold)[1:] == ({0}, 0)
    assert judge.points("one", scores, 1.0)[1:] == ({0}, 2)


def test_an_incident_is_told_once():
    rows = np.array([0, 3, 2, 4, 0, 0, 0, 1], dtype=float)
    assert first_of_incident(rows, 3).tolist() == [0, 3, 0, 4, 0, 0, 0, 1]
    assert first_of_incident(rows, 4).tolist() == [0, 3, 0, 4, 0, 0, 0, 0]
