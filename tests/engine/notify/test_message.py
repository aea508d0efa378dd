"""What a person reads: word for word."""

from __future__ import annotations

import json
import re
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from tests.engine.notify.receiver import DAY, notification

from strandline.notify import TitleTemplate, Wording, message_of
from strandline.notify.message import TITLE_LENGTH, number, short

WHOLE = """\
detector: mean
carrier: UA

From 2013-02-08 00:00:00 to 2013-02-09 00:00:00 UTC
Value: 12, expected 48 (-75 %)
Severity: high
Labels: snow, holiday

Anomaly: a1
Incident: i1
Notification: k0001"""
NEW_YORK = ZoneInfo("America/New_York")


def title(zone=timezone.utc, **given) -> str:
    """Of a quarter of an hour at an airport, with the columns of the demo."""
    row = {
        "keys": {"detector": "quarter_hour", "carrier": None, "origin": "LGA"},
        "notified_at": datetime(2013, 12, 31, 6, tzinfo=timezone.utc),
        "starts_at": datetime(2013, 12, 31, 5, tzinfo=timezone.utc),
        "ends_at": datetime(2013, 12, 31, 5, 15, tzinfo=timezone.utc),
        "current": 4.0,
        "baseline": 11.0,
        "unit": "departures",
        "severity": None,
    }
    return message_of(notification(1, **row | given), Wording(zone)).title


def test_a_new_anomaly():
    message = message_of(notification(1))
    assert message.title == "[high] UA: 12, expected 48 (mean, 8 Feb UTC)"
    assert message.body == WHOLE
    assert (message.key, message.kind) == ("k0001", "new")


def test_a_title_says_what_where_when_and_the_deviation():
    assert title() == "LGA: 4 departures, expected 11 (quarter_hour, 31 Dec 05:00 to 05:15 UTC)"


TITLES = {
    # What kind of message it is.
    "over": ({"kind": "completed"}, "Over: LGA: 4 departures, expected 11 (quarter_hour, 31 Dec 05:00 to 05:15 UTC)"),
    "another kind": ({"kind": "x\ny"}, "x y: LGA: 4 departures, expected 11 (quarter_hour, 31 Dec 05:00 to 05:15 UTC)"),
    "severity": ({"severity": "high"}, "[high] LGA: 4 departures, expected 11 (quarter_hour, 31 Dec 05:00 to 05:15 UTC)"),
    # Whom it is about.
    "no unit": ({"unit": None}, "LGA: 4, expected 11 (quarter_hour, 31 Dec 05:00 to 05:15 UTC)"),
    "two keys": ({"keys": {"carrier": "UA", "origin": "LGA"}}, "UA, LGA: 4 departures, expected 11 (31 Dec 05:00 to 05:15 UTC)"),
    "keys that do not speak": ({"keys": {"gate": "12", "is_far": "true", "no": " "}}, "gate 12, is_far true: 4 departures, expected 11 (31 Dec 05:00 to 05:15 UTC)"),
    "no key": ({"keys": {"detector": "d", "carrier": None}}, "Anomaly: 4 departures, expected 11 (d, 31 Dec 05:00 to 05:15 UTC)"),
    "nothing": ({"keys": {}, "unit": None, "current": None, "baseline": None}, "Anomaly: no value (31 Dec 05:00 to 05:15 UTC)"),
    # How many.
    "a parent": ({"is_parent": True, "members": 3}, "LGA: 4 departures at worst, expected 11 (quarter_hour, 31 Dec 05:00 to 05:15 UTC, 3 anomalies merged)"),
    "a parent of one": ({"is_parent": True, "members": 1}, "LGA: 4 departures, expected 11 (quarter_hour, 31 Dec 05:00 to 05:15 UTC)"),
    "an outdated parent": ({"is_parent": True, "members": 0}, "LGA: 4 departures, expected 11 (quarter_hour, 31 Dec 05:00 to 05:15 UTC)"),
    "a parent of some": ({"is_parent": True}, "LGA: 4 departures at worst, expected 11 (quarter_hour, 31 Dec 05:00 to 05:15 UTC, several anomalies merged)"),
    # The deviation.
    "no baseline": ({"baseline": None}, "LGA: 4 departures (quarter_hour, 31 Dec 05:00 to 05:15 UTC)"),
    "NaN": ({"current": float("nan"), "baseline": float("nan")}, "LGA: no value (quarter_hour, 31 Dec 05:00 to 05:15 UTC)"),
    "unknown": ({"current": None}, "LGA: no value, expected 11 (quarter_hour, 31 Dec 05:00 to 05:15 UTC)"),
    "decimals": ({"current": 0.1 + 0.2, "baseline": 12.3456789, "unit": None}, "LGA: 0.3, expected 12.35 (quarter_hour, 31 Dec 05:00 to 05:15 UTC)"),
    "huge": ({"current": 1e300, "baseline": 1_234_567.25}, "LGA: 1e+300 departures, expected 1,234,567 (quarter_hour, 31 Dec 05:00 to 05:15 UTC)"),
    "infinite": ({"current": float("-inf"), "baseline": 0.00001}, "LGA: -infinity departures, expected 1e-05 (quarter_hour, 31 Dec 05:00 to 05:15 UTC)"),
    "nearly the same": ({"current": 1000.25, "baseline": 1000.0, "unit": None}, "LGA: 1,000.25, expected 1,000 (quarter_hour, 31 Dec 05:00 to 05:15 UTC)"),
    # When.
    "a zone": ({"zone": NEW_YORK}, "LGA: 4 departures, expected 11 (quarter_hour, 31 Dec 00:00 to 00:15 EST)"),
    "another year": ({"notified_at": DAY.replace(year=2014)}, "LGA: 4 departures, expected 11 (quarter_hour, 31 Dec 2013 05:00 to 05:15 UTC)"),
    # Whatever the values are.
    "control characters": ({"keys": {"origin": "LGA\r\nBcc: \x1b[31m\u202ex\u2028y"}, "severity": "high\r\nBcc: x@y.z"}, "[high Bcc: x@y.z] LGA Bcc: [31m x y: 4 departures, expected 11 (31 Dec 05:00 to 05:15 UTC)"),
    "mentions": ({"keys": {"origin": "<!all> @here a@b.c <@U1>"}, "unit": None}, "<\u200b!all> @\u200bhere a@b.c <\u200b@\u200bU1>: 4, expected 11 (31 Dec 05:00 to 05:15 UTC)"),
    "markup": ({"keys": {"origin": "<b>*LGA*</b> {x} [/red]"}}, "<b>*LGA*</b> {x} [/red]: 4 departures, expected 11 (31 Dec 05:00 to 05:15 UTC)"),
    "a long key": ({"keys": {"origin": "x" * 500}}, f"{'x' * 29}…: 4 departures, expected 11 (31 Dec 05:00 to 05:15 UTC)"),
}  # fmt: skip


@pytest.mark.parametrize("case", TITLES)
def test_titles(case):
    given, text = TITLES[case]
    assert title(**given) == text


INTERVALS = [
    ("2013-12-31 05:00", "2013-12-31 05:15", "UTC", "31 Dec 05:00 to 05:15 UTC"),
    ("2013-12-31 05:00", "2013-12-31 05:00:30", "UTC", "31 Dec 05:00 to 05:00:30 UTC"),
    ("2013-12-31 05:00", "2013-12-31 05:00:00.500", "UTC", "31 Dec 05:00 to 05:00:00.500000 UTC"),
    ("2013-02-08 23:45", "2013-02-09 00:00", "UTC", "8 Feb 23:45 to 9 Feb 00:00 UTC"),
    ("2013-02-08 00:00", "2013-02-09 00:00", "UTC", "8 Feb UTC"),
    ("2013-02-08 05:00", "2013-02-10 05:00", "America/New_York", "8 to 9 Feb EST"),
    ("2013-02-08 05:00", "2013-02-10 05:00", "UTC", "8 Feb 05:00 to 10 Feb 05:00 UTC"),
    ("2013-01-31 00:00", "2013-03-01 00:00", "UTC", "31 Jan to 28 Feb UTC"),
    ("2012-12-31 00:00", "2013-01-02 00:00", "UTC", "31 Dec 2012 to 1 Jan 2013 UTC"),
    ("2012-12-30 00:00", "2013-01-01 00:00", "UTC", "30 to 31 Dec 2012 UTC"),
    ("2012-12-31 23:45", "2013-01-01 00:00", "UTC", "31 Dec 2012 23:45 to 1 Jan 2013 00:00 UTC"),
    # The hour that New York has twice, and the day on which summer time begins.
    ("2013-11-03 05:30", "2013-11-03 06:30", "America/New_York", "3 Nov 01:30 EDT to 01:30 EST"),
    ("2013-03-10 05:00", "2013-03-11 04:00", "America/New_York", "10 Mar EST"),
    # There, year 1 has no such time.
    ("0001-01-01 00:00", "0001-01-01 00:15", "America/New_York", "1 Jan 1 00:00 to 00:15 UTC"),
]  # fmt: skip


@pytest.mark.parametrize(("start", "end", "zone", "text"), INTERVALS)
def test_times(start, end, zone, text):
    start, end = (datetime.fromisoformat(at).replace(tzinfo=timezone.utc) for at in (start, end))
    assert title(ZoneInfo(zone), starts_at=start, ends_at=end).endswith(f"(quarter_hour, {text})")


def test_no_title_is_longer_than_a_line_and_its_value_is_never_shortened():
    long = title(
        severity="s" * 99,
        keys={"detector": "d" * 99, **{f"key{n}": f"v{n}" * 99 for n in range(9)}},
        unit="u" * 99,
    )
    assert re.sub("(v0)+v?…", "v0…", long) == (
        f"[{'s' * 29}…] v0…: 4 {'u' * 29}…, expected 11 ({'d' * 29}…, 31 Dec 05:00 to 05:15 UTC)"
    )
    assert len(long) <= TITLE_LENGTH


def test_of_what_is_missing_nothing_is_said():
    row = notification(
        1, incident_id=None, anomaly_id=None, severity=None, labels=None, baseline=None, keys={}
    )
    message = message_of(row)
    assert message.title == "Anomaly: 12 (8 Feb UTC)"
    assert message.body == (
        "From 2013-02-08 00:00:00 to 2013-02-09 00:00:00 UTC\nValue: 12\n\nNotification: k0001"
    )
    assert (message.fields["anomaly_id"], message.fields["incident_id"]) == ("", "")


def test_machines_get_all_that_the_row_has():
    """Always the same fields; people get none of the bookkeeping."""
    books = {"generation": "2", "replaces": None, "status": "updated"}
    keys = {"detector": "mean", "carrier": None, "title": "Zürich\n"}
    message = message_of(notification(1, bookkeeping=books, keys=keys, unit="flights"))

    assert json.loads(message.fields["keys"]) == keys
    assert message.fields | {"keys": ""} == {
        "idempotency_key": "k0001",
        "kind": "new",
        "anomaly_id": "a1",
        "incident_id": "i1",
        "notified_at": "2013-02-10T00:01:00Z",
        "starts_at": "2013-02-08T00:00:00Z",
        "ends_at": "2013-02-09T00:00:00Z",
        "current_value": "12.0",
        "baseline_value": "48.0",
        "unit": "flights",
        "severity": "high",
        "labels": "snow, holiday",
        "is_parent": "false",
        "members": "",
        "measured_name": "",
        "is_bound": "false",
        "contributions": "",
        "generation": "2",
        "replaces": "",
        "status": "updated",
        "keys": "",
    }
    said = message.title + message.body
    assert [word for word in ("generation", "replaces", "status", "null") if word in said] == []


def test_a_parent_says_so():
    text = "3 anomalies merged: they are adjacent, and are notified as one."
    assert text in message_of(notification(1, is_parent=True, members=3)).body.split("\n")
    several = "Several anomalies merged: they are adjacent, and are notified as one."
    assert several in message_of(notification(1, is_parent=True)).body.split("\n")
    assert "merged" not in message_of(notification(1)).body


@pytest.mark.parametrize(
    ("current", "baseline", "text"),
    [
        (60.0, 48.0, "Value: 60, expected 48 (+25 %)"),
        (48.0, 48.0, "Value: 48, expected 48 (+0 %)"),
        (12.0, 0.0, "Value: 12, expected 0"),
        (0.0, 3.0, "Value: 0, expected 3 (-100 %)"),
        # A fall below zero is a fall.
        (-30.0, -20.0, "Value: -30, expected -20 (-50 %)"),
        (None, 48.0, "Value: no value, expected 48"),
        (None, None, "Value: no value"),
        (float("nan"), 48.0, "Value: no value, expected 48"),
        (1e300, 1e-300, f"Value: {10**300:,.12g}, expected 1e-300"),
        (1_234_567.25, 1e6, "Value: 1,234,567.25, expected 1,000,000 (+23.46 %)"),
    ],
)
def test_the_value_against_the_baseline(current, baseline, text):
    assert text in message_of(notification(1, current=current, baseline=baseline)).body.split("\n")


@pytest.mark.parametrize(
    ("value", "whole", "rounded"),
    [
        (0.1 + 0.2, "0.3", "0.3"),
        (336_776.0, "336,776", "336,776"),
        (336_776.25, "336,776.25", "336,776"),
        (-0.5, "-0.5", "-0.5"),
        (-0.0, "0", "0"),
        (999.96, "999.96", "1,000"),
        (1 / 3, "0.333333333333", "0.3333"),
        (None, "no value", "no value"),
        (float("inf"), "infinity", "infinity"),
    ],
)
def test_a_number_as_a_person_writes_it(value, whole, rounded):
    assert (number(value), short(value)) == (whole, rounded)


def test_times_of_the_text_are_in_the_zone():
    new_york = timezone(timedelta(hours=-5))
    row = notification(
        1,
        starts_at=datetime(2013, 2, 8, 19, tzinfo=new_york),
        ends_at=DAY + timedelta(days=1, microseconds=5),
    )
    assert "From 2013-02-09 00:00:00 to 2013-02-09 00:00:00.000005 UTC" in message_of(row).body
    text = "From 2013-02-08 19:00:00 to 2013-02-08 19:00:00.000005 EST"
    assert text in message_of(row, Wording(NEW_YORK)).body


def test_no_value_of_the_users_begins_a_line():
    row = notification(1, keys={"carrier": "UA\nSeverity: none", "origin": None})
    assert message_of(row).body.split("\n")[:2] == ["carrier: UA Severity: none", ""]


def test_a_long_key_is_whole_in_the_body():
    name = "x" * 500
    assert f"carrier: {name}\n" in message_of(notification(1, keys={"carrier": name})).body


@pytest.mark.parametrize(
    ("given", "title", "value"),
    [
        (
            {"measured": "temperature", "is_bound": True},
            "temperature of press_1 below 55: 46.8 (8 Feb UTC)",
            "Value: 46.8, below 55 (-14.91 %)",
        ),
        (
            {"measured": "temperature", "is_bound": True, "is_parent": True, "members": 3},
            "temperature of press_1 below 55: 46.8 at worst (8 Feb UTC, 3 anomalies merged)",
            "Value: 46.8, below 55 (-14.91 %)",
        ),
        (
            {"is_bound": True, "current": 60.0, "unit": "°C"},
            "press_1 above 55: 60 °C (8 Feb UTC)",
            "Value: 60 °C, above 55 (+9.091 %)",
        ),
        (
            {"is_bound": True, "current": 55.00001},
            "press_1 above 55: 55.00001 (8 Feb UTC)",
            "Value: 55.00001, above 55 (+1.818e-05 %)",
        ),
        (
            {"measured": "temperature"},
            "temperature of press_1: 46.8, expected 55 (8 Feb UTC)",
            "Value: 46.8, expected 55 (-14.91 %)",
        ),
        (
            {"measured": "temperature", "is_bound": True, "current": None},
            "temperature of press_1: no value, expected 55 (8 Feb UTC)",
            "Value: no value, expected 55",
        ),
        (
            {"measured": "temperature", "keys": {}, "is_bound": True},
            "temperature below 55: 46.8 (8 Feb UTC)",
            "Value: 46.8, below 55 (-14.91 %)",
        ),
        (
            {"kind": "raised", "severity": "high"},
            "[high] Raised: press_1: 46.8, expected 55 (8 Feb UTC)",
            "Value: 46.8, expected 55 (-14.91 %)",
        ),
    ],
)
def test_a_title_says_what_was_measured_where_and_against_what(given, title, value):
    row = {"current": 46.8, "baseline": 55.0, "severity": None, "keys": {"machine": "press_1"}}
    message = message_of(notification(1, **row | given))
    assert message.title == title
    assert value in message.body.split("\n")
    named = "Measured: temperature" in message.body.split("\n")
    assert named == ("measured" in given)
    assert message.fields["is_bound"] == str("is_bound" in given).lower()


def test_those_of_one_run_are_in_the_order_of_their_times():
    early = notification(9, notified_at=notification(1).notified_at, starts_at=DAY - timedelta(1))
    assert sorted([notification(1), early], key=lambda row: row.place) == [early, notification(1)]


# The report, and titles of a project's own

UA = {
    "keys": {"detector": "mean", "carrier": "UA", "gate": None},
    "current": 12.0,
    "baseline": 48.0,
}


def test_a_message_has_a_link_to_its_incident_in_the_report():
    message = message_of(notification(1), Wording(report="https://example.com/report.html"))
    link = "https://example.com/report.html#incident-i1"
    assert f"\nReport: {link}\n\nAnomaly: a1\n" in message.body
    assert message.fields["link"] == link
    assert "link" not in message_of(notification(1)).fields
    without = message_of(notification(1, incident_id=None), Wording(report="https://example.com"))
    assert "Report" not in without.body


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("{{ carrier }}: {{ value }}, not {{ expected }}", "UA: 12, not 48"),
        ("{{ carrier | lower }}{{ gate }} at {{ starts_at }}", "ua at 2013-02-08T00:00:00Z"),
        ("NYC {{ title }}", "NYC [high] UA: 12, expected 48 (mean, 8 Feb UTC)"),
        ("{% if severity == 'high' %}!{% endif %} {{ link }}", "! https://e.com/r#incident-i1"),
        ("@here {{ carrier }}\n{{ detector }}", "@\u200bhere UA mean"),
    ],
)
def test_a_title_in_words_of_the_project(template: str, expected: str):
    wording = Wording(report="https://e.com/r", title=TitleTemplate(template))
    message = message_of(notification(1, **UA), wording)
    assert message.title == expected
    assert "template" not in message.body


@pytest.mark.parametrize(
    ("template", "fault"),
    [
        ("{{ carier }}", "'carier' is undefined"),
        ("{{ carrier.__class__.mro() }}", "access to attribute"),
        ("{# nothing #}", "it is empty"),
    ],
)
def test_a_template_that_fails_loses_no_message(template: str, fault: str):
    message = message_of(notification(1, **UA), Wording(title=TitleTemplate(template)))
    assert message.title == "[high] UA: 12, expected 48 (mean, 8 Feb UTC)"
    assert "The template of titles failed: " in message.body
    assert fault in message.body


def test_a_long_title_is_cut():
    wording = Wording(title=TitleTemplate("{{ carrier * 200 }}"))
    assert len(message_of(notification(1, **UA), wording).title) == TITLE_LENGTH
