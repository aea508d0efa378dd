"""`retention`: what it makes of each period, and every refusal with its message."""

from __future__ import annotations

import pytest
from tests.unit.jinja_macros import macros

ALL = ["seconds", "minutes", "hours", "days", "months", "years"]
DAY = 86_400


def read(retention, durations=ALL):
    """What is kept, and the faults that were found."""
    faults: list[str] = []
    return macros()._retention(retention, durations, faults), faults


def test_the_sources_example():
    given = {"sec": "120 sec", "min": "24 hours", "hours": "30 days", "days": "1 year", "months": "all"}  # fmt: skip
    assert read(given) == (
        {
            "seconds": 120,
            "minutes": DAY,
            "hours": 30 * DAY,
            "days": 366 * DAY,  # a year is kept whole, also when it is a leap year
            "months": None,
        },
        [],
    )


@pytest.mark.parametrize("given", [{}, None])
def test_without_a_retention_everything_is_kept(given):
    assert read(given) == ({}, [])


def test_durations_are_ordered_from_the_shortest_however_they_are_written():
    kept, faults = read({" Hours ": "ALL", "MINUTE": "2 Months", "second": " 90  minutes "})
    assert (list(kept.items()), faults) == (
        [("seconds", 5_400), ("minutes", 62 * DAY), ("hours", None)],
        [],
    )


@pytest.mark.parametrize(
    ("retention", "durations"),
    [
        ({"sec": "60 sec"}, ["seconds", "minutes"]),
        ({"min": "1 hour"}, ["minutes", "hours"]),
        ({"hour": "25 hours"}, ["hours", "days"]),
        ({"day": "1 month"}, ["days", "months"]),
        ({"month": "1 year"}, ["months", "years"]),
        ({"year": "1 sec"}, ["years"]),  # no roll-up reads it
        ({"sec": "1 day", "min": "1 day", "hour": "25 hours"}, ALL),
    ],
)
def test_one_whole_bucket_of_the_roll_up_is_enough(retention, durations):
    assert read(retention, durations)[1] == []


WRONG = [
    (
        "120 sec",
        "`retention` is '120 sec'; write what each duration is kept for, such as "
        "{'sec': '120 sec', 'min': '24 hours', 'hours': 'all'}",
    ),
    (
        {"fortnights": "all"},
        "`retention` names 'fortnights', which is not a duration; write one of seconds, minutes, hours",
    ),
    (
        {"days": "all"},
        "`retention` names 'days', and this aggregation has no days; it has seconds, minutes, hours",
    ),
    (
        {"sec": "all", "second": "all"},
        "`retention` names seconds twice, the second time as 'second'; write it once",
    ),
    *[
        (
            {"sec": period},
            f"`retention` keeps 'sec' for '{period}'; write a length of time of whole seconds, "
            "such as '24 hours', '1 year' or 'PT24H', or 'all'",
        )
        for period in ("", "120", 120, "0 sec", "-1 day", "1.5 days", "1 ms", "a day", None)
    ],
    (
        {"sec": "59 sec"},
        "`retention` keeps seconds for 59 seconds, less than one whole minute, and minutes "
        "are computed from them; write at least '60 sec'",
    ),
    (
        {"sec": "1 min", "min": "59 min"},
        "`retention` keeps minutes for 3540 seconds, less than one whole hour, and hours "
        "are computed from them; write at least '60 min'",
    ),
    (
        {"sec": "1 day", "min": "2 hours"},
        "`retention` keeps minutes for 7200 seconds, and seconds for 86400; a longer "
        "duration must be kept at least as long: shorten seconds, or lengthen minutes",
    ),
    (
        {"min": "1 day"},
        "`retention` keeps minutes for 86400 seconds, and seconds for ever; a longer "
        "duration must be kept at least as long: shorten seconds, or lengthen minutes",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("retention", "fault"), WRONG)
def test_what_cannot_be_meant_is_refused(retention, fault):
    assert read(retention, ["seconds", "minutes", "hours"])[1] == [fault]


def test_the_longest_bucket_of_the_roll_up_counts():
    refused = [
        ({"hours": "1 day"}, "day (25 hours when clocks go back), and days are", "25 hours"),
        ({"days": "30 days"}, "month (31 days), and months are", "31 days"),
        ({"months": "365 days"}, "year (366 days), and years are", "366 days"),
    ]
    for retention, said, least in refused:
        [name] = retention
        [fault] = read(retention, ALL[ALL.index(name) :])[1]
        assert said in fault
        assert fault.endswith(f"write at least '{least}'")


def test_every_fault_is_named_at_once():
    assert (
        len(read({"weeks": "all", "sec": "soon", "days": "1 day"}, ["seconds", "minutes"])[1]) == 3
    )


def test_a_wrong_range_of_durations_is_not_blamed_on_the_retention():
    assert read({"sec": "120 sec"}, [])[1] == []
