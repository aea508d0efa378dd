"""Cached DataFrames, and settings of a session, both for the time of a `with` block."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@contextmanager
def settings(session: SparkSession, given: Mapping[str, str]) -> Iterator[None]:
    """Sets these settings of the session, and restores the earlier ones at the end."""
    before = {name: session.conf.get(name, None) for name in given}
    try:
        for name, value in given.items():
            session.conf.set(name, value)
        yield
    finally:
        for name, earlier in before.items():
            if earlier is None:
                session.conf.unset(name)
            else:
                session.conf.set(name, earlier)


ROWS_A_TASK = 400_000


@contextmanager
def cached(session: SparkSession, rows: int) -> Iterator[Callable[[DataFrame], DataFrame]]:
    """Yields a function that caches a DataFrame: its rows are computed once, at the first read.

    They stay on the executor that computed them, in memory or on its disk. Readers know their
    partitioning and order, so they neither shuffle nor sort. `persist` would convert the rows to
    columns, value by value, which costs more than computing some of them again. If an executor is
    lost, the run fails, and the next one repeats it.

    Args:
        rows: about how many rows there are; it decides the number of tasks.
    """
    frames: list[DataFrame] = []
    given = {
        # Readers of the DataFrame would not know of partitions that Spark coalesces later.
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.shuffle.partitions": str(max(2, -(-rows // ROWS_A_TASK))),
    }

    def cache(frame: DataFrame) -> DataFrame:
        with settings(session, given):
            frames.append(frame.localCheckpoint(eager=False))
        return frames[-1]

    try:
        yield cache
    finally:
        for frame in frames:
            # A server releases the DataFrame itself, when Python deletes it.
            if (own := getattr(frame, "_jdf", None)) is not None:
                own.queryExecution().logical().rdd().unpersist(False)
