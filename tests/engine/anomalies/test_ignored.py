"""Anomalies that a label says to ignore: kept, hidden and not told, until the label is taken away."""

from __future__ import annotations

from tests.engine.anomalies.stories import ANY_CHANGE, Story, found, ignored, lines, low, told

FOUR, FIVE = found(15, 30, 4), found(15, 30, 5)


def test_it_is_kept_and_not_told() -> None:
    story = Story(completed=True)

    written = story.run(0, 60, *ignored(FOUR))

    assert lines(written.anomalies) == ["15-30: 4 ignored"]
    assert told(written) == []
    assert not story.run(0, 60, *ignored(FOUR))


def test_without_its_label_it_is_active_and_told_if_it_never_was() -> None:
    story = Story()
    story.run(0, 60, *ignored(FOUR))

    written = story.run(0, 60, FOUR)

    assert lines(written.anomalies) == ["15-30: 4 updated"]
    assert told(written) == ["new 15-30"]
    story.run(0, 60, *ignored(FOUR))
    assert told(story.run(0, 60, FOUR)) == []


def test_one_that_was_told_is_hidden_with_its_feedback_and_its_end_is_not_told() -> None:
    story = Story(completed=True)
    story.run(0, 30, FOUR)
    story.engine.feedback["AA", 15, 30, 0] = "a true one"

    written = story.run(0, 60, *ignored(FOUR))

    assert lines(written.anomalies) == ["15-30: 4 ignored"]
    assert told(written) == []
    assert story.engine.rows["AA", 15, 30, 0].notified_at == 1
    assert story.engine.feedback == {("AA", 15, 30, 0): "a true one"}


def test_its_values_are_kept_up_to_date() -> None:
    story = Story()
    story.run(0, 60, *ignored(FOUR))

    assert lines(story.run(0, 60, *ignored(FIVE)).anomalies) == ["15-30: 5 ignored"]
    assert lines(story.run(0, 60).anomalies) == ["15-30: 5 outdated"]
    assert lines(story.run(0, 60, *ignored(FIVE)).anomalies) == ["15-30: 5 ignored"]


def test_a_significant_change_of_it_is_another_one_that_is_ignored() -> None:
    story = Story(**ANY_CHANGE)
    story.run(0, 60, *ignored(FOUR))

    written = story.run(0, 60, *ignored(FIVE))

    assert lines(written.anomalies) == ["15-30: 4 outdated", "15-30#1: 5 ignored"]
    assert told(written) == []


def test_ignored_ones_do_not_merge_and_leave_their_parent() -> None:
    story = Story()
    story.run(0, 60, *low(0, 15, 30))

    story.run(0, 60, *low(0, 15), *ignored(found(30, 45, 4)))

    assert story.all == [
        "0-15: 4 new", "15-30: 4 new", "30-45: 4 ignored", "parent of 0-15: 0-30 4 updated",
    ]  # fmt: skip
    assert story.engine.rows["AA", 30, 45, 0].parent_id == ("parent", "AA", 0, 15, 0)

    story.run(0, 60, *ignored(*low(0, 15, 30)))

    assert story.all == [
        "0-15: 4 ignored", "15-30: 4 ignored", "30-45: 4 ignored", "parent of 0-15: 0-30 4 outdated",
    ]  # fmt: skip


def test_what_replaced_another_while_it_was_ignored_is_told_as_its_own() -> None:
    """It touches what was told, but the change of it never was."""
    story = Story(**ANY_CHANGE)
    story.run(0, 60, *low(0, 15))
    story.run(0, 60, *low(0), *ignored(FIVE))

    written = story.run(0, 60, *low(0), FIVE)

    assert told(written) == ["new parent of 15-30#1"]
