"""The detector that a new project gets without bounds, chosen from the history in its file.

The hours of the file are predicted in three ways: by the median of the week before, by that of the
same hour of the day, and by that of the same hour of the week. Days are predicted by the median of
the four weeks before, and by that of the same day of the week. The way with the smallest errors is
taken. Then the bounds are made wider until the past has few incidents.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas
from numpy.typing import NDArray

from strandline.starter.columns import Sample
from strandline.starter.records import read_json, read_parquet
from strandline.starter.rhythm import DAYS, HOURS, Step, local
from strandline.starter.staging import read

Doubles = NDArray[np.float64]

ROWS_READ = 2_000_000
MOST_SERIES = 20  # the ones with most hours; the others are like them
MOST_WEEKLY = 1.0  # incidents, of all series together
LEAST_VALUES = 4  # of the look-back, as `median_detector` has it
BETTER = 0.9  # of the error of a simpler way: only then another way is taken
WEEK = HOURS.week


@dataclass(frozen=True)
class Way:
    """A way to predict a bucket: by the median of those of `lookback` with the same season."""

    lookback: str
    seasonality: str | None
    places: int  # of buckets between two that are compared
    values: int  # that are compared at most
    words: str


WAYS = (
    Way("P7D", None, 1, WEEK, "of the week before"),
    Way("P14D", "P1D", 24, 14, "of the same hour of the 14 days before"),
    Way("P56D", "P7D", WEEK, 8, "of the same hour of the week in the 8 weeks before"),
)
WAYS_OF_DAYS = (
    Way("P28D", None, 1, 28, "of the 28 days before"),
    Way("P56D", "P7D", 7, 8, "of the same day of the week in the 8 weeks before"),
)
# Deviations, and the least change as a part of the usual range, from narrow to wide bounds.
BOUNDS = ((8, 0.25), (8, 0.5), (8, 1.0), (12, 1.0), (20, 1.0), (20, 2.0))


@dataclass(frozen=True)
class Proposal:
    """Settings of `median_detector` over hours, and what they would have found.

    Attributes:
        way: what an hour is compared with.
        deviations, min_change: see `median_detector`.
        incidents: adjacent hours are one; None if the history is too short to count them.
        weeks: of the history that has bounds.
    """

    way: Way
    deviations: int
    min_change: float
    incidents: int | None
    weeks: float
    step: Step = HOURS

    @property
    def found(self) -> str:
        """`In the 12 weeks of the file that have bounds it would have found 3 incidents.`"""
        if self.incidents is None:
            return f"The file has too few {self.step.per} to say how many incidents that finds."
        weeks = f"{self.weeks:.0f} weeks" if self.weeks >= 2 else f"{self.weeks * 7:.0f} days"
        count = f"{self.incidents:,} incident{'' if self.incidents == 1 else 's'}"
        return f"In the {weeks} of the file that have bounds it would have found {count}."


# Of events whose history is not known.
UNKNOWN = Proposal(WAYS[0], 8, 0.0, None, 0.0)


def proposal_of(
    file: Path, sample: Sample, ts: str, keys: tuple[str, ...], value: str | None,
    zone: str | None = None, step: Step = HOURS,
) -> Proposal:  # fmt: skip
    """The proposal for the mean of a column in each bucket, or for the number of rows.

    Args:
        file: a file whose columns were checked.
        sample: of this file.
        zone: of times without an offset; None is UTC.
    """
    return proposed(buckets_of(file, sample, ts, keys, value, zone, step), step)


def buckets_of(
    file: Path, sample: Sample, ts: str, keys: tuple[str, ...], value: str | None,
    zone: str | None = None, step: Step = HOURS,
) -> list[Doubles]:  # fmt: skip
    """The buckets of each series from its first to its last; NaN is none. Of counts it is 0."""
    columns = {column.name: column for column in sample.columns}
    names = [name for name, column in columns.items() if not column.parts]
    wanted = [columns[ts].parts or (ts,), keys, (value,) if value else ()]
    rows = _texts(file, sample, names, sorted({name for group in wanted for name in group}))
    at = read(rows, columns[ts], zone)
    bucket = (local(at, zone) if step is DAYS else at).dt.floor(step.frequency)
    amount = read(rows, columns[value], zone) if value else pandas.Series(1.0, bucket.index)
    by = [*(rows[key] for key in keys), bucket.rename("at")]
    groups = amount.groupby(by)
    measured = groups.mean() if value else groups.sum()
    levels = list(range(len(keys)))
    series = measured.groupby(level=levels if len(levels) > 1 else 0) if keys else [((), measured)]
    missing = 0.0 if value is None else math.nan
    found = [_whole(one.droplevel(levels), step, missing) for _, one in series]
    return sorted(found, key=lambda one: -int(np.isfinite(one).sum()))


def _texts(file: Path, sample: Sample, names: list[str], wanted: list[str]) -> pandas.DataFrame:
    """The values of these columns, as texts."""
    if sample.file_format == "json":
        return read_json(file, ROWS_READ).rows[wanted]
    if sample.file_format == "parquet":
        return read_parquet(file, ROWS_READ, wanted).rows[wanted]
    headers = 0 if sample.options.get("header") == "false" else 1
    return pandas.read_csv(
        file, names=names, header=None, skiprows=headers, usecols=wanted, dtype=str,
        nrows=ROWS_READ, sep=sample.options.get("sep", ",").replace(r"\t", "\t"),
        keep_default_na=False, on_bad_lines="skip", encoding="utf-8-sig",
    )  # fmt: skip


def _whole(series: pandas.Series[float], step: Step, missing: float) -> Doubles:
    return np.asarray(series.asfreq(step.frequency, fill_value=missing).to_numpy(float))


def proposed(series: list[Doubles], step: Step = HOURS) -> Proposal:
    """The proposal for series of buckets, those with most first."""
    shown = series[:MOST_SERIES]
    share = len(series) / max(len(shown), 1)
    ways = WAYS_OF_DAYS if step is DAYS else WAYS
    best, least = ways[0], math.inf
    for way in ways:
        error = _error(shown, way, step)
        if error < least * (BETTER if math.isfinite(least) else 1):
            best, least = way, error
    spread = _spread(shown)
    compared = [_compared(one, best) for one in shown]
    known = max((int(np.isfinite(one[0]).sum()) for one in compared), default=0)
    weeks = known / step.week
    if known < step.least:
        deviations, part = BOUNDS[1]
        return Proposal(best, deviations, _rounded(part * spread), None, weeks, step)
    for deviations, part in BOUNDS:
        change = _rounded(part * spread)
        incidents = sum(
            _incidents(one, *both, deviations, change)
            for one, both in zip(shown, compared, strict=True)
        )
        counted = math.ceil(incidents * share)
        if counted <= MOST_WEEKLY * weeks:
            break
    return Proposal(best, deviations, change, counted, weeks, step)


def _compared(values: Doubles, way: Way) -> tuple[Doubles, Doubles]:
    """Of each hour the median of those it is compared with, and their median deviation from it."""
    before = np.full((values.size, way.values), np.nan)
    for number in range(way.values):
        back = (number + 1) * way.places
        before[back:, number] = values[: max(values.size - back, 0)]
    enough = np.isfinite(before).sum(axis=1) >= LEAST_VALUES
    median, deviation = np.full(values.size, np.nan), np.full(values.size, np.nan)
    if enough.any():
        median[enough] = np.nanmedian(before[enough], axis=1)
        apart = np.abs(before[enough] - median[enough, None])
        deviation[enough] = np.nanmedian(apart, axis=1)
    return median, deviation


def _error(series: list[Doubles], way: Way, step: Step) -> float:
    """The median error of a way in the usual ranges of the series; infinite where it has none.

    A way counts if it can predict a week of the longest series, or four of days.
    """
    errors = []
    for values in series:
        apart = np.abs(values - _compared(values, way)[0])
        known = apart[np.isfinite(apart)]
        if known.size >= step.least:
            errors.append(float(np.mean(known)) / (_range(values) or 1))
    return float(np.median(errors)) if errors else math.inf


def _incidents(
    values: Doubles, median: Doubles, deviation: Doubles, deviations: int, change: float
) -> int:
    with np.errstate(invalid="ignore"):
        beyond = np.abs(values - median) > np.maximum(deviations * deviation, change)
    return int((beyond & ~np.concatenate([[False], beyond[:-1]])).sum())


def _range(values: Doubles) -> float:
    """From the 5th to the 95th hundredth of the values."""
    known = values[np.isfinite(values)]
    return float(np.subtract(*np.quantile(known, (0.95, 0.05)))) if known.size else 0.0


def _spread(series: list[Doubles]) -> float:
    """The usual range of the series: if all are constant, a fifth of what they are."""
    usual = [_range(one) for one in series]
    sizes = [float(np.nanmedian(np.abs(one))) for one in series if np.isfinite(one).any()]
    return float(np.median(usual or [0.0])) or float(np.median(sizes or [0.0])) / 5


def _rounded(number: float) -> float:
    """Two digits."""
    return float(f"{number:.2g}")
