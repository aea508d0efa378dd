"""Holt-Winters' method as its textbooks have it, one bucket at a time: the oracle of seasonal tables.

A series is a list of (number of the bucket, place in the season, value or None), in order.
"""

from __future__ import annotations

from itertools import product
from math import isfinite, sqrt
from statistics import fmean, median


class Method:
    def __init__(
        self,
        length,
        multiplicative=False,
        alpha=None,
        beta=None,
        gamma=None,
        damping=1.0,
        seasons=2,
        limit=4.0,
    ):
        self.length, self.multiplicative, self.damping = length, multiplicative, damping
        self.seasons, self.limit = seasons, limit
        self.alphas = [0.02, 0.05, 0.1, 0.2, 0.35, 0.5] if alpha is None else [alpha]
        self.betas = [0.0, 0.01, 0.05] if beta is None else [beta]
        self.gammas = [0.05, 0.1, 0.2, 0.35, 0.5] if gamma is None else [gamma]

    def join(self, level, season):
        return level * season if self.multiplicative else level + season

    def part(self, value, other):
        return value / other if self.multiplicative else value - other


class Model:
    """The smoothed numbers after a bucket."""

    def __init__(self, method, level, trend, season, weights):
        self.method, self.level, self.trend, self.season = method, level, trend, list(season)
        self.alpha, self.beta, self.gamma = weights
        self.variance = 0.0

    def expected(self, place):
        return self.method.join(self.level + self.method.damping * self.trend, self.season[place])

    def learn(self, place, value):
        before, trend = (
            self.level + self.method.damping * self.trend,
            self.method.damping * self.trend,
        )
        if value is None:
            self.level, self.trend = before, trend
            return
        mean, own = self.expected(place), self.season[place]
        most = self.method.limit * sqrt(self.variance) if self.method.limit else 0
        if most:
            value = mean + max(-most, min(most, value - mean))
        apart = (
            self.method.part(value, own) - before
            if not self.method.multiplicative or own > 0
            else 0.0
        )
        self.level = before + self.alpha * apart
        self.trend = trend + self.beta * (self.level - before)
        self.season[place] = self.gamma * self.method.part(value, before) + (1 - self.gamma) * own
        self.variance = 0.98 * self.variance + 0.02 * (value - mean) ** 2


def fit(method, buckets):
    """The model of the first seasons, a (place, value) for each bucket; None without enough values."""
    length, known = method.length, [value is not None for _, value in buckets]
    seasons = [buckets[first : first + length] for first in range(0, len(buckets), length)]
    ever = sum(any(known[at::length]) for at in range(length))
    counts = [sum(value is not None for _, value in season) for season in seasons]
    if not ever or min(counts) < ever / 2:
        return None
    means = [fmean(value for _, value in season if value is not None) for season in seasons]
    trend = (means[-1] - means[0]) / ((method.seasons - 1) * length)
    line = [
        means[at // length] + trend * (at % length - (length - 1) / 2) for at in range(len(buckets))
    ]
    if method.multiplicative and min(line) <= 0:
        return None
    profile = []
    for place in range(length):
        parts = [
            method.part(value, line[at])
            for at, (own, value) in enumerate(buckets) if own == place and value is not None
        ]  # fmt: skip
        profile.append(fmean(parts) if parts else float(method.multiplicative))

    def start(weights):
        return Model(method, means[0] - trend * (length + 1) / 2, 0.0, profile, weights)

    best = None
    for weights in product(method.alphas, method.betas, method.gammas):
        model, errors = start(weights), []
        for at, (place, value) in enumerate(buckets):
            if at >= length and value is not None:
                errors.append(value - model.expected(place))
            model.learn(place, value)  # its variance is 0: no error is cut
            model.variance = 0.0
        total = sum(error**2 for error in errors)
        if isfinite(total) and (best is None or total < best[0]):
            best = total, weights, errors
    if best is None:
        return None
    _, weights, errors = best
    deviation = 1.4826 * median(map(abs, errors))
    model = start(weights)
    model.variance = deviation**2
    for place, value in buckets:
        model.learn(place, value)
    model.variance = deviation**2
    return model


def smoothed(method, series):
    """For each bucket (expected, deviation), or None while it learns; and the last model."""
    model, first, learned, found, last = None, None, [], [], None
    size = method.seasons * method.length

    def fill(until):
        while len(learned) < until:
            learned.append(((learned[-1][0] + 1) % method.length, None))

    for number, place, value in series:
        gap = 0 if last is None else number - last - 1
        last = number
        if model is not None:
            for _ in range(gap):
                model.learn(place, None)
            mean = model.expected(place)
            lost = method.multiplicative and model.level + method.damping * model.trend <= 0
            if lost or not isfinite(mean + model.variance):
                model, learned = None, []
        if model is None:
            if not learned:
                first = number
            if number - first >= size:
                fill(size)
                model, passed, learned = fit(method, learned), number - first - size, []
                if model is None:
                    first = number
                else:
                    for _ in range(passed):
                        model.learn(place, None)
            if model is None:
                fill(number - first)
                learned.append((place, value))
                found.append(None)
                continue
        found.append((model.expected(place), sqrt(model.variance)))
        model.learn(place, value)
    return found, model
