"""Random histories on Spark: after each run the table and the outbox are what the oracle has."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone

import pytest
from tests.engine.anomalies.on_spark import text
from tests.engine.anomalies.oracle_rows import Detection
from tests.engine.anomalies.parallel_cases import ParallelCases

# The clock of a device that is a year ahead; `not_after` keeps it out.
FUTURE = Detection(("high", "AA"), 525_600, 525_615, 9.0, arrival=1)
GUARD = ", not_after=\"(select timestamp'{}Z')\""


def compare(
    consolidated, seed: int, count: int = 200, runs: int = 7, midnight: int | None = None
) -> None:
    """With a `midnight` detections have arrivals, and one of each case is of the future."""
    cases = ParallelCases(seed, count, midnight)
    more = "" if midnight is None else GUARD.format(text(100_000))
    consolidated.define(cases.chosen, more)
    future = [] if midnight is None else [FUTURE]
    for run in cases.runs(runs):
        found = {n: [*case.found.values(), *future] for n, case in enumerate(cases.cases)}
        future = [replace(each, arrival=each.arrival + 1) for each in future]
        consolidated.detect(found)
        consolidated.give_feedback(cases.engines)
        message = consolidated.run(run.now, run.analysed if run.is_backfill else None)
        consolidated.agrees(cases.engines)
        consolidated.open_agrees(cases.engines)
        assert consolidated.watermark == cases.engines[0].watermark
        assert run.analysed is not None or run.late or message in ("no new interval", "nothing new")


@pytest.mark.soak
@pytest.mark.parametrize("seed", [7, 8, 9, 15, 16, 18, 21, 27])
def test_histories_of_many_cases(consolidated, seed: int) -> None:
    compare(consolidated, seed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", [7, 9, 18, 21])
def test_histories_with_late_detections_over_a_month(consolidated, monkeypatch, seed: int) -> None:
    """They begin two hours before February, so that the partitions and the day turn in them."""
    monkeypatch.setattr(
        "tests.engine.anomalies.on_spark.MIDNIGHT", datetime(2024, 1, 31, 22, tzinfo=timezone.utc)
    )
    compare(consolidated, seed, midnight=120)


def test_histories_have_late_detections() -> None:
    """Also where no new interval is, and some that are found before the range of a mutability period."""
    kinds = [
        (run.analysed is None, bool(run.late))
        for seed in range(60)
        for run in ParallelCases(seed, 10, 120).runs()
    ]
    assert min(kinds.count(each) for each in ((True, True), (False, True), (False, False))) > 5
