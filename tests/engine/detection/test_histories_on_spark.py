"""Random streams, split into batches, killed and resent: Spark finds what the oracle finds.

Each key is a stream of its own. Each case evaluates a third of the catalogue's metrics at once, the one
of `make test` four of all classes.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import pytest
from tests.conftest import drop_schema
from tests.engine.detection import oracle, streams
from tests.engine.detection.catalogue import CATALOGUE
from tests.engine.detection.on_spark import Engine, as_read
from tests.engine.detection.oracle_metrics import Metric
from tests.engine.detection.streams import Stream, stream

from strandline.detection.plan import panes as panes_of_windows

pytestmark = pytest.mark.first

KEYS, ROWS = 120, 15  # streams, and about how many rows each has
SEED = 8256
CASES = {"ms": 20}  # window / step; the other precisions in `make soak`
MANY = 3_000  # streams of each case there


def stream_of(seed: int, precision: str, panes: int, keys: int) -> Stream:
    """The first stream from a seed on with windows of so many steps; some rows have no time."""
    while True:
        shape = stream(seed, count=1, precision=precision)
        if shape.window_size == panes * shape.step:
            break
        seed += 1
    made = stream(seed, count=keys * ROWS, precision=precision, keys=keys)
    chance = random.Random(seed)  # noqa: S311
    rows = [replace(r, time=None) if chance.random() < 0.003 else r for r in made.rows]
    return replace(made, rows=rows)


@pytest.mark.parametrize(("precision", "panes"), CASES.items())
def test_random_streams_in_random_batches(spark: Any, precision: str, panes: int) -> None:
    check(spark, precision, panes, SEED, KEYS, dict(list(CATALOGUE.items())[1::18]))


@pytest.mark.soak
def test_streams_whose_windows_reach_across_blocks(
    spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As short as a block can be, four windows: many windows, and many gaps, are in two blocks."""
    monkeypatch.setattr(panes_of_windows, "BLOCK", 1)
    check(spark, "ms", 3, SEED + 500, KEYS, dict(list(CATALOGUE.items())[1::6]))


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(SEED + 1_000, SEED + 6_000, 1_000))
@pytest.mark.parametrize("precision", streams.PRECISIONS)
def test_more_random_streams(spark: Any, precision: str, seed: int) -> None:
    panes = random.Random(f"{seed} {precision}").choice([1, 2, 3, 4, 5, 10, 20])  # noqa: S311
    third = dict(list(CATALOGUE.items())[streams.PRECISIONS.index(precision) % 3 :: 3])
    check(spark, precision, panes, seed, MANY, third)


def check(
    spark: Any, precision: str, panes: int, seed: int, keys: int, metrics: dict[str, Metric]
) -> None:
    made = stream_of(seed, precision, panes, keys)
    windows = {"window_size": made.window_size, "step": made.step, "round_time": made.round_time}
    of_oracle = oracle.Engine(list(metrics.values()), precision=precision, **windows)
    expected = as_read(of_oracle.run(made.rows))
    late = sorted((reason, row.arrival) for reason, row in of_oracle.late)
    unit = {"DATE": "day", "MONTH": "month", "m": "minute"}.get(precision, precision)
    engine = Engine(
        spark, f"histories_{precision}_{seed}", metrics, precision, round_time=made.round_time,
        window_size=f"{made.window_size} {unit}", step=f"{made.step} {unit}",
    )  # fmt: skip
    try:
        run_in_batches(engine, made, random.Random(f"{seed} {precision}"))  # noqa: S311
        where = f"{precision}, seed {seed}, window {made.window_size}, step {made.step}"
        compare(engine, expected, f"in batches ({where})")
        assert engine.late() == late
        engine.run(full_refresh=True)
        compare(engine, expected, f"at once ({where})")
        assert engine.late() == late
    finally:
        drop_schema(spark, engine.schema)


def run_in_batches(engine: Engine, made: Stream, chance: random.Random) -> None:
    """Three runs; one of them crashes at a commit and is run again, before one rows come again."""
    places = sorted(chance.sample(range(1, len(made.rows)), 2))
    batches = list(zip([0, *places], [*places, len(made.rows)], strict=True))
    crashes, resends = chance.randrange(3), chance.randrange(1, 3)
    for number, (start, end) in enumerate(batches):
        engine.land(made.rows[start:end])
        if number == resends:
            engine.land(made.rows[max(0, start - 50) : start + 50])
        if number == crashes:
            engine.run_killed(chance.randrange(1, 4), before=chance.random() < 0.5)
        engine.run()
    before = engine.versions()
    engine.run()
    assert engine.versions() == before, "a run without new events wrote something"


def compare(engine: Engine, expected: list, what: str) -> None:
    """Full contents, both ways, counts included; the order too."""
    found = engine.found()
    if found == expected:
        return
    missing = [each for each in expected if each not in set(found)]
    more = [each for each in found if each not in set(expected)]
    metrics = engine.arguments["metrics"]
    texts = {metrics[each.metric] for each in (*missing, *more)}
    raise AssertionError(
        f"{what}: {len(found)} found, {len(expected)} expected\nmetrics: {texts}\n"
        f"missing: {missing[:5]}\nmore: {more[:5]}\n"
        f"order: {next((p for p in enumerate(zip(found, expected, strict=False)) if p[1][0] != p[1][1]), None)}"
    )
