"""Parents over data that change: they shrink, split, come together and are replaced."""

from __future__ import annotations

from tests.engine.anomalies.scenarios import ANY_CHANGE, Scenario, found, low, notified

# Shrinking and splitting ---------------------------------------------------------------------


def test_a_parent_shrinks_down_to_one_and_keeps_its_name_and_feedback() -> None:
    scenario = Scenario()
    scenario.run(0, 60, *low(0, 15, 30))

    written = scenario.run(0, 60, *low(15))

    assert notified(written) == []
    assert scenario.all == [
        "0-15: 4 outdated",
        "15-30: 4 new",
        "30-45: 4 outdated",
        "parent of 0-15: 15-30 4 updated",
    ]
    child = scenario.engine.rows["AA", 15, 30, 0]
    assert (child.incident_id, child.parent_id) == (("AA", 0, 15, 0), ("parent", "AA", 0, 15, 0))

    grown = scenario.run(0, 60, *low(15, 30))

    assert notified(grown) == []
    assert scenario.all[3:] == ["parent of 0-15: 15-45 4 updated"]


def test_the_end_of_a_parent_of_one_is_notified_as_that_of_the_parent() -> None:
    scenario = Scenario(completed=True)
    first = scenario.run(0, 30, *low(0, 15))
    shrunk = scenario.run(0, 30, *low(15))

    ended = scenario.run(30, 60)

    assert [notified(each) for each in (first, shrunk, ended)] == [
        ["new parent of 0-15"],
        [],
        ["completed parent of 0-15"],
    ]


def test_feedback_on_a_parent_silences_what_is_left_of_it() -> None:
    scenario = Scenario(min_length=40)
    scenario.run(0, 60, *low(0, 15))  # too short to be notified
    scenario.run(0, 60, *low(15))
    scenario.engine.feedback["parent", "AA", 0, 15, 0] = "expected"

    assert notified(scenario.run(0, 60, *low(15, 30, 45))) == []

    scenario.engine.feedback.clear()

    assert notified(scenario.run(0, 60, *low(15, 30, 45))) == ["new parent of 0-15"]


def test_a_parent_whose_middle_is_lost_splits_and_comes_together_again() -> None:
    scenario = Scenario()
    scenario.run(0, 90, *low(0, 15, 30, 45, 60))

    split = scenario.run(0, 90, *low(0, 15, 45, 60))

    assert scenario.all[5:] == ["parent of 0-15: 0-30 4 updated", "parent of 45-60: 45-75 4 new"]
    assert notified(split) == []  # both were notified as a part of the whole
    assert scenario.engine.rows["parent", "AA", 45, 60, 0].notified_at == 2

    whole = scenario.run(0, 90, *low(0, 15, 30, 45, 60))

    assert scenario.all[5:] == [
        "parent of 0-15: 0-75 4 updated",
        "parent of 45-60: 45-75 4 outdated",
    ]
    assert notified(whole) == []


def test_a_split_of_what_was_not_notified_is_notified_in_parts() -> None:
    scenario = Scenario()
    scenario.engine.feedback["parent", "AA", 0, 15, 0] = "expected"
    scenario.run(0, 90, *low(0, 15, 30, 45, 60))

    split = scenario.run(0, 90, *low(0, 15, 45, 60))

    assert notified(split) == ["new parent of 45-60"]


# Replacing -----------------------------------------------------------------------------------


def test_a_replaced_child_replaces_its_parent() -> None:
    scenario = Scenario(**ANY_CHANGE)
    scenario.run(0, 60, *low(0, 15, 30))

    written = scenario.run(0, 60, *low(0), found(15, 30, 1), *low(30))

    assert scenario.all == [
        "0-15: 4 new",
        "15-30: 4 outdated",
        "15-30#1: 1 new",
        "30-45: 4 new",
        "parent of 0-15: 0-45 4 outdated",
        "parent of 15-30#1: 0-45 1 new",
    ]
    assert notified(written) == ["new parent of 15-30#1"]
    replaces = scenario.engine.rows["parent", "AA", 15, 30, 1].replaces
    assert replaces == ("parent", "AA", 0, 15, 0)


def test_two_replaced_children_replace_it_once() -> None:
    scenario = Scenario(**ANY_CHANGE)
    scenario.run(0, 60, *low(0, 15))

    written = scenario.run(0, 60, found(0, 15, 1), found(15, 30, 2))

    assert notified(written) == ["new parent of 0-15#1"]
