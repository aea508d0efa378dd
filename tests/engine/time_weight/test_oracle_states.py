"""The oracle of states, against durations worked out by hand and against counting by moments.

The machine is `on` at 0, `off` at 10, `on` at 30 and again at 35, and `off` at 50; the gap is 15.

    0   10     25  30   35      50
    ├on─┼─off──┤   ├─on─┼──on───┤off
"""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.time_weight.oracle_states import (
    duration_in,
    interpolated_duration_in,
    interpolated_state_periods,
    interpolated_state_timeline,
    into_values,
    rollup_states,
    state_agg,
    state_at,
    state_periods,
    state_timeline,
)

MACHINE = [(0, "on"), (10, "off"), (30, "on"), (35, "on"), (50, "off")]
GAP = 15


def test_durations_and_periods():
    summary = state_agg(MACHINE, GAP)
    # on: 0 to 10, 30 to 35 and 35 to 50. off: from 10 for 15, and nothing yet from 50.
    assert into_values(summary) == [("off", 15), ("on", 30)]
    assert state_timeline(summary) == [
        *(("on", 0, 10), ("off", 10, 25), ("on", 30, 50), ("off", 50, 50)),
    ]
    assert state_periods(summary, "on") == [(0, 10), (30, 50)]
    assert state_periods(summary, "off") == [(10, 25), (50, 50)]
    assert duration_in(summary, "off") == 15
    assert duration_in(summary, "broken") == 0
    assert state_periods(summary, "broken") == []


def test_without_a_gap_a_state_lasts_until_the_next():
    assert into_values(state_agg(MACHINE, None)) == [("off", 20), ("on", 30)]
    # 35 to 50 is exactly 15, 10 to 30 longer.
    assert state_agg(MACHINE, 20).durations == state_agg(MACHINE, None).durations


def test_equal_states_with_a_gap_between_are_two_periods():
    summary = state_agg([(0, 7), (10, 7), (12, 7)], 5)
    assert state_timeline(summary) == [(7, 0, 5), (7, 10, 12)]
    assert into_values(summary) == [(7, 7)]


def test_a_state_that_only_ends_has_no_duration_yet():
    summary = state_agg([(5, "on")], GAP)
    assert into_values(summary) == [("on", 0)]
    assert state_timeline(summary) == [("on", 5, 5)]
    assert state_at(summary, 5) == "on"


def test_duration_in_a_range():
    summary = state_agg(MACHINE, GAP)
    assert duration_in(summary, "on", 5, 30) == 5 + 5
    assert duration_in(summary, "off", 20, 100) == 5
    assert duration_in(summary, "on", 5) == 5 + 20
    with pytest.raises(ValueError, match="length 3 without a start"):
        duration_in(summary, "on", length=3)


@pytest.mark.parametrize(
    ("time", "state"),
    [
        (-1, None),
        (0, "on"),
        (9, "on"),
        (10, "off"),
        (24, "off"),
        (25, None),
        (29, None),
        (30, "on"),
        (49, "on"),
        (50, "off"),
        (51, None),
    ],
)
def test_state_at(time, state):
    assert state_at(state_agg(MACHINE, GAP), time) == state


def test_interpolated_durations():
    # Buckets of 20. In [20, 40) `off` of 10 lasts until 25, and `on` of 35 to the bound.
    first, second, third = (
        state_agg([p for p in MACHINE if b <= p[0] < b + 20], GAP) for b in (0, 20, 40)
    )
    assert interpolated_duration_in(first, "off", 0, 20) == 10
    assert interpolated_duration_in(second, "off", 20, 20, first) == 5
    assert interpolated_duration_in(second, "on", 20, 20, first) == 10
    assert interpolated_duration_in(third, "on", 40, 20, second) == 10
    assert interpolated_duration_in(third, "off", 40, 20, second) == 10
    # Buckets without a point: `off` of 50 is carried on until 65.
    assert interpolated_duration_in(None, "off", 60, 20, third) == 5
    assert interpolated_duration_in(None, "off", 80, 20, third) == 0
    assert interpolated_duration_in(None, "off", 0, 20) is None


def test_interpolated_timelines():
    # Buckets of 20, as above. In the second one `off` of 10 lasts until 25.
    first, second, third = (
        state_agg([p for p in MACHINE if b <= p[0] < b + 20], GAP) for b in (0, 20, 40)
    )
    assert interpolated_state_timeline(first, 0, 20) == [("on", 0, 10), ("off", 10, 20)]
    assert interpolated_state_timeline(second, 20, 20, first) == [("off", 20, 25), ("on", 30, 40)]
    # `on` of 35 lasts until 50, and `off` from there to the bound.
    assert interpolated_state_timeline(third, 40, 20, second) == [("on", 40, 50), ("off", 50, 60)]
    assert interpolated_state_periods(third, "on", 40, 20, second) == [(40, 50)]
    assert interpolated_state_timeline(third, 40, 20) == [("off", 50, 60)]
    # Buckets without a point: `off` of 50 is carried on until 65.
    assert interpolated_state_timeline(None, 60, 20, third) == [("off", 60, 65)]
    assert interpolated_state_timeline(None, 80, 20, third) == []
    assert interpolated_state_timeline(None, 0, 20) is None


def test_rollup_carries_the_last_state():
    whole = state_agg(MACHINE, GAP)
    # The hole from 10 to 30 is `off` for 15.
    assert rollup_states([state_agg(MACHINE[2:], GAP), None, state_agg(MACHINE[:2], GAP)]) == whole
    # Parts that share a point touch.
    assert rollup_states([state_agg(MACHINE[:3], GAP), state_agg(MACHINE[2:], GAP)]) == whole
    assert rollup_states([whole]) == whole
    assert rollup_states([]) is rollup_states([None]) is None


def test_nulls_are_no_points():
    assert state_agg([(None, "on"), (3, None)], GAP) is None
    assert state_agg([*MACHINE, (None, "on"), (33, None)], GAP) == state_agg(MACHINE, GAP)
    assert duration_in(None, "on") is state_at(None, 0) is None
    assert state_timeline(None) == into_values(None) == []


def test_refusals():
    with pytest.raises(ValueError, match="state_agg: two states at 10: 'off' and 'on'"):
        state_agg([*MACHINE, (10, "on")], GAP)
    assert state_agg([*MACHINE, (10, "off")], GAP) == state_agg(MACHINE, GAP)
    with pytest.raises(ValueError, match="gap 0 is not longer than 0"):
        state_agg(MACHINE, 0)
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


# What holds of every history. Times are small, so that each microsecond can be looked at by itself.

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
    for cut in [*sorted(data.draw(st.sets(st.integers(1, len(points))))), len(points)]:
        shared = data.draw(st.integers(0, 1)) if begin else 0  # parts may touch
        pieces.append(state_agg(ordered[begin - shared : cut], gap))
        begin = cut
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
        told = interpolated_state_timeline(own, bucket, length, prev) or []
        for moment in moments:
            at = [each.state for each in told if each.start <= moment < each.end]
            assert at == [state_of_moment(points, gap, moment)] or not at
            assert at or state_of_moment(points, gap, moment) is None
        for one, two in pairwise(told):
            assert one.end < two.start or (one.end == two.start and one.state != two.state)
        prev = own or prev
    whole = state_agg(points, gap)
    for state, duration in found.items():
        assert duration == (interpolated_duration_in(whole, state, 0, length * count) or 0)
