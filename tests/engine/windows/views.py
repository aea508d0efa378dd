"""Streams written by hand, and tables in one view."""

from __future__ import annotations

from tests.engine.windows.oracle_rows import SECOND, Cycle, Event, Table


def events(*rows: tuple) -> list[Event]:
    """(arrival, seconds, columns): each row has its number as `id`, unless it brings one."""
    return [
        Event(arrival, None if at is None else at * SECOND, {"id": number, **columns})
        for number, (arrival, at, columns) in enumerate(rows, start=1)
    ]


def at_once(count: int) -> list[Event]:
    return [Event(1, number, {"id": number}) for number in range(1, count + 1)]


def moments(cycle: Cycle | None) -> tuple | None:
    """As written by hand: seconds, arrival, steps."""
    return cycle and (cycle.at / SECOND, cycle.arrival, *cycle.step)


def stays(table: Table) -> list[tuple]:
    return [(stay.row["id"], moments(stay.entered), moments(stay.expelled)) for stay in table.stays]


def by_cycle(table: Table, status: str) -> list[tuple]:
    """(step, ids) of each cycle."""
    cycles: dict = {}
    for cycle, _, row in table.rows(status):
        cycles.setdefault(cycle, []).append(row["id"])
    return [(cycle.step[-1], ids) for cycle, ids in cycles.items()]


def inside(table: Table) -> list[int]:
    return sorted(stay.row["id"] for stay in table.stays if stay.expelled is None)


def versions(table: Table) -> list[tuple]:
    return [
        (*v.key, *v.values.values(), moments(v.entered), moments(v.expelled))
        for v in table.versions
    ]


def ids(*ranges: tuple[int, int]) -> list[list[int]]:
    return [list(range(first, last + 1)) for first, last in ranges]
