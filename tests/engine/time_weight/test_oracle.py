"""The oracle of time weights, against the golden rows and against counting by moments.

The golden signal is 1 at 00:00, 2 at 02:00 and 0 at 02:30; the gap is 30 minutes, then 90 and 120.
Sums are in value x seconds.

30 minutes, LOCF, one bucket of 3 h:
    00:00 to 02:00 is longer than the gap, so 1 counts for 1,800 s:   1 x 1800 = 1800
    02:00 to 02:30 is exactly the gap, which is none:                 2 x 1800 = 3600
    so 5400 over 3600 s: 1.5 on average, and one gap of 7200 - 1800 = 5400 s
    interpolated: 02:30 to 03:00 at 0 adds 0 over 1800 s: 5400 / 5400 = 1, that is 1.5 in hours
30 minutes, LOCF, buckets of 1 h:
    00:00 has one point, 0 over 0 s; its 1 is valid until 00:30: 1800 / 1800 = 1, 0.5 in hours
    01:00 has none, and nothing reaches it
    02:00 has 2 x 1800 over 1800 s: 2; with 0 until 03:00 3600 / 3600 = 1, 1 in hours
    interpolated sums 1800 + 0 + 3600 = 5400 over 1800 + 0 + 3600 s = 5400 s, as in 3 h
30 minutes, linear, 3 h:
    00:00 to 02:00 counts for nothing; 02:00 to 02:30 is (2 + 0) / 2 x 1800 = 1800 over 1800 s: 1
    no point follows, so interpolation adds nothing: 0.5 in hours
30 minutes, linear, 1 h:
    00:00 one point and a gap: 0 over 0 s; 01:00 nothing; 02:00 as in 3 h
90 minutes, LOCF: 1 is valid until 01:30
    3 h: 1 x 5400 + 3600 = 9000 over 5400 + 1800 = 7200 s: 1.25; still a gap
    interpolated 9000 / (7200 + 1800) = 1, 2.5 in hours
    1 h: 3600 / 3600 = 1; then without a point 1800 / 1800 = 1, 0.5 in hours; then 3600 / 3600 = 1
90 minutes, linear: as with 30, for 2 h is a gap still
120 minutes, LOCF: 2 h is exactly the gap, so there is none
    3 h: 1 x 7200 + 3600 = 10800 over 9000 s: 1.2; interpolated 10800 / 10800 = 1, 3 in hours
    1 h: three times 3600 / 3600 = 1
120 minutes, linear: the line from 1 to 2 passes 1.5 at 01:00
    3 h: (1 + 2) / 2 x 7200 + 1800 = 12600 over 9000 s: 1.4, 3.5 in hours
    1 h: (1 + 1.5) / 2 = 1.25 and (1.5 + 2) / 2 = 1.75, each over 3600 s; then 1800 / 1800 = 1
"""

from __future__ import annotations

import csv
from collections import Counter
from datetime import datetime, timezone
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.time_weight.examples import WEATHER_GAPS
from tests.engine.time_weight.oracle import (
    SECOND,
    average,
    gap_time,
    integral,
    num_gaps,
    rollup,
    time_weight,
)
from tests.engine.time_weight.oracle_interpolated import interpolated, interpolated_buckets

from strandline_demo.flights.source import data_folder

GOLDEN = Path(__file__).parent / "golden"
MINUTE, HOUR = 60 * SECOND, 3600 * SECOND
METHODS = ["locf", "linear"]
GAPS = [30 * MINUTE, 90 * MINUTE, 120 * MINUTE, None]


def micros(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=timezone.utc).timestamp()) * SECOND


def rows(name: str) -> list[dict[str, str]]:
    with (GOLDEN / name).open(newline="") as file:
        return list(csv.DictReader(file))


START = micros("2022-01-01 00:00:00")
SIGNAL = [(micros(row["time"]), Fraction(row["value"])) for row in rows("time_weight_signal.csv")]


# The golden example.


def shown(value: Fraction | int | None) -> str:
    return "" if value is None else f"{float(value):g}"


def instant(time: int) -> str:
    return f"{datetime.fromtimestamp(time // SECOND, timezone.utc):%Y-%m-%d %H:%M:%S}"


@pytest.mark.parametrize("gap", GAPS[:3])
@pytest.mark.parametrize("method", METHODS)
def test_golden_rows(method, gap):
    expected = [
        row
        for row in rows("time_weight_expected.csv")
        if (row["method"], row["gap_seconds"]) == (method, str(gap // SECOND))
    ]
    found = []
    for length in (3 * HOUR, HOUR):
        for bucket, own, reached in interpolated_buckets(
            SIGNAL, method, gap, START, START + 3 * HOUR, length
        ):
            found.append(
                {
                    "method": method,
                    "gap_seconds": str(gap // SECOND),
                    "bucket_seconds": str(length // SECOND),
                    "bucket_start": instant(bucket),
                    "weighted_sum": shown(own and own.weighted_sum),
                    "elapsed_seconds": shown(own and Fraction(own.elapsed, SECOND)),
                    "num_gaps": shown(num_gaps(own)),
                    "first_time": instant(own.first_time) if own else "",
                    "first_value": shown(own and own.first_value),
                    "last_time": instant(own.last_time) if own else "",
                    "last_value": shown(own and own.last_value),
                    "average": shown(average(own)),
                    "interpolated_average": shown(average(reached)),
                    "interpolated_integral_hours": shown(integral(reached, "hour")),
                    "interpolated_elapsed_seconds": shown(Fraction(reached.elapsed, SECOND)),
                }
            )
    assert found == expected


def test_golden_rows_are_all_tested():
    keys = Counter(
        tuple(row[key] for key in ("method", "gap_seconds", "bucket_seconds", "bucket_start"))
        for row in rows("time_weight_expected.csv")
    )
    assert len(keys) == keys.total() == 2 * 3 * 4


# What is refused.


def test_refusals():
    def part(first, last, method="locf", gap=None):
        return time_weight([(first, 1), (last, 2)], method, gap)

    with pytest.raises(ValueError, match="method 'cubic' is none of locf, linear, trapezoidal"):
        part(0, 1, "cubic")
    with pytest.raises(ValueError, match="gap 0 is not longer than 0"):
        part(0, 1, gap=0)
    with pytest.raises(ValueError, match="some points have an arrival"):
        time_weight([(0, 7, 1), (0, 5)], "locf", None)
    with pytest.raises(ValueError, match="one lasts from 0 to 5, another from 3 to 9"):
        rollup([part(3, 9), part(0, 5)])
    with pytest.raises(ValueError, match="overlap or touch: one lasts from 0 to 5, another from 5"):
        rollup([part(0, 5), part(5, 9)])
    with pytest.raises(ValueError, match="methods locf and linear differ"):
        rollup([part(0, 1), part(2, 3, "linear")])
    with pytest.raises(ValueError, match="gaps None and 7 differ"):
        rollup([part(0, 1), part(2, 3, gap=7)])
    with pytest.raises(ValueError, match="methods locf and linear differ"):
        interpolated(None, 2, 1, part(0, 1), part(3, 4, "linear"))
    with pytest.raises(ValueError, match="prev ends at 5, not before 5"):
        interpolated(None, 5, 1, part(0, 5))
    with pytest.raises(ValueError, match="next begins at 5, before 6"):
        interpolated(None, 5, 1, None, part(5, 6))
    with pytest.raises(ValueError, match=r"points from 0 to 5 lie outside \[0, 5\)"):
        interpolated(part(0, 5), 0, 5)
    with pytest.raises(ValueError, match="unit 'month' is none of us, "):
        integral(part(0, 1), "month")


# Properties of every signal. Times are small, so that each microsecond can be looked at by itself.

AT_MOST = 40
values = st.integers(-9, 9)
signals = st.dictionaries(st.integers(0, AT_MOST), values, min_size=1, max_size=12).map(
    lambda found: list(found.items())
)
methods = st.sampled_from(METHODS)
gaps = st.none() | st.integers(1, AT_MOST)
often = settings(max_examples=300, deadline=None, derandomize=True)


def by_moments(points, method, gap, start, end) -> tuple[Fraction, int]:
    """Value x seconds and microseconds that count: each microsecond by its two points."""
    area, counted = Fraction(0), 0
    for moment in range(start, end):
        left = max((point for point in points if point[0] <= moment), default=None)
        right = min((point for point in points if point[0] > moment), default=None)
        if left is None or (method == "linear" and right is None):
            continue
        if method == "locf" and (gap is None or moment < left[0] + gap):
            area, counted = area + left[1], counted + 1
        if method == "linear" and (gap is None or right[0] - left[0] <= gap):
            way = Fraction(2 * (moment - left[0]) + 1, 2 * (right[0] - left[0]))
            area, counted = area + (1 - way) * left[1] + way * right[1], counted + 1
    return area / SECOND, counted


@often
@given(signals, methods, gaps)
def test_summary_is_what_the_moments_say(points, method, gap):
    found = time_weight(points, method, gap)
    first, last = min(points), max(points)
    assert (found.weighted_sum, found.elapsed) == by_moments(points, method, gap, first[0], last[0])
    assert (found.first, found.last) == (first, last)
    distances = [b - a for a, b in pairwise(sorted(time for time, _ in points))]
    assert found.num_gaps == sum(gap is not None and distance > gap for distance in distances)


@often
@given(signals, methods, gaps, st.data())
def test_order_of_points_and_parts_does_not_matter(points, method, gap, data):
    whole = time_weight(points, method, gap)
    assert time_weight(data.draw(st.permutations(points)), method, gap) == whole
    bounds = data.draw(st.sets(st.integers(0, AT_MOST + 1)))
    parts = Counter(sum(time >= bound for bound in bounds) for time, _ in points)
    ordered, begin, pieces = sorted(points), 0, [None]
    for _, size in sorted(parts.items()):
        pieces.append(time_weight(ordered[begin : begin + size], method, gap))
        begin += size
    assert rollup(data.draw(st.permutations(pieces))) == whole
    # Of parts of parts too.
    middle = data.draw(st.integers(0, len(pieces)))
    assert rollup([rollup(pieces[middle:]), rollup(pieces[:middle])]) == whole


@often
@given(signals, methods, gaps, st.integers(-10, 10), st.integers(1, 12), st.integers(1, 8))
def test_interpolated_sums_over_buckets_are_those_of_the_whole(
    points, method, gap, start, length, count
):
    # The whole is the range as one bucket. Points may be before it and after it.
    stop = start + length * count
    buckets = interpolated_buckets(points, method, gap, start, stop, length)
    ((_, _, whole),) = interpolated_buckets(points, method, gap, start, stop, length * count)
    assert sum(reached.weighted_sum for *_, reached in buckets) == whole.weighted_sum
    assert sum(reached.elapsed for *_, reached in buckets) == whole.elapsed
    for bucket, _, reached in buckets:
        assert (reached.weighted_sum, reached.elapsed) == by_moments(
            points, method, gap, bucket, bucket + length
        )


@often
@given(signals, methods, gaps, st.integers(1, 12))
def test_interpolated_sums_from_first_point_to_last_are_the_summarys(points, method, gap, length):
    # Only the time between known points: the summary itself, whatever the buckets.
    whole = time_weight(points, method, gap)
    whole_buckets = (whole.last_time - whole.first_time) // length
    stop = whole.first_time + whole_buckets * length
    buckets = [
        (reached.weighted_sum, reached.elapsed)
        for *_, reached in interpolated_buckets(points, method, gap, whole.first_time, stop, length)
    ]
    if whole.last_time > stop:  # the rest, up to the last point
        *_, (*_, rest) = interpolated_buckets(
            points, method, gap, stop, whole.last_time, whole.last_time - stop
        )
        buckets.append((rest.weighted_sum, rest.elapsed))
    assert sum(area for area, _ in buckets) == whole.weighted_sum
    assert sum(elapsed for _, elapsed in buckets) == whole.elapsed
    # Beyond the last point LOCF carries the last value for the gap, linear nothing.
    beyond = interpolated(None, whole.last_time + 1, AT_MOST, prev=whole)
    reach = 0 if method == "linear" else AT_MOST if gap is None else min(AT_MOST, gap - 1)
    assert beyond.elapsed == reach
    assert beyond.weighted_sum == Fraction(whole.last_value * reach, SECOND)


@often
@given(signals, methods, gaps)
def test_gap_time_and_elapsed_time_make_up_the_whole(points, method, gap):
    unbroken, found = time_weight(points, method, None), time_weight(points, method, gap)
    assert unbroken.elapsed == unbroken.last_time - unbroken.first_time
    assert (unbroken.num_gaps, gap_time(unbroken)) == (0, 0)
    assert found.elapsed + gap_time(found) == unbroken.elapsed
    assert (gap_time(found) > 0) == (found.num_gaps > 0)
    widest = max((b - a for a, b in pairwise(sorted(t for t, _ in points))), default=0)
    wide = time_weight(points, method, max(widest, 1))
    assert (wide.weighted_sum, wide.elapsed, wide.num_gaps) == (
        *(unbroken.weighted_sum, unbroken.elapsed, 0),
    )


# Weather of 2013: one report an hour, but for some hours.


@pytest.mark.parametrize(("airport", "gaps_longer"), WEATHER_GAPS.items())
def test_weather_gaps(airport, gaps_longer):
    with (data_folder() / "weather.csv").open(newline="") as file:
        hours = [
            int(datetime.fromisoformat(row["time_hour"].replace("Z", "+00:00")).timestamp()) // 3600
            for row in csv.DictReader(file)
            if row["origin"] == airport
        ]
    # The count by itself: hours there could be, and those after which the next one is missing.
    there, span = set(hours), max(hours) - min(hours)
    silent = sum(hour + 1 not in there for hour in there) - 1  # the last is followed by none
    assert silent == gaps_longer
    points = [(hour * HOUR, 1) for hour in hours]
    linear, locf = (time_weight(points, method, 90 * MINUTE) for method in ("linear", "locf"))
    assert linear.num_gaps == locf.num_gaps == gaps_longer
    assert linear.elapsed == (len(there) - 1 - silent) * HOUR
    assert locf.elapsed == linear.elapsed + silent * 90 * MINUTE
    assert linear.last_time - linear.first_time == span * HOUR
