"""Buckets of keys: a run rewrites the state of the buckets whose keys have new events."""

from __future__ import annotations

from collections.abc import Iterable

BUCKETS = 8


def bucket_sql(columns: Iterable[str]) -> str:
    """The SQL of the bucket of a key, from 0 on; one bucket for all where there is no key."""
    listed = ", ".join(columns)
    return f"pmod(hash({listed}), {BUCKETS})" if listed else "0"


def buckets_sql(columns: Iterable[str]) -> str:
    """The SQL of the buckets of all rows, as the bits of one number."""
    return f"bit_or(shiftleft(1, {bucket_sql(columns)}))"


def buckets_in(bits: int | None) -> list[str]:
    """The parts of the table for the value of `buckets_sql`."""
    return [str(place) for place in range(BUCKETS) if (bits or 0) >> place & 1]
