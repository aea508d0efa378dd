"""The oracle of correlation on random cases: any split into batches, and the invariants."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest
from tests.engine.correlation.cases import Case, plain, simulate, simulate_runs, states
from tests.engine.correlation.oracle import correlate
from tests.engine.correlation.patterns import Firing
from tests.engine.correlation.rules import by_id, expected
from tests.engine.correlation.streams import random_case

BLOCK = 380
BLOCKS = pytest.mark.parametrize("block", range(8))


def seeds(block: int) -> range:
    return range(block * BLOCK, block * BLOCK + BLOCK)


@cache
def at_once(seed: int) -> tuple:
    """The case, its tables at the end, the frontier and the firings."""
    case = random_case(Random(seed))  # noqa: S311
    *_, (tables, frontier) = states(case.merged())
    return case, tables, frontier, correlate(case.correlation, tables, frontier)


@BLOCKS
def test_any_split_is_the_same(block: int) -> None:
    """Run by run, with the windows as they are after each."""
    for seed in seeds(block):
        case, _, _, firings = at_once(seed)
        assert simulate(case) == plain(firings), seed


def test_merged_runs_are_the_same() -> None:
    for seed in range(BLOCK):
        case, _, _, firings = at_once(seed)
        assert simulate(case.merged()) == plain(firings), seed


@BLOCKS
def test_the_rules_say_the_same(block: int) -> None:
    for seed in seeds(block):
        case, tables, frontier, firings = at_once(seed)
        said = expected(case.correlation, tables, frontier)
        assert sorted(map(_order, said)) == sorted(map(_order, firings)), seed


def _order(firing: tuple | Firing) -> tuple:
    id_, cycle, index, rows = firing
    return (cycle.order, id_, index, [row["id"] if row else 0 for row in rows.values()])


@BLOCKS
def test_invariants(block: int) -> None:
    for seed in seeds(block):
        case, tables, frontier, firings = at_once(seed)
        ids = by_id(case.correlation, tables, frontier)
        lives: Counter = Counter()
        for id_, cycle, index, rows in firings:
            pattern, own = case.correlation.patterns()[index], ids[id_]
            [moment] = [each for each in own.moments if each.cycle == cycle]
            of = own.lives
            # In the moment of an end and a beginning, a pattern without `not` is of the beginning.
            around = [n for n, life in enumerate(of) if moment in life]
            lives[id_, around[0] if pattern.delayed else around[-1]] += 1

            shown = {alias for alias, row in rows.items() if row is not None}
            assert shown == pattern.present, seed
            assert all(rows[alias][case.correlation.on[alias]] == id_ for alias in shown), seed
            if pattern.delayed:
                assert pattern.present & (moment.before - moment.between), seed
                assert not pattern.absent & moment.before, seed
            else:
                assert moment.end == pattern.present, seed
        assert all(count == 1 for count in lives.values()), seed


def test_the_cases_cover_what_matters() -> None:
    """Enough of each: lives that fire again, patterns that are not the first, runs that wait."""
    found: Counter = Counter()
    for seed in range(16 * BLOCK):
        case, _, _, firings = at_once(seed)
        found["fired"] += bool(firings)
        found["delayed"] += sum(case.correlation.patterns()[f.pattern].delayed for f in firings)
        found["not the first"] += sum(f.pattern > 0 for f in firings)
        found["again"] += sum(n > 1 for n in Counter(f.id for f in firings).values())
        found["both in a cycle"] += sum(
            n > 1 for n in Counter((f.id, f.cycle) for f in firings).values()
        )
        found["in several runs"] += seed < BLOCK and _runs_that_fire(case) > 1
        found["chained"] += any(stream.after for stream in case.streams.values())
        found["sources"] += len(case.sources) > 1
    rare = {name: count for name, count in found.items() if count < 10}
    assert not rare, found


def _runs_that_fire(case: Case) -> int:
    return sum(bool(firings) for firings in simulate_runs(case))
