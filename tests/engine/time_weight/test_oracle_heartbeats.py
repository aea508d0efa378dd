"""The oracle of heartbeats, against ranges worked out by hand and against counting by moments.

Beats at 2, 5, 9 and 16 in [0, 20), each alive for 4:

    2    5 6    9    13   16     20
    ├────┼─┤    ├────┤    ├──────┤
      2 to 6 and 5 to 9 overlap, 9 to 13 touches them: one live range from 2 to 13
"""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.time_weight.oracle_heartbeats import (
    dead_ranges,
    downtime,
    heartbeat_agg,
    interpolate,
    interpolated_downtime,
    interpolated_uptime,
    live_at,
    live_ranges,
    num_gaps,
    num_live_ranges,
    rollup_heartbeats,
    trim_to,
    uptime,
)

BEATS = [16, 2, 9, 5, None, 5]


def test_ranges():
    summary = heartbeat_agg(BEATS, 0, 20, 4)
    assert live_ranges(summary) == [(2, 13), (16, 20)]
    assert dead_ranges(summary) == [(0, 2), (13, 16)]
    assert (uptime(summary), downtime(summary)) == (11 + 4, 2 + 3)
    assert (num_live_ranges(summary), num_gaps(summary)) == (2, 2)


def test_life_ends_with_the_range():
    summary = heartbeat_agg([18], 0, 20, 4)
    assert live_ranges(summary) == [(18, 20)]
    assert dead_ranges(summary) == [(0, 18)]


def test_no_beat_is_a_dead_range():
    summary = heartbeat_agg([None], 10, 20, 4)
    assert (live_ranges(summary), dead_ranges(summary)) == ([], [(10, 30)])
    assert (uptime(summary), downtime(summary), num_gaps(summary)) == (0, 20, 1)
    alive = heartbeat_agg([10, 15], 10, 10, 5)
    assert (live_ranges(alive), dead_ranges(alive), num_gaps(alive)) == ([(10, 20)], [], 0)


@pytest.mark.parametrize(
    ("time", "alive"),
    [
        (-1, None),
        (0, False),
        (2, True),
        (12, True),
        (13, False),
        (16, True),
        (19, True),
        (20, None),
    ],
)
def test_live_at(time, alive):
    assert live_at(heartbeat_agg(BEATS, 0, 20, 4), time) is alive


def test_interpolated_from_the_last_beat_before():
    first, second = heartbeat_agg([17, 18], 0, 20, 4), heartbeat_agg([23, 30], 20, 20, 4)
    # 18 lives until 22; 23 begins a range of its own.
    assert live_ranges(interpolate(second, first)) == [(20, 22), (23, 27), (30, 34)]
    assert interpolated_uptime(second, first) == 2 + 4 + 4
    assert interpolated_downtime(second, first) == 20 - 10
    assert interpolate(second, None) == second
    # 19 lives until 23 and touches.
    assert live_ranges(interpolate(second, heartbeat_agg([19], 0, 20, 4)))[0] == (20, 27)
    # Long dead.
    assert interpolate(second, heartbeat_agg([16], 0, 20, 4)) == second


def test_a_life_may_cross_an_empty_range():
    first, empty = heartbeat_agg([3], 0, 5, 9), heartbeat_agg([], 5, 5, 9)
    carried = interpolate(empty, first)
    assert live_ranges(carried) == [(5, 10)]
    assert live_ranges(interpolate(heartbeat_agg([], 10, 5, 9), carried)) == [(10, 12)]


def test_trimmed():
    beats = heartbeat_agg([2, 10, 13, 18], 0, 20, 4)  # alive in 2-6, 10-17, 18-22
    assert live_ranges(trim_to(beats, 4, 10)) == [(4, 6), (10, 14)]
    assert dead_ranges(trim_to(beats, 4, 10)) == [(6, 10)]
    # 10-17 ends with the beat of 13, which lies before 14: its life beyond the end is known.
    assert interpolated_uptime(heartbeat_agg([], 14, 6, 4), trim_to(beats, 4, 10)) == 3
    # Of 10-17 it is not known whether the last beat before 12 was that of 10.
    assert interpolated_uptime(heartbeat_agg([], 12, 8, 4), trim_to(beats, 4, 8)) == 0
    assert trim_to(beats, 0, 20) == beats
    assert trim_to(beats, 6, 4) == heartbeat_agg([], 6, 4, 4)
    with pytest.raises(ValueError, match=r"trim_to: \[0, 21\) is no part of \[0, 20\)"):
        trim_to(beats, 0, 21)


def test_rollup():
    first, second = heartbeat_agg([2, 18], 0, 20, 4), heartbeat_agg([30], 25, 10, 4)
    # 18 lives until 22, in the hole between the two.
    assert live_ranges(rollup_heartbeats([second, None, first])) == [(2, 6), (18, 22), (30, 34)]
    assert dead_ranges(rollup_heartbeats([first, second])) == [(0, 2), (6, 18), (22, 30), (34, 35)]
    # Parts may overlap: [0, 20) and [10, 30) both saw 18, one of them also 12.
    overlapping = [first, heartbeat_agg([12, 18], 10, 20, 4)]
    assert rollup_heartbeats(overlapping) == heartbeat_agg([2, 12, 18], 0, 30, 4)
    assert rollup_heartbeats([]) is rollup_heartbeats([None]) is None


def test_refusals():
    with pytest.raises(ValueError, match=r"a beat at 20 lies outside \[0, 20\)"):
        heartbeat_agg([20], 0, 20, 4)
    with pytest.raises(ValueError, match=r"a beat at -1 lies outside \[0, 20\)"):
        heartbeat_agg([-1], 0, 20, 4)
    with pytest.raises(ValueError, match="length 0 and interval 4 must be longer than 0"):
        heartbeat_agg([], 0, 0, 4)
    with pytest.raises(ValueError, match="length 9 and interval 0 must be longer than 0"):
        heartbeat_agg([], 0, 9, 0)
    with pytest.raises(ValueError, match="rollup: intervals 4 and 5 differ"):
        rollup_heartbeats([heartbeat_agg([], 0, 9, 4), heartbeat_agg([], 9, 9, 5)])
    with pytest.raises(ValueError, match="interpolate: intervals 5 and 4 differ"):
        interpolate(heartbeat_agg([], 9, 9, 4), heartbeat_agg([1], 0, 9, 5))
    with pytest.raises(ValueError, match="prev ends at 9, after 8"):
        interpolate(heartbeat_agg([], 8, 9, 4), heartbeat_agg([1], 0, 9, 4))


# What holds of all beats. Times are small, so that each microsecond can be looked at by itself.

LENGTH = 40
beats = st.lists(st.integers(0, LENGTH - 1), max_size=12)
intervals = st.integers(1, LENGTH)
often = settings(max_examples=300, deadline=None, derandomize=True)


def alive_at(times, interval, moment) -> bool:
    return any(time <= moment < time + interval for time in times)


@often
@given(beats, intervals)
def test_summary_is_what_the_moments_say(times, interval):
    summary = heartbeat_agg(times, 0, LENGTH, interval)
    moments = [alive_at(times, interval, moment) for moment in range(LENGTH)]
    assert [live_at(summary, moment) for moment in range(LENGTH)] == moments
    assert (uptime(summary), downtime(summary)) == (sum(moments), LENGTH - sum(moments))
    falls = sum(was and not is_ for was, is_ in pairwise([True, *moments]))
    assert num_gaps(summary) == falls
    edges = sorted([*live_ranges(summary), *dead_ranges(summary)])
    assert [start for start, _ in edges] == [0, *(end for _, end in edges)][:-1]
    assert edges[-1][1] == LENGTH


@often
@given(beats, intervals, st.data())
def test_any_cover_rolls_up_to_the_whole(times, interval, data):
    whole = heartbeat_agg(times, 0, LENGTH, interval)
    cuts = sorted(data.draw(st.sets(st.integers(1, LENGTH - 1))))
    parts = []
    for start, end in zip([0, *cuts], [*cuts, LENGTH], strict=True):
        end = data.draw(st.integers(end, LENGTH))  # parts may overlap
        own = [time for time in times if start <= time < end]
        parts.append(heartbeat_agg(own, start, end - start, interval))
    assert rollup_heartbeats(data.draw(st.permutations([*parts, None]))) == whole


@often
@given(beats, intervals, st.sets(st.integers(1, LENGTH - 1)))
def test_interpolated_uptimes_over_ranges_are_those_of_the_whole(times, interval, cuts):
    whole, carried, up, down = heartbeat_agg(times, 0, LENGTH, interval), None, 0, 0
    for start, end in zip([0, *sorted(cuts)], [*sorted(cuts), LENGTH], strict=True):
        own = [time for time in times if start <= time < end]
        summary = heartbeat_agg(own, start, end - start, interval)
        up += interpolated_uptime(summary, carried)
        down += interpolated_downtime(summary, carried)
        carried = interpolate(summary, carried)
        assert [live_at(carried, moment) for moment in range(start, end)] == [
            alive_at(times, interval, moment) for moment in range(start, end)
        ]
    assert (up, down) == (uptime(whole), downtime(whole))


@often
@given(beats, intervals, st.sets(st.integers(0, LENGTH), min_size=2, max_size=2))
def test_a_trimmed_summary_is_what_the_moments_say(times, interval, bounds):
    start, end = sorted(bounds)
    trimmed = trim_to(heartbeat_agg(times, 0, LENGTH, interval), start, end - start)
    moments = [alive_at(times, interval, moment) for moment in range(start, end)]
    assert [live_at(trimmed, moment) for moment in range(start, end)] == moments
    # Of the life beyond the new end nothing is claimed that was not there.
    after = interpolate(heartbeat_agg([], end, LENGTH, interval), trimmed)
    for moment in range(end, end + LENGTH):
        assert alive_at(times, interval, moment) or not live_at(after, moment)
