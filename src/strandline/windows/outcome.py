"""What became of the rows of a batch, and the columns that say so."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from strandline.windows.columns import Flags, Integers, flags, integers


class Outcome:
    """Which rows entered, were pushed out or expired; rows are called by their places."""

    def __init__(self, rows: int) -> None:
        self.steps = [-1] * rows  # the step that an event used, -1 for none
        self.pushers = [-1] * rows  # the event that pushed a row out, -1 for none
        self.refused: list[int] = []  # events that pushed a row out without entering
        self._expired: dict[int, int] = {}

    def expire(self, rows: Iterable[tuple[int, int]]) -> None:
        """Notes rows that left by time, as (place, instant in microseconds)."""
        self._expired.update(rows)

    def columns(self, rows: pa.RecordBatch, depth: int) -> tuple[pa.Array, pa.Array, pa.Array]:
        """`entered`, `expelled` and `exit` of the rows; `depth` is the length of step arrays.

        Raises:
            ValueError: a `window_step` has another length than `depth` - 1.
        """
        kind = rows.schema.field("entered").type
        used = np.array(self.steps, dtype=np.int64)
        enters = used >= 0
        enters[self.refused] = False
        ats, seqs = integers(rows["window_at"]), integers(rows["window_seq"])
        arrivals = integers(rows["window_cycle_arrival"])
        has_arrival = flags(rows["window_cycle_arrival"].is_valid())
        steps = _steps(rows["window_step"], used, depth)
        cycles = _cycles(kind, ats, arrivals, has_arrival, steps, enters)
        entered = pc.if_else(pa.array(enters), cycles, rows["entered"])

        # The cycle of a row that was pushed out is the one of the event that did it.
        events = np.array(self.pushers, dtype=np.int64)
        leaves = events >= 0
        events[~leaves] = 0
        ats, exits, arrivals = ats[events], seqs[events], arrivals[events]
        has_arrival, steps = has_arrival[events], steps[events]
        expired = np.fromiter(self._expired, np.int64, len(self._expired))
        ats[expired] = np.fromiter(self._expired.values(), np.int64, len(self._expired))
        exits[expired], has_arrival[expired], steps[expired] = seqs[expired], False, 0
        leaves[expired] = True
        expelled = _cycles(kind, ats, arrivals, has_arrival, steps, leaves)
        return entered, expelled, pa.array(exits, mask=~leaves)


def _steps(prefixes: pa.Array, used: Integers, depth: int) -> Integers:
    """The step arrays, one a row, of the events that used a step; zeros for all others."""
    places = np.flatnonzero(used >= 0)
    taken = prefixes.take(pa.array(places))
    lengths = pc.list_value_length(taken).fill_null(0)
    if not pc.all(pc.equal(lengths, depth - 1)).as_py() and len(places):
        raise ValueError(f"a `window_step` has {depth - 1} numbers, as `depth` is {depth}")
    steps = np.zeros((len(used), depth), dtype=np.int64)
    steps[places, :-1] = integers(taken.flatten()).reshape(len(places), depth - 1)
    steps[places, -1] = used[places]
    return steps


def _cycles(
    kind: pa.DataType,
    ats: Integers,
    arrivals: Integers,
    has_arrival: Flags,
    steps: Integers,
    is_there: Flags,
) -> pa.Array:
    """A column of cycles, of the struct `kind`; null where there is none."""
    rows, depth = steps.shape
    at, arrival, step = (kind.field(name).type for name in ("at", "arrival", "step"))
    offsets = np.arange(0, rows * depth + 1, depth, dtype=np.int32)
    numbers = pa.array(steps.ravel()).cast(step.value_type)
    return pa.StructArray.from_arrays(
        [
            pa.array(ats).cast(at),
            pa.array(arrivals, mask=~has_arrival).cast(arrival),
            pa.ListArray.from_arrays(pa.array(offsets), numbers, type=step),
        ],
        fields=list(kind),
        mask=pa.array(~is_there),
    )
