"""The detector that `init` proposes: the season of the file, and bounds that few hours are beyond."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from pathlib import Path
from statistics import median

import numpy as np
import pytest

from strandline.starter.columns import sample_of
from strandline.starter.proposal import BOUNDS, WAYS, buckets_of, proposed

NONE, DAY, WEEK = WAYS


def series(weeks: int, usual, noise: float = 1.0, seed: int = 0) -> np.ndarray:
    chance = random.Random(seed)  # noqa: S311
    return np.array([usual(hour) + chance.gauss(0, noise) for hour in range(weeks * 168)])


def constant(_: int) -> float:
    return 50.0


def by_day(hour: int) -> float:
    return 50 + 20 * (8 <= hour % 24 < 18)


def by_week(hour: int) -> float:
    return by_day(hour) if hour % 168 < 120 else 50


@pytest.mark.parametrize(
    ("weeks", "usual", "way"),
    [(12, constant, NONE), (12, by_day, DAY), (12, by_week, WEEK), (4, by_week, DAY), (1, by_day, NONE)],
)  # fmt: skip
def test_the_way_is_that_of_the_data_and_of_their_length(weeks, usual, way):
    """Of a season there must be four values, and a week that they predict."""
    assert proposed([series(weeks, usual)]).way == way


def test_incidents_are_those_that_the_settings_find():
    """Counted again in the words of the definition."""
    values = series(12, by_day, seed=3)
    values[1_000:1_003] = 500
    values[1_500] = -90
    values[1_700:1_720] = np.nan
    found = proposed([values])
    assert (found.way, found.deviations) == (DAY, 8)
    beyond = []
    for hour, value in enumerate(values):
        before = [values[hour - 24 * day] for day in range(1, 15) if hour >= 24 * day]
        before = [each for each in before if not np.isnan(each)]
        if len(before) < 4 or np.isnan(value):
            beyond.append(False)
            continue
        middle = median(before)
        deviation = median(abs(each - middle) for each in before)
        beyond.append(abs(value - middle) > max(8 * deviation, found.min_change))
    assert found.incidents == sum(
        now and not before for before, now in zip([False, *beyond], beyond, strict=False)
    )
    assert found.incidents == 2
    assert (
        found.found
        == "In the 11 weeks of the file that have bounds it would have found 2 incidents."
    )


def test_bounds_are_wider_where_many_hours_are_far_off():
    chance = random.Random(1)  # noqa: S311
    values = series(6, constant)
    for hour in range(0, values.size, 40):
        values[hour] += chance.choice([6, 9, 30])
    found = proposed([values])
    assert (found.deviations, found.incidents) == (20, 6)


def test_many_series_share_the_bounds():
    found = proposed([series(3, constant, seed=seed) for seed in range(100)])
    assert found.way == NONE
    assert found.incidents <= 3


@pytest.mark.parametrize("values", [np.array([]), np.array([1.0, np.nan, 2.0]), np.full(100, 7.0)])
def test_a_short_history_is_no_basis(values):
    found = proposed([values])
    assert (found.way, found.deviations, found.incidents) == (NONE, 8, None)
    assert found.found == "The file has too few hours to say how many incidents that finds."


def test_without_a_series():
    assert proposed([]).incidents is None


def test_the_widest_bounds_are_taken_if_all_find_too_much():
    values = np.where(np.arange(168 * 4) % 25 == 0, 1_000.0, np.arange(168 * 4) % 3)
    found = proposed([values])
    assert (found.deviations, found.min_change, found.incidents) == (20, 4, 26)
    assert found.deviations == BOUNDS[-1][0]


def test_buckets_of_a_file(tmp_path: Path):
    rows = [("a", 0, 1), ("a", 30, 3), ("b", 0, 7), ("a", 180, ""), ("a", 240, 5)]
    text = "".join(
        f"{key},{datetime(2026, 1, 5) + timedelta(minutes=minute)},{value}\n"
        for key, minute, value in rows
    )
    file = tmp_path / "v.csv"
    file.write_text(f"key,at,v\n{text}")
    sample = sample_of(file)
    means = buckets_of(file, sample, "at", ("key",), "v")
    assert [np.nan_to_num(one, nan=-1).tolist() for one in means] == [[2, -1, -1, -1, 5], [7]]
    counts = buckets_of(file, sample, "at", ("key",), None)
    assert [np.nan_to_num(one, nan=-1).tolist() for one in counts] == [[2, 0, 0, 1, 1], [1]]
    [alone] = buckets_of(file, sample, "at", (), "v")
    assert alone[0] == pytest.approx(11 / 3)


def test_buckets_of_a_file_with_local_times_and_decimal_commas(tmp_path: Path):
    file = tmp_path / "v.csv"
    file.write_text(
        "Tag;Zeit;v (kW);\n"
        "5.7.2026;08:00;1,5;\n"
        "5.7.2026;08:30;NA;\n"
        "5.7.2026;08:45;2,5;\n"
        "13.7.2026;08:00;1.002,5;\n"
        "a short row\n"
    )
    sample = sample_of(file)
    [means] = buckets_of(file, sample, "ts", (), "v_kw", "Europe/Berlin")
    assert (len(means), means[0], means[-1]) == (8 * 24 + 1, 2, 1002.5)
    [counts] = buckets_of(file, sample, "ts", (), None, "Europe/Berlin")
    assert (counts[0], counts[-1]) == (3, 1)


def test_buckets_of_a_file_without_a_header(tmp_path: Path):
    file = tmp_path / "v.csv"
    file.write_text("1767592800000\t$1,500\n1767594600000\t$2,500.5\n")
    sample = sample_of(file)
    assert sample.names == ["column_1", "column_2"]
    assert sample.times == []  # its name does not say that it is a time
    file.write_text(f"at\tpaid\n{file.read_text()}")
    sample = sample_of(file)
    [means] = buckets_of(file, sample, "at", (), "paid")
    assert means.tolist() == [2000.25]
