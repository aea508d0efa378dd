"""A real Kafka broker for tests: Apache Kafka's own jars, one process on loopback (KRaft)."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from confluent_kafka import Consumer, KafkaError, KafkaException, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewPartitions, NewTopic
from tests.kafka.jars import broker_jars

from strandline.spark.remote import any_port, listens

_START_SECONDS = 60
_CALL_SECONDS = 30
# Ends the broker at once when its input is closed, as it is when the tests are killed.
_GUARD = """
exec 3<&0
"$@" 3<&- </dev/null &
child=$!
{ cat <&3 >/dev/null; kill -9 $child; } 2>/dev/null &
wait $child 2>/dev/null
"""


class Message(NamedTuple):
    """What is sent; without a partition Kafka chooses one by the key, without a time it is now.

    Attributes:
        value: None is a tombstone.
        timestamp: milliseconds since 1970.
    """

    value: bytes | None
    key: bytes | None = None
    partition: int = -1
    timestamp: int = 0
    headers: tuple[tuple[str, bytes | None], ...] = ()


class Broker:
    """A broker whose data are in a folder; `with Broker(folder) as broker:` starts and ends it.

    With a password its clients have to log in (SASL/PLAIN, without TLS) as `USER`.
    """

    USER = "reader"

    def __init__(self, folder: Path, password: str | None = None) -> None:
        self.folder = folder
        self.password = password
        self.port = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._admin: AdminClient

    def __enter__(self) -> Broker:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def client(self) -> dict[str, str | int]:
        """The settings of a client, as librdkafka names them."""
        login: dict[str, str | int] = {}
        if self.password is not None:
            login = {
                "security.protocol": "SASL_PLAINTEXT",
                "sasl.mechanism": "PLAIN",
                "sasl.username": self.USER,
                "sasl.password": self.password,
            }
        # Its log would say on stderr that a broker is gone, which tests want.
        return {"bootstrap.servers": self.address, "log_level": 0, **login}

    def start(self) -> None:
        """Starts it, on the data and the port that it had before, and waits until it answers."""
        assert self._process is None, "the broker runs"
        if not self.port:
            self.port = any_port()
            self._format(any_port())
            self._admin = AdminClient(self.client)
        with (self.folder / "broker.log").open("ab") as log:
            self._process = subprocess.Popen(
                ["sh", "-c", _GUARD, "sh", *self._java("kafka.Kafka"), str(self._properties)],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
            )
        deadline = time.monotonic() + _START_SECONDS
        while not (listens(self.port) and self._answers()):
            ended = self._process.poll()
            assert ended is None, f"the broker ended ({ended}):\n{self.log()[-2000:]}"
            assert time.monotonic() < deadline, f"no broker answers:\n{self.log()[-2000:]}"
            time.sleep(0.1)

    def kill(self) -> None:
        """Ends it with SIGKILL, and waits until it is gone."""
        if self._process is not None:
            assert self._process.stdin is not None
            self._process.stdin.close()
            self._process.wait(_CALL_SECONDS)
            self._process = None

    def log(self) -> str:
        return (self.folder / "broker.log").read_text()

    def topic(self, name: str, partitions: int = 1, config: Mapping[str, str] | None = None) -> str:
        new = NewTopic(name, num_partitions=partitions, replication_factor=1, config=config or {})
        self._admin.create_topics([new])[name].result(_CALL_SECONDS)
        self._wait_for(name, partitions)
        return name

    def add_partitions(self, topic: str, total: int) -> None:
        """Gives a topic more partitions, so that it has `total`."""
        done = self._admin.create_partitions([NewPartitions(topic, total)])
        done[topic].result(_CALL_SECONDS)
        self._wait_for(topic, total)

    def delete_topic(self, topic: str) -> None:
        self._admin.delete_topics([topic])[topic].result(_CALL_SECONDS)
        self._wait_for(topic, 0)

    def delete_records(self, topic: str, before: Mapping[int, int]) -> None:
        """Deletes what is before an offset, by partition."""
        places = [TopicPartition(topic, partition, offset) for partition, offset in before.items()]
        for done in self._admin.delete_records(places).values():
            done.result(_CALL_SECONDS)

    def begin_offsets(self, topic: str) -> dict[int, int]:
        """Offset of the first message that is left, by partition."""
        return {partition: low for partition, (low, _) in self._offsets(topic).items()}

    def end_offsets(self, topic: str) -> dict[int, int]:
        """Offset after the last message, by partition."""
        return {partition: high for partition, (_, high) in self._offsets(topic).items()}

    def produce(self, topic: str, messages: Iterable[Message]) -> None:
        """Sends messages, each once and in their order by partition; returns when all are stored."""
        # Bounded, so that a broker that is gone makes a test fail.
        settings = {"enable.idempotence": True, "delivery.timeout.ms": _CALL_SECONDS * 1000}
        producer = Producer(self.client | settings | {"linger.ms": 20})
        _send(producer, topic, messages)

    @contextmanager
    def transaction(self, name: str, commits: bool = True) -> Iterator[Transaction]:
        """What is sent within is committed together, or aborted; both leave a record in offsets."""
        producer = Producer(self.client | {"transactional.id": name})
        producer.init_transactions(_CALL_SECONDS)
        producer.begin_transaction()
        yield Transaction(producer)
        if commits:
            producer.commit_transaction(_CALL_SECONDS)
        else:
            producer.abort_transaction(_CALL_SECONDS)

    @property
    def _properties(self) -> Path:
        return self.folder / "server.properties"

    def _answers(self) -> bool:
        try:
            return bool(self._admin.list_topics(timeout=1).brokers)
        except KafkaException:
            return False

    def _wait_for(self, topic: str, partitions: int) -> None:
        """The controller knows of a change before the broker does."""
        deadline = time.monotonic() + _CALL_SECONDS
        while True:
            found = self._admin.list_topics(timeout=_CALL_SECONDS).topics.get(topic)
            leaders = found.partitions.values() if found else ()
            if len(leaders) == partitions and all(each.leader >= 0 for each in leaders):
                return
            assert time.monotonic() < deadline, f"{topic} has {len(leaders)} partitions"
            time.sleep(0.05)

    def _offsets(self, topic: str) -> dict[int, tuple[int, int]]:
        consumer = Consumer(
            self.client | {"group.id": "tests", "isolation.level": "read_uncommitted"}
        )
        try:
            partitions = consumer.list_topics(topic, _CALL_SECONDS).topics[topic].partitions
            return {
                partition: consumer.get_watermark_offsets(
                    TopicPartition(topic, partition), _CALL_SECONDS
                )
                for partition in sorted(partitions)
            }
        finally:
            consumer.close()

    def _java(self, main: str) -> list[str]:
        java = Path(os.environ["JAVA_HOME"], "bin", "java") if "JAVA_HOME" in os.environ else "java"
        classes = os.pathsep.join(str(jar) for jar in broker_jars())
        options = ["-Xmx512m", "-Xms128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"]
        return [str(java), *options, "-cp", classes, main]

    def _format(self, controller: int) -> None:
        """A new folder of data."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        protocol = "PLAINTEXT" if self.password is None else "SASL_PLAINTEXT"
        lines = {
            "process.roles": "broker,controller",
            "node.id": "1",
            "controller.quorum.voters": f"1@127.0.0.1:{controller}",
            "listeners": f"CLIENT://{self.address},CONTROLLER://127.0.0.1:{controller}",
            "listener.security.protocol.map": f"CLIENT:{protocol},CONTROLLER:PLAINTEXT",
            "controller.listener.names": "CONTROLLER",
            "inter.broker.listener.name": "CLIENT",
            "log.dirs": str(self.folder / "data"),
            "auto.create.topics.enable": "false",
            "offsets.topic.num.partitions": "1",
            "offsets.topic.replication.factor": "1",
            "transaction.state.log.num.partitions": "1",
            "transaction.state.log.replication.factor": "1",
            "transaction.state.log.min.isr": "1",
            # Messages of 2013 would be deleted by their own time.
            "log.retention.ms": "-1",
            # Small, for a small heap; compaction begins soon.
            "log.cleaner.dedupe.buffer.size": str(16 * 1024 * 1024),
            "log.cleaner.backoff.ms": "200",
            # A deleted topic leaves its files for a minute otherwise.
            "file.delete.delay.ms": "500",
            # A broker that was killed is let in again soon.
            "broker.session.timeout.ms": "1500",
            "broker.heartbeat.interval.ms": "300",
            "num.network.threads": "2",
            "num.io.threads": "2",
        }
        if self.password is not None:
            lines |= {
                "sasl.enabled.mechanisms": "PLAIN",
                "sasl.mechanism.inter.broker.protocol": "PLAIN",
                "listener.name.client.plain.sasl.jaas.config": (
                    "org.apache.kafka.common.security.plain.PlainLoginModule required"
                    f' username="{self.USER}" password="{self.password}"'
                    f' user_{self.USER}="{self.password}";'
                ),
            }
        self._properties.write_text("".join(f"{key}={value}\n" for key, value in lines.items()))
        command = [*self._java("kafka.tools.StorageTool"), "format", "--cluster-id"]
        command += ["strandlineTestsAAAAAAA", "--config", str(self._properties)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=_START_SECONDS)
        assert done.returncode == 0, done.stdout + done.stderr


class Transaction:
    """Sends messages of one transaction."""

    def __init__(self, producer: Producer) -> None:
        self._producer = producer

    def produce(self, topic: str, messages: Iterable[Message]) -> None:
        _send(self._producer, topic, messages)


def _send(producer: Producer, topic: str, messages: Iterable[Message]) -> None:
    failed: list[KafkaError] = []

    def stored(error: KafkaError | None, _: object) -> None:
        if error is not None:
            failed.append(error)

    for value, key, partition, timestamp, headers in messages:
        while True:
            try:
                producer.produce(
                    topic,
                    value,
                    key,
                    partition,
                    on_delivery=stored,
                    timestamp=timestamp,
                    headers=list(headers),
                )
                break
            except BufferError:  # its queue is full
                producer.poll(0.1)
    left = producer.flush(_CALL_SECONDS)
    assert not failed, failed[0]
    assert not left, f"{left} messages were not stored"
