"""Apache Kafka's own jars: fetched once from Maven, checked against `jars.lock`."""

from __future__ import annotations

from pathlib import Path

from strandline.spark.jars import cache_dir
from strandline.spark.jars_fetch import JarSet, sums_in
from strandline.spark.jvm import spark_home

KAFKA_VERSION = "4.4.0"
LOCK_FILE = Path(__file__).with_name("jars.lock")


def broker_jars() -> list[Path]:
    """The class path of a broker."""
    own = JarSet(
        what="jars of the broker of the tests",
        coordinates=f"org.apache.kafka:kafka_2.13:{KAFKA_VERSION}",
        excluded="",
        folder=cache_dir() / f"kafka-broker-{KAFKA_VERSION}",
        sums=sums_in(LOCK_FILE),
        lock=LOCK_FILE.name,
    )
    # Ivy leaves out what Spark has itself.
    scala = (spark_home() / "jars").glob("scala-library-2.13.*.jar")
    return [*own.paths(), *scala]
