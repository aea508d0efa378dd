"""Which open incidents are reminded of, and that none is twice."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from tests.engine.notify.receiver import notification

from strandline.notify import grouped, message_of, together_of
from strandline.notify.reminders import KEY, Open, Reminders, key_of, reminders_due

DAY = 86_400_000_000
NOW = 20_000 * DAY


def incident(number: int, last: int, receiver: str = "ops", reminders: int = 0) -> Open:
    return Open(notification(number), receiver, last, reminders)


def due(found: list[Open], waiting: dict | None = None) -> tuple[dict[str, list[str]], int | None]:
    rows, later = reminders_due(found, waiting or {"ops": []}, Reminders(DAY, "", NOW))
    return {name: [row.key for row in each] for name, each in rows.items()}, later


@pytest.mark.parametrize(
    ("last", "keys", "later"),
    [
        (NOW - DAY - 1, ["k0001-reminder-1"], None),
        (NOW - DAY, ["k0001-reminder-1"], None),
        (NOW - DAY + 1, [], NOW + 1),
        (NOW + DAY, [], NOW + 2 * DAY),  # the clock of the computer was set back
    ],
)
def test_one_is_due_when_the_newest_was_sent_that_long_ago(last, keys, later):
    assert due([incident(1, last)]) == ({"ops": keys}, later)


def test_each_has_a_key_of_its_own_and_the_same_until_it_is_recorded():
    old = NOW - 9 * DAY
    assert due([incident(1, old)]) == due([incident(1, old)])
    assert due([incident(1, old, reminders=9)]) == ({"ops": ["k0001-reminder-10"]}, None)
    first, number = re.fullmatch(KEY, key_of("k0001", 10)).groups()
    assert (first, number) == ("k0001", "10")
    assert re.fullmatch(KEY, "k0001").groups() == ("k0001", None)


def test_each_receiver_has_its_own_and_none_that_waits_for_it():
    old, waits = NOW - 9 * DAY, replace(notification(2, kind="raised"), key="raised")
    found = [
        incident(2, old), incident(1, old, reminders=1), incident(2, old, "desk"),
        incident(3, NOW - 1, "desk"), incident(4, NOW - 2, "desk"),
    ]  # fmt: skip
    assert due(found, {"ops": [waits], "desk": [], "new": []}) == (
        {"ops": ["k0001-reminder-2"], "desk": ["k0002-reminder-1"], "new": []},
        NOW + DAY - 2,
    )


def test_people_read_that_it_is_still_open():
    rows, _ = reminders_due(
        [incident(number, 0) for number in (2, 1)], {"ops": []}, Reminders(DAY, "", NOW)
    )
    first, second = rows["ops"]
    message = message_of(first)
    assert message.title == "[high] Still open: UA: 12, expected 48 (mean, 8 Feb UTC)"
    assert message.body.endswith("Notification: k0001-reminder-1")
    assert (message.kind, message.key) == ("reminder", "k0001-reminder-1")
    assert message.fields["kind"] == "reminder"

    # Of different runs, yet together; never with what is new of one of these runs.
    new = notification(3, notified_at=first.notified_at)
    groups = grouped([new, first, second], 5)
    assert [each.rows for each in groups] == [[new], [first, second]]
    assert sorted([first, second, notification(9)], key=lambda row: row.place)[0].key == "k0009"
    both = together_of([first, second])
    assert both.title == "2 notifications: 2 still open (8 Feb UTC)"
    assert both.kind == "reminder"
