"""Adjacent anomalies: which belong to one parent, which is notified, and grows with them."""

from __future__ import annotations

from dataclasses import replace

from tests.engine.anomalies.scenarios import Scenario, found, low, notified

# What belongs together -----------------------------------------------------------------------


def test_the_gap_is_exclusive() -> None:
    """The next one begins before the end of this one and the gap."""
    by_gap = {}
    for gap in (0, 15, 16):
        by_gap[gap] = Scenario(merge_max_gap=gap)
        by_gap[gap].run(0, 60, *low(0, 30))

    assert {gap: scenario.all[2:] for gap, scenario in by_gap.items()} == {
        0: [],
        15: [],
        16: ["parent of 0-15: 0-45 4 new"],
    }


def test_without_a_gap_only_what_overlaps_belongs_together() -> None:
    scenario = Scenario(merge_max_gap=0)

    scenario.run(0, 60, found(0, 15, 1), found(15, 30, 2), found(29, 44, 3))

    assert scenario.all[3:] == ["parent of 15-30: 15-44 2 new"]


def test_a_parent_is_not_longer_than_the_longest() -> None:
    scenario = Scenario(merge_max_duration=45)

    written = scenario.run(0, 90, *low(0, 15, 30, 45, 60))

    assert scenario.all[5:] == ["parent of 0-15: 0-45 4 new", "parent of 45-60: 45-75 4 new"]
    assert notified(written) == ["new parent of 0-15", "new parent of 45-60"]


def test_directions_are_apart_also_where_there_is_none() -> None:
    scenario = Scenario()

    scenario.run(0, 60, found(0, 15, 4), found(0, 16, 14), found(0, 17, 10), found(0, 18, None))

    assert scenario.all[4:] == ["parent of 0-17: 0-18 10 new"]  # equal and unknown


def test_an_update_that_turns_leaves_its_parent() -> None:
    scenario = Scenario()
    scenario.run(0, 60, *low(0, 15, 30))

    scenario.run(0, 60, *low(0, 15), found(30, 45, 40))

    assert scenario.all == [
        "0-15: 4 new",
        "15-30: 4 new",
        "30-45: 40 updated",
        "parent of 0-15: 0-30 4 updated",
    ]


def test_a_parent_shows_its_worst_child() -> None:
    scenario = Scenario()

    scenario.run(0, 60, found(0, 15, 4), found(15, 30, 1), found(30, 45, 1, 9))

    assert scenario.all[3:] == ["parent of 0-15: 0-45 1 new"]
    assert scenario.engine.rows["parent", "AA", 0, 15, 0].baseline == 10


def test_a_parent_has_the_labels_of_all_its_children() -> None:
    scenario = Scenario()
    one, two = (replace(each, labels=labels) for each, labels in zip(low(0, 15), [("snow", "jam"), ("snow", "fog")], strict=True))  # fmt: skip

    scenario.run(0, 60, one, two)
    assert scenario.engine.rows["parent", "AA", 0, 15, 0].labels == ("fog", "jam", "snow")

    scenario.run(0, 60, one)
    assert scenario.engine.rows["parent", "AA", 0, 15, 0].labels == ("jam", "snow")


# Growing ---------------------------------------------------------------------------------------


def test_growing_is_not_notified_again() -> None:
    """Neither from one to a parent, nor when the parent grows."""
    scenario = Scenario()

    first, second, third = (scenario.run(s, s + 15, *low(s)) for s in (0, 15, 30))

    assert [notified(written) for written in (first, second, third)] == [["new 0-15"], [], []]
    assert scenario.all[3:] == ["parent of 0-15: 0-45 4 updated"]


def test_growing_at_its_front_is_not_notified_and_keeps_its_name() -> None:
    scenario = Scenario()
    scenario.run(0, 60, *low(30, 45))

    written = scenario.run(0, 60, *low(15, 30, 45))

    assert scenario.all[3:] == ["parent of 30-45: 15-60 4 updated"]
    assert notified(written) == []


def test_two_that_become_one_are_the_notified_one() -> None:
    scenario = Scenario(min_length=20)
    scenario.run(0, 90, *low(0, 30, 45))  # the first is too short

    written = scenario.run(0, 90, *low(0, 15, 30, 45))

    assert scenario.all[4:] == ["parent of 30-45: 0-60 4 updated"]
    assert notified(written) == []
