"""What a window table reads and writes: events, stays, late rows and versions.

Times are whole microseconds. A key is the tuple of the values of the key columns.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

SECOND = 1_000_000

Key = tuple
Kind = Literal["sliding", "time", "tumbling", "random", "highest", "lowest"]
Reason = Literal["from the future", "no time", "size", "late", "value"]
ByKey = int | Callable[[Key], int | None] | None


class Cycle(NamedTuple):
    """In the order of a struct in Spark: nulls first, and steps as arrays."""

    at: int | None
    arrival: int | None
    step: tuple[int, ...]

    @property
    def order(self) -> tuple:
        return (self.at is not None, self.at, self.arrival is not None, self.arrival, self.step)

    def __lt__(self, other: Cycle) -> bool:
        return self.order < other.order

    def __le__(self, other: Cycle) -> bool:
        return self.order <= other.order

    def __gt__(self, other: Cycle) -> bool:
        return self.order > other.order

    def __ge__(self, other: Cycle) -> bool:
        return self.order >= other.order


@dataclass(frozen=True)
class Event:
    arrival: int
    ts: int | None
    row: dict[str, Any]
    clock: int | None = None  # the column of arrival times; read if the window is `clocked`
    bound: int | None = None  # the latest time it may have; read if the window is `bounded`


@dataclass(frozen=True)
class Store:
    """`count` is the N in rows, `size` the length in time; both may be a function of the key."""

    kind: Kind
    count: ByKey = None
    size: ByKey = None
    max: int | None = None
    seed: int | None = None  # for the product alone: see `Window.accept`
    using: str | None = None
    update_group: tuple[str, ...] = ()

    def size_of(self, key: Key) -> int | None:
        size = self.size if self.kind == "time" else self.count
        return size(key) if callable(size) else size


@dataclass(frozen=True)
class Aggregate:
    """A column of None counts rows. A baseline is a number or a function of the key."""

    function: str
    column: str | None
    entrance: bool = False
    diff: bool = False
    baseline: float | Callable[[Key], float | None] | None = None


@dataclass(frozen=True)
class Window:
    store: Store
    keys: tuple[str, ...] = ()
    where: Callable[[dict[str, Any]], bool | None] | None = None
    aggregates: dict[str, Aggregate] = field(default_factory=dict)
    pinned: bool = False
    weight: float | None = None
    weights: tuple[tuple[Callable[[dict[str, Any]], bool], float], ...] = ()  # by condition
    every: int | None = None
    accept: Callable[[Event], bool] | None = None  # of a random window: the hash is Spark's
    clocked: bool = False  # the clock is `Event.clock`, not `Event.ts`
    bounded: bool = False  # `not_after` is `Event.bound`
    timely: Callable[[Event], bool] | None = None  # a pre-filter that reads times; with `where`

    def key_of(self, row: dict[str, Any]) -> Key:
        return tuple(row[name] for name in self.keys)


@dataclass
class Stay:
    row: dict[str, Any]
    key: Key
    entered: Cycle
    expelled: Cycle | None
    entry: int
    exit: int | None
    ts: int | None


@dataclass(frozen=True)
class Late:
    """A row that never enters, and why."""

    row: dict[str, Any]
    key: Key
    reason: Reason
    entry: int


@dataclass
class Version:
    key: Key
    values: dict[str, Any]
    entered: Cycle
    expelled: Cycle | None
    entry: int
    exit: int | None


@dataclass(frozen=True)
class Item:
    """An accepted event on its way into its window."""

    entry: int
    ts: int | None
    row: dict[str, Any]
    key: Key
    arrived_at: int | None  # the clock when it arrived


@dataclass(frozen=True)
class Table:
    window: Window
    stays: list[Stay]
    late: list[Late]
    pending: list[Item]
    versions: list[Version]
    clock: int | None

    def rows(self, status: Literal["new", "dead"]) -> list[tuple[Cycle, int, dict[str, Any]]]:
        """What a chained window reads: (cycle, place, row), in order."""
        found = []
        for each in self.versions if self.window.aggregates else self.stays:
            if isinstance(each, Stay):
                row = each.row
            else:
                row = dict(zip(self.window.keys, each.key, strict=True)) | each.values
            if status == "new":
                found.append((each.entered, each.entry, row))
            elif each.expelled is not None:
                found.append((each.expelled, each.exit, row))
        return sorted(found, key=lambda item: item[:2])
