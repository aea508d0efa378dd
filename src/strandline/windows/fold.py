"""The fold of a sequential window over the rows of its keys, in Arrow batches.

Rows come by key, then by `__turn` with nulls first, then by `__sequence`. Between batches one
table is kept: the rows that are inside the window of the last key.

| column                 | what the fold reads in it                                               |
| ---------------------- | ----------------------------------------------------------------------- |
| the keys               | rows of one window are adjacent; null is a value                        |
| `__turn`               | bigint; equal for events that come at once, null for open rows          |
| `__sequence`           | bigint; the number of the event                                         |
| `__at`                 | bigint; the clock of the turn's cycles, in microseconds                 |
| `__cycle_arrival`      | bigint or null; the arrival of the turn's cycles                        |
| `__step`               | array<int>; the step of the window before it in a chain, else empty     |
| `__expires`            | bigint or null; when the row expires, after `__at` (kind time)          |
| `__count`              | bigint; the window's size, the same for all rows of a key               |
| `__value`              | what is ranked (kinds highest and lowest), never null                   |
| `__group`              | the update group (rules with one); null is a group as any other         |
| `entered`              | struct<at, arrival, step> of open rows, null for events                 |
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, repeat
from typing import Any

import numpy as np
import pyarrow as pa

from strandline.windows import columns
from strandline.windows.outcome import Outcome
from strandline.windows.ranked import Ranked
from strandline.windows.rule import Rule
from strandline.windows.sliding import Sliding, Timed
from strandline.windows.window import NOTHING, Event, Window

KEY, TURN, OPEN = 1, 2, 4  # what begins with a row, and what it is


def fold_batches(batches: Iterator[pa.RecordBatch], rule: Rule) -> Iterator[pa.RecordBatch]:
    """Every row once, in any order, with `entered`, and with `expelled` and `exit` added.

    An event that never gets in has no `entered`; a row that stays inside has no `expelled`.

    Raises:
        ValueError: a size is below 1, a ranked value is null, or a step has the wrong length.
    """
    fold = Fold(rule)
    for batch in batches:
        if batch.num_rows:
            yield fold.read(batch)
    last = fold.end()
    if last is not None:
        yield last


class Fold:
    """The window of the last key, and the rows inside it.

    Attributes:
        inside: those rows, with their `entered`; None before the first batch.
    """

    def __init__(self, rule: Rule) -> None:
        self._rule = rule
        self._count = 0  # rows that were read; a row's place is the number of rows before it
        self.inside: pa.RecordBatch | None = None
        self._places = np.empty(0, dtype=np.int64)  # of the rows inside, in ascending order
        self._window: Window | None = None
        self._last: pa.RecordBatch | None = None  # the keys and the turn of the last row

    def read(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """The rows that are known to be done after this batch, which is not empty."""
        outcome = Outcome()
        window = self._window = self._decide(batch, outcome)
        end = self._count + batch.num_rows
        places = np.concatenate([self._places, np.arange(self._count, end)])
        self._count = end
        is_kept = np.isin(places, np.array(window.places(), dtype=np.int64))
        return self._done(_joined(self.inside, batch), places, outcome, is_kept)

    def end(self) -> pa.RecordBatch | None:
        """The rows that are inside the last window, after the clock of the rule expired some."""
        if self._window is None or self.inside is None:
            return None
        outcome = Outcome()
        outcome.expire(self._window.begin(self._rule.clock))
        is_kept = np.zeros(len(self._places), dtype=bool)
        return self._done(self.inside, self._places, outcome, is_kept)

    def _decide(self, batch: pa.RecordBatch, outcome: Outcome) -> Window:
        """Hands each row to the window of its key; gives the window of the last one."""
        window, clock = self._window, self._rule.clock
        codes = self._codes(batch)
        ats, sizes = (columns.integers(batch[name]) for name in ("__at", "__count"))
        is_open = (codes & OPEN).astype(bool)
        restored = iter(columns.entered_orders(batch["entered"].filter(pa.array(is_open))))
        rows = zip(codes.tolist(), ats.tolist(), self._events(batch), strict=True)
        for code, at, event in rows:
            if code & KEY:
                if window is not None:
                    outcome.expire(window.begin(clock))
                window = self._new_window(int(sizes[event[0] - self._count]))
            assert window is not None
            if code & OPEN:
                window.restore(event, next(restored))
                continue
            if code and (expired := window.begin(at)):
                outcome.expire(expired)
            move = window.add(event)
            if move is not NOTHING:
                outcome.move(event[0], move)
        assert window is not None
        return window

    def _codes(self, batch: pa.RecordBatch) -> columns.Integers:
        """For each row KEY, TURN and OPEN, added up; 0 for a row that continues a turn."""
        turns = batch.select([*self._rule.keys, "__turn"])
        both = _joined(self._last, turns)
        begins_key = np.zeros(both.num_rows - 1, dtype=bool)
        for name in self._rule.keys:
            begins_key |= columns.changes(both[name])
        begins_turn = columns.changes(both["__turn"])
        if self._last is None:
            begins_key, begins_turn = (np.append(True, each) for each in (begins_key, begins_turn))
        self._last = turns.take(pa.array([turns.num_rows - 1]))
        is_open = columns.flags(batch["__turn"].is_null())
        codes: columns.Integers = KEY * begins_key.astype(np.int64)
        codes += TURN * begins_turn + OPEN * is_open
        return codes

    def _events(self, batch: pa.RecordBatch) -> Iterator[Event]:
        rule = self._rule
        values: Any = repeat(None)
        groups: Any = repeat(None)
        if rule.is_ranked:
            values = columns.sortable(batch["__value"])
        elif rule.kind == "time":
            values = batch["__expires"].to_pylist()
            if (every := rule.every) is not None:
                values = [None if x is None else -(-x // every) * every for x in values]
        if rule.grouped:
            groups = batch["__group"].to_pylist()
        seqs = columns.integers(batch["__sequence"]).tolist()
        return zip(count(self._count), seqs, values, groups, strict=False)

    def _new_window(self, size: int) -> Window:
        if size < 1:
            raise ValueError(f"a window has 1 row or more, not {size}: leave its rows out")
        if self._rule.is_ranked:
            return Ranked(size, self._rule.kind == "highest", self._rule.grouped)
        return Timed(size) if self._rule.kind == "time" else Sliding(size)

    def _done(
        self,
        rows: pa.RecordBatch,
        places: columns.Integers,
        outcome: Outcome,
        is_kept: columns.Flags,
    ) -> pa.RecordBatch:
        """The rows that are not kept; the ones that are become `inside`."""
        entered, expelled, exits = outcome.columns(rows, places, self._rule.depth)
        index = rows.schema.get_field_index("entered")
        arrays = [*rows.columns[:index], entered, *rows.columns[index + 1 :]]
        every = pa.RecordBatch.from_arrays(arrays, schema=rows.schema)
        self.inside, self._places = every.filter(pa.array(is_kept)), places[is_kept]
        added = [pa.field("expelled", entered.type), pa.field("exit", pa.int64())]
        schema = pa.schema([*rows.schema, *added])
        done = pa.RecordBatch.from_arrays([*arrays, expelled, exits], schema=schema)
        return done.filter(pa.array(~is_kept))


def _joined(before: pa.RecordBatch | None, batch: pa.RecordBatch) -> pa.RecordBatch:
    """Both as one batch."""
    if before is None or not before.num_rows:
        return batch
    arrays = [pa.concat_arrays(both) for both in zip(before.columns, batch.columns, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=batch.schema)
