"""What a counter aggregate must be: by how much a counter has grown; in plain Python.

A counter only grows; a value below the one before it has begun again at zero. Instants are Unix
microseconds, sums are exact. Nothing of the product is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

Reading = tuple[int, Fraction]


@dataclass(frozen=True)
class Counter:
    delta: Fraction
    resets: int
    changes: int
    points: int
    first: Reading
    last: Reading

    @property
    def elapsed(self) -> int:
        return self.last[0] - self.first[0]

    @property
    def rate(self) -> Fraction | None:
        """A second."""
        return self.delta / Fraction(self.elapsed, 1_000_000) if self.elapsed else None


def counter_agg(points: Iterable[tuple[int | None, float | None, int]]) -> Counter | None:
    """Of points (time, value, arrival); of equal times the first to arrive counts."""
    known = sorted((t, a, Fraction(v)) for t, v, a in points if t is not None and v is not None)
    readings: list[Reading] = []
    for t, _, value in known:
        if not readings or readings[-1][0] != t:
            readings.append((t, value))
    if not readings:
        return None
    pairs = list(pairwise(value for _, value in readings))
    return Counter(
        sum((grown(before, after) for before, after in pairs), Fraction(0)),
        sum(after < before for before, after in pairs),
        sum(after != before for before, after in pairs),
        len(readings), readings[0], readings[-1],
    )  # fmt: skip


def grown(before: Fraction, after: Fraction) -> Fraction:
    return after - before if after >= before else after


def interpolated(
    own: Counter | None, before: Reading | None, after: Reading | None, start: int, end: int
) -> tuple[Fraction | None, int] | None:
    """What a counter has grown in [start, end), and the time that is known of it.

    Between the last reading before and the first in the bucket, and so on, it grows evenly.
    """
    inside = [] if own is None else [own.first, own.last]
    readings = [*([before] if before else []), *inside, *([after] if after else [])]
    if not readings:
        return None
    total, known, found = Fraction(0), 0, own is not None
    for one, other in pairwise(readings):
        if own is not None and (one, other) == (own.first, own.last):
            total, known = total + own.delta, known + own.elapsed
            continue
        part = min(other[0], end) - max(one[0], start)
        total += grown(one[1], other[1]) * Fraction(part, other[0] - one[0])
        known, found = known + part, True
    return (total if found else None), known
