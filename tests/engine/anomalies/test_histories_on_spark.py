"""Random histories on Spark: after each run the table and the outbox are what the oracle has."""

from __future__ import annotations

import pytest
from tests.engine.anomalies.worlds import Worlds


def compare(consolidated, seed: int, count: int = 200, runs: int = 7) -> None:
    worlds = Worlds(seed, count)
    consolidated.define(worlds.chosen)
    for run in worlds.runs(runs):
        consolidated.detect({n: world.found.values() for n, world in enumerate(worlds.worlds)})
        consolidated.give_feedback(worlds.engines)
        message = consolidated.run(run.now, run.frame if run.by_hand else None)
        consolidated.agrees(worlds.engines)
        assert consolidated.mark == worlds.engines[0].mark
        assert run.frame is not None or message in ("no new interval", "nothing new")


@pytest.mark.soak
@pytest.mark.parametrize("seed", [7, 8, 9, 15, 16, 18, 21, 27])
def test_histories_of_many_worlds(consolidated, seed: int) -> None:
    compare(consolidated, seed)
