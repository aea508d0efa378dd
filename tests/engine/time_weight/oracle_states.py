"""What a state aggregate must be: how long each state lasted, and when; in plain Python.

Instants are Unix microseconds, durations microseconds. A state lasts until the next point, at most
for the gap; the time after that is in no state. Nothing of the product is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

State = str | int


class Period(NamedTuple):
    """[start, end), of no length for the last point of a summary."""

    state: State
    start: int
    end: int


@dataclass(frozen=True)
class StateAgg:
    """The compact form is this without its timeline."""

    gap: int | None
    first_time: int
    first_state: State
    last_time: int
    last_state: State
    durations: dict[State, int]
    timeline: tuple[Period, ...]


def state_agg(points: Iterable[tuple], gap: int | None) -> StateAgg | None:
    """The summary of points (time, state), in whatever order they come."""
    if gap is not None and gap <= 0:
        raise ValueError(f"state_agg: gap {gap} is not longer than 0")
    states: dict[int, State] = {}
    for time, state in points:
        if time is None or state is None:
            continue
        if states.setdefault(time, state) != state:
            raise _two_states("state_agg", time, states[time], state)
    signal = sorted(states.items())
    if not signal:
        return None
    (first_time, first_state), (last_time, last_state) = signal[0], signal[-1]
    periods = [
        Period(state, time, _until(gap, time, following))
        for (time, state), (following, _) in pairwise(signal)
    ]
    periods.append(Period(last_state, last_time, last_time))
    return StateAgg(
        gap, first_time, first_state, last_time, last_state, _durations(periods), _joined(periods)
    )


def rollup_states(parts: Iterable[StateAgg | None]) -> StateAgg | None:
    """One summary of all; the last state of each part is carried to the next, at most for the gap.

    Parts may adjoin: they share a point.
    """
    known = sorted((part for part in parts if part), key=lambda p: (p.first_time, p.last_time))
    if not known:
        return None
    periods = list(known[0].timeline)
    for left, right in pairwise(known):
        if left.gap != right.gap:
            raise ValueError(f"rollup: gaps {left.gap} and {right.gap} differ")
        if right.first_time < left.last_time:
            raise ValueError(
                f"rollup: parts overlap: one lasts from {left.first_time} to {left.last_time}, "
                f"another from {right.first_time} to {right.last_time}"
            )
        if right.first_time == left.last_time and right.first_state != left.last_state:
            raise _two_states("rollup", left.last_time, left.last_state, right.first_state)
        until = _until(left.gap, left.last_time, right.first_time)
        periods += [Period(left.last_state, left.last_time, until), *right.timeline]
    return StateAgg(
        known[0].gap,
        known[0].first_time,
        known[0].first_state,
        known[-1].last_time,
        known[-1].last_state,
        _durations(periods),
        _joined(periods),
    )


def duration_in(
    summary: StateAgg | None, state: State, start: int | None = None, length: int | None = None
) -> int | None:
    """The time in a state, within [start, start + length) if given; without length, from the start."""
    if start is None and length is not None:
        raise ValueError(f"duration_in: length {length} without a start")
    if summary is None:
        return None
    if start is None:
        return summary.durations.get(state, 0)
    end = None if length is None else start + length
    return _time_in(summary.timeline, state, start, end)


def interpolated_duration_in(
    summary: StateAgg | None, state: State, start: int, length: int, prev: StateAgg | None = None
) -> int | None:
    """The time in a state within a bucket: the state before it reaches in, the last to its end.

    A bucket without points (no summary) has what `prev` carries into it; without either nothing is
    known of it.
    """
    periods = _interpolated_periods("interpolated_duration_in", summary, start, length, prev)
    return None if periods is None else _time_in(periods, state, start, start + length)


def interpolated_state_timeline(
    summary: StateAgg | None, start: int, length: int, prev: StateAgg | None = None
) -> list[Period] | None:
    """The states of a bucket from its start to its end; what only begins at the end is not there."""
    periods = _interpolated_periods("interpolated_state_timeline", summary, start, length, prev)
    if periods is None:
        return None
    limited = [
        each._replace(start=max(each.start, start), end=min(each.end, start + length))
        for each in sorted(periods, key=lambda each: each.start)
    ]
    return list(_joined([each for each in limited if each.start < each.end]))


def interpolated_state_periods(
    summary: StateAgg | None, state: State, start: int, length: int, prev: StateAgg | None = None
) -> list[tuple[int, int]] | None:
    timeline = interpolated_state_timeline(summary, start, length, prev)
    if timeline is None:
        return None
    return [(each.start, each.end) for each in timeline if each.state == state]


def state_at(summary: StateAgg | None, time: int) -> State | None:
    """The state at an instant; none in a gap, before the first point and after the last."""
    if summary is None:
        return None
    if time == summary.last_time:
        return summary.last_state
    return next((each.state for each in summary.timeline if each.start <= time < each.end), None)


def state_periods(summary: StateAgg | None, state: State) -> list[tuple[int, int]]:
    return [(each.start, each.end) for each in state_timeline(summary) if each.state == state]


def state_timeline(summary: StateAgg | None) -> list[Period]:
    """By time; equal states that adjoin are one period, with a gap between them they are two."""
    return list(summary.timeline) if summary else []


def into_values(summary: StateAgg | None) -> list[tuple[State, int]]:
    """Each state that occurred with its duration, also of none, in the order of the states."""
    return sorted(summary.durations.items()) if summary else []


def _interpolated_periods(
    caller: str, summary: StateAgg | None, start: int, length: int, prev: StateAgg | None
) -> list[Period] | None:
    """What lasts in a bucket, not yet limited to it: the state before it, its own, its last one to its end."""
    if summary is None and prev is None:
        return None
    end = start + length
    if summary and prev and summary.gap != prev.gap:
        raise ValueError(f"{caller}: gaps {prev.gap} and {summary.gap} differ")
    if prev and prev.last_time >= start:
        raise ValueError(f"{caller}: prev ends at {prev.last_time}, not before {start}")
    if summary and not start <= summary.first_time <= summary.last_time < end:
        raise ValueError(
            f"{caller}: points from {summary.first_time} to {summary.last_time} "
            f"lie outside [{start}, {end})"
        )
    periods = list(summary.timeline) if summary else []
    for left, following in ((prev, summary.first_time if summary else end), (summary, end)):
        if left:
            until = _until(left.gap, left.last_time, following)
            periods.append(Period(left.last_state, left.last_time, until))
    return periods


def _until(gap: int | None, time: int, following: int) -> int:
    return following if gap is None else min(following, time + gap)


def _durations(periods: list[Period]) -> dict[State, int]:
    found = dict.fromkeys((each.state for each in periods), 0)
    for each in periods:
        found[each.state] += each.end - each.start
    return found


def _joined(periods: list[Period]) -> tuple[Period, ...]:
    found = periods[:1]
    for each in periods[1:]:
        if (each.state, each.start) == (found[-1].state, found[-1].end):
            found[-1] = found[-1]._replace(end=each.end)
        else:
            found.append(each)
    return tuple(found)


def _time_in(periods: Iterable[Period], state: State, start: int, end: int | None) -> int:
    return sum(
        max((each.end if end is None else min(each.end, end)) - max(each.start, start), 0)
        for each in periods
        if each.state == state
    )


def _two_states(caller: str, time: int, one: State, other: State) -> ValueError:
    return ValueError(f"{caller}: two states at {time}: {one!r} and {other!r}")
