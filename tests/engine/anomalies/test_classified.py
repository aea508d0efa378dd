"""What is classified: one that is found again, the edges of the analysed range, and what is refused."""

from __future__ import annotations

import pytest
from tests.engine.anomalies.oracle_rows import Detection
from tests.engine.anomalies.scenarios import ANY_CHANGE, Scenario, found, lines, notified

THRESHOLDS = {"re_notify_percentage_threshold": 20, "re_notify_absolute_threshold": 2}


# Found again ---------------------------------------------------------------------------------


def test_found_again_is_the_same_anomaly_and_not_notified_again() -> None:
    scenario = Scenario(**ANY_CHANGE)
    scenario.run(0, 60, found(15, 30, 4))
    scenario.run(0, 60)

    written = scenario.run(0, 60, found(15, 30, 4))

    assert lines(written.anomalies) == ["15-30: 4 updated"]
    assert notified(written) == []


def test_found_again_is_notified_if_it_never_was() -> None:
    scenario = Scenario()
    scenario.engine.feedback["AA", 15, 30, 0] = "expected"
    scenario.run(0, 60, found(15, 30, 4))
    scenario.run(0, 60)
    del scenario.engine.feedback["AA", 15, 30, 0]

    written = scenario.run(0, 60, found(15, 30, 4))

    assert notified(written) == ["new 15-30"]
    assert [row.notified_at for row in written.anomalies] == [3]


def test_found_again_with_a_significant_change_is_the_next_generation() -> None:
    scenario = Scenario(**ANY_CHANGE)
    scenario.run(0, 60, found(15, 30, 4))
    scenario.run(0, 60, found(15, 30, 5))
    scenario.run(0, 60)

    written = scenario.run(0, 60, found(15, 30, 4))  # as the first one was, but not as the last one

    assert scenario.all == ["15-30: 4 outdated", "15-30#1: 5 outdated", "15-30#2: 4 new"]
    assert notified(written) == ["new 15-30#2"]


def test_found_again_is_the_newest_generation() -> None:
    scenario = Scenario(**THRESHOLDS)
    scenario.run(0, 60, found(15, 30, 4))
    scenario.run(0, 60, found(15, 30, 40))
    scenario.run(0, 60)

    written = scenario.run(0, 60, found(15, 30, 41))

    assert scenario.all == ["15-30: 4 outdated", "15-30#1: 41 updated"]
    assert notified(written) == []


# The analysed range ------------------------------------------------------------------------------


def test_what_overlaps_the_edge_of_the_range_does_not_vanish() -> None:
    scenario = Scenario(merge_max_gap=0)
    scenario.run(0, 90, found(0, 30, 1), found(30, 45, 2), found(45, 60, 3), found(60, 90, 4))

    written = scenario.run(15, 75)

    assert lines(written.anomalies) == ["30-45: 2 outdated", "45-60: 3 outdated"]


def test_one_that_fills_the_range_does() -> None:
    scenario = Scenario()
    scenario.run(0, 60, found(15, 30, 4))

    assert lines(scenario.run(15, 30).anomalies) == ["15-30: 4 outdated"]


def test_a_detection_is_classified_in_the_range_in_which_it_ends() -> None:
    """Two adjacent ranges have the same three."""
    scenario = Scenario(merge_max_gap=0)
    three = [found(15, 30, 1), found(25, 40, 40), found(30, 45, 3)]

    first, second = scenario.run(0, 30, *three), scenario.run(30, 60, *three)

    assert lines(first.anomalies) == ["15-30: 1 new"]
    assert lines(second.anomalies) == ["25-40: 40 new", "30-45: 3 new"]


def test_one_that_begins_before_the_range_is_updated_by_it() -> None:
    scenario = Scenario(**ANY_CHANGE)
    scenario.run(0, 60, found(15, 45, 4))

    written = scenario.run(30, 60, found(15, 45, 5))

    assert scenario.all == ["15-45: 4 outdated", "15-45#1: 5 new"]
    assert notified(written) == ["new 15-45#1"]


def test_keys_are_apart_and_a_null_is_a_key() -> None:
    scenario = Scenario()
    some = [Detection(key, 15, 30, 4, 10) for key in [("high", "AA"), ("low", "AA"), ("high", None)]]  # fmt: skip
    scenario.run(0, 60, *some)

    written = scenario.run(0, 60, *some[:2])

    assert [(row.key, row.status) for row in written.anomalies] == [(("high", None), "outdated")]


# What is refused -----------------------------------------------------------------------------


def test_detections_that_are_refused() -> None:
    scenario = Scenario()
    scenario.run(0, 60, found(15, 30, 4), found(15, 30, 4))  # twice the same is one

    with pytest.raises(ValueError, match="is also found as"):
        scenario.run(0, 60, found(15, 30, 4), found(15, 30, 5))
    with pytest.raises(ValueError, match="has no length"):
        scenario.run(0, 60, found(30, 30, 4))
    assert scenario.all == ["15-30: 4 new"]


def test_runs_and_settings_that_are_refused() -> None:
    scenario = Scenario()
    scenario.run(0, 60)
    scenario.runs = -1

    with pytest.raises(ValueError, match="the run at 0 is before the last one, at 1"):
        scenario.run(0, 60)
    with pytest.raises(ValueError, match="merge_max_gap must not be below 0, got -1"):
        Scenario(merge_max_gap=-1)
    with pytest.raises(ValueError, match="granularity must be above 0"):
        Scenario(granularity=0)
