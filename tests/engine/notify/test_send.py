"""Everything arrives, nothing is recorded before it was accepted, a receiver that is down delays no other."""

from __future__ import annotations

import socket
import time
from datetime import datetime, timezone

import pytest
from tests.engine.notify.receiver import MemoryOutbox, notification, notifications

from strandline.notify import send
from strandline.notify.channel import Channel
from strandline.stopping import asked


def test_all_arrives_once_in_order(receiver):
    rows = [
        notification(3),
        notification(1),
        notification(2, notified_at=notification(1).notified_at),
    ]
    outbox = MemoryOutbox(rows)
    [sent] = send(outbox, [Channel(receiver.named())])
    assert receiver.keys() == ["k0001", "k0002", "k0003"]
    assert outbox.noted() == ["k0001", "k0002", "k0003"]
    assert (sent.waiting, sent.accepted, sent.left, sent.failed) == (3, 3, 0, False)
    [again] = send(outbox, [Channel(receiver.named())])
    assert (len(receiver.deliveries), again.waiting) == (3, 0)
    assert len(outbox.batches) == 1


def test_a_process_that_was_asked_to_stop_records_what_was_accepted(receiver):
    outbox = MemoryOutbox(notifications(3))
    receiver.on_accept = lambda key: key == "k0002" and asked.set()
    try:
        [sent] = send(outbox, [Channel(receiver.named())])
    finally:
        asked.clear()
    assert outbox.noted() == ["k0001", "k0002"]
    assert (sent.waiting, sent.accepted, sent.left, sent.failed) == (3, 2, 1, False)
    send(outbox, [Channel(receiver.named())])
    assert receiver.keys() == ["k0001", "k0002", "k0003"]


def test_the_key_is_a_header_and_is_in_the_body(receiver):
    send(MemoryOutbox(notifications(2)), [Channel(receiver.named())])
    for number, delivery in enumerate(receiver.deliveries, start=1):
        assert delivery.headers["Idempotency-Key"] == f"k000{number}"
        assert delivery.headers["User-Agent"] == "Strandline"
        fields = ("idempotency_key", "kind", "anomaly_id", "incident_id", "type")
        assert [delivery.body[name] for name in fields] == [f"k000{number}", "new", f"a{number}", f"i{number}", "warning"]  # fmt: skip
        assert delivery.body["title"] == "[high] UA: 12, expected 48 (mean, 8 Feb UTC)"
        assert f"Notification: k000{number}" in delivery.body["message"]


def test_a_field_that_one_row_lacks_is_not_that_of_the_row_before(receiver):
    rows = [notification(1), notification(2, incident_id=None)]
    send(MemoryOutbox(rows), [Channel(receiver.named())])
    assert [delivery.body.get("incident_id") for delivery in receiver.deliveries] == ["i1", ""]


def test_a_key_of_any_letters_is_a_header(receiver):
    outbox = MemoryOutbox([notification(1, key="Zürich|a b\n")])
    send(outbox, [Channel(receiver.named())])
    [delivery] = receiver.deliveries
    assert delivery.key == "Z%C3%BCrich%7Ca%20b%0A"
    assert delivery.body["idempotency_key"] == "Zürich|a b\n"
    assert outbox.noted() == ["Zürich|a b\n"]


MOODS = {
    "500": "answered HTTP 500",
    "404": "answered HTTP 404",
    "302": "answered HTTP 302 (redirects are not followed)",
    "hang": "did not answer in time",
    "drop": "closed the connection before its answer was whole",
    "close": "closed the connection before its answer was whole",
    "endless": "answered with more than 1 MiB, which is not read",
    "packed": "answered with more than 1 MiB, which is not read",
}


@pytest.mark.parametrize("mood", MOODS)
def test_what_is_not_accepted_waits_and_has_the_same_key_later(receiver, mood):
    outbox = MemoryOutbox(notifications(3))
    receiver.meets("accept", mood, "accept")
    [sent] = send(outbox, [Channel(receiver.named())])
    assert outbox.noted() == ["k0001", "k0003"]
    assert (sent.accepted, sent.left, dict(sent.reasons)) == (2, 1, {MOODS[mood]: 1})
    first = receiver.deliveries[1]
    receiver.meets("accept")
    [sent] = send(outbox, [Channel(receiver.named())])
    again = receiver.deliveries[3]
    assert (again.key, again.body) == (first.key, first.body) == ("k0002", first.body)
    assert (sent.accepted, sent.left, sent.failed) == (1, 0, False)
    assert sorted(outbox.noted()) == ["k0001", "k0002", "k0003"]


def test_an_answer_of_any_length_is_not_read_to_its_end(receiver):
    receiver.meets("endless")
    [sent] = send(MemoryOutbox(notifications(1)), [Channel(receiver.named())])
    assert list(sent.reasons) == [MOODS["endless"]]
    receiver.stop()
    assert receiver.poured < 32 << 20  # beside what was read, the buffers of the connection


def test_a_receiver_that_refuses_gets_all_when_it_is_back(receiver):
    outbox = MemoryOutbox(notifications(5))
    receiver.stop()
    [sent] = send(outbox, [Channel(receiver.named())])
    assert dict(sent.reasons) == {"refused the connection": 4}
    assert (sent.given_up, sent.left, outbox.batches) == (True, 5, [])
    receiver.start()
    [sent] = send(outbox, [Channel(receiver.named())])
    assert (sent.accepted, receiver.keys()) == (5, [f"k000{n}" for n in range(1, 6)])


def test_a_host_without_an_address_is_named_as_such(monkeypatch, receiver):
    def no_address(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr("socket.getaddrinfo", no_address)
    [sent] = send(MemoryOutbox(notifications(1)), [Channel(receiver.named())])
    assert list(sent.reasons) == ["is not found: its host has no address (DNS)"]


def test_two_receivers_one_dead(receiver, other):
    outbox = MemoryOutbox(notifications(4))
    channels = [Channel(receiver.named("dead")), Channel(other.named("alive"))]
    receiver.meets("500")
    dead, alive = send(outbox, channels)
    assert (dead.left, alive.left) == (4, 0)
    assert (outbox.noted("dead"), len(outbox.noted("alive"))) == ([], 4)
    receiver.meets("accept")
    dead, alive = send(outbox, channels)
    assert (dead.accepted, alive.waiting) == (4, 0)
    assert len(other.deliveries) == 4
    assert receiver.keys("accept") == other.keys() == outbox.noted("dead")


@pytest.mark.parametrize(("mood", "reason"), [("hang", "did not answer within 1 s"), ("trickle", "did not answer within 1 s")])  # fmt: skip
def test_ten_thousand_do_not_wait_for_ten_thousand_timeouts(receiver, mood, reason):
    send(MemoryOutbox(notifications(1)), [Channel(receiver.named())])  # imports what it needs
    outbox = MemoryOutbox(notifications(10_000))
    receiver.meets(mood)
    [hangs] = send(outbox, [Channel(receiver.named("hangs"), seconds=1)])
    # The connection's own limit is as long: either may end an attempt.
    assert set(hangs.reasons) <= {reason, "did not answer in time"}
    assert sum(hangs.reasons.values()) == 4
    assert (hangs.given_up, hangs.left, outbox.batches) == (True, 10_000, [])
    assert receiver.keys()[1:] == ["k0001", "k0002", "k0003", "k10000"]


def test_what_nobody_would_accept_does_not_keep_back_what_is_behind_it(receiver):
    outbox = MemoryOutbox(notifications(6))
    receiver.meets("400", "400", "400", "accept", "accept", "accept")
    [sent] = send(outbox, [Channel(receiver.named())])
    assert outbox.noted() == ["k0006", "k0004", "k0005"]
    assert (sent.given_up, sent.left, dict(sent.reasons)) == (False, 3, {"answered HTTP 400": 3})


def test_nothing_is_noted_before_it_was_accepted(receiver):
    outbox = MemoryOutbox(notifications(120))
    accepted = []
    receiver.on_accept = lambda key: accepted.append((key, list(outbox.noted())))
    send(outbox, [Channel(receiver.named())])
    for number, (key, noted) in enumerate(accepted):
        assert key not in noted
        assert noted == receiver.keys()[: number // 50 * 50]
    assert [len(batch) for batch in outbox.batches] == [50, 50, 20]
    at = outbox.batches[0][0].at
    assert at.utcoffset() == timezone.utc.utcoffset(None)
    assert abs((datetime.now(timezone.utc) - at).total_seconds()) < 60


def test_what_was_accepted_is_noted_after_five_seconds(receiver):
    outbox = MemoryOutbox(notifications(6))
    seconds = iter(range(0, 100, 2))
    send(outbox, [Channel(receiver.named())], clock=lambda: next(seconds))
    assert [len(batch) for batch in outbox.batches] == [3, 3]


class Killed(BaseException):
    """Like the end of the process: the program does not catch it."""


class CrashingOutbox(MemoryOutbox):
    """Crashes at the first commit, like a kill between acceptance and record."""

    crashes = True

    def note(self, accepted) -> None:
        if self.crashes:
            raise Killed
        super().note(accepted)


def test_a_kill_between_acceptance_and_note_sends_the_batch_again_with_its_keys(receiver):
    outbox = CrashingOutbox(notifications(60))
    with pytest.raises(Killed):
        send(outbox, [Channel(receiver.named())])
    first = receiver.deliveries[:]
    assert (len(first), outbox.noted()) == (50, [])
    outbox.crashes = False
    [sent] = send(outbox, [Channel(receiver.named())])
    assert sent.accepted == 60
    again = receiver.deliveries[50:]
    assert [each.key for each in again[:50]] == [each.key for each in first]
    assert [each.body for each in again[:50]] == [each.body for each in first]


def test_an_interruption_keeps_what_was_accepted(receiver):
    outbox = MemoryOutbox(notifications(5))
    channel = Channel(receiver.named())
    deliver = channel.deliver

    def until_the_fourth(message):
        if message.key == "k0004":
            raise KeyboardInterrupt
        return deliver(message)

    channel.deliver = until_the_fourth
    with pytest.raises(KeyboardInterrupt):
        send(outbox, [channel])
    assert outbox.noted() == ["k0001", "k0002", "k0003"]


def test_a_limit_takes_the_oldest_for_each(receiver, other):
    outbox = MemoryOutbox(notifications(5))
    outbox.note([])
    done = send(outbox, [Channel(receiver.named("a")), Channel(other.named("b"))], limit=2)
    assert receiver.keys() == other.keys() == ["k0001", "k0002"]
    assert [(sent.accepted, sent.left, sent.failed) for sent in done] == [(2, 3, False)] * 2


def test_optional_in_a_url_does_not_make_a_failure_an_acceptance(receiver):
    outbox = MemoryOutbox(notifications(1))
    receiver.meets("500")
    [sent] = send(outbox, [Channel(receiver.named(query="&optional=yes"))])
    assert (sent.accepted, outbox.noted()) == (0, [])
    assert dict(sent.reasons) == {"answered HTTP 500": 1}


def test_retries_of_the_url_carry_the_key_too(receiver):
    receiver.meets("500", "accept")
    outbox = MemoryOutbox(notifications(1))
    [sent] = send(outbox, [Channel(receiver.named(query="&retry=1&wait=0"))])
    assert (sent.accepted, receiver.keys()) == (1, ["k0001", "k0001"])


def test_it_reports_its_progress(receiver):
    reported = []
    send(MemoryOutbox(notifications(2)), [Channel(receiver.named("ops"))], report=reported.append)
    assert reported == ["ops: 0 of 2", "ops: 1 of 2"]


def test_a_slow_request_that_is_retried_keeps_its_own_key(receiver):
    receiver.meets("hang")
    channel = Channel(receiver.named(query="&retry=1&wait=0"), seconds=0.4)
    send(MemoryOutbox(notifications(2)), [channel])
    until = time.monotonic() + 10
    while len(receiver.deliveries) < 4 and time.monotonic() < until:
        time.sleep(0.05)
    assert sorted(receiver.keys()) == ["k0001", "k0001", "k0002", "k0002"]
    for delivery in receiver.deliveries:
        assert delivery.body["message"].endswith(f"Notification: {delivery.key}")
