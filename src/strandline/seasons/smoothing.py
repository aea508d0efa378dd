"""Holt-Winters' smoothing of one series: level, trend and season, and the deviation of its errors.

    expected  = level + damping * trend + season            (or: times season)
    error     = value - expected
    level'    = level + damping * trend + alpha * (error)    (or: error / season)
    trend'    = damping * trend + beta * (level' - level - damping * trend)
    season'   = season + gamma * (value - season - level - damping * trend), of its place alone

A bucket without a value moves the level by the trend, and nothing else.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from strandline.seasons.rule import Rule

Doubles = NDArray[np.float64]
Integers = NDArray[np.int64]

# What is tried for a weight that is not given.
ALPHAS = (0.02, 0.05, 0.1, 0.2, 0.35, 0.5)
BETAS = (0.0, 0.01, 0.05)
GAMMAS = (0.05, 0.1, 0.2, 0.35, 0.5)
NORMAL = 1.4826  # of the median of absolute errors, to the standard deviation
LEAST_SHARE = 0.5  # see `is_enough`
ERROR_WEIGHT = 0.02  # of the newest error in the deviation: some fifty values


@dataclass
class Smoothed:
    """What is known of a series after a bucket; `season` is changed in place."""

    level: float
    trend: float
    season: list[float]
    variance: float
    alpha: float
    beta: float
    gamma: float


def is_enough(values: Doubles, rule: Rule) -> bool:
    """Whether each of the first seasons has enough values; null is NaN.

    Enough is half of the buckets that have a value in any of them: a shop that is closed at night
    has none there.
    """
    known = ~np.isnan(values.reshape(rule.seasons, rule.length))
    ever = int(known.any(axis=0).sum())
    return ever > 0 and bool((known.sum(axis=1) >= LEAST_SHARE * ever).all())


def fitted(values: Doubles, places: Integers, rule: Rule) -> Smoothed | None:
    """What the first seasons of a series give; None if that cannot be smoothed.

    The weights are those of a grid whose squared errors after the first season are the least; of
    equals the first. The trend starts at 0: that of a few seasons is mostly noise, and would stay
    for long. A season that is a factor needs a level that is above zero all the time.

    Args:
        values: one for each bucket of the first seasons, in order; NaN is none.
        places: the place of each bucket in the season, from 0 on.
    """
    means = np.nanmean(values.reshape(rule.seasons, rule.length), axis=1)
    slope = float(means[-1] - means[0]) / ((rule.seasons - 1) * rule.length)
    middle = (rule.length - 1) / 2
    levels = (means[:, None] + slope * (np.arange(rule.length) - middle)).ravel()
    if rule.is_multiplicative and not (levels > 0).all():
        return None
    given = (rule.alpha, ALPHAS), (rule.beta, BETAS), (rule.gamma, GAMMAS)
    grid = list(product(*(tries if weight is None else (weight,) for weight, tries in given)))
    weights = np.array(grid).T
    season = _first_season(values, places, levels, rule)
    level = float(means[0]) - slope * (middle + 1)
    errors = _errors(values, places, rule, weights, level, season)
    after = errors[rule.length :]
    with np.errstate(over="ignore"):
        sums = np.nansum(after**2, axis=0)
    if not np.isfinite(sums).any():
        return None
    best = int(np.nanargmin(np.where(np.isfinite(sums), sums, np.inf)))
    own = after[:, best]
    deviation = NORMAL * float(np.nanmedian(np.abs(own)))
    start = Smoothed(level, 0.0, season.tolist(), deviation**2, *grid[best])
    for value, place in zip(values.tolist(), places.tolist(), strict=True):
        move(start, value, place, rule)
    start.variance = deviation**2
    return start


def expected(state: Smoothed, place: int, rule: Rule) -> float:
    """What the next bucket is expected to be; it has this place in the season."""
    level = state.level + rule.damping * state.trend
    season = state.season[place]
    return level * season if rule.is_multiplicative else level + season


def move(state: Smoothed, value: float, place: int, rule: Rule) -> None:
    """The state after a bucket; a value of NaN is none."""
    state.trend *= rule.damping
    state.level += state.trend
    if math.isnan(value):
        return
    level, season = state.level, state.season[place]
    error = value - (level * season if rule.is_multiplicative else level + season)
    if rule.limit is not None and state.variance > 0:
        most = rule.limit * math.sqrt(state.variance)
        error = min(max(error, -most), most)
    change = own = error
    if rule.is_multiplicative:
        # A factor of 0 says nothing of the level.
        change, own = error / season if season > 0 else 0.0, error / level
    state.level += state.alpha * change
    state.trend += state.beta * state.alpha * change
    state.season[place] += state.gamma * own
    state.variance += ERROR_WEIGHT * (error * error - state.variance)


def is_lost(state: Smoothed, place: int, rule: Rule) -> bool:
    """Whether nothing more can be expected of a state: a number has grown beyond all bounds, or the
    level is not above zero and the season is a factor of it.
    """
    level = state.level + rule.damping * state.trend
    is_finite = math.isfinite(state.variance + expected(state, place, rule))
    return not is_finite or (rule.is_multiplicative and level <= 0)


def _first_season(values: Doubles, places: Integers, levels: Doubles, rule: Rule) -> Doubles:
    """The mean distance of each place from the level, or the mean factor."""
    apart = values / levels if rule.is_multiplicative else values - levels
    season = np.full(rule.length, 1.0 if rule.is_multiplicative else 0.0)
    for place in range(rule.length):
        own = apart[(places == place) & ~np.isnan(apart)]
        if own.size:
            season[place] = own.mean()
    return season


def _errors(
    values: Doubles, places: Integers, rule: Rule, weights: Doubles, level: float, season: Doubles
) -> Doubles:  # fmt: skip
    """The errors of all candidates at once: a row a bucket, a column a candidate."""
    alpha, beta, gamma = weights
    count = alpha.size
    levels, trends = np.full(count, level), np.zeros(count)
    seasons = np.repeat(season[:, None], count, axis=1)
    errors = np.full((values.size, count), np.nan)
    with np.errstate(all="ignore"):
        for row, (value, place) in enumerate(zip(values, places, strict=True)):
            trends = rule.damping * trends
            levels = levels + trends
            own = seasons[place]
            error = value - (levels * own if rule.is_multiplicative else levels + own)
            errors[row] = error
            if np.isnan(value):
                continue
            change = alpha * (
                np.where(own > 0, error / own, 0.0) if rule.is_multiplicative else error
            )
            seasons[place] = own + gamma * (error / levels if rule.is_multiplicative else error)
            levels = levels + change
            trends = trends + beta * change
    return errors
