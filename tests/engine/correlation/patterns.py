"""What a correlation says, what it reads of a window table, and what it yields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from tests.engine.windows.oracle_rows import Cycle, Stay, Table

Row = dict[str, Any]
Frontier = tuple[int | None, int | None]  # the clock, the last arrival number read; nulls first


@dataclass(frozen=True)
class Pattern:
    present: frozenset[str]
    absent: frozenset[str]  # those with a `not`

    @property
    def delayed(self) -> bool:
        return bool(self.absent)


@dataclass(frozen=True)
class Correlation:
    """`on` is the id column of each alias; the order of the aliases and of `when` counts."""

    on: dict[str, str]
    when: list[str]

    def patterns(self) -> list[Pattern]:
        found = [parse(text) for text in self.when]
        for text, pattern in zip(self.when, found, strict=True):
            named = pattern.present | pattern.absent
            if not pattern.present or pattern.present & pattern.absent or not named <= set(self.on):
                raise ValueError(f"not a pattern: {text}")
        if len(set(found)) < len(found):
            raise ValueError("a pattern is there twice")
        return found


def parse(text: str) -> Pattern:
    """`one and two and not three`"""
    present, absent = [], []
    for term in text.split(" and "):
        (absent if term.startswith("not ") else present).append(term.removeprefix("not "))
    return Pattern(frozenset(present), frozenset(absent))


class Place(NamedTuple):
    """Identifies a row of a table. The smaller entered first."""

    entered: Cycle
    entry: int


class Presence(NamedTuple):
    """A row of a table, from its entry on until it is expelled; `exit` is its place then."""

    place: Place
    expelled: Cycle | None
    row: Row
    exit: int | None = None


class Firing(NamedTuple):
    id: Any
    cycle: Cycle
    pattern: int  # its index in `when`
    rows: dict[str, Row | None]


@dataclass(frozen=True)
class Fired:
    """The table of a correlation, as a window or another correlation reads it.

    Its rows are (cycle, place, row). They are never expelled.
    """

    firings: list[tuple[Cycle, int, Row]]
    clock: int | None

    def rows(self, status: str) -> list[tuple[Cycle, int, Row]]:
        return sorted(self.firings, key=lambda row: row[:2]) if status == "new" else []


def presences(table: Table | Fired) -> Iterator[Presence]:
    """The rows that `Table.rows` gives, the entry together with the exit.

    Of an aggregated window these are the versions.
    """
    if isinstance(table, Fired):
        for cycle, entry, row in table.firings:
            yield Presence(Place(cycle, entry), None, row)
        return
    for each in table.versions if table.window.aggregates else table.stays:
        row = each.row if isinstance(each, Stay) else _version_row(table, each)
        yield Presence(Place(each.entered, each.entry), each.expelled, row, each.exit)


def _version_row(table: Table, version: Any) -> Row:
    return dict(zip(table.window.keys, version.key, strict=True)) | version.values


def order(frontier: Frontier) -> tuple:
    """The order of `Cycle`, by (at, arrival) alone."""
    return Cycle(*frontier, ()).order[:4]


def earliest(frontiers: Iterable[Frontier]) -> Frontier:
    return min(frontiers, key=order)
