"""What is read off the process and the tables: seconds, Spark jobs, Delta commits, memory."""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def timed(action: Callable[[], object]) -> float:
    """The seconds of an action."""
    began = time.monotonic()
    action()
    return time.monotonic() - began


def median(values: Iterable[float]) -> float:
    return statistics.median(values)


def jobs(spark: SparkSession) -> int:
    """The Spark jobs that this driver has started so far, of all sessions and groups."""
    return spark.sparkContext._jsc.sc().dagScheduler().numTotalJobs()


def version(spark: SparkSession, table: str) -> int:
    """The number of a table's latest commit."""
    return spark.sql(f"describe history {table} limit 1").first()["version"]


def processor(spark: SparkSession) -> float:
    """The seconds of processor that the driver has used so far, compiling Java included.

    Other work on the machine hardly changes them, unlike those on the clock.
    """
    status = Path(f"/proc/{spark.sparkContext._gateway.proc.pid}/stat").read_text()
    user, system = status.rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


class Memory:
    """The peak of the driver's Java heap since `reset`, in MiB."""

    def __init__(self, spark: SparkSession) -> None:
        self._gateway = spark.sparkContext._gateway
        self._java = self._gateway.jvm.java

    def reset(self) -> None:
        """Starts anew, after a collection: what earlier work left behind does not count."""
        self._java.lang.System.gc()
        for pool in self._heap():
            self._call(pool, "resetPeakUsage")

    def heap(self) -> float:
        """The sum of the heap pools' peaks: they need not have peaked at the same time."""
        peaks = (self._call(pool, "getPeakUsage").getUsed() for pool in self._heap())
        return sum(peaks) / 2**20

    def _heap(self) -> list:
        pools = self._java.lang.management.ManagementFactory.getMemoryPoolMXBeans()
        return [pool for pool in pools if self._call(pool, "getType").name() == "HEAP"]

    def _call(self, pool: object, method: str) -> object:
        """Through the interface: the class that implements it is closed to others."""
        interface = self._java.lang.Class.forName("java.lang.management.MemoryPoolMXBean")
        types = self._gateway.new_array(self._java.lang.Class, 0)
        none = self._gateway.new_array(self._java.lang.Object, 0)
        return interface.getMethod(method, types).invoke(pool, none)
