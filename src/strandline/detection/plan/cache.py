"""Frames that are computed once, whatever reads them, and settings of a session for a while."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@contextmanager
def settings(session: SparkSession, given: Mapping[str, str]) -> Iterator[None]:
    """Within it the session has these settings, and afterwards those of before."""
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
def once(session: SparkSession, rows: int) -> Iterator[Callable[[DataFrame], DataFrame]]:
    """Within it, what makes of a frame one whose rows are worked out once, when they are read.

    They lie where they were worked out: in memory, and on disk what has no room there. What reads
    them knows how they lie and in which order, so it moves and sorts nothing. Frames that are
    persisted are put into columns, value by value, which costs more than working some of them out
    again. With an executor that dies the run dies too; the next one begins anew.

    Args:
        rows: about how many rows there are; it tells the number of tasks.
    """
    frames: list[DataFrame] = []
    given = {
        # Partitions that Spark joins later on would not be known to what reads the frame.
        "spark.sql.adaptive.enabled": "false",
        "spark.sql.shuffle.partitions": str(max(2, -(-rows // ROWS_A_TASK))),
    }

    def held(frame: DataFrame) -> DataFrame:
        with settings(session, given):
            frames.append(frame.localCheckpoint(eager=False))
        return frames[-1]

    try:
        yield held
    finally:
        for frame in frames:
            # One of a server is let go by it, when Python forgets the frame.
            if (own := getattr(frame, "_jdf", None)) is not None:
                own.queryExecution().logical().rdd().unpersist(False)
