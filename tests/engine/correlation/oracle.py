"""What a correlation must fire: one cycle of one id after the other, in plain Python.

Written from the source's text and the decision on correlation; it shares no code with the product.
It reads the tables of the simulator of windows.

- A stream is present for an id while it holds a row of it. Null ids do not count.
- In a cycle rows leave, then others enter. Delayed patterns fire between, the others at the end.
- An id fires once until it is in no stream; of several patterns the first of the list.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tests.engine.windows.oracle_rows import Cycle, Table


class Pattern(NamedTuple):
    present: frozenset[str]
    absent: frozenset[str]


class Frontier(NamedTuple):
    """The clock and the last arrival number of the slowest window."""

    clock: int
    arrival: int

    def has(self, cycle: Cycle) -> bool:
        if cycle.at is None or cycle.at < self.clock:
            return True
        return cycle.at == self.clock and (cycle.arrival is None or cycle.arrival <= self.arrival)


class Firing(NamedTuple):
    id: Any
    pattern: int
    cycle: Cycle
    rows: dict[str, dict]  # alias → its row, of the pattern's own streams


@dataclass
class Id:
    """What is inside of one id, and what has happened since it came."""

    inside: dict[str, list[tuple[Cycle, int, dict]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    armed: set[int] = field(default_factory=set)
    tainted: set[int] = field(default_factory=set)
    fired: bool = False

    @property
    def streams(self) -> frozenset[str]:
        return frozenset(alias for alias, rows in self.inside.items() if rows)


class Correlation:
    """`run` it over the tables of its windows, as they are after each run."""

    def __init__(self, on: dict[str, str], when: list[Pattern]) -> None:
        self.on, self.when = on, when
        self.read: Frontier | None = None
        self.ids: dict[Any, Id] = defaultdict(Id)
        self.firings: list[Firing] = []

    def run(self, tables: dict[str, Table], frontier: Frontier) -> None:
        moves: dict[tuple, dict[str, dict[str, list]]] = defaultdict(
            lambda: {"dead": defaultdict(list), "new": defaultdict(list)}
        )
        for alias, table in tables.items():
            for status in ("dead", "new"):
                for cycle, entered, place, row in _rows(table, status):
                    key = row[self.on[alias]]
                    unread = self.read is None or not self.read.has(cycle)
                    if key is not None and unread and frontier.has(cycle):
                        moves[key, cycle][status][alias].append((entered, place, row))
        for key, cycle in sorted(moves, key=lambda each: each[1].order):
            self._cycle(key, cycle, **moves[key, cycle])
        self.read = frontier

    def _cycle(self, key: Any, cycle: Cycle, dead: dict, new: dict) -> None:
        known = self.ids[key]
        before = {alias: sorted(rows) for alias, rows in known.inside.items()}
        was = known.streams
        for alias, rows in dead.items():
            for row in rows:
                known.inside[alias].remove(row)
        gone = was - known.streams
        for number in sorted(known.armed):
            if gone & self.when[number].present:
                self._fire(key, known, number, cycle, before)
        if not known.streams:
            known = self.ids[key] = Id()
        for alias, rows in new.items():
            known.inside[alias].extend(rows)
        self._end(key, known, cycle, frozenset(new))

    def _end(self, key: Any, known: Id, cycle: Cycle, came: frozenset[str]) -> None:
        for number, (present, absent) in enumerate(self.when):
            if came & absent:
                known.armed.discard(number)
                known.tainted.add(number)
            if not absent or known.streams != present:
                continue
            if came & present:
                known.tainted.discard(number)
            if number not in known.tainted:
                known.armed.add(number)
        for number, (present, absent) in enumerate(self.when):
            if not absent and known.streams == present:
                inside = {alias: sorted(rows) for alias, rows in known.inside.items()}
                self._fire(key, known, number, cycle, inside)

    def _fire(self, key: Any, known: Id, number: int, cycle: Cycle, inside: dict) -> None:
        if not known.fired:
            known.fired = True
            rows = {alias: inside[alias][0][2] for alias in self.when[number].present}
            self.firings.append(Firing(key, number, cycle, rows))


def _rows(table: Table, status: str) -> list[tuple[Cycle, Cycle, int, dict]]:
    """(cycle, the cycle of entering, entry, row) of what is new or dead."""
    found = []
    for each in table.versions if table.window.aggregates else table.stays:
        cycle = each.entered if status == "new" else each.expelled
        if cycle is not None:
            row = each.row if hasattr(each, "row") else _version_row(table, each)
            found.append((cycle, each.entered, each.entry, row))
    return found


def _version_row(table: Table, version: Any) -> dict:
    return dict(zip(table.window.keys, version.key, strict=True)) | version.values
