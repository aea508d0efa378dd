"""The rows of an aggregated window: a version for each change of what is inside.

Choices, where the texts are silent:

- Rows that leave and rows that enter in one cycle are one change. A window whose last row leaves
  in the cycle in which the next one enters was not empty.
- The aggregate under a `diff` counts as any other: if it differs, the version is new.
- The old value of a `diff` is that of the previous version; after an ending there is none.
- A baseline that is null for a key counts as 0.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from tests.engine.windows.oracle_aggregates import FUNCTIONS
from tests.engine.windows.oracle_rows import Aggregate, Cycle, Key, Stay, Version, Window


def versions(window: Window, stays: list[Stay]) -> list[Version]:
    if not window.aggregates:
        return []
    by_key: dict[Key, list[Stay]] = defaultdict(list)
    for stay in stays:
        by_key[stay.key].append(stay)
    found = [version for key, own in by_key.items() for version in _of_key(window, key, own)]
    return sorted(found, key=lambda version: (version.entered, version.entry))


def _of_key(window: Window, key: Key, stays: list[Stay]) -> list[Version]:
    found: list[Version] = []
    previous: dict[str, Any] | None = None  # values of the last version, without `diff`
    inside: list[Stay] = []
    life: list[Stay] = []  # all that entered since the window began
    for cycle, entering, leaving in _changes(stays):
        inside = [stay for stay in inside if stay.expelled != cycle] + entering
        life = life + entering
        place = min([stay.entry for stay in entering] + [stay.exit for stay in leaving])
        ended = not inside and not window.pinned
        values = {
            name: _value(aggregate, life if aggregate.entrance else inside)
            for name, aggregate in window.aggregates.items()
        }
        if previous is not None and (ended or values != previous):
            found[-1].expelled, found[-1].exit = cycle, place
        if not ended and values != previous:
            shown = {
                name: _shown(aggregate, key, values[name], (previous or {}).get(name))
                for name, aggregate in window.aggregates.items()
            }
            found.append(Version(key, shown, cycle, None, place, None))
        previous = None if ended else values
        life = [] if ended else life
    return found


def _changes(stays: list[Stay]) -> list[tuple[Cycle, list[Stay], list[Stay]]]:
    """The cycles in which rows entered or left, with these rows."""
    entering: dict[Cycle, list[Stay]] = defaultdict(list)
    leaving: dict[Cycle, list[Stay]] = defaultdict(list)
    for stay in stays:
        entering[stay.entered].append(stay)
        if stay.expelled is not None:
            leaving[stay.expelled].append(stay)
    cycles = sorted({*entering, *leaving})
    return [(cycle, entering.get(cycle, []), leaving.get(cycle, [])) for cycle in cycles]


def _value(aggregate: Aggregate, rows: list[Stay]) -> Any:
    if aggregate.entrance and aggregate.function == "median":
        raise ValueError("a median cannot be `entrance only`")
    if aggregate.column is None:
        return FUNCTIONS[aggregate.function]([1] * len(rows))
    return FUNCTIONS[aggregate.function]([stay.row[aggregate.column] for stay in rows])


def _shown(aggregate: Aggregate, key: Key, new: Any, old: Any) -> Any:
    if not aggregate.diff:
        return new
    if aggregate.baseline is None:
        return (new or 0) - (old or 0)
    base = aggregate.baseline(key) if callable(aggregate.baseline) else aggregate.baseline
    return (new or 0) - (base or 0)
