"""Anomalies that touch: which belong to one parent, which is told, and grows with them."""

from __future__ import annotations

from dataclasses import replace

from tests.engine.anomalies.stories import Story, found, low, told

# What belongs together -----------------------------------------------------------------------


def test_what_touches_has_a_parent_which_is_told() -> None:
    story = Story()

    written = story.run(0, 60, *low(0, 15, 45))

    assert story.all == [
        "0-15: 4 new",
        "15-30: 4 new",
        "45-60: 4 new",  # a granule between them
        "parent of 0-15: 0-30 4 new",
    ]
    assert told(written) == ["new 45-60", "new parent of 0-15"]


def test_the_gap_is_exclusive() -> None:
    """The next one begins before the end of this one and the gap."""
    by_gap = {}
    for gap in (0, 15, 16):
        by_gap[gap] = Story(merge_max_gap=gap)
        by_gap[gap].run(0, 60, *low(0, 30))

    assert {gap: story.all[2:] for gap, story in by_gap.items()} == {
        0: [],
        15: [],
        16: ["parent of 0-15: 0-45 4 new"],
    }


def test_without_a_gap_only_what_overlaps_belongs_together() -> None:
    story = Story(merge_max_gap=0)

    story.run(0, 60, found(0, 15, 1), found(15, 30, 2), found(29, 44, 3))

    assert story.all[3:] == ["parent of 15-30: 15-44 2 new"]


def test_a_parent_is_not_longer_than_the_longest() -> None:
    story = Story(merge_max_duration=45)

    written = story.run(0, 90, *low(0, 15, 30, 45, 60))

    assert story.all[5:] == ["parent of 0-15: 0-45 4 new", "parent of 45-60: 45-75 4 new"]
    assert told(written) == ["new parent of 0-15", "new parent of 45-60"]


def test_directions_are_apart_also_where_there_is_none() -> None:
    story = Story()

    story.run(0, 60, found(0, 15, 4), found(0, 16, 14), found(0, 17, 10), found(0, 18, None))

    assert story.all[4:] == ["parent of 0-17: 0-18 10 new"]  # equal and unknown


def test_an_update_that_turns_leaves_its_parent() -> None:
    story = Story()
    story.run(0, 60, *low(0, 15, 30))

    story.run(0, 60, *low(0, 15), found(30, 45, 40))

    assert story.all == [
        "0-15: 4 new",
        "15-30: 4 new",
        "30-45: 40 updated",
        "parent of 0-15: 0-30 4 updated",
    ]


def test_a_parent_shows_its_worst_child() -> None:
    story = Story()

    story.run(0, 60, found(0, 15, 4), found(15, 30, 1), found(30, 45, 1, 9))

    assert story.all[3:] == ["parent of 0-15: 0-45 1 new"]
    assert story.engine.rows["parent", "AA", 0, 15, 0].baseline == 10


def test_a_parent_has_the_labels_of_all_its_children() -> None:
    story = Story()
    one, two = (replace(each, labels=labels) for each, labels in zip(low(0, 15), [("snow", "jam"), ("snow", "fog")], strict=True))  # fmt: skip

    story.run(0, 60, one, two)
    assert story.engine.rows["parent", "AA", 0, 15, 0].labels == ("fog", "jam", "snow")

    story.run(0, 60, one)
    assert story.engine.rows["parent", "AA", 0, 15, 0].labels == ("jam", "snow")


def test_order_is_that_of_the_end() -> None:
    """A long one, which ends last, joins what is there; it does not make one of two."""
    story = Story()

    story.run(0, 60, found(0, 15, 4), found(30, 45, 4), found(5, 60, 4))

    assert story.all[3:] == ["parent of 30-45: 5-60 4 new"]


# Growing ---------------------------------------------------------------------------------------


def test_growing_is_not_told_again() -> None:
    """Neither from one to a parent, nor when the parent grows."""
    story = Story()

    first, second, third = (story.run(s, s + 15, *low(s)) for s in (0, 15, 30))

    assert [told(written) for written in (first, second, third)] == [["new 0-15"], [], []]
    assert story.all[3:] == ["parent of 0-15: 0-45 4 updated"]


def test_growing_at_its_front_is_not_told_and_keeps_its_name() -> None:
    story = Story()
    story.run(0, 60, *low(30, 45))

    written = story.run(0, 60, *low(15, 30, 45))

    assert story.all[3:] == ["parent of 30-45: 15-60 4 updated"]
    assert told(written) == []


def test_two_that_become_one_are_the_first_of_them() -> None:
    story = Story()
    story.run(0, 90, *low(0, 15, 45, 60))

    written = story.run(0, 90, *low(0, 15, 30, 45, 60))

    assert story.all[5:] == ["parent of 0-15: 0-75 4 updated", "parent of 45-60: 45-75 4 outdated"]
    assert told(written) == []


def test_two_that_become_one_are_the_told_one() -> None:
    story = Story(min_length=20)
    story.run(0, 90, *low(0, 30, 45))  # the first is too short

    written = story.run(0, 90, *low(0, 15, 30, 45))

    assert story.all[4:] == ["parent of 30-45: 0-60 4 updated"]
    assert told(written) == []
