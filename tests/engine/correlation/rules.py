"""What a correlation must yield, said of whole lives instead of cycle by cycle.

Nothing is remembered from one cycle to the next: each condition looks at all that happened.
"""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from typing import Any, NamedTuple

from tests.engine.correlation.patterns import Correlation, Frontier, Pattern, Presence, presences
from tests.engine.windows.oracle_rows import Cycle, Table


class Moment(NamedTuple):
    """The streams of an id before the expulsions of a cycle, after them, and at its end."""

    cycle: Cycle
    before: set[str]
    between: set[str]
    end: set[str]
    arrived: set[str]


class Id:
    """All rows of one id, as (alias, presence), up to the frontier."""

    def __init__(self, rows: list[tuple[str, Presence]], frontier: Frontier) -> None:
        beyond = Cycle(*frontier, (10**9,))
        self.rows = [(alias, row) for alias, row in rows if row.place.entered <= beyond]
        ends = [row.expelled for _, row in self.rows if row.expelled and row.expelled <= beyond]
        self.cycles = sorted({*(row.place.entered for _, row in self.rows), *ends})

    @cached_property
    def moments(self) -> list[Moment]:
        return [self._moment(cycle) for cycle in self.cycles]

    def _moment(self, cycle: Cycle) -> Moment:
        stays = [(alias, row.place.entered, row.expelled) for alias, row in self.rows]
        older = [(a, out) for a, into, out in stays if into < cycle]
        arrived = {a for a, into, _ in stays if into == cycle}
        between = {a for a, out in older if out is None or out > cycle}
        before = {a for a, out in older if out is None or out >= cycle}
        return Moment(cycle, before, between, between | arrived, arrived)

    @property
    def lives(self) -> list[list[Moment]]:
        """The moment in which one ends is its last, and may be the first of the next one."""
        found: list[list[Moment]] = []
        for moment in self.moments:
            if found and moment.before:
                found[-1].append(moment)
            if moment.end and not moment.between:
                found.append([moment])
        return found

    def first_inside(self, alias: str, cycle: Cycle, at_end: bool) -> dict[str, Any]:
        inside = [
            row
            for of, row in self.rows
            if of == alias
            and (row.place.entered < cycle or (at_end and row.place.entered == cycle))
            and (
                row.expelled is None
                or row.expelled > cycle
                or (not at_end and row.expelled == cycle)
            )
        ]
        return min(inside, key=lambda row: row.place).row


def by_id(correlation: Correlation, tables: dict[str, Table], frontier: Frontier) -> dict[Any, Id]:
    found: dict[Any, list] = defaultdict(list)
    for alias, column in correlation.on.items():
        for presence in presences(tables[alias]):
            found[presence.row[column]].append((alias, presence))
    return {id_: Id(rows, frontier) for id_, rows in found.items() if id_ is not None}


def expected(
    correlation: Correlation, tables: dict[str, Table], frontier: Frontier
) -> list[tuple[Any, Cycle, int, dict]]:
    """Of each life the first that may fire."""
    found, patterns = [], correlation.patterns()
    for id_, own in by_id(correlation, tables, frontier).items():
        for life in own.lives:
            may = [
                (life[n].cycle, not pattern.delayed, index)
                for index, pattern in enumerate(patterns)
                for n in range(len(life))
                if (_breaks if pattern.delayed else _is_equal)(pattern, life, n)
            ]
            if may:
                cycle, at_end, index = min(may)
                present = patterns[index].present
                rows = {
                    alias: own.first_inside(alias, cycle, at_end) if alias in present else None
                    for alias in correlation.on
                }
                found.append((id_, cycle, index, rows))
    return found


def _is_equal(pattern: Pattern, life: list[Moment], n: int) -> bool:
    """At an end of a cycle within the life: in its last moment it is over, if that is its end."""
    is_over = n > 0 and not life[n].between
    return not is_over and life[n].end == pattern.present


def _breaks(pattern: Pattern, life: list[Moment], n: int) -> bool:
    """A present stream leaves, and since an earlier moment, when it was whole, nothing broke it."""
    if n == 0 or not pattern.present & (life[n].before - life[n].between):
        return False
    return any(
        _is_equal(pattern, life, since)
        and not any(
            pattern.absent & moment.arrived or pattern.present & (moment.before - moment.between)
            for moment in life[since + 1 : n]
        )
        and _is_clean(pattern, life, since)
        for since in range(n)
    )


def _is_clean(pattern: Pattern, life: list[Moment], n: int) -> bool:
    fresh = [
        m for m in range(n + 1) if _is_equal(pattern, life, m) and pattern.present & life[m].arrived
    ]
    start = fresh[-1] if fresh else 0
    return not any(pattern.absent & moment.arrived for moment in life[start : n + 1])
