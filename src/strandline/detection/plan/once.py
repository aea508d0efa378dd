"""Frames that are worked out once, whatever reads them, and let go afterwards."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from strandline.detection.plan.settings import settings

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

ROWS_A_TASK = 400_000


class Once:
    """Frames that lie where they were worked out: in memory, and on disk what has no room there.

    What reads them knows how they lie and in which order, so it moves and sorts nothing. Frames
    that are persisted are put into columns, value by value, which costs more than working some of
    them out again. With an executor that dies the run dies too; the next one begins anew.
    """

    def __init__(self, session: object, rows: int) -> None:
        """`rows`: how many rows there are about, which tells the number of tasks."""
        self._session, self._frames = session, []
        self._settings = {
            # Partitions that Spark joins later on would not be known to what reads the frame.
            "spark.sql.adaptive.enabled": "false",
            "spark.sql.shuffle.partitions": str(max(2, -(-rows // ROWS_A_TASK))),
        }

    def __call__(self, frame: DataFrame) -> DataFrame:
        """The same rows; they are worked out when something reads them."""
        with settings(self._session, self._settings):
            self._frames.append(frame.localCheckpoint(eager=False))
        return self._frames[-1]

    def close(self) -> None:
        """Lets all go. A frame of a server is let go by it, when Python forgets the frame."""
        for frame in self._frames:
            if (own := getattr(frame, "_jdf", None)) is not None:
                own.queryExecution().logical().rdd().unpersist(False)
        self._frames.clear()


@contextmanager
def once(session: object, rows: int) -> Iterator[Once]:
    """Frames that are worked out once within it."""
    held = Once(session, rows)
    try:
        yield held
    finally:
        held.close()
