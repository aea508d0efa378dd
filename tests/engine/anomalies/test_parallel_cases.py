"""Random histories on Spark: after each run the table and the outbox are what the oracle has."""

from __future__ import annotations

import pytest
from tests.engine.anomalies.parallel_cases import ParallelCases


def compare(consolidated, seed: int, count: int = 200, runs: int = 7) -> None:
    cases = ParallelCases(seed, count)
    consolidated.define(cases.chosen)
    for run in cases.runs(runs):
        consolidated.detect({n: case.found.values() for n, case in enumerate(cases.cases)})
        consolidated.give_feedback(cases.engines)
        message = consolidated.run(run.now, run.frame if run.is_backfill else None)
        consolidated.agrees(cases.engines)
        assert consolidated.watermark == cases.engines[0].watermark
        assert run.frame is not None or message in ("no new interval", "nothing new")


@pytest.mark.soak
@pytest.mark.parametrize("seed", [7, 8, 9, 15, 16, 18, 21, 27])
def test_histories_of_many_cases(consolidated, seed: int) -> None:
    compare(consolidated, seed)
