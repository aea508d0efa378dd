"""The table of the specification, row by row, and what counts as a change."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from tests.engine.anomalies.stories import ANY_CHANGE, Story, found, lines, told

THRESHOLDS = {"re_notify_percentage_threshold": 20, "re_notify_absolute_threshold": 2}


# The table ---------------------------------------------------------------------------------------


def test_the_same_writes_nothing() -> None:
    story = Story(**ANY_CHANGE)
    story.run(0, 60, found(15, 30, 4))

    again = story.run(0, 60, found(15, 30, 4))

    assert not again
    assert story.all == ["15-30: 4 new"]


def test_what_is_new_is_created_and_told() -> None:
    story = Story()
    story.run(0, 60)

    written = story.run(0, 60, found(15, 30, 4))

    assert lines(written.anomalies) == ["15-30: 4 new"]
    assert told(written) == ["new 15-30"]


def test_what_vanished_is_outdated_and_keeps_its_feedback() -> None:
    story = Story()
    story.run(0, 60, found(15, 30, 4), found(45, 60, 5))
    story.engine.feedback["AA", 15, 30, 0] = "a true one"

    written = story.run(0, 60, found(45, 60, 5))

    assert lines(written.anomalies) == ["15-30: 4 outdated"]
    assert told(written) == []
    assert story.engine.feedback == {("AA", 15, 30, 0): "a true one"}


@pytest.mark.parametrize("value", [7, 1], ids=["a rise", "a fall"])
def test_a_significant_change_outdates_the_old_one_and_tells_the_new_one(value: int) -> None:
    story = Story(**THRESHOLDS)
    story.run(0, 60, found(15, 30, 4))

    written = story.run(0, 60, found(15, 30, value))

    assert lines(written.anomalies) == ["15-30: 4 outdated", f"15-30#1: {value} new"]
    assert told(written) == ["new 15-30#1"]
    assert story.engine.rows["AA", 15, 30, 1].replaces == ("AA", 15, 30, 0)


def test_another_change_is_updated_in_place_and_not_told() -> None:
    story = Story(**THRESHOLDS)
    story.run(0, 60, found(15, 30, 4))

    written = story.run(0, 60, found(15, 30, 6))

    assert lines(written.anomalies) == ["15-30: 6 updated"]
    assert told(written) == []


# What counts as a change ---------------------------------------------------------------------


def test_a_baseline_does_not_count_but_is_updated() -> None:
    story = Story(**ANY_CHANGE)
    story.run(0, 60, found(15, 30, 4, baseline=10))

    written = story.run(0, 60, found(15, 30, 4, baseline=99))

    assert [(row.baseline, row.status) for row in written.anomalies] == [(99, "updated")]
    assert told(written) == []


def test_severity_and_labels_are_updated_alike() -> None:
    story, one = Story(**ANY_CHANGE), found(15, 30, 4)
    story.run(0, 60, one)

    [row] = story.run(0, 60, replace(one, severity="high", labels=("storm",))).anomalies

    assert (row.severity, row.labels, row.status) == ("high", ("storm",), "updated")


def test_other_bounds_are_another_anomaly() -> None:
    story = Story(merge_max_gap=0)
    story.run(0, 60, found(15, 30, 4))

    written = story.run(0, 60, found(15, 45, 4))

    assert lines(written.anomalies) == ["15-30: 4 outdated", "15-45: 4 new"]
    assert told(written) == ["new 15-45"]


def test_a_slow_drift_is_never_told_again() -> None:
    """Each step is compared with the value of the last one."""
    story = Story(**THRESHOLDS)
    story.run(0, 60, found(15, 30, 10))

    steps = [story.run(0, 60, found(15, 30, value)) for value in (12, 14, 16, 18)]

    assert [told(written) for written in steps] == [[], [], [], []]
    assert story.all == ["15-30: 18 updated"]


def test_nan_is_a_null() -> None:
    story = Story(**ANY_CHANGE)
    story.run(0, 60, found(15, 30, math.nan, math.nan))

    assert not story.run(0, 60, found(15, 30, None, None))
    assert story.all == ["15-30: None new"]
