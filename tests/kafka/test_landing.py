"""A topic lands in a table, each message once."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from tests.kafka.broker import Broker, Message
from tests.landings import kill_before, lose_last_commit

from strandline.errors import LandingError, WrongUse
from strandline.landing import LandingResult, kafka, land_kafka, numbering
from strandline.stopping import asked

SCHEMA = "id BIGINT NOT NULL, t STRING"
FIRST = 1_400_000_000_000  # milliseconds: any instant


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    with Broker(tmp_path_factory.mktemp("broker")) as started:
        yield started


@dataclass
class Place:
    """A topic to send to, and the tables that it lands in."""

    spark: object
    broker: Broker
    folder: Path
    topic: str
    table: str
    settings: dict[str, str] = field(default_factory=dict)

    def send(
        self, *values: str | bytes | None, partition: int = 0, second: int = 0, **more
    ) -> None:
        """Messages of one second."""
        self.broker.produce(self.topic, [
            Message(value.encode() if isinstance(value, str) else value,
                    partition=partition, timestamp=FIRST + 1000 * second, **more)
            for value in values
        ])  # fmt: skip

    def land(self, schema: str | None = SCHEMA, **more) -> LandingResult:
        return land_kafka(
            self.spark, self.broker.address, self.topic, self.table, self.folder, schema=schema,
            client=self.settings, **more,
        )  # fmt: skip

    def refuses(self, schema: str | None = SCHEMA, **more) -> str:
        with pytest.raises(LandingError) as refused:
            self.land(schema, **more)
        return str(refused.value)

    def rows(self, *columns: str, table: str = "") -> list[tuple]:
        found = self.spark.table(self.table + table).orderBy("arrival").selectExpr(*columns)
        return [tuple(row) for row in found.collect()]


@pytest.fixture
def place(spark, broker, tmp_path, request) -> Place:
    name = re.sub(r"\W+", "_", request.node.name.lower())[:60]
    broker.topic(name, partitions=2)
    return Place(spark, broker, tmp_path / "home", name, f"kafka_test.{name}")


def test_messages_land_in_the_order_of_time_partition_and_offset(place) -> None:
    place.send('{"id": 1, "t": "a"}', partition=1, second=2)
    place.send('{"id": 2}', '{"id": 3}', partition=0, second=1, key=b"k", headers=(("h", b"\x01"),))
    place.send("no JSON", '{"id": "x"}', None, b"\xff", partition=1, second=3)
    assert place.land() == LandingResult(3, 4, 1, 1, 3)
    columns = ("arrival", "id", "t", "kafka_partition", "kafka_offset", "landed_from")
    topic = place.topic
    assert place.rows(*columns) == [
        (1, 2, None, 0, 0, f"{topic}[0]"),
        (2, 3, None, 0, 1, f"{topic}[0]"),
        (3, 1, "a", 1, 0, f"{topic}[1]"),
    ]
    message = ("kafka_key", "to_json(kafka_headers)", "cast(kafka_timestamp as string)")
    assert place.rows(*message)[0] == ("k", '[{"key":"h","value":"AQ=="}]', "2014-05-13 16:53:21")
    faulty = ("arrival", "landed_from", "line", "raw", "raw_bytes", "reason")
    assert place.rows(*faulty, table="_quarantine") == [
        (1, f"{topic}[1]", 1, "no JSON", None, "not a JSON object"),
        (2, f"{topic}[1]", 2, '{"id": "x"}', None, "column id: 'x' is not a BIGINT"),
        (3, f"{topic}[1]", 3, None, None, "the message has no value (a tombstone)"),
        (4, f"{topic}[1]", 4, "\ufffd", b"\xff", "the line is not UTF-8; its bytes are in raw_bytes"),
    ]  # fmt: skip

    assert place.land() == LandingResult(0, 0, 0, None, None)
    place.broker.add_partitions(topic, 3)
    place.send('{"id": 5}', partition=2)
    place.send('{"id": 6}', partition=0, second=9)
    assert place.land() == LandingResult(2, 0, 1, 4, 5)
    assert place.rows("id")[3:] == [(5,), (6,)]
    landed = ("batch", "part", "first", "last", "landed", "quarantined")
    found = place.spark.table(f"{place.table}_landings").selectExpr(*landed).collect()
    assert sorted(map(tuple, found)) == [
        (0, "0", 0, 1, 2, 0), (0, "1", 0, 4, 1, 4), (1, "0", 2, 2, 1, 0), (1, "2", 0, 0, 1, 0),
    ]  # fmt: skip


@pytest.mark.soak
def test_values_as_text_and_keys_as_bytes(place) -> None:
    place.send("a\nb", "", None, key=b"\xff")
    assert place.land(None) == LandingResult(0, 3, 1, None, None)
    assert place.rows("reason", table="_quarantine")[0] == (
        "the key is not UTF-8; say --option key=binary",
    )
    place.table += "_2"
    assert place.land(None, options={"key": "binary"}) == LandingResult(3, 0, 1, 1, 3)
    assert place.rows("value", "kafka_key") == [("a\nb", b"\xff"), ("", b"\xff"), (None, b"\xff")]


@pytest.mark.soak
def test_fields_may_have_the_names_of_our_columns(place) -> None:
    names = ["key", "value", "offset", "partition", "timestamp", "headers", "raw", "reason", "line"]
    names += ["größe in m", "a b", "it's"]
    schema = ", ".join(f"`{name}` INT" for name in names)
    place.send(json.dumps({name: nth for nth, name in enumerate(names)}), key=b"k")
    place.send('{"key": "x"}')
    assert place.land(schema) == LandingResult(1, 1, 1, 1, 1)
    columns = [f"`{name}`" for name in names]
    assert place.rows(*columns, "kafka_key") == [(*range(len(names)), "k")]
    assert place.rows("reason", table="_quarantine") == [("column key: 'x' is not an INT",)]


@pytest.mark.soak
def test_killed_between_the_tables(place, monkeypatch) -> None:
    place.send('{"id": 1}', "bad", '{"id": 2}')
    kill_before(monkeypatch, f"{place.table}_quarantine")
    with pytest.raises(RuntimeError, match="killed"):
        place.land()
    place.send('{"id": 3}', "worse")
    assert place.land() == LandingResult(1, 2, 2, 3, 3)
    assert place.rows("arrival", "id") == [(1, 1), (2, 2), (3, 3)]
    assert place.rows("arrival", "raw", table="_quarantine") == [(1, "bad"), (2, "worse")]


@pytest.mark.soak
@pytest.mark.parametrize("lost", ["", "_quarantine", "_landings"])
def test_a_commit_that_is_lost_lands_again(place, lost: str) -> None:
    place.send('{"id": 1}', partition=1)
    place.land()
    place.send('{"id": 2}', "bad", partition=0)
    place.land()
    lose_last_commit(place.spark, place.table + lost)
    place.send('{"id": 3}', partition=0)
    place.land()
    assert place.rows("arrival", "id") == [(1, 1), (2, 2), (3, 3)]
    assert place.rows("arrival", "raw", table="_quarantine") == [(1, "bad")]
    assert place.land() == LandingResult(0, 0, 0, None, None)


@pytest.mark.soak
def test_messages_that_kafka_has_deleted(place) -> None:
    place.send(*(f'{{"id": {n}}}' for n in range(10)), partition=1)
    place.broker.delete_records(place.topic, {1: 2})
    place.land()  # nothing had landed, so nothing is missed
    place.send(*(f'{{"id": {n}}}' for n in range(10, 20)), partition=1)
    place.broker.delete_records(place.topic, {1: 15})
    assert place.refuses() == (
        f"land:\n- topic {place.topic}: 5 messages are gone that have not landed (partition 1: "
        "offsets 10 to 14): Kafka has deleted them; give the topic a longer retention, and say "
        "allow_lost (--allow-lost) to land what is there"
    )
    result = place.land(allow_lost=True)
    assert result == LandingResult(5, 0, 1, 9, 13, lost={f"{place.topic}[1]": 5})
    assert [n for (n,) in place.rows("id")] == [*range(2, 10), *range(15, 20)]


@pytest.mark.soak
def test_a_topic_that_was_made_again(place) -> None:
    place.send('{"id": 1}', '{"id": 2}')
    place.land()
    place.broker.delete_topic(place.topic)
    place.broker.topic(place.topic, partitions=2)
    place.send('{"id": 3}')
    assert place.refuses() == (
        f"land:\n- topic {place.topic} is another one than the one that has landed: it was deleted "
        "and made again; say allow_lost (--allow-lost) to land it from its beginning"
    )
    assert place.land(allow_lost=True) == LandingResult(1, 0, 1, 3, 3)
    assert place.land() == LandingResult(0, 0, 0, None, None)


@pytest.mark.soak
def test_only_what_is_committed_lands(place) -> None:
    """Aborted messages are holes in the offsets; an open transaction waits for the next landing."""
    with place.broker.transaction("aborted", commits=False) as sent:
        sent.produce(place.topic, [Message(b'{"id": 1}', partition=0)])
    with place.broker.transaction("committed") as sent:
        sent.produce(place.topic, [Message(b'{"id": 2}', partition=0)])
    with place.broker.transaction("open") as sent:
        sent.produce(place.topic, [Message(b'{"id": 3}', partition=0)])
        assert place.land() == LandingResult(1, 0, 1, 1, 1)
    assert place.land() == LandingResult(1, 0, 1, 2, 2)
    assert place.rows("id") == [(2,), (3,)]


@pytest.mark.soak
def test_more_messages_than_one_batch(place, monkeypatch) -> None:
    monkeypatch.setattr(kafka, "MOST", 4)
    monkeypatch.setattr(kafka, "SORTED", 2)
    monkeypatch.setattr(numbering, "SORTED", 2)
    place.send(*(f'{{"id": {n}}}' for n in range(7)), partition=0)
    place.send('{"id": 7}', partition=1)
    assert place.land() == LandingResult(8, 0, 3, 1, 8)
    assert [n for (n,) in place.rows("id")] == [0, 1, 7, 2, 3, 4, 5, 6]


@pytest.mark.soak
def test_a_process_that_was_asked_to_stop_completes_its_batch(place, monkeypatch) -> None:
    monkeypatch.setattr(kafka, "MOST", 4)
    place.send(*(f'{{"id": {n}}}' for n in range(10)), partition=0)
    asked.set()
    try:
        assert place.land() == LandingResult(4, 0, 1, 1, 4)
    finally:
        asked.clear()
    assert place.land() == LandingResult(6, 0, 2, 5, 10)
    assert [n for (n,) in place.rows("id")] == [*range(10)]


@pytest.mark.soak
def test_what_cannot_be_asked_for(place, monkeypatch) -> None:
    monkeypatch.delenv("NOT_SET", raising=False)
    place.settings = {
        "sasl.jaas.config": "secret", "ssl.key.password": "env:NOT_SET", "group.id": "x",
        "kafka.retries": "1",
    }  # fmt: skip
    with pytest.raises(WrongUse) as refused:
        land_kafka(
            place.spark, "here", "a b", "raw.t", place.folder, client=place.settings,
            schema="kafka_offset INT", options={"key": "int"},
        )  # fmt: skip
    assert str(refused.value) == (
        "land:\n"
        "- option key='int' must be text or binary\n"
        "- broker 'here' is not host:port, such as kafka.example.com:9092\n"
        "- topic 'a b' is no name of a topic: letters, digits, '.', '_' and '-'\n"
        "- setting sasl.jaas.config is a secret, which other users of this machine would see; put it "
        "into an environment variable, and give its name: env:DBT_ENV_SECRET_KAFKA\n"
        "- setting ssl.key.password: the environment has no variable NOT_SET; set it\n"
        "- setting 'group.id' of the Kafka client cannot be given; the landing sets it\n"
        "- setting 'kafka.retries' of the Kafka client cannot be given; leave out 'kafka.'\n"
        "- column kafka_offset is reserved: the landing adds it; rename yours"
    )
    place.settings = {}
    assert place.refuses("kafka_offset INT") == (
        "land:\n- column kafka_offset is reserved: the landing adds it; rename yours"
    )
    assert place.refuses(None, options={"rest": "more"}) == (
        "land:\n- options rest are for JSON values; give their schema as well"
    )
    place.topic = "nowhere"
    assert place.refuses() == (
        f"land: Kafka at {place.broker.address}, topic nowhere: it has no such topic; name one that "
        "exists"
    )


@pytest.mark.soak
def test_no_broker_answers(place, monkeypatch) -> None:
    monkeypatch.setattr(kafka, "ANSWER", 3_000)
    with pytest.raises(LandingError, match=r"no answer within 3 seconds .*is it the right address"):
        land_kafka(place.spark, "127.0.0.1:1", "t", "raw.t", place.folder)


LOGIN = "org.apache.kafka.common.security.plain.PlainLoginModule required"


@pytest.mark.soak
def test_a_password_is_in_no_message(spark, tmp_path, monkeypatch) -> None:
    client = {
        "security.protocol": "SASL_PLAINTEXT",
        "sasl.mechanism": "PLAIN",
        "sasl.jaas.config": "env:DBT_ENV_SECRET_KAFKA",
    }

    def land() -> LandingResult:
        return land_kafka(
            spark, broker.address, "t", "kafka_test.password", tmp_path / "home", client=client
        )

    with Broker(tmp_path / "broker", password="s3cret") as broker:  # noqa: S106
        broker.topic("t")
        broker.produce("t", [Message(b"a")])
        for config, said in {
            f'{LOGIN} username="reader" password="wr0ng";': "SaslAuthenticationException: ",
            f'{LOGIN} username="reader" password="s3cret"': (
                "IllegalArgumentException; its text is left out, since it may have the value of "
                "sasl.jaas.config"
            ),
        }.items():
            monkeypatch.setenv("DBT_ENV_SECRET_KAFKA", config)
            with pytest.raises(LandingError) as refused:
                land()
            assert said in str(refused.value)
            assert "s3cret" not in str(refused.value)
        monkeypatch.setenv("DBT_ENV_SECRET_KAFKA", f'{LOGIN} username="reader" password="s3cret";')
        assert land() == LandingResult(1, 0, 1, 1, 1)
