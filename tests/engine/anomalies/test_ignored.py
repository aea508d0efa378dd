"""Anomalies that a label says to ignore: kept, hidden and not notified, until the label is taken away."""

from __future__ import annotations

from tests.engine.anomalies.scenarios import (
    Scenario,
    found,
    ignored,
    lines,
    low,
    notified,
)

FOUR, FIVE = found(15, 30, 4), found(15, 30, 5)


def test_it_is_kept_and_not_notified() -> None:
    scenario = Scenario(completed=True)

    written = scenario.run(0, 60, *ignored(FOUR))

    assert lines(written.anomalies) == ["15-30: 4 ignored"]
    assert notified(written) == []
    assert not scenario.run(0, 60, *ignored(FOUR))


def test_one_that_was_notified_is_hidden_with_its_feedback_and_its_end_is_not_notified() -> None:
    scenario = Scenario(completed=True)
    scenario.run(0, 30, FOUR)
    scenario.engine.feedback["AA", 15, 30, 0] = "a true one"

    written = scenario.run(0, 60, *ignored(FOUR))

    assert lines(written.anomalies) == ["15-30: 4 ignored"]
    assert notified(written) == []
    assert scenario.engine.rows["AA", 15, 30, 0].notified_at == 1
    assert scenario.engine.feedback == {("AA", 15, 30, 0): "a true one"}


def test_its_values_are_kept_up_to_date() -> None:
    scenario = Scenario()
    scenario.run(0, 60, *ignored(FOUR))

    assert lines(scenario.run(0, 60, *ignored(FIVE)).anomalies) == ["15-30: 5 ignored"]
    assert lines(scenario.run(0, 60).anomalies) == ["15-30: 5 outdated"]
    assert lines(scenario.run(0, 60, *ignored(FIVE)).anomalies) == ["15-30: 5 ignored"]


def test_ignored_ones_do_not_merge_and_leave_their_parent() -> None:
    scenario = Scenario()
    scenario.run(0, 60, *low(0, 15, 30))

    scenario.run(0, 60, *low(0, 15), *ignored(found(30, 45, 4)))

    assert scenario.all == [
        "0-15: 4 new", "15-30: 4 new", "30-45: 4 ignored", "parent of 0-15: 0-30 4 updated",
    ]  # fmt: skip
    assert scenario.engine.rows["AA", 30, 45, 0].parent_id == ("parent", "AA", 0, 15, 0)

    scenario.run(0, 60, *ignored(*low(0, 15, 30)))

    assert scenario.all == [
        "0-15: 4 ignored", "15-30: 4 ignored", "30-45: 4 ignored", "parent of 0-15: 0-30 4 outdated",
    ]  # fmt: skip
