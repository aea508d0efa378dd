"""Every Spark setting that Strandline makes, each with its reason.

A profile overrides any of them by `server_side_parameters`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from strandline.spark.archive import reading_option
from strandline.spark.errors import StrandlineSparkError, message_of
from strandline.spark.jvm import quiet_java_options

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class Credentials(Protocol):
    """The settings of Spark in a dbt profile; the class of the adapter describes each."""

    @property
    def method(self) -> str: ...
    @property
    def home(self) -> str: ...
    @property
    def master(self) -> str: ...
    @property
    def remote(self) -> str: ...
    @property
    def java_options(self) -> str | None: ...
    @property
    def lock_timeout(self) -> float: ...
    @property
    def server_side_parameters(self) -> dict[str, str]: ...


# C1 only: compiling Java is most of a short run. On millions of rows the second tier pays.
SHORT_RUN_JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=256m"

# Settings of a session, the same for every way of connecting.
SESSION_SETTINGS = {
    # Data stays what it is: Spark puts the value of a variable for `${env:HOME}` within quotes too.
    "spark.sql.variable.substitute": "false",
    # Stored instants and windows never depend on the clock of the machine.
    "spark.sql.session.timeZone": "UTC",
    # A commit whose answer was lost is recognised instead of being made twice.
    "spark.databricks.delta.commit.idempotencyCheck.enabled": "true",
    # Spark's own choice, INT96, is slower to write and has no bounds by which to skip rows.
    "spark.sql.parquet.outputTimestampType": "TIMESTAMP_MICROS",
    # A task writes a few partitions at once; with more of them it puts its rows in order first.
    "spark.sql.maxConcurrentOutputFileWriters": "16",
    # A commit keeps the list of a table's files while they are few, so that the next reader need
    # not make it from the log: Delta's 50 are less than a year by weeks.
    "spark.databricks.delta.allFilesInCrc.thresholdNumFiles": "200",
}

# Settings of a session where driver and executors share one machine.
LOCAL_SESSION_SETTINGS = {
    # Where Spark cannot join small partitions by itself, 200 tasks cost more than the rows.
    "spark.sql.shuffle.partitions": "2",
    # Where it can, it splits a shuffle by its size, not into as few parts as there are cores: a
    # hash table of some megabytes stays in the processor's cache.
    "spark.sql.adaptive.coalescePartitions.initialPartitionNum": "32",
    "spark.sql.adaptive.coalescePartitions.parallelismFirst": "false",
    "spark.sql.adaptive.advisoryPartitionSizeInBytes": "16m",
    # Spark lists more than 32 paths in a job, whose thousands of tasks take longer than to read
    # thousands of small files.
    "spark.sql.sources.parallelPartitionDiscovery.parallelism": "8",
    # A checksum of each row of a shuffle is for lost executors; here the driver is lost with them.
    "spark.sql.shuffle.orderIndependentChecksum.enabled": "false",
    # Delta reads the log of a table in 50 tasks otherwise.
    "spark.databricks.delta.snapshotPartitions": "1",
}

# Settings of a driver (embedded or server).
DRIVER_SETTINGS = {
    "spark.app.name": "strandline",
    "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
    "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    "spark.sql.catalogImplementation": "hive",
    "spark.sql.sources.default": "delta",
    # A run has more generated classes than Spark's 100: each would be compiled again in each run.
    "spark.sql.codegen.cache.maxEntries": "2000",
    # No port is opened and no web server started for a run that nobody watches.
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    # Otherwise every `create or replace` of a Delta table logs an error of Hive with its stack.
    "spark.hadoop.hive.metastore.disallow.incompatible.col.type.changes": "false",
    # The metastore is ours and new: no version check, and its tables are made on first use.
    "spark.hadoop.datanucleus.schema.autoCreateAll": "true",
    "spark.hadoop.hive.metastore.schema.verification": "false",
    # Errors in Python workers show the model's own lines, without Spark's stack frames.
    "spark.sql.execution.pyspark.udf.simplifiedTraceback.enabled": "true",
}

LOCAL_DRIVER_SETTINGS = {
    # Nothing listens beyond this machine, and a laptop that changes its network does not mind.
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.memory": "2g",
    # Other accounts of this machine reach its ports too: they need a secret, which Spark makes.
    "spark.authenticate": "true",
}


# What a session may set for itself begins so.
_RUNTIME = ("spark.sql.", "spark.databricks.")


def driver_settings(
    home: Path,
    master: str,
    jars: Iterable[Path],
    java_options: str | None = None,
    own: dict[str, str] | None = None,
) -> dict[str, str]:
    """The settings of a driver whose warehouse and metastore are under `home`.

    `java_options` None means: chosen by `master` (where it is local C1 only, and the classes that
    `strandline prepare` has stored); `own` wins over all.
    """
    local = master.startswith("local")
    if java_options is None:
        java_options = f"{SHORT_RUN_JAVA_OPTIONS} {reading_option()}".strip() if local else ""
    paths = [str(jar) for jar in jars]
    settings = {
        **SESSION_SETTINGS,
        **DRIVER_SETTINGS,
        "spark.master": master,
        # A plain path: Spark would not decode the %20 of a URI.
        "spark.sql.warehouse.dir": str(home / "warehouse"),
        "spark.hadoop.javax.jdo.option.ConnectionURL": (
            f"jdbc:derby:;databaseName={home / 'metastore'};create=true"
        ),
        "spark.driver.extraJavaOptions": f"{java_options} {quiet_java_options(home)}".strip(),
    }
    if local:
        # On the class path nothing is copied; spark.jars would copy at each start.
        settings |= LOCAL_SESSION_SETTINGS | LOCAL_DRIVER_SETTINGS
        settings["spark.driver.extraClassPath"] = ":".join(paths)
    else:
        # Executors elsewhere fetch the jars from the driver.
        settings["spark.jars"] = ",".join(paths)
    return settings | (own or {})


def session_settings(local: bool, own: dict[str, str] | None = None) -> dict[str, str]:
    """What one session may set for itself, on a driver that is running already."""
    base = SESSION_SETTINGS | (LOCAL_SESSION_SETTINGS if local else {})
    own = {key: value for key, value in (own or {}).items() if key.startswith(_RUNTIME)}
    return base | own


def set_runtime(session: SparkSession, key: str, value: str) -> None:
    """Make a setting in a session that is running, if it is one that a session may make.

    Raises StrandlineSparkError for a value that Spark refuses.
    """
    from pyspark.errors import AnalysisException, IllegalArgumentException

    try:
        session.conf.set(key, value)
    except AnalysisException as error:
        # Static settings count from the start of the driver, where they were given already.
        if "CANNOT_MODIFY" not in str(error):
            raise
    except IllegalArgumentException as error:
        raise StrandlineSparkError(
            f"profiles.yml: Spark refuses `{key}` in server_side_parameters: {message_of(error)}"
        ) from error
