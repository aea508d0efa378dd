"""Seasonal smoothing in Python: against the oracle, against statsmodels, and cut at any row."""

from __future__ import annotations

import json
import math
import random
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from statsmodels.tsa.holtwinters import ExponentialSmoothing
from tests.seasons import Method
from tests.seasons import smoothed as by_hand

from strandline.seasons.fold import STATE, fold_batches
from strandline.seasons.rule import Rule
from strandline.seasons.series import Series
from strandline.seasons.smoothing import Smoothed, expected, move

NONE = math.nan
RULE = {
    "length": 4, "step": 1, "is_multiplicative": False, "alpha": None, "beta": None,
    "gamma": None, "damping": 1.0, "seasons": 2, "limit": 4.0,
}  # fmt: skip


def rule(**own) -> Rule:
    return Rule(**RULE | own)


def read(of: Rule, values: list[float | None]) -> list[tuple[int, int] | None]:
    """A value a bucket, from 0 on; what was expected of each, and the deviation, rounded."""
    series = Series(of)
    found = [
        series.read(at * of.step, at % of.length, NONE if value is None else value)
        for at, value in enumerate(values)
    ]
    return [None if each is None else (round(each[0]), round(each[1])) for each in found]


# Examples


def test_the_first_seasons_are_learned_from():
    assert read(rule(), [10, 20, 30, 20, 10, 20, 30, 20, 10, 20, 90]) == [
        *[None] * 8, (10, 0), (20, 0), (30, 0)
    ]  # fmt: skip


def test_a_trend_goes_on():
    rising = [at + 10 * (at % 4) for at in range(60)]
    level, _ = read(rule(beta=0.0, alpha=0.1), rising)[59]
    assert rising[59] - level > 3
    assert read(rule(beta=0.2, alpha=0.5), rising)[59][0] == rising[59]


def test_a_factor_grows_with_the_level():
    growing = [(100 + 50 * at) * (1 + at % 2) for at in range(14)]
    swings = {}
    for is_multiplicative in (True, False):
        found = read(rule(length=2, seasons=6, is_multiplicative=is_multiplicative), growing)
        swings[is_multiplicative] = found[13][0] - found[12][0]
    assert swings[True] > 0.9 * (growing[13] - growing[12])
    assert swings[False] < 0.8 * (growing[13] - growing[12])


def test_a_factor_needs_values_above_zero():
    values = [0, 0, 0, 0, 1, 2, 3, 4, 1]
    assert read(rule(is_multiplicative=True), values) == [None] * 9
    assert read(rule(), values)[8] is not None


def test_a_season_of_few_values_is_not_learned_from():
    closed_at_night = [None, 5, 7, None] * 2
    assert read(rule(), [*closed_at_night, None, 5])[9] == (5, 0)
    one_day_is_missing = [5, 6, 7, 8, None, None, None, 8]
    again = [*one_day_is_missing, *[1, 2, 3, 4] * 3]
    assert read(rule(), again) == [*[None] * 16, (1, 0), (2, 0), (3, 0), (4, 0)]


def test_a_bucket_without_a_value_is_none():
    with_null = [1, 2, 3, 4] * 2 + [1, None, 3, 4]
    assert read(rule(), with_null)[8:] == [(1, 0), (2, 0), (3, 0), (4, 0)]


def test_a_level_that_falls_below_zero_is_no_factor_any_more():
    falling = [(100 - 8 * at) * (1 + at % 2 * 0.2) for at in range(16)]
    of = rule(length=2, is_multiplicative=True, alpha=0.5, beta=0.5, gamma=0.1, limit=None)
    found = read(of, falling)
    assert found[4] is not None
    assert found[15] is None


def test_a_number_beyond_all_bounds_is_forgotten():
    values = [1.0, 2.0, 3.0, 4.0] * 2 + [1e308, -1e308, 1e308, -1e308] + [1.0, 2.0, 3.0, 4.0] * 4
    found = read(rule(limit=None, alpha=0.5, beta=0.5), values)
    assert found[-1] == (4, 0)


# Against other implementations


@pytest.mark.parametrize("season", ["add", "mul"])
@pytest.mark.parametrize("damping", [1.0, 0.9])
def test_it_is_what_statsmodels_has(season, damping):
    draw = np.random.default_rng(7)
    places = np.arange(60)
    values = (50 + 0.4 * places) * (1 + 0.3 * np.sin(places)) + draw.normal(0, 2, 60)
    start = np.array([1.0, 1.3, 0.7, 0.9]) if season == "mul" else np.array([0.0, 9.0, -7.0, -2.0])
    alpha, beta, gamma = 0.3, 0.1, 0.2
    model = ExponentialSmoothing(
        values, trend="add", damped_trend=damping < 1, seasonal=season, seasonal_periods=4,
        initialization_method="known", initial_level=50.0, initial_trend=0.4,
        initial_seasonal=start,
    )  # fmt: skip
    fitted = model.fit(
        smoothing_level=alpha, smoothing_trend=beta, smoothing_seasonal=gamma,
        damping_trend=damping if damping < 1 else None, optimized=False,
    )  # fmt: skip
    of = rule(is_multiplicative=season == "mul", damping=damping, limit=None)
    state = Smoothed(50.0, 0.4, start.tolist(), 0.0, alpha, beta, gamma)
    ours = []
    for at, value in enumerate(values.tolist()):
        ours.append(expected(state, at % 4, of))
        move(state, value, at % 4, of)
    assert ours == pytest.approx(fitted.fittedvalues.tolist(), rel=1e-9)


def a_rule(draw: random.Random) -> dict:
    return {
        "length": draw.choice([2, 3, 7]), "step": draw.choice([1, 1, 60]),
        "is_multiplicative": draw.random() < 0.4,
        "alpha": draw.choice([None, 0.0, 0.3, 1.0]), "beta": draw.choice([None, 0.0, 0.2]),
        "gamma": draw.choice([None, 0.0, 0.3, 1.0]), "damping": draw.choice([1.0, 1.0, 0.8]),
        "seasons": draw.choice([2, 3]), "limit": draw.choice([None, 2.0, 4.0]),
    }  # fmt: skip


def a_series(draw: random.Random, length: int) -> list[tuple[int, int, float | None]]:
    at, level, rows = draw.randrange(5), draw.choice([0, 5, 100]), []
    for _ in range(draw.randrange(1, 12 * length)):
        value = level + at % length * draw.choice([1, 1, 1, 9]) + draw.gauss(0, 1)
        rows.append((at, at % length, None if draw.random() < 0.1 else value))
        at += 1 if draw.random() < 0.9 else draw.randrange(1, 4 * length)
    return rows


@pytest.mark.parametrize("seed", range(300))
def test_random_series_are_smoothed_as_by_hand(seed):
    draw = random.Random(seed)  # noqa: S311
    of = a_rule(draw)
    series = Series(rule(**of))
    rows = a_series(draw, of["length"])
    ours = [
        series.read(at * of["step"], place, NONE if value is None else value)
        for at, place, value in rows
    ]
    own = {name: of[name] for name in of if name not in ("step", "is_multiplicative")}
    theirs, _ = by_hand(Method(multiplicative=of["is_multiplicative"], **own), rows)
    assert [each is None for each in ours] == [each is None for each in theirs]
    for one, other in zip(ours, theirs, strict=True):
        assert one is None or one == pytest.approx(other, rel=1e-6, abs=1e-6)


# The fold


def batch(rows: list[tuple]) -> pa.RecordBatch:
    names = ["key", "__begins", "__position", "__place", "__trained", "__is_last", "state"]
    types = [
        pa.string(), pa.bool_(), pa.int64(), pa.int32(), pa.float64(), pa.bool_(), STATE
    ]  # fmt: skip
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(names)
    arrays = [pa.array(each, kind) for each, kind in zip(columns, types, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, names=names)


def folded(of: Rule, rows: list[tuple], cuts: list[int]) -> list[dict]:
    edges = [0, *sorted(cuts), len(rows)]
    batches = [batch(rows[one:other]) for one, other in pairwise(edges)]
    return [row for done in fold_batches(iter(batches), of) for row in done.to_pylist()]


@pytest.mark.parametrize("seed", range(100))
def test_a_fold_goes_on_from_any_state(seed):
    draw = random.Random(seed)  # noqa: S311
    of = rule(**a_rule(draw) | {"step": 1})
    rows = []
    for key in ("a", "b", None):
        own = a_series(draw, of.length)
        rows += [(key, at == own[0][0], at, place, value, True, None) for at, place, value in own]
    cuts = [draw.randrange(len(rows) + 1) for _ in range(3)]
    whole = folded(of, rows, cuts)
    until = {key: draw.randrange(80) for key in ("a", "b", None)}
    first = [row for row in rows if row[2] < until[row[0]]]
    states = {row["key"]: row["state"] for row in folded(of, first, [])}
    rest = []
    for key, state in [(key, states.get(key)) for key in ("a", "b", None)]:
        own = [row for row in rows if row[0] == key and row[2] >= until[key]]
        if state is not None:
            rest.append((key, True, state["position"], None, None, None, state))
        elif own:
            own[0] = (key, True, *own[0][2:])
        rest += own
    again = folded(of, rest, [draw.randrange(len(rest) + 1)])
    expected_rows = [row for row in whole if row["__position"] >= until[row["key"]]]
    assert repr(again) == repr(expected_rows)  # NaN differs from itself


# Rules


def test_a_rule_is_read_from_json():
    assert Rule.from_json(json.dumps(RULE)) == rule()


@pytest.mark.parametrize(
    ("own", "message"),
    [
        ({"length": 0}, "`length` is 1 or more, not 0"),
        ({"step": 0}, "`step` is 1 or more, not 0"),
        ({"seasons": 1}, "`seasons` is 2 or more, not 1"),
        ({"alpha": 1.1}, "`alpha` is from 0 to 1, not 1.1"),
        ({"gamma": -0.1}, "`gamma` is from 0 to 1, not -0.1"),
        ({"damping": 0}, "`damping` is above 0 and at most 1, not 0"),
        ({"limit": 0}, "`limit` is above 0, not 0"),
    ],
)
def test_what_a_rule_refuses(own, message):
    with pytest.raises(ValueError, match=message):
        rule(**own)


def test_a_rule_has_all_its_attributes():
    with pytest.raises(ValueError, match="a Rule is an object of length, step"):
        Rule.from_json("{}")
