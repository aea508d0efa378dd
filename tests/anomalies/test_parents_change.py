"""Parents over data that change: they shrink, split, come together and are replaced."""

from __future__ import annotations

from tests.anomalies.stories import ANY_CHANGE, Story, found, low, told

# Shrinking and splitting ---------------------------------------------------------------------


def test_a_parent_that_lost_some_shrinks_and_keeps_its_name() -> None:
    story = Story()
    story.run(0, 60, *low(0, 15, 30))

    written = story.run(0, 60, *low(15, 30))

    assert story.all == [
        "0-15: 4 outdated",
        "15-30: 4 new",
        "30-45: 4 new",
        "parent of 0-15: 15-45 4 updated",
    ]
    assert told(written) == []


def test_a_parent_of_one_is_none() -> None:
    story = Story()
    story.run(0, 60, *low(0, 15, 30))

    written = story.run(0, 60, *low(15))
    grown = story.run(0, 60, *low(15, 30))

    assert (told(written), told(grown)) == ([], [])  # it was told as a part of the parent
    assert story.engine.rows["AA", 15, 30, 0].incident_id == ("AA", 0, 15, 0)
    assert story.all[3:] == ["parent of 0-15: 15-45 4 updated"]


def test_a_parent_that_lost_all_is_outdated() -> None:
    story = Story()
    story.run(0, 60, *low(0, 15))

    story.run(0, 60)

    assert story.all == [
        "0-15: 4 outdated",
        "15-30: 4 outdated",
        "parent of 0-15: 0-30 4 outdated",
    ]


def test_a_parent_whose_middle_is_lost_splits_and_comes_together_again() -> None:
    story = Story()
    story.run(0, 90, *low(0, 15, 30, 45, 60))

    split = story.run(0, 90, *low(0, 15, 45, 60))

    assert story.all[5:] == ["parent of 0-15: 0-30 4 updated", "parent of 45-60: 45-75 4 new"]
    assert told(split) == []  # both were told as a part of the whole
    assert story.engine.rows["parent", "AA", 45, 60, 0].notified_at == 2

    whole = story.run(0, 90, *low(0, 15, 30, 45, 60))

    assert story.all[5:] == ["parent of 0-15: 0-75 4 updated", "parent of 45-60: 45-75 4 outdated"]
    assert told(whole) == []


def test_a_split_of_what_was_not_told_is_told_in_parts() -> None:
    story = Story()
    story.engine.feedback["parent", "AA", 0, 15, 0] = "expected"
    story.run(0, 90, *low(0, 15, 30, 45, 60))

    split = story.run(0, 90, *low(0, 15, 45, 60))

    assert told(split) == ["new parent of 45-60"]


# Replacing -----------------------------------------------------------------------------------


def test_a_replaced_child_replaces_its_parent() -> None:
    story = Story(**ANY_CHANGE)
    story.run(0, 60, *low(0, 15, 30))

    written = story.run(0, 60, *low(0), found(15, 30, 1), *low(30))

    assert story.all == [
        "0-15: 4 new",
        "15-30: 4 outdated",
        "15-30#1: 1 new",
        "30-45: 4 new",
        "parent of 0-15: 0-45 4 outdated",
        "parent of 15-30#1: 0-45 1 new",
    ]
    assert told(written) == ["new parent of 15-30#1"]
    replaces = story.engine.rows["parent", "AA", 15, 30, 1].replaces
    assert replaces == ("parent", "AA", 0, 15, 0)


def test_two_replaced_children_replace_it_once() -> None:
    story = Story(**ANY_CHANGE)
    story.run(0, 60, *low(0, 15))

    written = story.run(0, 60, found(0, 15, 1), found(15, 30, 2))

    assert told(written) == ["new parent of 0-15#1"]


def test_a_replacement_in_another_direction_leaves_the_parent_as_it_is() -> None:
    story = Story(**ANY_CHANGE)
    story.run(0, 60, *low(0, 15, 30))

    written = story.run(0, 60, *low(0, 15), found(30, 45, 40))

    assert told(written) == ["new 30-45#1"]
    assert story.all[-1] == "parent of 0-15: 0-30 4 updated"
