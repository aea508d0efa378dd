"""The table of the specification, row by row, and what counts as a change."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.engine.anomalies.scenarios import ANY_CHANGE, Scenario, found, lines, notified

THRESHOLDS = {"re_notify_percentage_threshold": 20, "re_notify_absolute_threshold": 2}


# The table ---------------------------------------------------------------------------------------


def test_what_vanished_is_outdated_and_keeps_its_feedback() -> None:
    scenario = Scenario()
    scenario.run(0, 60, found(15, 30, 4), found(45, 60, 5))
    scenario.engine.feedback["AA", 15, 30, 0] = "a true one"

    written = scenario.run(0, 60, found(45, 60, 5))

    assert lines(written.anomalies) == ["15-30: 4 outdated"]
    assert notified(written) == []
    assert scenario.engine.feedback == {("AA", 15, 30, 0): "a true one"}


@pytest.mark.parametrize("value", [7, 1], ids=["a rise", "a fall"])
def test_a_significant_change_outdates_the_old_one_and_notifies_of_the_new_one(value: int) -> None:
    scenario = Scenario(**THRESHOLDS)
    scenario.run(0, 60, found(15, 30, 4))

    written = scenario.run(0, 60, found(15, 30, value))

    assert lines(written.anomalies) == ["15-30: 4 outdated", f"15-30#1: {value} new"]
    assert notified(written) == ["new 15-30#1"]
    assert scenario.engine.rows["AA", 15, 30, 1].replaces == ("AA", 15, 30, 0)


# What counts as a change ---------------------------------------------------------------------


def test_severity_and_labels_are_updated_alike() -> None:
    scenario, one = Scenario(**ANY_CHANGE), found(15, 30, 4)
    scenario.run(0, 60, one)

    [row] = scenario.run(0, 60, replace(one, severity="high", labels=("storm",))).anomalies

    assert (row.severity, row.labels, row.status) == ("high", ("storm",), "updated")
