"""The oracle of windows on random streams: any split into batches, and the invariants."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from tests.engine.windows.oracle import Simulator, simulate
from tests.engine.windows.oracle_rows import Aggregate, Cycle, Event, Stay, Table
from tests.engine.windows.streams import random_chained, random_events, random_split, random_window


@pytest.mark.parametrize("block", range(10))
def test_any_split_is_the_same(block: int) -> None:
    """Also of a window that follows: run by run against all at once."""
    for seed in range(block * 40, block * 40 + 40):
        chance = Random(seed)  # noqa: S311
        source = random_window(chance)
        window = random_chained(chance, source)
        given = random_events(chance)
        batches, _ = random_split(chance, given)
        whole, parts = Simulator(source), Simulator(source)
        followed, follower = Simulator(window, 2), Simulator(window, 2)
        status = chance.choice(["new", "dead"])

        whole.run(given)
        followed.follow(whole.table, status)
        for batch in batches:
            parts.run(batch)
            follower.follow(parts.table, status)

        assert parts.table == whole.table, seed
        assert follower.table == followed.table, seed


def test_an_as_of_counts_at_its_place_among_the_batches() -> None:
    """The batches between two of them could be one."""
    for seed in range(100):
        chance = Random(seed)  # noqa: S311
        window, given = random_window(chance, "time"), random_events(chance)
        batches, as_of = random_split(chance, given, with_as_of=True)
        merged: list[list[Event]] = [[]]
        for batch, moved in zip(batches, as_of, strict=True):
            merged[-1].extend(batch)
            merged += [[]] if moved else []
        moves = [*(moved for moved in as_of if moved), None]

        assert simulate(window, batches, as_of) == simulate(window, merged, moves), seed


def test_a_chained_window_may_read_after_each_run_or_after_the_last() -> None:
    """Three windows in a chain."""
    for seed in range(150):
        chance = Random(seed)  # noqa: S311
        first = random_window(chance)
        second = random_chained(chance, first)
        third = random_chained(chance, second)
        source, often, on = Simulator(first), Simulator(second, 2), Simulator(third, 3)
        for batch, moved in zip(
            *random_split(chance, random_events(chance), with_as_of=True), strict=True
        ):
            source.run(batch, moved)
            often.follow(source.table, "new")
            on.follow(often.table, "dead")

        once, last = Simulator(second, 2), Simulator(third, 3)
        once.follow(source.table, "new")
        last.follow(once.table, "dead")
        assert (often.table, on.table) == (once.table, last.table), seed


def contents(table: Table) -> list[tuple[Cycle, tuple, list[Stay]]]:
    """What is in each window after each cycle."""
    cycles = sorted({moment for s in table.stays for moment in (s.entered, s.expelled) if moment})
    found = []
    for cycle in cycles:
        by_key: dict[tuple, list[Stay]] = {}
        for stay in table.stays:
            if stay.entered <= cycle and (stay.expelled is None or stay.expelled > cycle):
                by_key.setdefault(stay.key, []).append(stay)
        found += [(cycle, key, inside) for key, inside in by_key.items()]
    return found


def test_invariants() -> None:
    """Computed in another way than by the oracle."""
    for seed in range(120):
        chance = Random(seed)  # noqa: S311
        window, given = random_window(chance), random_events(chance, 40)
        table, store = simulate(window, [given]), window.store
        ended = [stay for stay in table.stays if stay.expelled is not None]
        own = [stay for stay in ended if stay.exit == stay.entry]

        assert all(stay.entered < stay.expelled for stay in ended), seed
        assert all(late.entry not in {stay.entry for stay in table.stays} for late in table.late)
        for cycle, key, inside in contents(table):
            size = store.size_of(key)
            assert store.kind == "time" or len(inside) <= size, seed
            if store.kind == "time":
                assert len(inside) <= (store.max or len(inside)), seed
                slack = window.every or 0
                assert all(cycle.at - stay.ts < size + slack for stay in inside), seed
            if store.kind in ("sliding", "random"):
                entered = [s.entry for s in table.stays if s.key == key and s.entered <= cycle]
                assert [stay.entry for stay in inside] == sorted(entered)[-size:], seed
            if store.kind == "tumbling":
                assert len({stay.entered for stay in inside}) == 1, seed
            if store.using and not store.update_group:
                sign = 1 if store.kind == "highest" else -1
                entered = [s for s in table.stays if s.key == key and s.entered <= cycle]
                entered.sort(key=lambda s: (sign * s.row[store.using], s.entry))
                best = sorted(entered[-size:], key=lambda s: s.entry)
                assert inside == best, seed
            if store.update_group:
                groups = [tuple(s.row[name] for name in store.update_group) for s in inside]
                assert len(groups) == len(set(groups)), seed
        assert store.kind in ("time", "tumbling") or not own, seed


def test_versions_say_what_is_inside() -> None:
    for seed in range(120):
        chance = Random(seed)  # noqa: S311
        window = random_window(chance)
        plain = {"n": Aggregate("count", None), "ids": Aggregate("sum", "id")}
        table = simulate(replace(window, aggregates=plain), [random_events(chance, 40)])
        shown = {cycle: {} for cycle, _, _ in contents(table)}
        for cycle, key, inside in contents(table):
            shown[cycle][key] = (len(inside), sum(stay.row["id"] for stay in inside))
        for cycle, windows in shown.items():
            said = {
                version.key: tuple(version.values.values())
                for version in table.versions
                if version.entered <= cycle
                and (version.expelled is None or version.expelled > cycle)
            }
            assert {key: value for key, value in said.items() if value[0]} == windows, seed
            assert window.pinned or said == windows, seed
