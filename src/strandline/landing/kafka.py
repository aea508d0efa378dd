"""A topic of Kafka as the source of a landing: a batch is a range of offsets of each partition.

The columns of a message beside its value begin with `kafka_`. Its rows land in the order of
(timestamp, partition, offset) within a batch.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from py4j.protocol import Py4JJavaError
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from strandline.errors import LandingError
from strandline.landing.batch import Read, shown_rows
from strandline.landing.formats import FileFormat
from strandline.landing.landings import Landings, Part
from strandline.landing.numbering import SORTED, Block, in_order
from strandline.landing.request import SECRET
from strandline.landing.rows import parse
from strandline.landing.source import Plan
from strandline.landing.texts import NOT_UTF8, PLACE
from strandline.landing.unfinished import EVENTS, QUARANTINE, Forgotten, Unfinished

HEADER = T.StructType(
    [T.StructField("key", T.StringType()), T.StructField("value", T.BinaryType())]
)
MESSAGE = ("key", "headers", "timestamp", "partition", "offset")
VALUE = T.StructType([T.StructField("value", T.StringType())])
ANSWER = 15_000  # milliseconds that the client waits for Kafka
# More messages are read in several batches, so that a killed landing repeats at most so many.
MOST = 5_000_000
TOMBSTONE = "the message has no value (a tombstone)"


def message_columns(fmt: FileFormat) -> T.StructType:
    """The columns of a message beside its value."""
    key = T.BinaryType() if fmt.key == "binary" else T.StringType()
    return T.StructType(
        [
            T.StructField("kafka_key", key),
            T.StructField("kafka_headers", T.ArrayType(HEADER)),
            T.StructField("kafka_timestamp", T.TimestampType()),
            T.StructField("kafka_partition", T.IntegerType()),
            T.StructField("kafka_offset", T.LongType()),
        ]
    )


@dataclass(frozen=True)
class Offsets:
    """What a topic has.

    Attributes:
        topic_id: differs if the topic was deleted and made again.
        first: the first offset of each partition that Kafka still has.
        end: the offset after the last message that is committed.
    """

    topic_id: str
    first: Mapping[int, int]
    end: Mapping[int, int]


@dataclass(frozen=True)
class Range:
    """Offsets of a partition, `first` to `last`."""

    partition: int
    first: int
    last: int


class Topic:
    """The source of a landing.

    Args:
        servers: host:port, several separated by commas.
        schema: the columns of a JSON value; None lands the value as text.
        fmt: how the values are written.
        client: settings of the Kafka client, such as `security.protocol`.
        allow_lost: land what is there although messages are gone that had not landed.
    """

    def __init__(
        self,
        spark: SparkSession,
        servers: str,
        topic: str,
        schema: T.StructType | None,
        fmt: FileFormat,
        *,
        client: Mapping[str, str],
        allow_lost: bool,
    ) -> None:
        self._spark = spark
        self._topic = topic
        self._values = schema
        self._fmt = fmt
        self._client = {
            "default.api.timeout.ms": str(ANSWER),
            "request.timeout.ms": str(ANSWER * 2 // 3),
            "isolation.level": "read_committed",
            **client,
            "bootstrap.servers": servers,
        }
        self._secrets = sorted(key for key in client if SECRET.search(key))
        self._allow_lost = allow_lost
        self.schema = T.StructType([*(schema or VALUE), *message_columns(fmt)])
        self._new: list[Range] = []

    def plan(self, landings: Landings, open_ones: Sequence[Unfinished]) -> Plan:
        """Ask Kafka for its offsets, and compare them with what has landed."""
        self._new = []
        found = self._offsets
        landed = landings.ends_of(self._topic)
        for each in open_ones:
            if each.is_restored:
                for part in each.batch.parts:
                    landed[part.name] = (part.last or 0) + 1, part.source_id
        is_other = any(known != found.topic_id for _, known in landed.values())
        if is_other:
            landed = {}
        lost: dict[str, int] = {}
        gone: list[str] = []
        faults: list[str] = []
        for partition, first in sorted(found.first.items()):
            start, _ = landed.get(str(partition), (first, None))
            end = found.end[partition]
            if start > end:
                faults.append(
                    f"topic {self._topic}: partition {partition} ends at offset {end:,}, and "
                    f"offsets to {start - 1:,} have landed: Kafka has lost messages, and gives "
                    "their offsets to others; land the topic to a new table"
                )
            if start < first:
                lost[f"{self._topic}[{partition}]"] = first - start
                gone.append(f"partition {partition}: offsets {start:,} to {first - 1:,}")
            if max(start, first) < end:
                self._new.append(Range(partition, max(start, first), end - 1))
        if is_other and not self._allow_lost:
            faults.append(
                f"topic {self._topic} is another one than the one that has landed: it was deleted "
                "and made again; say allow_lost (--allow-lost) to land it from its beginning"
            )
        if lost and not self._allow_lost:
            faults.append(
                f"topic {self._topic}: {sum(lost.values()):,} messages are gone that have not "
                f"landed ({'; '.join(gone)}): Kafka has deleted them; give the topic a longer "
                "retention, and say allow_lost (--allow-lost) to land what is there"
            )
        return Plan(to_complete=open_ones, has_new=bool(self._new), faults=faults, lost=lost)

    def restored(self, landings: Landings, lost: Forgotten) -> Unfinished:
        """A batch that the landings have lost, by the offsets of its rows."""
        found: dict[int, list[int]] = {}  # partition: last offset, good rows, faulty rows
        places = {
            EVENTS: (F.col("kafka_partition"), "kafka_offset"),
            QUARANTINE: (F.regexp_extract("landed_from", r"\[(\d+)\]$", 1).cast("int"), "line"),
        }
        for nth, rows in lost.rows(self._spark, landings):
            of_partition, offset = places[nth]
            counted = rows.groupBy(of_partition).agg(F.max(offset), F.count("*"))
            for partition, last, count in counted.collect():
                before = found.setdefault(partition, [last, 0, 0])
                before[0], before[1 + nth] = max(before[0], last), count
        ends, first = landings.ends_of(self._topic), self._offsets.first
        numbers = list(lost.arrivals)
        parts = []
        for partition, (last, good, bad) in sorted(found.items()):
            numbers = [numbers[EVENTS] + good, numbers[QUARANTINE] + bad]
            start, _ = ends.get(str(partition), (first.get(partition, 0), None))
            parts.append(
                Part(
                    self._topic, str(partition), None, start, last, good, bad,
                    (numbers[EVENTS], numbers[QUARANTINE]), source_id=self._offsets.topic_id,
                )
            )  # fmt: skip
        return lost.with_parts(parts)

    def read_again(self, each: Unfinished) -> Read:
        """Read the same offsets."""
        ranges = [
            Range(int(part.name), part.first, part.last)
            for part in each.batch.parts
            if part.first is not None and part.last is not None
        ]
        return self._read(ranges)

    def read_new(self) -> Iterator[Read]:
        """Read all messages that the plan has found, in batches of at most `MOST`."""
        rest = list(self._new)
        while rest:
            share = max(1, MOST // len(rest))
            now = [
                Range(each.partition, each.first, min(each.last, each.first + share - 1))
                for each in rest
            ]
            rest = [
                Range(each.partition, done.last + 1, each.last)
                for each, done in zip(rest, now, strict=True)
                if done.last < each.last
            ]
            yield self._read(now)

    def _read(self, ranges: Sequence[Range]) -> Read:
        messages = self._messages(ranges)
        count = sum(each.last - each.first + 1 for each in ranges)
        order = ("timestamp", "partition", "offset")
        cached: list[DataFrame] = []
        if count > SORTED:
            messages = messages.persist()
            cached.append(messages)
        placed = in_order(messages, count, self._topic, order)
        rows = self._rows(placed).persist()
        cached.append(rows)
        return _MessagesRead(self._topic, self._offsets.topic_id, ranges, rows, cached)

    def _messages(self, ranges: Sequence[Range]) -> DataFrame:
        reader = self._spark.read.format("kafka")
        for key, value in self._client.items():
            reader = reader.option(f"kafka.{key}", value)
        of_topic = {self._topic: [each.partition for each in ranges]}
        first = {self._topic: {str(each.partition): each.first for each in ranges}}
        end = {self._topic: {str(each.partition): each.last + 1 for each in ranges}}
        return (
            reader.option("assign", json.dumps(of_topic))
            .option("startingOffsets", json.dumps(first))
            .option("endingOffsets", json.dumps(end))
            .option("includeHeaders", "true")
            .option("failOnDataLoss", "true")
            .option("kafkaConsumer.pollTimeoutMs", str(2 * ANSWER))
            .load()
            .select(F.col("value").cast("string").alias("raw"), *MESSAGE)
        )

    def _rows(self, placed: DataFrame) -> DataFrame:
        """Messages as rows with their faults."""
        if self._values is None:
            fault = F.when(~F.is_valid_utf8("raw"), F.lit(NOT_UTF8))
            row = F.struct(F.col("raw").alias("value"))
            rows = placed.select(
                *PLACE,
                *MESSAGE,
                row.alias("__row"),
                "raw",
                F.coalesce(fault, F.lit("")).alias("reason"),
            )
        else:
            rows = parse(placed, self._values, self._fmt, MESSAGE)
            fault = F.when(F.col("raw").isNull(), F.lit(TOMBSTONE))
            rows = rows.withColumn("reason", F.coalesce(fault, F.col("reason")))
        key = F.col("key") if self._fmt.key == "binary" else F.col("key").cast("string")
        reasons = [F.nullif("reason", F.lit(""))]
        if self._fmt.key != "binary":
            fault = F.when(
                ~F.is_valid_utf8(key), F.lit("the key is not UTF-8; say --option key=binary")
            )
            reasons.append(fault)
        columns: list[Column] = [key, *map(F.col, MESSAGE[1:])]
        names = (field.name for field in message_columns(self._fmt))
        others = [each.alias(name) for each, name in zip(columns, names, strict=True)]
        partition = F.col("partition").cast("string")
        return shown_rows(
            rows,
            landed_from=F.concat(F.lit(f"{self._topic}["), partition, F.lit("]")),
            row=F.struct("__row.*", *others),
            line=F.col("offset"),
            raw=F.col("raw"),
            reason=F.concat_ws("; ", *reasons),
            kept=("partition",),
        )

    @cached_property
    def _offsets(self) -> Offsets:
        """Kafka's own answer, by the client in the JVM.

        Raises:
            LandingError: it does not answer, or does not know the topic.
        """
        jvm = self._spark._jvm
        assert jvm is not None
        settings = jvm.java.util.Properties()
        for key, value in self._client.items():
            if key != "isolation.level":
                settings.setProperty(key, value)
        clients = jvm.org.apache.kafka.clients.admin
        try:
            admin = clients.Admin.create(settings)
            try:
                return _asked(jvm, admin, self._topic)
            finally:
                admin.close()
        except Py4JJavaError as error:
            raise LandingError(
                f"land: Kafka at {self._client['bootstrap.servers']}, topic {self._topic}: "
                f"{_kafka_cause(error, self._secrets)}"
            ) from None if self._secrets else error


class _MessagesRead(Read):
    """The rows of messages."""

    def __init__(
        self,
        topic: str,
        topic_id: str,
        ranges: Sequence[Range],
        rows: DataFrame,
        cached: list[DataFrame],
    ) -> None:
        super().__init__(rows, cached)
        self._topic = topic
        self._id = topic_id
        self._ranges = ranges
        self._rows = rows

    def parts(
        self, good: Sequence[Block], bad: Sequence[Block], before: tuple[int, int]
    ) -> tuple[Part, ...]:
        """The ranges of offsets; each has the last numbers of its batch."""
        counted = self._rows.groupBy("partition").agg(
            F.count_if(F.col("reason") == ""), F.count_if(F.col("reason") != "")
        )
        counts = {partition: (landed, faulty) for partition, landed, faulty in counted.collect()}
        arrivals = before[0] + sum(it.rows for it in good), before[1] + sum(it.rows for it in bad)
        parts = []
        for each in self._ranges:
            landed, faulty = counts.get(each.partition, (0, 0))
            parts.append(
                Part(
                    self._topic, str(each.partition), None, each.first, each.last,
                    landed, faulty, arrivals, source_id=self._id,
                )
            )  # fmt: skip
        return tuple(parts)


def _asked(jvm: object, admin: object, topic: str) -> Offsets:
    clients = jvm.org.apache.kafka.clients.admin  # type: ignore[attr-defined]
    util, common = jvm.java.util, jvm.org.apache.kafka.common  # type: ignore[attr-defined]
    names = util.ArrayList()
    names.add(topic)
    described = admin.describeTopics(names).allTopicNames().get().get(topic)  # type: ignore[attr-defined]
    numbers = [each.partition() for each in described.partitions()]
    committed = clients.ListOffsetsOptions(common.IsolationLevel.READ_COMMITTED)
    found = []
    for spec in (clients.OffsetSpec.earliest(), clients.OffsetSpec.latest()):
        asked = util.HashMap()
        for number in numbers:
            asked.put(common.TopicPartition(topic, number), spec)
        answer = admin.listOffsets(asked, committed).all().get()  # type: ignore[attr-defined]
        found.append(
            {entry.getKey().partition(): entry.getValue().offset() for entry in answer.entrySet()}
        )
    return Offsets(described.topicId().toString(), *found)


def _kafka_cause(error: Py4JJavaError, secrets: Sequence[str]) -> str:
    """What Kafka's client says, without the classes that wrap it, and without a secret."""
    cause = error.java_exception
    while cause.getCause() is not None:
        cause = cause.getCause()
    kind, text = cause.getClass().getSimpleName(), cause.getMessage() or ""
    if kind == "UnknownTopicOrPartitionException":
        return "it has no such topic; name one that exists"
    if kind == "TimeoutException":
        return (
            f"no answer within {ANSWER // 1000} seconds ({text}); is it the right address, does it "
            "run, and are the client's settings for its security given (--kafka-option)?"
        )
    if secrets and kind not in ("SaslAuthenticationException", "TopicAuthorizationException"):
        return f"{kind}; its text is left out, since it may have the value of {', '.join(secrets)}"
    return f"{kind}: {text}"
