"""What is notified, once, and what is not."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.engine.anomalies.oracle_ranges import BEGINNING
from tests.engine.anomalies.oracle_rows import Detection
from tests.engine.anomalies.scenarios import ANY_CHANGE, Scenario, found, low, notified


def test_each_is_notified_once() -> None:
    scenario = Scenario()

    runs = [scenario.run(0, 60, found(15, 30, 4)) for _ in range(3)]

    assert [notified(written) for written in runs] == [["new 15-30"], [], []]
    assert scenario.engine.rows["AA", 15, 30, 0].notified_at == 1


def test_children_are_not_notified_but_count_as_notified() -> None:
    scenario = Scenario()

    written = scenario.run(0, 60, found(0, 15, 4), found(15, 30, 4))
    scenario.run(30, 45, found(30, 45, 4))

    assert notified(written) == ["new parent of 0-15"]
    assert [row.notified_at for row in scenario.engine.rows.values()] == [1, 1, 1, 2]


def test_too_short_ones_are_notified_when_their_parent_is_long_enough() -> None:
    scenario = Scenario(min_length=30)

    short, long = (scenario.run(s, s + 15, found(s, s + 15, 4)) for s in (0, 15))

    assert [notified(short), notified(long)] == [[], ["new parent of 0-15"]]


def test_older_than_the_look_back_is_not_notified() -> None:
    """The watermark is 150: 90 is where an hour of look-back begins."""
    scenario = Scenario(notify_look_back=60)

    written = scenario.run(BEGINNING, 150, found(75, 90, 4), found(75, 91, 40))

    assert notified(written) == ["new 75-91"]


def test_what_a_later_run_finds_is_new_however_old_it_is() -> None:
    """By a backfill range, or as late data within the mutability period."""
    scenario = Scenario(notify_look_back=60)
    scenario.run(BEGINNING, 150, found(0, 15, 4))

    backfill = scenario.run(60, 120, found(60, 75, 4), found(105, 120, 4), is_backfill=True)
    late = scenario.run(0, 165, found(0, 15, 4), found(30, 45, 4))

    assert notified(backfill) == ["new 60-75", "new 105-120"]
    assert notified(late) == ["new 30-45"]


def test_history_is_withheld_and_counted_until_something_new_joins_it() -> None:
    scenario = Scenario(notify_look_back=60)

    first = scenario.run(BEGINNING, 150, *low(0, 45, 75, 105))
    withheld = [incident for incident, kind in scenario.engine.outbox if kind == "withheld"]
    joined = scenario.run(0, 150, *low(0, 45, 60, 75, 105))

    assert notified(first) == ["new 105-120"]
    assert withheld == [("AA", 0, 15, 0), ("AA", 45, 60, 0), ("AA", 75, 90, 0)]
    assert notified(joined) == ["new parent of 45-60"]
    assert [each for each, kind in scenario.engine.outbox if kind == "withheld"] == [
        ("AA", 0, 15, 0),
        ("AA", 75, 90, 0),
    ]


def test_what_becomes_due_later_is_limited_by_the_look_back() -> None:
    """Feedback that is taken back is not found by the run."""
    scenario = Scenario(notify_look_back=60)
    scenario.engine.feedback["AA", 15, 30, 0] = "expected"
    scenario.engine.feedback["AA", 135, 150, 0] = "expected"
    scenario.run(BEGINNING, 150, *low(15, 135))
    scenario.engine.feedback.clear()

    assert notified(scenario.run(0, 165, *low(15, 135))) == ["new 135-150"]


def severe(severity: str | None, current: float = 4) -> Detection:
    return replace(found(15, 30, current), severity=severity)


def test_each_rise_of_the_severity_is_notified_once() -> None:
    scenario = Scenario()
    severities = ["low", "low", "high", "low", "medium", "high", "critical", "critical"]

    runs = [scenario.run(0, 60, severe(each)) for each in severities]

    assert [notified(run) for run in runs] == [
        ["new 15-30"], [], ["raised high 15-30"], [], [], [], ["raised critical 15-30"], [],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "after", "rises"),
    [
        ("2", "10", True),
        ("10", "2", False),
        ("Warning", "CRITICAL", True),
        ("medium", "warning", False),
        (None, "critical", False),
        ("critical", None, False),
        ("P2", "P1", False),
        ("high", "5", False),
    ],
)
def test_severities_are_numbers_or_known_words(before, after, rises) -> None:
    scenario = Scenario()
    scenario.run(0, 60, severe(before))

    assert bool(notified(scenario.run(0, 60, severe(after)))) == rises


def test_a_parent_rises_with_its_most_extreme_member() -> None:
    scenario = Scenario()
    scenario.run(0, 60, severe("low"))
    worse = replace(found(30, 45, 1), severity="high")

    assert notified(scenario.run(0, 60, severe("low"), worse)) == ["raised high parent of 15-30"]


def test_nobody_is_notified_of_a_rise_who_was_not_notified_before() -> None:
    scenario = Scenario()
    scenario.engine.feedback["AA", 15, 30, 0] = "expected"
    scenario.run(0, 60, severe("low"))

    assert notified(scenario.run(0, 60, severe("high"))) == []
    scenario.engine.feedback.clear()
    assert notified(scenario.run(0, 60, severe("high"))) == ["new 15-30"]
    assert notified(scenario.run(0, 60, severe("high"))) == []


def test_a_short_look_back_does_not_suppress_the_end_of_what_was_notified() -> None:
    """Of 10 minutes, with a gap of 16: by the time that it is over, it is older than that."""
    scenario = Scenario(completed=True, merge_max_gap=16, notify_look_back=10)

    runs = [scenario.run(start, end, *([found(15, 30, 4)] if end == 30 else [])) for start, end in ((BEGINNING, 30), (30, 45), (45, 60), (60, 75))]  # fmt: skip

    assert [notified(written) for written in runs] == [["new 15-30"], [], ["completed 15-30"], []]


def test_who_was_not_notified_of_the_beginning_is_not_notified_of_the_end() -> None:
    scenario = Scenario(completed=True, notify_look_back=10)

    assert notified(scenario.run(BEGINNING, 60, found(15, 30, 4))) == []


def test_ends_that_are_enabled_later_are_notified_within_the_look_back() -> None:
    """Of what was over before the last run, what is within the look-back."""
    scenario = Scenario(notify_look_back=60)
    scenario.run(BEGINNING, 90, found(0, 40, 4), found(60, 75, 4))
    scenario.run(90, 105)
    scenario.engine.settings = replace(scenario.engine.settings, completed=True)

    assert notified(scenario.run(105, 120)) == ["completed 60-75"]


def test_feedback_silences_until_it_is_taken_back() -> None:
    scenario = Scenario(**ANY_CHANGE)
    scenario.engine.feedback["AA", 15, 30, 0] = "expected"

    silent = scenario.run(0, 60, found(15, 30, 4))
    grown = scenario.run(0, 60, found(15, 30, 4), found(30, 45, 4))  # a parent named after it
    scenario.engine.feedback.clear()
    spoken = scenario.run(0, 60, found(15, 30, 4), found(30, 45, 4))

    assert [notified(silent), notified(grown), notified(spoken)] == [
        [],
        [],
        ["new parent of 15-30"],
    ]


def test_a_replacement_has_no_feedback() -> None:
    scenario = Scenario(**ANY_CHANGE)
    scenario.run(0, 60, found(15, 30, 4))
    scenario.engine.feedback["AA", 15, 30, 0] = "expected"

    assert notified(scenario.run(0, 60, found(15, 30, 5))) == ["new 15-30#1"]


def test_outdated_is_not_notified() -> None:
    scenario = Scenario(min_length=20)
    scenario.run(0, 60, found(15, 30, 4))

    assert notified(scenario.run(0, 60)) == []
    assert scenario.engine.outbox == {}


# Completed -----------------------------------------------------------------------------------


def test_over_is_notified_once_when_the_watermark_has_passed_it_by_more_than_the_gap() -> None:
    scenario = Scenario(completed=True, granularity=1)
    some = [found(15, 30, 4)]

    runs = [scenario.run(0, end, *some) for end in (30, 31, 32, 60)]

    assert [notified(written) for written in runs] == [["new 15-30"], [], ["completed 15-30"], []]


def test_over_is_off_by_default() -> None:
    scenario = Scenario()

    assert notified(scenario.run(0, 60, found(15, 30, 4))) == ["new 15-30"]


def test_what_is_found_late_is_notified_new_and_over_at_once() -> None:
    """The same run a second time sends nothing more."""
    scenario = Scenario(completed=True)

    first, again = (scenario.run(0, 60, found(15, 30, 4)) for _ in range(2))

    assert [notified(first), notified(again)] == [["new 15-30", "completed 15-30"], []]


def test_a_parent_is_over_as_a_whole() -> None:
    scenario = Scenario(completed=True)

    runs = [scenario.run(s, s + 15, *([found(s, s + 15, 4)] if s < 30 else [])) for s in (0, 15, 30, 45)]  # fmt: skip

    assert [notified(w) for w in runs] == [["new 0-15"], [], ["completed parent of 0-15"], []]


def test_nothing_that_has_feedback_is_over() -> None:
    scenario = Scenario(completed=True)
    scenario.run(15, 30, found(15, 30, 4))
    scenario.engine.feedback["AA", 15, 30, 0] = "expected"

    assert notified(scenario.run(30, 60)) == []


def test_without_a_watermark_nothing_is_over_or_old() -> None:
    scenario = Scenario(completed=True, notify_look_back=1)

    assert notified(scenario.run(0, 60, found(15, 30, 4), is_backfill=True)) == ["new 15-30"]
