"""What each kind of window does with the events of a turn: one window, one step after the other.

A kind yields moves. The caller does a move before it takes the next one, so that `inside` is
always what is in the window, the oldest first.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from tests.engine.windows.oracle_rows import Item, Stay, Store


class Move(NamedTuple):
    step: int
    leaving: list[tuple[Stay, int]]  # with their exit
    entering: list[Item]


def moves(store: Store, size: int, inside: list[Stay], items: list[Item]) -> Iterator[Move]:
    """Items are the events of the turn that may enter, in their order."""
    if store.kind in ("sliding", "random"):
        return _sliding(size, inside, items)
    if store.kind == "tumbling":
        return _tumbling(size, inside, items)
    if store.kind == "time":
        return _time(store.max, inside, items)
    return _extreme(store, size, inside, items)


def _sliding(size: int, inside: list[Stay], items: list[Item]) -> Iterator[Move]:
    free = size - len(inside)
    if free:
        yield Move(0, [], items[:free])
    first = 1 if free else 0
    for step, item in enumerate(items[free:], start=first):
        yield Move(step, [(inside[0], item.entry)], [item])


def _tumbling(size: int, inside: list[Stay], items: list[Item]) -> Iterator[Move]:
    for step, first in enumerate(range(0, len(items), size)):
        yield Move(step, [(stay, stay.entry) for stay in inside], items[first : first + size])


def _time(most: int | None, inside: list[Stay], items: list[Item]) -> Iterator[Move]:
    if most is None:
        yield Move(0, [], items)
        return
    step, waiting = 0, items
    while waiting:
        free = most - len(inside)
        batch, waiting = waiting[: free or most], waiting[free or most :]
        pushed = [] if free else inside[: len(batch)]
        exits = [item.entry for item in batch[: len(pushed)]]
        yield Move(step, list(zip(pushed, exits, strict=True)), batch)
        step += 1


@dataclass
class Steps:
    """A step fills free slots, with any number of events, or handles one event that displaces."""

    step: int = 0
    used: Literal["filled", "displaced"] | None = None

    def filling(self) -> int:
        return self._next("filled", shared=True)

    def displacing(self) -> int:
        return self._next("displaced", shared=False)

    def _next(self, use: Literal["filled", "displaced"], shared: bool) -> int:
        if self.used is not None and not (shared and self.used == use):
            self.step += 1
        self.used = use
        return self.step


def _extreme(store: Store, size: int, inside: list[Stay], items: list[Item]) -> Iterator[Move]:
    def rank(row: dict) -> float:
        return row[store.using] if store.kind == "highest" else -row[store.using]

    def group(row: dict) -> tuple:
        return tuple(row[name] for name in store.update_group)

    steps = Steps()
    for item in items:
        value, full = rank(item.row), len(inside) == size
        old = [s for s in inside if store.update_group and group(s.row) == group(item.row)]
        if old:
            others = [rank(stay.row) for stay in inside if stay is not old[0]]
            beaten = full and bool(others) and all(other > value for other in others)
            yield Move(steps.displacing(), [(old[0], item.entry)], [] if beaten else [item])
        elif not full:
            yield Move(steps.filling(), [], [item])
        else:
            worst = min(inside, key=lambda stay: (rank(stay.row), stay.entry))
            if value >= rank(worst.row):
                yield Move(steps.displacing(), [(worst, item.entry)], [item])
