"""Label makers without Spark: every refusal of what is given has its message."""

from __future__ import annotations

import pytest
from tests.unit.jinja_macros import Refused, macros

GIVEN = {"detections": {"identifier": "too_few"}}  # anything that is no text
OWN = {
    "label_events": {"events": "(select * from holidays)"},
    "label_cold_start": {"source": "(select * from days)", "ts": "ts", "period": "P7D"},
    "label_time_of_week": {"hours": [4]},
    "label_threshold": {"max": 4},
}
PERIOD = "write a length of time such as '1 day' or 'PT12H' (months and years have no fixed length)"


def faults(macro: str, **given: object) -> list[str]:
    with pytest.raises(Refused) as refused:
        getattr(macros(), macro)(**GIVEN | OWN[macro] | given)
    who, *lines = str(refused.value).split("\n  - ")
    assert who == f"{macro}:"
    return lines


@pytest.mark.parametrize("macro", OWN)
def test_what_every_label_maker_refuses(macro):
    assert faults(macro, detections="too_few") == [
        "`detections` is 'too_few'; write ref('too_few'), source(...) or a query in parentheses"
    ]
    for ignore in ("yes", None, 1):
        assert faults(macro, ignore=ignore) == [
            f"`ignore` is {'none' if ignore is None else repr(str(ignore))}; write true (detections with the label are ignored and not notified) or false"
        ]
    if macro != "label_threshold":
        assert faults(macro, time_zone="EasternTime") == [
            "`time_zone` is 'EasternTime'; write an IANA name such as 'UTC' or 'America/New_York'"
        ]
    if macro != "label_events":
        assert faults(macro, label=" ") == [
            "`label` is ' '; write the text of the label, such as 'weekend'"
        ]
    if macro in ("label_events", "label_cold_start"):
        assert faults(macro, keys="carrier") == [
            "`keys` is 'carrier'; list the columns that both sides have, such as ['carrier'], or []"
        ]
        assert faults(macro, keys=[" "]) == [
            "`keys` has ' '; write the name of a column (compute expressions in a staging model)"
        ]


@pytest.mark.parametrize(
    ("macro", "given", "message"),
    [
        ("label_events", {"events": "holidays"}, "`events` is 'holidays'; write ref('holidays'), source(...) or a query in parentheses"),
        ("label_events", {"name": " "}, "`name` is ' '; write the name of a column (compute expressions in a staging model)"),
        ("label_events", {"end": None}, "`end` is none; write the name of a column (compute expressions in a staging model)"),
        *(("label_events", {name: text}, f"`{name}` is '{text}'; {PERIOD}") for name in ("before", "after") for text in ("P1M", "a day", "-P1D")),
        ("label_cold_start", {"period": None}, f"`period` is none; {PERIOD}"),
        ("label_cold_start", {"period": "P0D"}, f"`period` is 'P0D'; {PERIOD}"),
        ("label_cold_start", {"source": None}, "`source` is none; write ref(…), source(...) or a query in parentheses"),
        ("label_cold_start", {"ts": 5}, "`ts` is '5'; name the column of its time"),
        ("label_time_of_week", {"hours": []}, "`days`, `hours` and `day_hours` are all empty; write at least one, such as days=['saturday', 'sunday']"),
        ("label_time_of_week", {"hours": [24]}, "`hours` has the hour '24'; write whole numbers from 0 to 23"),
        ("label_time_of_week", {"hours": ["4"]}, "`hours` has the hour '4'; write whole numbers from 0 to 23"),
        ("label_time_of_week", {"hours": [True]}, "`hours` has the hour 'True'; write whole numbers from 0 to 23"),
        ("label_time_of_week", {"hours": 4}, "`hours` has '4'; list hours from 0 to 23, such as [22, 23]"),
        ("label_time_of_week", {"days": "sunday"}, "`days` is 'sunday'; list days of the week, such as ['saturday', 'sunday']"),
        ("label_time_of_week", {"days": ["sundae"]}, "`days` has the day 'sundae'; write one of monday, tuesday, wednesday, thursday, friday, saturday, sunday; did you mean 'sunday'?"),
        ("label_time_of_week", {"day_hours": [22]}, "`day_hours` is '[22]'; write hours by day, such as {'sunday': [22, 23]}"),
        ("label_time_of_week", {"day_hours": {"sunday": []}}, "`day_hours` has no hour for 'sunday'; list some, or name the day in `days`"),
        ("label_time_of_week", {"day_hours": {"sunday": [-1]}}, "`day_hours` has the hour '-1'; write whole numbers from 0 to 23"),
        ("label_threshold", {"max": None}, "`min` and `max` are both missing; write at least one of them"),
        ("label_threshold", {"max": "4"}, "`max` is '4'; write a number, or leave it out"),
        ("label_threshold", {"min": 5}, "`min` is '5' and `max` is '4'; min must not be above max"),
        ("label_threshold", {"inclusive": "no"}, "`inclusive` is 'no'; write true (a value that equals a bound counts) or false"),
        ("label_threshold", {"keys": ["carrier"]}, "`ts` and `keys` are columns of `source`, which is missing; give it, or leave them out"),
        ("label_threshold", {"value": ""}, "`value` is ''; write the name of a column (compute expressions in a staging model)"),
        ("label_threshold", {"source": "(select 1)"}, "`ts` is none; write the name of a column (compute expressions in a staging model)"),
    ],
)  # fmt: skip
def test_what_a_label_maker_refuses(macro, given, message):
    assert faults(macro, **given) == [message]


def test_every_fault_is_named_at_once():
    given = {"events": "holidays", "before": "P1M", "keys": "x", "time_zone": "Mars", "ignore": 1}
    assert len(faults("label_events", **given)) == 5
