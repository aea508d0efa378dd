"""The broker of the tests does what the tests of landing count on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from confluent_kafka import Consumer, KafkaException, TopicPartition
from confluent_kafka.admin import AdminClient
from tests.kafka.broker import Broker, Message

pytestmark = pytest.mark.soak

MILLION = 1_000_000
SECONDS = 30


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    with Broker(tmp_path_factory.mktemp("kafka") / "broker") as broker:
        yield broker


def read(broker: Broker, topic: str, isolation: str = "read_committed") -> list:
    """All messages of partition 0, in their order."""
    settings = {"group.id": "t", "isolation.level": isolation, "enable.partition.eof": True}
    consumer = Consumer(broker.client | settings)
    consumer.assign([TopicPartition(topic, 0, 0)])
    found = []
    try:
        while (message := consumer.poll(SECONDS)) is not None and message.error() is None:
            found.append(message)
        assert message is not None, "the broker gave no end"
    finally:
        consumer.close()
    return found


def test_a_million_messages_survive_a_kill(broker: Broker) -> None:
    topic = broker.topic("million", 3)
    began = time.monotonic()
    broker.produce(
        topic,
        (
            Message(b"%d" % i, b"key %d" % (i % 100), i % 3, 1_360_000_000_000 + i, (("n", b"x"),))
            for i in range(MILLION)
        ),
    )
    assert time.monotonic() - began < 60
    whole = {0: 333_334, 1: 333_333, 2: 333_333}
    assert broker.end_offsets(topic) == whole
    broker.kill()
    with pytest.raises(KafkaException):
        AdminClient(broker.client).list_topics(timeout=1)
    broker.start()
    assert broker.end_offsets(topic) == whole
    assert broker.begin_offsets(topic) == {0: 0, 1: 0, 2: 0}
    broker.delete_records(topic, {0: 1000, 2: 333_333})
    assert broker.begin_offsets(topic) == {0: 1000, 1: 0, 2: 333_333}
    assert broker.end_offsets(topic) == whole


def test_a_message_is_stored_as_it_was_sent(broker: Broker) -> None:
    topic = broker.topic("one-message")
    headers = (("a", b"1"), ("a", None), ("b", b"\xff"))
    broker.produce(topic, [Message(b"value", b"key", 0, 1_360_000_000_123, headers), Message(None)])
    first, second = read(broker, topic)
    assert (first.value(), first.key(), first.offset()) == (b"value", b"key", 0)
    assert first.timestamp()[1] == 1_360_000_000_123
    assert first.headers() == list(headers)
    assert (second.value(), second.key(), second.headers()) == (None, None, None)


def test_transactions_leave_holes(broker: Broker) -> None:
    topic = broker.topic("transactions")
    with broker.transaction("t") as transaction:
        transaction.produce(topic, [Message(b"committed")] * 2)
    with broker.transaction("t", commits=False) as transaction:
        transaction.produce(topic, [Message(b"aborted")] * 3)
    broker.produce(topic, [Message(b"plain")])
    # 2 messages, the record of their commit, 3 messages, the record of their end, 1 message.
    assert broker.end_offsets(topic) == {0: 8}
    seen = [(message.offset(), message.value()) for message in read(broker, topic)]
    assert seen == [(0, b"committed"), (1, b"committed"), (7, b"plain")]
    everything = read(broker, topic, "read_uncommitted")
    assert [message.offset() for message in everything] == [0, 1, 3, 4, 5, 7]


def test_a_compacted_topic_keeps_the_newest_of_a_key(broker: Broker) -> None:
    soon = {"min.cleanable.dirty.ratio": "0.01", "max.compaction.lag.ms": "100", "segment.ms": "50"}
    topic = broker.topic("compacted", config={"cleanup.policy": "compact", **soon})
    broker.produce(topic, [Message(b"%d" % i, b"key %d" % (i % 2)) for i in range(100)])
    deadline = time.monotonic() + 2 * SECONDS
    while len(left := [message.offset() for message in read(broker, topic)]) > 10:
        assert time.monotonic() < deadline, f"{len(left)} messages are left"
        # What is in the newest segment stays: a later message begins another one.
        broker.produce(topic, [Message(b"last", b"last")])
        time.sleep(0.5)
    assert left[:2] == [98, 99]
    assert broker.begin_offsets(topic) == {0: 0}


def test_partitions_are_added_and_a_topic_is_made_again(broker: Broker) -> None:
    topic = broker.topic("again", 1)
    broker.produce(topic, [Message(b"old")] * 5)
    broker.add_partitions(topic, 3)
    broker.produce(topic, [Message(b"old", partition=2)])
    assert broker.end_offsets(topic) == {0: 5, 1: 0, 2: 1}
    broker.delete_topic(topic)
    broker.topic(topic, 1)
    assert broker.end_offsets(topic) == {0: 0}


def test_a_password_is_asked_for(tmp_path: Path) -> None:
    with Broker(tmp_path / "kafka", password="of the tests") as broker:  # noqa: S106
        topic = broker.topic("secret")
        broker.produce(topic, [Message(b"1")])
        assert [message.value() for message in read(broker, topic)] == [b"1"]
        wrong = broker.client | {"sasl.password": "another"}
        with pytest.raises(KafkaException):
            AdminClient(wrong).list_topics(timeout=3)
