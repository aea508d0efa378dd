"""Windows of the highest or the lowest values, with or without an update group.

    highest 3, inside 5 7 9
        7 arrives           5 leaves, 7 enters         a step of its own
        4 arrives           nothing happens            no step
        9 becomes 6 (1)     9 leaves, 6 enters         a step of its own
        9 becomes 4 (1)     9 leaves, 4 does not enter: 5 and 7 are better
    (1) of the same update group

Source: StreamCruncher, "Highest/Lowest values Window".
"""

from __future__ import annotations

import operator
from bisect import bisect_left, insort
from collections.abc import Sequence
from typing import Any

from strandline.windows.window import NOTHING, Event, Move

Entry = tuple[Any, int, int, Any]  # value, seq (negative for lowest), place, group


class Ranked:
    """`highest N` or `lowest N`: the worst row leaves; of equal ones the older is the worse.

    Rows are in the order of values. Highest has the worst first; among equal values that is the
    least seq. Lowest has it last, and its seqs are negative.
    """

    def __init__(self, size: int, is_highest: bool, is_grouped: bool) -> None:
        self._size = size
        self._worst, self._sign = (0, 1) if is_highest else (-1, -1)
        self._reaches = operator.ge if is_highest else operator.le
        self._is_grouped = is_grouped
        self._inside: list[Entry] = []
        self._groups: dict[Any, Entry] = {}
        self._step = -1
        self._is_filling = False

    def restore(self, event: Event, entered: Any) -> None:  # noqa: ARG002
        self._enter(event)

    def begin(self, at: int) -> Sequence[tuple[int, int]]:  # noqa: ARG002
        self._step = -1
        self._is_filling = False
        return ()

    def add(self, event: Event) -> Move:
        inside = self._inside
        is_full = len(inside) >= self._size
        if self._is_grouped:
            previous = self._groups.pop(event[3], None)
            if previous is not None:
                return self._replace(previous, event, is_full)
        if not is_full:
            if not self._is_filling:
                self._is_filling = True
                self._step += 1
            self._enter(event)
            return (self._step, True, -1)
        if not self._reaches(event[2], inside[self._worst][0]):
            return NOTHING
        worst = inside.pop(self._worst)
        if self._is_grouped:
            self._groups.pop(worst[3], None)
        self._enter(event)
        return (self._displacing_step(), True, worst[2])

    def _replace(self, previous: Entry, event: Event, is_full: bool) -> Move:
        """The group's previous row leaves; the event enters unless all others of a full window win.

        An event that is as good as the worst of the others enters, as it would without a group.
        """
        inside = self._inside
        del inside[bisect_left(inside, previous)]
        enters = not is_full or not inside or self._reaches(event[2], inside[self._worst][0])
        if enters:
            self._enter(event)
        return (self._displacing_step(), enters, previous[2])

    def _displacing_step(self) -> int:
        self._is_filling = False
        self._step += 1
        return self._step

    def _enter(self, event: Event) -> None:
        place, seq, value, group = event
        entry = (value, self._sign * seq, place, group)
        insort(self._inside, entry)
        if self._is_grouped:
            self._groups[group] = entry

    def places(self) -> list[int]:
        return [entry[2] for entry in self._inside]
