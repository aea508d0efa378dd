"""What counts of a signal within a bucket, its neighbours' part included: in plain Python.

A value reaches from its point into the buckets that follow; LOCF at most for the gap, linear along
the line to the next point. So time may count in a bucket without a point.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from tests.engine.time_weight.oracle import (
    Interpolated,
    Point,
    TimeWeight,
    agree,
    counted_between,
    signal_of,
    time_weight,
    total,
)


def interpolated(
    summary: TimeWeight | None,
    start: int,
    length: int,
    prev: TimeWeight | None = None,
    next_: TimeWeight | None = None,
) -> Interpolated:
    """What counts in [start, start + length): the bucket's own points, and its neighbours' reach.

    `prev` is the nearest summary before and `next_` the nearest after, over empty buckets too.
    A bucket without points (no summary) is between two points, limited by both of its bounds.
    """
    end, neighbours = start + length, [each for each in (prev, summary, next_) if each]
    agree("interpolated", neighbours)
    if prev and prev.last_time >= start:
        raise ValueError(f"interpolated: prev ends at {prev.last_time}, not before {start}")
    if next_ and next_.first_time < end:
        raise ValueError(f"interpolated: next begins at {next_.first_time}, before {end}")
    if summary and not start <= summary.first_time <= summary.last_time < end:
        raise ValueError(
            f"interpolated: points from {summary.first_time} to {summary.last_time} "
            f"lie outside [{start}, {end})"
        )
    before, after = prev and prev.last, next_ and next_.first
    pairs = [(before, summary.first), (summary.last, after)] if summary else [(before, after)]
    found = [
        counted_between(neighbours[0].method, neighbours[0].gap, left, right, start, end)
        for left, right in pairs
        if left
    ]
    if summary:
        found.append((summary.weighted_sum, summary.elapsed))
    return Interpolated(total(area for area, _ in found), sum(micros for _, micros in found))


def interpolated_buckets(
    points: Iterable[tuple],
    method: str,
    gap: int | None,
    start: int,
    stop: int,
    length: int,
    nulls: str = "ignore",
) -> list[tuple[int, TimeWeight | None, Interpolated]]:
    """Each bucket of [start, stop): its start, the summary of its points, and what counts in it.

    Points outside the range are neighbours: they reach into it.
    """
    if (stop - start) % length:
        raise ValueError(f"interpolated_buckets: {stop - start} is no multiple of {length}")
    by_bucket: dict[int, list[Point]] = defaultdict(list)
    for point in signal_of(points, nulls):
        by_bucket[start + (point.time - start) // length * length].append(point)
    summaries = {
        bucket: time_weight(by_bucket[bucket], method, gap, nulls) for bucket in sorted(by_bucket)
    }
    found = []
    for bucket in range(start, stop, length):
        before = [summaries[each] for each in summaries if each < bucket]
        after = [summaries[each] for each in summaries if each > bucket]
        prev, next_ = before[-1] if before else None, after[0] if after else None
        own = summaries.get(bucket)
        found.append((bucket, own, interpolated(own, bucket, length, prev, next_)))
    return found
