"""The outcome of each row of a batch, and the columns that have it."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from strandline.windows.columns import Flags, Integers, flags, integers
from strandline.windows.window import Move


class Outcome:
    """Which rows entered, were pushed out or expired; rows are called by their places."""

    def __init__(self) -> None:
        self._expired: dict[int, int] = {}
        # Of each event that used a step: its place, its move.
        self._events: list[int] = []
        self._moves: list[Move] = []

    def expire(self, rows: Iterable[tuple[int, int]]) -> None:
        """Notes rows that left by time, as (place, instant in microseconds)."""
        self._expired.update(rows)

    def move(self, place: int, move: Move) -> None:
        """Notes what an event that used a step did."""
        self._events.append(place)
        self._moves.append(move)

    def columns(
        self, rows: pa.RecordBatch, places: Integers, depth: int
    ) -> tuple[pa.Array, pa.Array, pa.Array]:
        """`entered`, `expelled` and `exit` of the rows.

        Args:
            rows: all rows that were inside or read.
            places: the place of each row, in ascending order.
            depth: the length of step arrays.

        Raises:
            ValueError: a `__step` has another length than `depth` - 1.
        """
        kind = rows.schema.field("entered").type
        moves = np.fromiter(chain.from_iterable(self._moves), np.int64).reshape(-1, 3)
        events, left = _indexes(places, self._events), moves[:, 2]
        ats, seqs = integers(rows["__at"]), integers(rows["__sequence"])
        arrivals = integers(rows["__cycle_arrival"])
        has_arrival = flags(rows["__cycle_arrival"].is_valid())
        steps = np.zeros((rows.num_rows, depth), dtype=np.int64)
        steps[events, :-1] = _prefixes(rows["__step"], events, depth)
        steps[events, -1] = moves[:, 0]
        enters = np.zeros(rows.num_rows, dtype=bool)
        enters[events] = moves[:, 1]
        cycles = _cycles(kind, ats, arrivals, has_arrival, steps, enters)
        entered = pc.if_else(pa.array(enters), cycles, rows["entered"])

        # The cycle of a row that was pushed out is the one of the event that did it.
        pushed, pushers = _indexes(places, left[left >= 0]), events[left >= 0]
        causes = np.arange(rows.num_rows)
        causes[pushed] = pushers
        ats, exits, arrivals = ats[causes], seqs[causes], arrivals[causes]
        has_arrival, steps = has_arrival[causes], steps[causes]
        expired = _indexes(places, list(self._expired))
        ats[expired] = list(self._expired.values())
        has_arrival[expired], steps[expired] = False, 0
        leaves = np.zeros(rows.num_rows, dtype=bool)
        leaves[pushed] = leaves[expired] = True
        expelled = _cycles(kind, ats, arrivals, has_arrival, steps, leaves)
        return entered, expelled, pa.array(exits, mask=~leaves)


def _indexes(places: Integers, wanted: Integers | list[int]) -> npt.NDArray[np.intp]:
    """Where the wanted places are among ascending ones."""
    return np.searchsorted(places, np.array(wanted, dtype=np.int64))


def _prefixes(steps: pa.Array, events: npt.NDArray[np.intp], depth: int) -> Integers:
    """`__step` of the events, one a row."""
    taken = steps.take(pa.array(events))
    lengths = integers(pc.list_value_length(taken))
    if np.any(lengths != depth - 1):
        raise ValueError(f"a `__step` has {depth - 1} numbers, as `depth` is {depth}")
    return integers(taken.flatten()).reshape(len(events), depth - 1)


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
