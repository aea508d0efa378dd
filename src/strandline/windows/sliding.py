"""Windows that push out the oldest row: a number of rows, and a time with a maximum.

    last 10, 12 events at once    step 0: 10 enter │ step 1: 1 out, 1 in │ step 2: 1 out, 1 in
    max 10, 25 events at once     step 0: 10 enter │ step 1: 10 out, 10 in │ step 2: 5 out, 5 in

Source: StreamCruncher, "Event Processing Constructs", 1) and 2).
"""

from __future__ import annotations

from bisect import insort
from collections import OrderedDict
from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from typing import Any

from strandline.windows.window import Event, Move

FEW = 100  # rows that are not worth removing from a heap


class Sliding:
    """`last N`: when it is full, one event enters in a step and the oldest row leaves."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._inside: OrderedDict[int, int | None] = OrderedDict()  # place → when it expires
        self._restored: list[tuple[Any, int, int, int | None]] = []  # entered, seq, place, expires
        self._step = -1

    def restore(self, event: Event, entered: Any) -> None:
        place, seq, expires, _ = event
        insort(self._restored, (entered, seq, place, expires), key=lambda row: row[:2])

    def begin(self, at: int) -> Sequence[tuple[int, int]]:  # noqa: ARG002
        self._step = -1
        for _, _, place, expires in self._restored:
            self._inside[place] = expires
        self._restored.clear()
        return ()

    def add(self, event: Event) -> Move:
        inside = self._inside
        left = -1
        if len(inside) < self._size:
            self._step = 0
        else:
            self._step += self._is_new_step()
            left, _ = inside.popitem(last=False)
        inside[event[0]] = event[2]
        return (self._step, True, left)

    def _is_new_step(self) -> bool:
        """Whether pushing out one more row needs a new step."""
        return True

    def places(self) -> list[int]:
        return [row[2] for row in self._restored] or list(self._inside)


class Timed(Sliding):
    """`last N minutes max M`: a full window pushes out as many as wait, but no row of the step."""

    def __init__(self, size: int) -> None:
        super().__init__(size)
        self._expiries: list[tuple[int, int]] = []  # a heap; rows pushed out are still there
        self._left_to_push = 0

    def begin(self, at: int) -> Sequence[tuple[int, int]]:
        restored = [(row[3], row[2]) for row in self._restored if row[3] is not None]
        super().begin(at)
        self._left_to_push = 0
        for expiry in restored:
            heappush(self._expiries, expiry)
        expired = []
        while self._expiries and self._expiries[0][0] <= at:
            instant, place = heappop(self._expiries)
            if place in self._inside:
                del self._inside[place]
                expired.append((place, instant))
        return expired

    def add(self, event: Event) -> Move:
        move = super().add(event)
        if event[2] is not None:
            heappush(self._expiries, (event[2], event[0]))
            if len(self._expiries) > 2 * self._size + FEW:
                inside = self._inside.items()
                self._expiries = [(at, place) for place, at in inside if at is not None]
                heapify(self._expiries)
        return move

    def _is_new_step(self) -> bool:
        is_new = self._left_to_push == 0
        if is_new:
            self._left_to_push = len(self._inside)
        self._left_to_push -= 1
        return is_new
