"""How often a series has a row: by the hour or more often, or by the day."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas

from strandline.starter.columns import Sample
from strandline.starter.staging import read

# Between two rows of a series, from which on it has a row a day. A day of summer time has 23 hours.
_DAY = pandas.Timedelta(hours=20)
_LEAST = 3  # steps by which a rhythm is known


@dataclass(frozen=True)
class Step:
    """The buckets that a detector reads.

    Attributes:
        one, per, adverb: hour, hours, hourly.
        granularity: in ISO 8601.
        frequency: as pandas has it.
        week: how many a week has.
        least: how many a way of predicting must predict, to be one.
        mutability: for how long what was found is compared again.
    """

    one: str
    per: str
    adverb: str
    granularity: str
    frequency: str
    week: int
    least: int
    mutability: str


HOURS = Step("hour", "hours", "hourly", "PT1H", "h", 7 * 24, 7 * 24, "P2D")
DAYS = Step("day", "days", "daily", "P1D", "D", 7, 28, "P7D")


@dataclass(frozen=True)
class Rhythm:
    """The step of the rows, and whether one row is all that a bucket has.

    Then the bucket is complete with it, and is not waited for until the next row.
    """

    step: Step = HOURS
    is_whole: bool = False

    def by(self, per: str | None) -> Rhythm:
        """The same by what a person has chosen: hours or days."""
        if per in (None, self.step.per):
            return self
        return Rhythm(DAYS if per == DAYS.per else HOURS)


USUAL = Rhythm()


def rhythm_of(sample: Sample, ts: str, keys: Sequence[str], zone: str | None) -> Rhythm:
    """The rhythm of the rows of a sample.

    Args:
        zone: of times without an offset; None is UTC.
    """
    rows = sample.distinct
    [column] = [column for column in sample.columns if column.name == ts]
    at = local(read(rows, column, zone), zone)
    frame = rows[list(keys)].assign(__at=at).dropna(subset=["__at"])
    frame = frame.sort_values([*keys, "__at"])
    series = frame.groupby(list(keys))["__at"] if keys else frame["__at"]
    steps = series.diff().dropna()
    steps = steps[steps > pandas.Timedelta(0)]
    step = DAYS if len(steps) >= _LEAST and steps.median() >= _DAY else HOURS
    begins = frame["__at"].dt.floor(step.frequency)
    is_alone = not frame.assign(__at=begins).duplicated([*keys, "__at"]).any()
    at_begin = step is DAYS or bool((begins == frame["__at"]).all())
    return Rhythm(step, len(steps) >= _LEAST and is_alone and at_begin)


def local(
    instants: pandas.Series[pandas.Timestamp], zone: str | None
) -> pandas.Series[pandas.Timestamp]:
    """What the clock of a zone shows."""
    return instants.dt.tz_convert(zone or "UTC").dt.tz_localize(None)
