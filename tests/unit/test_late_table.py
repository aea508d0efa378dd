"""A run of a late table writes nothing twice, also if another run has written since it began."""

from __future__ import annotations

import pytest
from scripts.rendering.run import Run
from scripts.rendering.tables import AGGREGATION, WEIGHT

STORED = {"strandline.watermark": '{"arrival": "5L"}'}


def aggregation(run: Run) -> tuple[str, object]:
    return run.macros.aggregation_late(
        run.macros.aggregation(**AGGREGATION)
    ), run.macros._late_events


def points(run: Run) -> tuple[str, object]:
    return run.macros.time_weight_late(**WEIGHT, method="linear"), run.macros._late_points


@pytest.mark.parametrize("table", [aggregation, points])
def test_the_guard_of_a_write_is_the_arrival_that_was_stored_when_the_run_began(table) -> None:
    run = Run()
    body, classified = table(run)
    begun = {"task": run.task(body), "is_new": False, "properties": STORED}
    run.statements.clear()

    run.macros._write_late(begun, body, classified(run.this, begun))

    stored = [n for n, each in enumerate(run.statements) if "max(`arrival`)" in each]
    assert stored == [0], "it is read once, before the source"
    written = run.statements[-1]
    assert written.startswith("insert into shop.this_table")
    assert "where `arrival` > cast('7' as bigint)" in written  # of another run: fails the statement
    assert "rrival > cast('7' as bigint)" in written.split("late_reason\nfrom ")[-1]
