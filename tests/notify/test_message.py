"""What a person reads: word for word."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest
from tests.notify.receiver import DAY, notification

from strandline.notify import message_of
from strandline.notify.message import TITLE_LENGTH, number

WHOLE = """\
detector: mean
carrier: UA

From 2013-02-08 00:00:00 to 2013-02-09 00:00:00 UTC
Value 12 against a baseline of 48 (-75 %)
Severity: high
Labels: snow, holiday

Anomaly: a1
Incident: i1
Notification: k0001"""


def test_a_new_anomaly():
    message = message_of(notification(1))
    assert message.title == "[high] New anomaly: detector mean, carrier UA"
    assert message.body == WHOLE
    assert (message.key, message.kind) == ("k0001", "new")
    assert message.fields == {
        "idempotency_key": "k0001", "kind": "new", "anomaly_id": "a1", "incident_id": "i1",
    }  # fmt: skip


def test_one_that_is_over_and_one_of_another_kind():
    assert message_of(notification(1, kind="completed")).title.startswith("[high] Anomaly over: ")
    assert message_of(notification(1, kind="x\ny")).title.startswith("[high] Anomaly (x y): ")


def test_of_what_is_missing_nothing_is_said():
    row = notification(
        1, incident_id=None, anomaly_id=None, severity=None, labels=None, baseline=None, keys={}
    )
    message = message_of(row)
    assert message.title == "New anomaly"
    assert message.body == (
        "From 2013-02-08 00:00:00 to 2013-02-09 00:00:00 UTC\n"
        "Value 12, without a baseline\n"
        "\n"
        "Notification: k0001"
    )
    assert (message.fields["anomaly_id"], message.fields["incident_id"]) == ("", "")


def test_a_parent_says_so():
    told = "Several anomalies that touch are told as this one."
    assert told in message_of(notification(1, is_parent=True)).body
    assert told not in message_of(notification(1)).body


@pytest.mark.parametrize(
    ("current", "baseline", "told"),
    [
        (60.0, 48.0, "Value 60 against a baseline of 48 (+25 %)"),
        (48.0, 48.0, "Value 48 against a baseline of 48 (+0 %)"),
        (12.0, 0.0, "Value 12 against a baseline of 0"),
        (0.0, 3.0, "Value 0 against a baseline of 3 (-100 %)"),
        # A fall below zero is a fall.
        (-30.0, -20.0, "Value -30 against a baseline of -20 (-50 %)"),
        (None, 48.0, "Value null against a baseline of 48"),
        (None, None, "Value null, without a baseline"),
        (float("nan"), 48.0, "Value nan against a baseline of 48"),
        (1e300, 1e-300, f"Value {10**300:,.12g} against a baseline of 1e-300"),
        (1_234_567.25, 1e6, "Value 1,234,567.25 against a baseline of 1,000,000 (+23.46 %)"),
    ],
)
def test_the_value_against_the_baseline(current, baseline, told):
    assert told in message_of(notification(1, current=current, baseline=baseline)).body.split("\n")


@pytest.mark.parametrize(
    ("value", "told"), [(0.1 + 0.2, "0.3"), (336_776.0, "336,776"), (-0.5, "-0.5"), (None, "null")]
)
def test_a_number_as_a_person_writes_it(value, told):
    assert number(value) == told


def test_instants_are_told_in_utc_whatever_their_zone():
    new_york = timezone(timedelta(hours=-5))
    row = notification(
        1,
        starts_at=datetime(2013, 2, 8, 19, tzinfo=new_york),
        ends_at=DAY + timedelta(days=1, microseconds=5),
    )
    assert "From 2013-02-09 00:00:00 to 2013-02-09 00:00:00.000005 UTC" in message_of(row).body


def test_no_value_of_the_users_begins_a_line_or_a_header():
    row = notification(
        1, severity="high\r\nBcc: x@y.z", keys={"carrier": "UA\nSeverity: none", "origin": None}
    )
    message = message_of(row)
    assert message.title == "[high Bcc: x@y.z] New anomaly: carrier UA Severity: none, origin null"
    assert message.body.split("\n")[0] == "carrier: UA Severity: none"
    assert message.body.split("\n")[1] == "origin: null"


def test_a_long_title_is_cut_and_the_body_has_it_whole():
    name = "x" * 500
    message = message_of(notification(1, keys={"carrier": name}))
    assert len(message.title) == TITLE_LENGTH
    assert message.title.endswith("x…")
    assert f"carrier: {name}\n" in message.body
