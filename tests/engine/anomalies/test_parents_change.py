"""Parents over data that change: they shrink, split, come together and are replaced."""

from __future__ import annotations

from tests.engine.anomalies.stories import ANY_CHANGE, Story, found, low, told

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


def test_a_parent_shrinks_down_to_one_and_keeps_its_name_and_feedback() -> None:
    story = Story()
    story.run(0, 60, *low(0, 15, 30))

    written = story.run(0, 60, *low(15))

    assert told(written) == []
    assert story.all == [
        "0-15: 4 outdated",
        "15-30: 4 new",
        "30-45: 4 outdated",
        "parent of 0-15: 15-30 4 updated",
    ]
    child = story.engine.rows["AA", 15, 30, 0]
    assert (child.incident_id, child.parent_id) == (("AA", 0, 15, 0), ("parent", "AA", 0, 15, 0))

    grown = story.run(0, 60, *low(15, 30))

    assert told(grown) == []
    assert story.all[3:] == ["parent of 0-15: 15-45 4 updated"]


def test_of_one_child_that_turns_a_parent_is_left_with_the_other() -> None:
    story = Story(**ANY_CHANGE)
    story.run(0, 60, *low(0, 15))

    written = story.run(0, 60, *low(0), found(15, 30, 40))

    assert told(written) == ["new 15-30#1"]
    assert story.all[3:] == ["parent of 0-15: 0-15 4 updated"]


def test_the_end_of_a_parent_of_one_is_told_as_that_of_the_parent() -> None:
    story = Story(completed=True)
    first = story.run(0, 30, *low(0, 15))
    shrunk = story.run(0, 30, *low(15))

    ended = story.run(30, 60)

    assert [told(each) for each in (first, shrunk, ended)] == [
        ["new parent of 0-15"],
        [],
        ["completed parent of 0-15"],
    ]


def test_feedback_on_a_parent_silences_what_is_left_of_it() -> None:
    story = Story(min_length=40)
    story.run(0, 60, *low(0, 15))  # too short to be told
    story.run(0, 60, *low(15))
    story.engine.feedback["parent", "AA", 0, 15, 0] = "expected"

    assert told(story.run(0, 60, *low(15, 30, 45))) == []

    story.engine.feedback.clear()

    assert told(story.run(0, 60, *low(15, 30, 45))) == ["new parent of 0-15"]


def test_a_parent_that_lost_all_comes_back_with_the_first_that_is_found_again() -> None:
    """As if the others alone had gone: in which order they went and came makes no difference."""
    story = Story()
    story.run(0, 60, *low(0, 15))
    story.run(0, 60)

    written = story.run(0, 60, *low(15))

    assert told(written) == []
    assert story.all == ["0-15: 4 outdated", "15-30: 4 updated", "parent of 0-15: 15-30 4 updated"]


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
