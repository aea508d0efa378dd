"""The fold of smoothed series over the buckets of their keys, in Arrow batches.

Rows of a series are adjacent, in the order of `__position`.

| column       | what the fold reads in it                                                         |
| ------------ | --------------------------------------------------------------------------------- |
| `__begins`   | boolean; a series begins with this row                                            |
| `__position` | bigint; one row a bucket                                                          |
| `__place`    | int; of the bucket in the season, from 0 on                                       |
| `__trained`  | double or null; the value, if it is to be learned from                            |
| `__is_last`  | boolean; the state after this bucket is wanted                                    |
| `state`      | the state after this bucket, of an earlier run: then the row is no bucket to read |
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from strandline.seasons.rule import Rule
from strandline.seasons.series import NONE, Series

READ = ("__begins", "__position", "__place")
SMOOTHED = pa.struct(
    [(name, pa.float64()) for name in ("level", "trend")]
    + [("season", pa.list_(pa.float64()))]
    + [(name, pa.float64()) for name in ("variance", "alpha", "beta", "gamma")]
)
STATE = pa.struct(
    [
        ("position", pa.int64()),
        ("smoothed", SMOOTHED),
        ("first", pa.int64()),
        ("values", pa.list_(pa.float64())),
        ("places", pa.list_(pa.int32())),
        ("damping", pa.float64()),
        ("is_factor", pa.bool_()),
    ]
)


def fold_batches(batches: Iterator[pa.RecordBatch], rule: Rule) -> Iterator[pa.RecordBatch]:
    """The buckets with `expected` and `deviation` (null while a series learns), and with `state`
    where it is wanted. Rows with a state of an earlier run are not among them.
    """
    series = Series(rule)
    for batch in batches:
        kept: list[int] = []
        found: list[tuple[float | None, float | None]] = []
        states: list[dict[str, Any] | None] = []
        for row, (begins, position, place, value, is_last, state) in enumerate(_rows(batch)):
            if begins:
                series = Series(rule)
            if state is not None:
                series = Series.restore(state, rule)
                continue
            kept.append(row)
            found.append(series.read(position, place, value) or (None, None))
            states.append(series.state() if is_last else None)
        yield _done(batch.take(pa.array(kept, pa.int64())), found, states)


def _rows(batch: pa.RecordBatch) -> Iterator[tuple[Any, ...]]:
    columns = [batch[name].to_pylist() for name in READ]
    values = pc.fill_null(batch["__trained"], NONE).to_pylist()
    wanted, states = batch["__is_last"].to_pylist(), batch["state"].to_pylist()
    return zip(*columns, values, wanted, states, strict=True)


def _done(
    rows: pa.RecordBatch,
    found: list[tuple[float | None, float | None]],
    states: list[dict[str, Any] | None],
) -> pa.RecordBatch:
    added = {
        "state": pa.array(states, STATE),
        "expected": pa.array([one for one, _ in found], pa.float64()),
        "deviation": pa.array([one for _, one in found], pa.float64()),
    }
    columns = {name: rows[name] for name in rows.schema.names} | added
    return pa.RecordBatch.from_pydict(columns)
