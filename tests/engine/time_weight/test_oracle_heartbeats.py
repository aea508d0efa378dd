"""The oracle of heartbeats against counting by moments; its examples are in `examples.py`."""

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
    rollup_heartbeats,
    trim_to,
    uptime,
)


def test_refusals():
    with pytest.raises(ValueError, match=r"a beat at 20 lies outside \[0, 20\)"):
        heartbeat_agg([20], 0, 20, 4)
    with pytest.raises(ValueError, match=r"a beat at -1 lies outside \[0, 20\)"):
        heartbeat_agg([-1], 0, 20, 4)
    with pytest.raises(ValueError, match="length 0 and interval 4 must be longer than 0"):
        heartbeat_agg([], 0, 0, 4)
    with pytest.raises(ValueError, match="length 9 and interval 0 must be longer than 0"):
        heartbeat_agg([], 0, 9, 0)
    with pytest.raises(ValueError, match=r"trim_to: \[0, 21\) is no part of \[0, 20\)"):
        trim_to(heartbeat_agg([2], 0, 20, 4), 0, 21)
    with pytest.raises(ValueError, match="rollup: intervals 4 and 5 differ"):
        rollup_heartbeats([heartbeat_agg([], 0, 9, 4), heartbeat_agg([], 9, 9, 5)])
    with pytest.raises(ValueError, match="interpolate: intervals 5 and 4 differ"):
        interpolate(heartbeat_agg([], 9, 9, 4), heartbeat_agg([1], 0, 9, 5))
    with pytest.raises(ValueError, match="prev ends at 9, after 8"):
        interpolate(heartbeat_agg([], 8, 9, 4), heartbeat_agg([1], 0, 9, 4))


# Properties of all beats. Times are small, so that each microsecond can be looked at by itself.

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
    bounds = sorted(data.draw(st.sets(st.integers(1, LENGTH - 1))))
    parts = []
    for start, end in zip([0, *bounds], [*bounds, LENGTH], strict=True):
        end = data.draw(st.integers(end, LENGTH))  # parts may overlap
        own = [time for time in times if start <= time < end]
        parts.append(heartbeat_agg(own, start, end - start, interval))
    assert rollup_heartbeats(data.draw(st.permutations([*parts, None]))) == whole


@often
@given(beats, intervals, st.sets(st.integers(1, LENGTH - 1)))
def test_interpolated_uptimes_over_ranges_are_those_of_the_whole(times, interval, bounds):
    whole, carried, up, down = heartbeat_agg(times, 0, LENGTH, interval), None, 0, 0
    for start, end in zip([0, *sorted(bounds)], [*sorted(bounds), LENGTH], strict=True):
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
