"""What a correlation must yield: one cycle after the other, in plain Python.

No Spark, no SQL, nothing of the product. What is decided:

- A cycle of an id: first all expulsions (of all streams), then all arrivals, then the patterns.
- A stream is present while a row with the id is inside its window. It leaves if it was present
  before the expulsions of a cycle and is not after them. It arrives if a row enters, even if it is
  present already. Null ids are never correlated.
- A pattern without `not` fires at the end of a cycle in which the set of all present streams
  equals its present ones, whatever changed the set.
- A pattern with `not` is put on the watch list at the end of a cycle whose set equals its present
  ones, unless tainted. An arrival on one of its `not` streams takes it off and taints it. A fresh
  arrival on one of its present streams, at whose end the set is equal, removes the taint; the leaving of the
  `not` stream does not. Arrivals on other streams change nothing.
- It fires in a later cycle in whose expulsions one of its present streams leaves. What arrives
  in that cycle is too late. It is off the list then, which needs no code: the life has fired.
- A life begins when the set becomes non-empty, and ends when it is empty after the expulsions of
  a cycle. Watch list, taint and `fired` are those of the life. It fires once. An arrival in the
  cycle in which a life ended begins the next one, which may fire in that cycle.
- Of several patterns the first of `when` fires, alone.
- A firing shows for each present stream of the pattern the row that entered first: after the
  arrivals of the cycle, or for a pattern with `not`, before its expulsions. Others are null.
- The frontier is inclusive: cycles with (at, arrival) up to it are complete, later ones wait.

Choices, where that is silent: firings are in the order of (cycle, id), and of one id in one cycle
the old life's is first. An alias in no pattern is in the set all the same.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tests.engine.correlation.patterns import (
    Correlation,
    Firing,
    Frontier,
    Pattern,
    Place,
    Row,
    order,
    presences,
)
from tests.engine.windows.oracle_rows import Cycle, Table


def correlate(
    correlation: Correlation, tables: dict[str, Table], frontier: Frontier
) -> list[Firing]:
    """All at once."""
    return Correlator(correlation).run(tables, frontier)


@dataclass
class Change:
    """What happens to an id in a cycle; `exits` are the places of what leaves."""

    leaving: list[tuple[str, Place]] = field(default_factory=list)
    exits: list[int | None] = field(default_factory=list)
    entering: list[tuple[str, Place, Row]] = field(default_factory=list)


@dataclass
class Life:
    """Patterns are known by their index."""

    inside: dict[str, dict[Place, Row]] = field(default_factory=dict)  # by alias, never empty
    watched: set[int] = field(default_factory=set)
    tainted: set[int] = field(default_factory=set)
    fired: bool = False

    def streams(self) -> set[str]:
        return set(self.inside)

    def first_rows(self) -> dict[str, Row]:
        return {alias: rows[min(rows)] for alias, rows in self.inside.items()}

    def enter(self, alias: str, place: Place, row: Row) -> None:
        self.inside.setdefault(alias, {})[place] = row

    def leave(self, alias: str, place: Place) -> None:
        del self.inside[alias][place]
        if not self.inside[alias]:
            del self.inside[alias]


class Correlator:
    """`run` it over the tables as they grow; `firings` are all of them so far."""

    def __init__(self, correlation: Correlation) -> None:
        self.on, self.patterns = correlation.on, correlation.patterns()
        self.lives: dict[Any, Life] = {}
        self.firings: list[Firing] = []
        self.places: list[int] = []  # of each firing: its order in the cycle
        self.last: Frontier | None = None

    def run(self, tables: dict[str, Table], frontier: Frontier) -> list[Firing]:
        """The firings in the cycles after the last frontier and up to this one."""
        known = len(self.firings)
        changes = self._changes(tables, frontier)
        for cycle in sorted(changes):
            for id_ in sorted(changes[cycle]):
                self._step(cycle, id_, changes[cycle][id_])
        if self.last is None or order(frontier) > order(self.last):
            self.last = frontier
        return self.firings[known:]

    def _changes(
        self, tables: dict[str, Table], frontier: Frontier
    ) -> dict[Cycle, dict[Any, Change]]:
        found: dict[Cycle, dict[Any, Change]] = defaultdict(lambda: defaultdict(Change))
        for alias, column in self.on.items():
            for place, expelled, row, exit_ in presences(tables[alias]):
                if row[column] is None:
                    continue
                if self._is_unread(place.entered, frontier):
                    change = found[place.entered][row[column]]
                    change.entering.append((alias, place, row))
                if expelled is not None and self._is_unread(expelled, frontier):
                    found[expelled][row[column]].leaving.append((alias, place))
                    found[expelled][row[column]].exits.append(exit_)
        return found

    def _is_unread(self, cycle: Cycle, frontier: Frontier) -> bool:
        at = order(cycle[:2])
        return at <= order(frontier) and (self.last is None or at > order(self.last))

    def _step(self, cycle: Cycle, id_: Any, change: Change) -> None:
        life = self.lives.pop(id_, None) or Life()
        life = self._expulsions(cycle, id_, life, change)
        for alias, place, row in change.entering:
            life.enter(alias, place, row)
        entries = [place.entry for _, place, _ in change.entering] or change.exits
        self._end(cycle, id_, life, {alias for alias, _, _ in change.entering}, entries)
        if life.inside:
            self.lives[id_] = life

    def _expulsions(self, cycle: Cycle, id_: Any, life: Life, change: Change) -> Life:
        """The current life, or a new one."""
        before, shown = life.streams(), life.first_rows()
        for alias, place in change.leaving:
            life.leave(alias, place)
        left = before - life.streams()
        broken = {index for index in life.watched if self.patterns[index].present & left}
        self._fire(cycle, id_, life, broken, shown, change.exits)
        return life if life.inside else Life()

    def _end(
        self, cycle: Cycle, id_: Any, life: Life, arrived: set[str], places: list[Any]
    ) -> None:
        now = life.streams()
        equal = {i for i, pattern in enumerate(self.patterns) if now == pattern.present}
        at_once = {index for index in equal if not self.patterns[index].delayed}
        self._fire(cycle, id_, life, at_once, life.first_rows(), places)
        for index, pattern in enumerate(self.patterns):
            if pattern.absent & arrived:
                life.watched.discard(index)
                life.tainted.add(index)
            elif index in equal - at_once:
                _watch(life, index, pattern, arrived)

    def _fire(
        self,
        cycle: Cycle,
        id_: Any,
        life: Life,
        due: Iterable[int],
        shown: dict[str, Row],
        places: list[Any],
    ) -> None:
        first = min(due, default=None)
        if first is None or life.fired:
            return
        life.fired = True
        present = self.patterns[first].present
        rows = {alias: shown[alias] if alias in present else None for alias in self.on}
        self.firings.append(Firing(id_, cycle, first, rows))
        self.places.append(min((place for place in places if place is not None), default=0))


def _watch(life: Life, index: int, pattern: Pattern, arrived: set[str]) -> None:
    if pattern.present & arrived:
        life.tainted.discard(index)
    if index not in life.tainted:
        life.watched.add(index)
