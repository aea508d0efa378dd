"""The rows of a window table: one event, one cycle after the other, in plain Python.

Written from the source's text and the decision on windows. No Spark, no SQL, nothing of the
product: where both agree, they agree for a reason. Choices, where the texts are silent:

- Only time windows need a `ts`: elsewhere an event without one enters. A null clock is the oldest.
- Of several reasons the first counts: no time, size, late, value. All of them are found in the
  turn in which the event would enter. An event that is not among the highest has no reason.
- An event is weighed if it passed the pre-filter, whether or not a random window takes it, or a
  size or a value is missing. `every` comes before `weight`. Events of one arrival wait together.
- With weights by condition the pre-filter does not count: an event that this window does not take
  is pending in another one of the group. One that is taken without a weight waits for the others.
- An event after its bound is late as it arrives: it weighs nothing, waits for nothing and moves no
  clock. Nor does one that a pre-filter over times rejects; other filtered events move the clock.
- Before the clock has a first time, events wait for a tick as if they arrived at that time.
- An event without a value leaves the old row of its update group where it is.
- A null key, a null in an update group: values like others.
- A chained window numbers all rows it reads, the filtered as well; its ticks are (T, null,
  (0, …, step)). A random one takes the place of a row as its arrival.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import groupby
from typing import Any, Literal

from tests.engine.windows.oracle_kinds import moves
from tests.engine.windows.oracle_rows import (
    Cycle,
    Event,
    Item,
    Key,
    Late,
    Reason,
    Stay,
    Table,
    Version,
    Window,
)
from tests.engine.windows.oracle_versions import versions


def simulate(
    window: Window, batches: list[list[Event]], as_of: list[int | None] | None = None
) -> Table:
    """Each `as_of` moves the clock after its batch. Else the batches could be one."""
    simulator = Simulator(window)
    for events, moved_to in zip(batches, as_of or [None] * len(batches), strict=True):
        simulator.run(events, moved_to)
    return simulator.table


class Simulator:
    """`run` it over events, or let it `follow` a table; `copy.deepcopy` of it is a snapshot."""

    def __init__(self, window: Window, depth: int = 1) -> None:
        """The depth is the number of steps in a cycle: 2 for a window that follows a plain one."""
        self.window, self.store, self.depth = window, window.store, depth
        self.inside: dict[Key, list[Stay]] = {}
        self.stays: list[Stay] = []
        self.late: list[Late] = []
        self.pending: list[Item] = []
        self.clock: int | None = None
        self.last_read: Cycle | None = None  # of the table that it follows
        self.read = 0
        self.pending_weight = Fraction(0)  # since the last turn; of a group, of all its windows

    @property
    def versions(self) -> list[Version]:
        return versions(self.window, self.stays)

    @property
    def table(self) -> Table:
        stays = sorted(self.stays, key=lambda stay: (stay.entered, stay.entry))
        late = sorted(self.late, key=lambda row: row.entry)
        return Table(self.window, stays, late, list(self.pending), self.versions, self.clock)

    def run(self, events: Iterable[Event], as_of: int | None = None) -> None:
        ordered = sorted(events, key=lambda e: (e.arrival, e.ts is not None, e.ts or 0))
        for arrival, group in groupby(ordered, key=lambda event: event.arrival):
            at_once, before = list(group), self.clock
            counted = [event for event in at_once if self._moves_clock(event)]
            times = [event.clock if self.window.clocked else event.ts for event in counted]
            self._move_clock(max((time for time in times if time is not None), default=None))
            moved = self.clock != before
            self._take(at_once, Cycle(self.clock, None if moved else arrival, ()))
        self._move_clock(as_of)

    def follow(self, source: Table, status: Literal["new", "dead"]) -> None:
        """Read what is new or dead in another table since the last time."""
        rows = source.rows(status)
        unread = [each for each in rows if self.last_read is None or each[0] > self.last_read]
        for cycle, group in groupby(unread, key=lambda each: each[0]):
            self.last_read = cycle
            self._move_clock(cycle.at)
            self._take([Event(place, cycle.at, row) for _, place, row in group], cycle)
        self._move_clock(source.clock)

    def _moves_clock(self, event: Event) -> bool:
        if self.window.timely is not None and not self._accepts(event):
            return False
        return not self._is_future(event)

    def _is_future(self, event: Event) -> bool:
        if not self.window.bounded or event.bound is None:
            return False
        times = [event.ts, event.clock if self.window.clocked else None]
        return any(time is not None and time > event.bound for time in times)

    def _accepts(self, event: Event) -> bool:
        window = self.window
        return bool(window.where is None or window.where(event.row)) and (
            window.timely is None or window.timely(event)
        )

    def _move_clock(self, to: int | None) -> None:
        """Never back. On the way: what expires, and with `every` the ticks."""
        if to is None or (self.clock is not None and to <= self.clock):
            return
        if self.clock is None:
            self.pending = [
                item if item.arrived_at is not None else Item(**(vars(item) | {"arrived_at": to}))
                for item in self.pending
            ]
        self.clock = to
        step = (0,) * (self.depth - 1)
        while (due := self._next_due()) is not None and due <= to:
            self._expire(Cycle(due, None, (*step, 0)))
            if self.window.every:
                ready = [item for item in self.pending if self._tick(item) <= due]
                self.pending = [item for item in self.pending if self._tick(item) > due]
                self._turn(ready, Cycle(due, None, step))

    def _next_due(self) -> int | None:
        ends = [self._end(stay) for stay in self._open() if self.store.kind == "time"]
        ticks = [self._tick(item) for item in self.pending if self.window.every]
        return min([*ends, *ticks], default=None)

    def _open(self) -> list[Stay]:
        return [stay for inside in self.inside.values() for stay in inside]

    def _end(self, stay: Stay) -> int:
        """When it expires; with `every` the first tick that is not before."""
        end = stay.ts + self.store.size_of(stay.key)
        every = self.window.every or 1
        return -(-end // every) * every

    def _tick(self, item: Item) -> int:
        """The end of the interval in which it arrived."""
        return (item.arrived_at // self.window.every + 1) * self.window.every

    def _expire(self, cycle: Cycle) -> None:
        if self.store.kind == "time":
            for stay in self._open():
                if self._end(stay) <= cycle.at:
                    self._expel(stay, cycle, stay.entry)

    def _take(self, events: list[Event], cycle: Cycle) -> None:
        """Events that come at once: number them, filter them, let in those whose turn it is."""
        for event in events:
            self.read += 1
            is_accepted, is_future = self._accepts(event), self._is_future(event)
            if not is_future:
                self.pending_weight += self._weight(event, is_accepted)
            if not is_accepted:
                continue
            if is_future:
                key = self.window.key_of(event.row)
                self.late.append(Late(event.row, key, "from the future", self.read))
                continue
            if self.store.kind == "random" and not self.window.accept(event):
                continue
            key, row = self.window.key_of(event.row), event.row
            self.pending.append(Item(self.read, event.ts, row, key, self.clock))
        if not self.window.every and self.pending_weight >= 1:
            ready, self.pending = self.pending, []
            self.pending_weight = Fraction(0)
            self._turn(ready, cycle)

    def _weight(self, event: Event, is_accepted: bool) -> Fraction:
        window = self.window
        if self.store.kind in ("time", "tumbling") or not (window.weight or window.weights):
            return Fraction(int(is_accepted))
        if window.weights:
            met = (weight for meets, weight in window.weights if meets(event.row))
            return Fraction(str(next(met, 0)))
        return Fraction(str(window.weight)) if is_accepted else Fraction(0)

    def _turn(self, items: list[Item], cycle: Cycle) -> None:
        """Window by window; each has its own steps, which follow those of `cycle`."""
        by_key: dict[Key, list[Item]] = {}
        for item in items:
            reason = self._reason(item, cycle.at)
            if reason is None:
                by_key.setdefault(item.key, []).append(item)
            else:
                self.late.append(Late(item.row, item.key, reason, item.entry))
        for key, own in by_key.items():
            inside = self.inside.setdefault(key, [])
            for step, leaving, entering in moves(self.store, self.store.size_of(key), inside, own):
                now = Cycle(cycle.at, cycle.arrival, (*cycle.step, step))
                for stay, place in leaving:
                    self._expel(stay, now, place)
                for item in entering:
                    self._enter(item, now)

    def _reason(self, item: Item, at: int | None) -> Reason | None:
        timed, size = self.store.kind == "time", self.store.size_of(item.key)
        if timed and item.ts is None:
            return "no time"
        if size is None or size <= 0:
            return "size"
        if timed and at is not None and at - item.ts >= size:
            return "late"
        return "value" if self.store.using and item.row[self.store.using] is None else None

    def _enter(self, item: Item, cycle: Cycle) -> None:
        stay = Stay(item.row, item.key, cycle, None, item.entry, None, item.ts)
        self.inside[item.key].append(stay)
        self.stays.append(stay)

    def _expel(self, stay: Stay, cycle: Cycle, place: Any) -> None:
        stay.expelled, stay.exit = cycle, place
        inside = self.inside[stay.key]  # in place: the moves of the turn look at it
        inside[:] = [each for each in inside if each is not stay]
