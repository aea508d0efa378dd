"""What Spark's Kafka source does in a batch, on which the landing of topics relies."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import functions as F
from tests.kafka.broker import Broker, Message

from strandline.spark.jars_kafka import kafka_jars, load_kafka

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.soak

Read = Callable[..., "DataFrame"]


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    with Broker(tmp_path_factory.mktemp("kafka") / "broker") as broker:
        yield broker


@pytest.fixture(scope="module")
def read(spark: SparkSession, broker: Broker, tmp_path_factory: pytest.TempPathFactory) -> Read:
    """Reads a topic; the jars come from a cache whose name has what a URI would read otherwise."""
    jars = kafka_jars()
    jars.paths()
    cache = tmp_path_factory.mktemp("cache") / "O'Neil's räume %20 [1]"
    shutil.copytree(jars.folder, cache / jars.folder.name)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("STRANDLINE_CACHE", str(cache))
        assert str(kafka_jars().folder).startswith(str(cache))
        load_kafka(spark)
        load_kafka(spark)  # again costs nothing and changes nothing

    def read(topic: str, start: object = "earliest", end: object = "latest", **options: str):
        reader = spark.read.format("kafka").options(
            **{
                "kafka.bootstrap.servers": broker.address,
                "subscribe": topic,
                "startingOffsets": start if isinstance(start, str) else json.dumps({topic: start}),
                "endingOffsets": end if isinstance(end, str) else json.dumps({topic: end}),
                "kafka.isolation.level": "read_committed",
                **{name.replace("__", "."): value for name, value in options.items()},
            }
        )
        return reader.load()

    return read


def offsets(frame: DataFrame) -> list[int]:
    return [row.offset for row in frame.collect()]


def test_a_partition_is_one_task_in_the_order_of_offsets(broker: Broker, read: Read) -> None:
    topic = broker.topic("ordered", 3)
    broker.produce(topic, (Message(b"%d" % i, partition=i % 3) for i in range(3000)))
    rows = (
        read(topic)
        .select(
            "partition",
            "offset",
            F.spark_partition_id().alias("task"),
            F.monotonically_increasing_id().alias("number"),
        )
        .collect()
    )
    assert len(rows) == 3000
    assert len({(row.partition, row.task) for row in rows}) == 3
    for partition in range(3):
        own = sorted((row.number, row.offset) for row in rows if row.partition == partition)
        assert [offset for _, offset in own] == list(range(1000))


def test_holes_are_no_loss(broker: Broker, read: Read) -> None:
    topic = broker.topic("holes")
    with broker.transaction("holes") as transaction:
        transaction.produce(topic, [Message(b"committed")] * 2)
    with broker.transaction("holes", commits=False) as transaction:
        transaction.produce(topic, [Message(b"aborted")] * 3)
    broker.produce(topic, [Message(b"plain")])
    assert offsets(read(topic)) == [0, 1, 7]
    assert offsets(read(topic, {"0": 2}, {"0": 7})) == []
    everything = read(topic, kafka__isolation__level="read_uncommitted")
    assert offsets(everything) == [0, 1, 3, 4, 5, 7]


def test_deleted_messages_are_an_error(broker: Broker, read: Read) -> None:
    topic = broker.topic("deleted")
    broker.produce(topic, [Message(b"1")] * 10)
    broker.delete_records(topic, {0: 4})
    with pytest.raises(Exception, match=r"Could not read records in offset \[0, 10\) for topic"):
        read(topic, {"0": 0}).collect()
    assert offsets(read(topic)) == [4, 5, 6, 7, 8, 9]


def test_an_end_that_is_not_there_waits_and_fails(broker: Broker, read: Read) -> None:
    topic = broker.topic("short")
    broker.produce(topic, [Message(b"1")] * 3)
    with pytest.raises(Exception, match=r"Could not read records in offset \[3, 5\) for topic"):
        read(topic, {"0": 0}, {"0": 5}, kafkaConsumer__pollTimeoutMs="500").collect()


def test_all_partitions_must_be_named(broker: Broker, read: Read) -> None:
    topic = broker.topic("grows", 1)
    broker.add_partitions(topic, 2)
    broker.produce(topic, [Message(b"1", partition=0), Message(b"2", partition=1)])
    with pytest.raises(Exception, match=r"Set\(grows-0\) Assigned: Set\(grows-0, grows-1\)"):
        read(topic, {"0": 0}).collect()
    assert read(topic, {"0": 0, "1": -2}).count() == 2


def test_headers_are_as_they_were_sent(broker: Broker, read: Read) -> None:
    topic = broker.topic("headers")
    headers = (("a", b"1"), ("a", None), ("b", b"\xff"))
    broker.produce(topic, [Message(b"1", headers=headers), Message(None)])
    first, second = read(topic, includeHeaders="true").select("value", "headers").collect()
    assert [tuple(each) for each in first.headers] == list(headers)
    assert (second.value, second.headers) == (None, None)
