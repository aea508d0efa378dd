"""What is told, once, and what is not."""

from __future__ import annotations

from dataclasses import replace

from tests.engine.anomalies.oracle_frame import BEGINNING
from tests.engine.anomalies.stories import ANY_CHANGE, Story, found, told


def test_each_is_told_once() -> None:
    story = Story()

    runs = [story.run(0, 60, found(15, 30, 4)) for _ in range(3)]

    assert [told(written) for written in runs] == [["new 15-30"], [], []]
    assert story.engine.rows["AA", 15, 30, 0].notified_at == 1


def test_children_are_not_told_but_count_as_told() -> None:
    story = Story()

    written = story.run(0, 60, found(0, 15, 4), found(15, 30, 4))
    story.run(30, 45, found(30, 45, 4))

    assert told(written) == ["new parent of 0-15"]
    assert [row.notified_at for row in story.engine.rows.values()] == [1, 1, 1, 2]


def test_too_short_ones_are_told_when_their_parent_is_long_enough() -> None:
    story = Story(min_length=30)

    short, long = (story.run(s, s + 15, found(s, s + 15, 4)) for s in (0, 15))

    assert [told(short), told(long)] == [[], ["new parent of 0-15"]]


def test_older_than_the_look_back_is_not_told() -> None:
    """The mark is 150: 90 is where an hour of look-back begins."""
    story = Story(notify_look_back=60)

    written = story.run(BEGINNING, 150, found(75, 90, 4), found(75, 91, 40))

    assert told(written) == ["new 75-91"]


def test_the_look_back_counts_from_the_mark_also_by_hand() -> None:
    story = Story(notify_look_back=60)
    story.run(BEGINNING, 150)

    written = story.run(60, 120, found(60, 75, 4), found(105, 120, 4), by_hand=True)

    assert told(written) == ["new 105-120"]


def test_a_short_look_back_does_not_silence_the_end_of_what_was_told() -> None:
    """Of 10 minutes, with a gap of 16: by the time that it is over, it is older than that."""
    story = Story(completed=True, merge_max_gap=16, notify_look_back=10)

    runs = [story.run(start, end, *([found(15, 30, 4)] if end == 30 else [])) for start, end in ((BEGINNING, 30), (30, 45), (45, 60), (60, 75))]  # fmt: skip

    assert [told(written) for written in runs] == [["new 15-30"], [], ["completed 15-30"], []]


def test_who_was_not_told_of_the_beginning_is_not_told_of_the_end() -> None:
    story = Story(completed=True, notify_look_back=10)

    assert told(story.run(BEGINNING, 60, found(15, 30, 4))) == []


def test_ends_that_are_wanted_later_are_told_as_far_as_the_look_back_goes() -> None:
    """Of what was over before the last run, what is within the look-back."""
    story = Story(notify_look_back=60)
    story.run(BEGINNING, 90, found(0, 40, 4), found(60, 75, 4))
    story.run(90, 105)
    story.engine.settings = replace(story.engine.settings, completed=True)

    assert told(story.run(105, 120)) == ["completed 60-75"]


def test_feedback_silences_until_it_is_taken_back() -> None:
    story = Story(**ANY_CHANGE)
    story.engine.feedback["AA", 15, 30, 0] = "expected"

    silent = story.run(0, 60, found(15, 30, 4))
    grown = story.run(0, 60, found(15, 30, 4), found(30, 45, 4))  # a parent named after it
    story.engine.feedback.clear()
    spoken = story.run(0, 60, found(15, 30, 4), found(30, 45, 4))

    assert [told(silent), told(grown), told(spoken)] == [[], [], ["new parent of 15-30"]]


def test_a_replacement_has_no_feedback() -> None:
    story = Story(**ANY_CHANGE)
    story.run(0, 60, found(15, 30, 4))
    story.engine.feedback["AA", 15, 30, 0] = "expected"

    assert told(story.run(0, 60, found(15, 30, 5))) == ["new 15-30#1"]


def test_outdated_is_not_told() -> None:
    story = Story(min_length=20)
    story.run(0, 60, found(15, 30, 4))

    assert told(story.run(0, 60)) == []
    assert story.engine.outbox == {}


# Completed -----------------------------------------------------------------------------------


def test_over_is_told_once_when_the_mark_has_passed_it_by_the_gap() -> None:
    story = Story(completed=True, granularity=1)
    some = [found(15, 30, 4)]

    runs = [story.run(0, end, *some) for end in (30, 31, 60)]

    assert [told(written) for written in runs] == [["new 15-30"], ["completed 15-30"], []]


def test_over_is_off_by_default() -> None:
    story = Story()

    assert told(story.run(0, 60, found(15, 30, 4))) == ["new 15-30"]


def test_what_is_found_late_is_told_new_and_over_at_once() -> None:
    """The same run a second time tells nothing more."""
    story = Story(completed=True)

    first, again = (story.run(0, 60, found(15, 30, 4)) for _ in range(2))

    assert [told(first), told(again)] == [["new 15-30", "completed 15-30"], []]


def test_a_parent_is_over_as_a_whole() -> None:
    story = Story(completed=True)

    runs = [story.run(s, s + 15, *([found(s, s + 15, 4)] if s < 30 else [])) for s in (0, 15, 30, 45)]  # fmt: skip

    assert [told(w) for w in runs] == [["new 0-15"], [], ["completed parent of 0-15"], []]


def test_nothing_that_has_feedback_is_over() -> None:
    story = Story(completed=True)
    story.run(15, 30, found(15, 30, 4))
    story.engine.feedback["AA", 15, 30, 0] = "expected"

    assert told(story.run(30, 60)) == []


def test_without_a_mark_nothing_is_over_or_old() -> None:
    story = Story(completed=True, notify_look_back=1)

    assert told(story.run(0, 60, found(15, 30, 4), by_hand=True)) == ["new 15-30"]
