"""The jars of Spark's Kafka source: fetched on first need, checked against `jars_kafka.lock`.

A session that reads no topic never loads them. An embedded one takes them while it runs; a warm
server must have them from its start.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from strandline.spark.errors import StrandlineSparkError
from strandline.spark.installed import spark_minor
from strandline.spark.jars import cache_dir
from strandline.spark.jars_fetch import JarSet, sums_in
from strandline.spark.remote import is_remote

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LOCK_FILE = Path(__file__).with_name("jars_kafka.lock")

# PySpark has these, or needs no others.
_EXCLUDED = (
    "com.*:*,org.xerial.snappy:*,at.yawk.lz4:*,org.lz4:*,org.slf4j:*,org.scala-lang:*,"
    "org.scala-lang.modules:*,org.apache.hadoop:*"
)


@dataclass(frozen=True)
class Versions:
    """Of the jars of one minor version of Spark; another one needs a row here and four in the lock.

    Attributes:
        source: of Spark's Kafka source; Maven need not have the one of each PySpark.
        clients: the Kafka client that it was made with.
        pool: the Commons Pool that it was made with.
    """

    source: str
    clients: str
    pool: str

    @property
    def names(self) -> tuple[str, ...]:
        """The files, as Ivy names them."""
        return (
            f"org.apache.spark_spark-sql-kafka-0-10_2.13-{self.source}.jar",
            f"org.apache.spark_spark-token-provider-kafka-0-10_2.13-{self.source}.jar",
            f"org.apache.kafka_kafka-clients-{self.clients}.jar",
            f"org.apache.commons_commons-pool2-{self.pool}.jar",
        )


VERSIONS = {
    "4.0": Versions("4.0.0", "3.9.0", "2.12.0"),
    "4.1": Versions("4.1.1", "3.9.1", "2.12.1"),
    "4.2": Versions("4.2.0", "3.9.2", "2.13.1"),
}


def kafka_jars(spark: str | None = None) -> JarSet:
    """The jars for a minor version of Spark, by default the installed one.

    `.paths()` fetches and checks them.
    """
    versions = VERSIONS[spark or spark_minor()]
    sums = sums_in(LOCK_FILE)
    return JarSet(
        what="jars of the Kafka source",
        coordinates=f"org.apache.spark:spark-sql-kafka-0-10_2.13:{versions.source}",
        excluded=_EXCLUDED,
        folder=cache_dir() / f"kafka-{versions.source}",
        sums={name: sums[name] for name in versions.names},
        lock=LOCK_FILE.name,
    )


def server_jars() -> list[Path]:
    """What a warm server takes at its start: the jars, if this machine has fetched them."""
    jars = kafka_jars()
    return jars.paths() if jars.is_there else []


def load_kafka(session: SparkSession) -> None:
    """Makes `format('kafka')` known: for the whole driver, if the session is an embedded one.

    Raises StrandlineSparkError on a server that was started without the jars: a session of Connect
    that adds them keeps every later session of that server from reading.
    """
    if not is_remote(session):
        _add_to_driver(session, kafka_jars().paths())
        return
    if not _is_known(session):
        kafka_jars().paths()
        raise StrandlineSparkError(
            "The Spark server has no Kafka source. A server of `strandline serve` has it if the"
            " jars were on this machine when it started, which they are now: call `strandline serve"
            " --stop`, then `strandline serve`. Another server must be started with"
            f" spark.jars.packages={kafka_jars().coordinates}."
        )


def _add_to_driver(session: SparkSession, jars: list[Path]) -> None:
    """What `spark.jars` does at the start of a driver.

    `ADD JAR` gives a jar to sessions alone: the driver could not read the error of a task then, and
    finds no jar in a folder with a blank, whose URI Spark encodes twice.
    """
    context: Any = session.sparkContext
    loader = session._jsparkSession.sharedState().jarClassLoader().getParent()
    for jar in jars:
        loader.addURL(context._jvm.java.io.File(str(jar)).toURI().toURL())
        if not context.master.startswith("local"):  # executors elsewhere fetch it from the driver
            context._jsc.addJar(jar.as_uri())


def _is_known(session: SparkSession) -> bool:
    """Whether a server has the source; no broker is needed to ask for its schema."""
    reader = session.read.format("kafka").option("kafka.bootstrap.servers", "127.0.0.1:1")
    try:
        return bool(reader.option("subscribe", "none").load().schema)
    except Exception as error:
        if "Failed to find data source: kafka" in str(error):
            return False
        raise
