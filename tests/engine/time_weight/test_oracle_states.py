"""The oracle of states against counting by moments; its examples are in `examples.py`."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.time_weight.oracle_states import (
    duration_in,
    interpolated_duration_in,
    interpolated_state_timeline,
    into_values,
    rollup_states,
    state_agg,
    state_at,
    state_periods,
)

MACHINE = [(0, "on"), (10, "off"), (30, "on"), (35, "on"), (50, "off")]
GAP = 15


def test_refusals():
    with pytest.raises(ValueError, match="state_agg: two states at 10: 'off' and 'on'"):
        state_agg([*MACHINE, (10, "on")], GAP)
    assert state_agg([*MACHINE, (10, "off")], GAP) == state_agg(MACHINE, GAP)
    with pytest.raises(ValueError, match="gap 0 is not longer than 0"):
        state_agg(MACHINE, 0)
    with pytest.raises(ValueError, match="length 3 without a start"):
        duration_in(state_agg(MACHINE, GAP), "on", length=3)
    with pytest.raises(ValueError, match="rollup: two states at 10: 'off' and 'on'"):
        rollup_states([state_agg(MACHINE[:2], GAP), state_agg([(10, "on"), (11, "on")], GAP)])
    with pytest.raises(ValueError, match="one lasts from 0 to 30, another from 10 to 50"):
        rollup_states([state_agg(MACHINE[1:], GAP), state_agg(MACHINE[:3], GAP)])
    with pytest.raises(ValueError, match="rollup: gaps 15 and None differ"):
        rollup_states([state_agg(MACHINE[:2], GAP), state_agg(MACHINE[2:], None)])
    with pytest.raises(ValueError, match="gaps None and 15 differ"):
        interpolated_duration_in(
            state_agg(MACHINE[2:], GAP), "on", 30, 30, state_agg(MACHINE[:2], None)
        )
    with pytest.raises(ValueError, match="prev ends at 10, not before 10"):
        interpolated_duration_in(None, "on", 10, 10, state_agg(MACHINE[:2], GAP))
    with pytest.raises(ValueError, match=r"points from 0 to 50 lie outside \[0, 50\)"):
        interpolated_duration_in(state_agg(MACHINE, GAP), "on", 0, 50)


# Properties of every history. Times are small, so that each microsecond can be looked at by itself.

AT_MOST = 40
histories = st.dictionaries(
    st.integers(0, AT_MOST), st.sampled_from("abc"), min_size=1, max_size=12
).map(lambda found: list(found.items()))
gaps = st.none() | st.integers(1, AT_MOST)
often = settings(max_examples=300, deadline=None, derandomize=True)


def state_of_moment(points, gap, moment) -> str | None:
    time, state = max((point for point in points if point[0] <= moment), default=(None, None))
    return state if time is not None and (gap is None or moment < time + gap) else None


@often
@given(histories, gaps)
def test_summary_is_what_the_moments_say(points, gap):
    summary = state_agg(points, gap)
    first, last = min(points)[0], max(points)[0]
    moments = {moment: state_of_moment(points, gap, moment) for moment in range(first, last)}
    assert [state_at(summary, moment) for moment in moments] == list(moments.values())
    assert into_values(summary) == [
        (state, list(moments.values()).count(state)) for state in sorted({s for _, s in points})
    ]
    for state, duration in summary.durations.items():
        assert sum(end - start for start, end in state_periods(summary, state)) == duration
        assert duration_in(summary, state, first) == duration
    for one, two in pairwise(summary.timeline):
        assert one.end < two.start or (one.end == two.start and one.state != two.state)


@often
@given(histories, gaps, st.data())
def test_any_partition_rolls_up_to_the_whole(points, gap, data):
    whole = state_agg(data.draw(st.permutations(points)), gap)
    ordered, pieces, begin = sorted(points), [None], 0
    for end in [*sorted(data.draw(st.sets(st.integers(1, len(points))))), len(points)]:
        shared = data.draw(st.integers(0, 1)) if begin else 0  # parts may adjoin
        pieces.append(state_agg(ordered[begin - shared : end], gap))
        begin = end
    assert rollup_states(data.draw(st.permutations(pieces))) == whole


@often
@given(histories, gaps, st.integers(1, 12), st.integers(1, 8))
def test_interpolated_durations_over_buckets_are_those_of_the_whole(points, gap, length, count):
    prev, found = None, dict.fromkeys("abc", 0)
    points = [point for point in points if point[0] < length * count]
    for bucket in range(0, length * count, length):
        own = state_agg([p for p in points if bucket <= p[0] < bucket + length], gap)
        for state in found:
            here = interpolated_duration_in(own, state, bucket, length, prev) or 0
            moments = range(bucket, bucket + length)
            assert here == [state_of_moment(points, gap, m) for m in moments].count(state)
            found[state] += here
        timeline = interpolated_state_timeline(own, bucket, length, prev) or []
        for moment in moments:
            at = [each.state for each in timeline if each.start <= moment < each.end]
            assert at == [state_of_moment(points, gap, moment)] or not at
            assert at or state_of_moment(points, gap, moment) is None
        for one, two in pairwise(timeline):
            assert one.end < two.start or (one.end == two.start and one.state != two.state)
        prev = own or prev
    whole = state_agg(points, gap)
    for state, duration in found.items():
        assert duration == (interpolated_duration_in(whole, state, 0, length * count) or 0)
