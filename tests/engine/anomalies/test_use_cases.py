"""The two use cases of the source, with the anomalies as of each step."""

from __future__ import annotations

from tests.engine.anomalies.scenarios import ANY_CHANGE, Scenario, found, lines, notified

DAY = 24 * 60


def test_a_missing_day_is_reloaded() -> None:
    """Hourly flights of one carrier, about 10 each. From 2 to 5 on the second day there are none.

    After the reload 2 and 4 o'clock are as always, but 3 o'clock had 3 flights only: run as a backfill,
    it is another anomaly, which is notified. The watermark, by now a day further, stays.
    """
    two, three, four = (DAY + 60 * hour for hour in (2, 3, 4))
    scenario = Scenario(granularity=60, **ANY_CHANGE)
    missing = [found(hour, hour + 60, 0) for hour in (two, three, four)]

    friday = scenario.scheduled(2 * DAY, *missing)
    saturday = scenario.scheduled(3 * DAY)
    reloaded = scenario.run(DAY, 2 * DAY, found(three, three + 60, 3), is_backfill=True)

    assert [notified(friday), notified(saturday)] == [["new parent of 1560-1620"], []]
    assert lines(reloaded.anomalies) == [
        "1560-1620: 0 outdated",
        "1620-1680: 0 outdated",
        "1620-1680#1: 3 new",
        "1680-1740: 0 outdated",
        "parent of 1560-1620: 1560-1740 0 outdated",
    ]
    assert notified(reloaded) == ["new 1620-1680#1"]
    assert scenario.engine.watermark == 3 * DAY

    as_of = [lines(row for row in scenario.engine.as_of(run).values() if row.active) for run in range(4)]  # fmt: skip
    before = [
        "1560-1620: 0 new",
        "1620-1680: 0 new",
        "1680-1740: 0 new",
        "parent of 1560-1620: 1560-1740 0 new",
    ]
    assert as_of == [[], before, before, ["1620-1680#1: 3 new"]]


def test_upserts_up_to_two_days_back() -> None:
    """Intervals of 15 minutes, P2D: each scheduled run finds what has changed in two days."""
    scenario = Scenario(mutability_period=2 * DAY, re_notify_percentage_threshold=50, re_notify_absolute_threshold=1)  # fmt: skip
    at = 10 * DAY
    first = found(at - 30, at - 15, 4)

    runs = [
        scenario.scheduled(at, first),
        scenario.scheduled(at + 15, found(at - 30, at - 15, 5)),  # an upsert changed it a bit
        scenario.scheduled(at + 30, found(at - 30, at - 15, 1)),  # and then much
        scenario.scheduled(at + 45),  # it was no anomaly after all
        scenario.scheduled(
            at + 2 * DAY - 30, found(at - 30, at - 15, 1)
        ),  # but it was: its last run
        scenario.scheduled(at + 2 * DAY - 15),  # too late: it is before the analysed range
    ]

    assert [lines(run.anomalies) for run in runs] == [
        ["14370-14385: 4 new"],
        ["14370-14385: 5 updated"],
        ["14370-14385: 5 outdated", "14370-14385#1: 1 new"],
        ["14370-14385#1: 1 outdated"],
        ["14370-14385#1: 1 updated"],
        [],
    ]
    assert [notified(run) for run in runs] == [["new 14370-14385"], [], ["new 14370-14385#1"], [], [], []]  # fmt: skip


def test_without_a_mutability_period_each_interval_is_classified_once() -> None:
    scenario = Scenario()
    scenario.scheduled(60, found(15, 30, 4))

    assert lines(scenario.scheduled(75, found(60, 75, 5)).anomalies) == ["60-75: 5 new"]
    assert scenario.engine.scheduled_range(89) is None
    assert scenario.all == ["15-30: 4 new", "60-75: 5 new"]


def test_a_copy_of_the_rows_is_what_as_of_gives_for_that_run() -> None:
    scenario = Scenario(**ANY_CHANGE)
    scenario.run(0, 60, found(0, 15, 4), found(15, 30, 4))
    scenario.run(0, 60, found(0, 15, 4), found(15, 30, 5))
    scenario.run(0, 60, found(0, 15, 4))

    assert [lines(row for row in scenario.engine.as_of(run).values() if row.active) for run in (1, 2, 3)] == [
        ["0-15: 4 new", "15-30: 4 new", "parent of 0-15: 0-30 4 new"],
        ["0-15: 4 new", "15-30#1: 5 new", "parent of 15-30#1: 0-30 4 new"],
        ["0-15: 4 new", "parent of 15-30#1: 0-15 4 updated"],
    ]  # fmt: skip
