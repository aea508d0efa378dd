"""What a heartbeat aggregate must be: when something was alive; in plain Python.

Instants are Unix microseconds, durations microseconds. A beat at t shows life in [t, t + interval);
each summary is of a range [start, end). Nothing of the product is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise

Range = tuple[int, int]


@dataclass(frozen=True)
class Heartbeats:
    """`last_beat` is kept because its life may reach beyond the end."""

    start: int
    end: int
    interval: int
    last_beat: int | None
    live: tuple[Range, ...]


def heartbeat_agg(
    times: Iterable[int | None], start: int, length: int, interval: int
) -> Heartbeats:
    """The summary of beats within [start, start + length); none at all is a dead range."""
    if length <= 0 or interval <= 0:
        raise ValueError(
            f"heartbeat_agg: length {length} and interval {interval} must be longer than 0"
        )
    end, beats = start + length, sorted(time for time in times if time is not None)
    for beat in beats:
        if not start <= beat < end:
            raise ValueError(f"heartbeat_agg: a beat at {beat} lies outside [{start}, {end})")
    live = _merged([(beat, beat + interval) for beat in beats], start, end)
    return Heartbeats(start, end, interval, beats[-1] if beats else None, live)


def rollup_heartbeats(parts: Iterable[Heartbeats | None]) -> Heartbeats | None:
    """One summary from the least start to the greatest end; parts may overlap.

    The time between parts is dead but for the life of the last beat before.
    """
    known = [part for part in parts if part]
    if not known:
        return None
    for left, right in pairwise(known):
        if left.interval != right.interval:
            raise ValueError(f"rollup: intervals {left.interval} and {right.interval} differ")
    start, end = min(part.start for part in known), max(part.end for part in known)
    beats = [part.last_beat for part in known if part.last_beat is not None]
    live = [range_ for part in known for range_ in part.live]
    live += [(beat, beat + known[0].interval) for beat in beats]
    return Heartbeats(
        start, end, known[0].interval, max(beats, default=None), _merged(live, start, end)
    )


def interpolate(summary: Heartbeats, prev: Heartbeats | None) -> Heartbeats:
    """The summary with the life of the last beat before it.

    Without a beat of its own it carries that one on, so that a life may cross several ranges.
    """
    if prev is None:
        return summary
    if prev.interval != summary.interval:
        raise ValueError(f"interpolate: intervals {prev.interval} and {summary.interval} differ")
    if prev.end > summary.start:
        raise ValueError(f"interpolate: prev ends at {prev.end}, after {summary.start}")
    if prev.last_beat is None:
        return summary
    carried = (prev.last_beat, prev.last_beat + prev.interval)
    return replace(
        summary,
        last_beat=prev.last_beat if summary.last_beat is None else summary.last_beat,
        live=_merged([carried, *summary.live], summary.start, summary.end),
    )


def trim_to(summary: Heartbeats, start: int, length: int) -> Heartbeats:
    """The summary of a narrower range. Nothing is known of single beats inside of a live range.

    So the last beat before the new end is known only where a live range ends less than an interval
    after that; else the life is taken to end with the range.
    """
    end = start + length
    if start < summary.start or end > summary.end or start >= end:
        raise ValueError(
            f"trim_to: [{start}, {end}) is no part of [{summary.start}, {summary.end})"
        )
    known = list(summary.live)
    if summary.last_beat is not None and summary.last_beat + summary.interval > summary.end:
        known[-1] = (known[-1][0], summary.last_beat + summary.interval)
    kept = [(begin, stop) for begin, stop in known if begin < end and stop > start]
    last = min(kept[-1][1], end) - summary.interval if kept else None
    if kept and kept[-1][1] - summary.interval < end:
        last = kept[-1][1] - summary.interval
    return replace(
        summary, start=start, end=end, last_beat=last, live=_merged(summary.live, start, end)
    )


def live_ranges(summary: Heartbeats) -> list[Range]:
    return list(summary.live)


def dead_ranges(summary: Heartbeats) -> list[Range]:
    """What is left of the range, also before the first live one and after the last."""
    edges = [(summary.start, summary.start), *summary.live, (summary.end, summary.end)]
    return [(left, right) for (_, left), (right, _) in pairwise(edges) if left < right]


def uptime(summary: Heartbeats) -> int:
    return sum(end - start for start, end in summary.live)


def downtime(summary: Heartbeats) -> int:
    return summary.end - summary.start - uptime(summary)


def live_at(summary: Heartbeats, time: int) -> bool | None:
    """None outside the range, of which nothing is known."""
    if not summary.start <= time < summary.end:
        return None
    return any(start <= time < end for start, end in summary.live)


def num_gaps(summary: Heartbeats) -> int:
    return len(dead_ranges(summary))


def interpolated_uptime(summary: Heartbeats, prev: Heartbeats | None) -> int:
    return uptime(interpolate(summary, prev))


def interpolated_downtime(summary: Heartbeats, prev: Heartbeats | None) -> int:
    return downtime(interpolate(summary, prev))


def _merged(ranges: Iterable[Range], start: int, end: int) -> tuple[Range, ...]:
    """Limited to [start, end), and joined where they overlap or adjoin."""
    found: list[Range] = []
    for begin, stop in sorted((max(begin, start), min(stop, end)) for begin, stop in ranges):
        if begin >= stop:
            continue
        if found and begin <= found[-1][1]:
            found[-1] = (found[-1][0], max(found[-1][1], stop))
        else:
            found.append((begin, stop))
    return tuple(found)
