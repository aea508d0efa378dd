"""The table `<name>_state`: all that a run must know of those before it, and what they found.

Every run that has news makes one commit here: how far it came, the rows and windows that the next
run needs, and its detections. These are then merged by dbt into the model's table, and stay here
until the next run has seen them there. So a run that dies between the two commits loses nothing,
and the table of detections never has more than this one knows of.

Columns: part (`State._whole` makes it), kind (see `outcome.py`; `engine` is the one row of
`Progress`), the key columns, __arrival, and for each kind a column of its own: row, closed, found,
reason, engine.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from strandline.detection.plan.cache import settings
from strandline.detection.plan.rows import keys_of

if TYPE_CHECKING:
    from datetime import datetime

    from pyspark.sql import SparkSession

    from strandline.detection.definition import Definition

LONGEST_ERROR = 4_000  # characters of an error that are kept
BUCKETS = 8  # of keys: a run rewrites the buckets that have news
_TOKEN = ("spark.databricks.delta.write.txnAppId", "spark.databricks.delta.write.txnVersion")


@dataclass(frozen=True)
class Progress:
    """How far an engine came. `built_over` is the version of the table that a build replaces.

    until: the arrival of the newest event taken in. newest: the greatest time, in units of the
    precision. rows: events taken in, late ones too. meaning: `Definition.meaning`.
    """

    build: str
    run: int
    run_id: str
    until: int
    rows: int
    newest: int | None
    grid: int | None
    built_over: int | None
    meaning: str
    garbage_size: int
    user: str
    consumed_at: datetime

    def moved(self, **to: Any) -> Progress:
        return replace(self, run=self.run + 1, **to)


@dataclass(frozen=True)
class Told:
    """A commit: the progress, the first and last of its late arrivals, and its last detection.

    failed: whether a run since then has failed.
    """

    progress: Progress
    first_late: int | None
    late: int | None
    found: int | None
    detection_id: str | None
    failed: bool


_SCHEMA = (
    "build string, run bigint, run_id string, until bigint, rows bigint, newest bigint,"
    " grid bigint, built_over bigint, meaning string, garbage_size bigint, user string,"
    " consumed_at timestamp"
)


class State:
    """The state of one engine, in a table of its own."""

    def __init__(self, session: SparkSession, table: str, definition: Definition) -> None:
        self._session, self.table, self._definition = session, table, definition

    def told(self) -> Told | None:
        """What the last commit says, in one look; None when there is no state yet."""
        if not self._session.catalog.tableExists(self.table):
            return None
        row = self._part("engine", "found", "late").selectExpr(
            "any_value(engine, true) as engine",
            "min(if(kind = 'late', __arrival, null)) as first_late",
            "max(if(kind = 'late', __arrival, null)) as late",
            "max(if(kind = 'found', __arrival, null)) as found",
            "max_by(found.detection_id, if(kind = 'found', __arrival, null)) as detection_id",
            "count_if(kind = 'error') > 0 as failed",
        ).collect()[0]  # fmt: skip
        if row.engine is None:
            return None
        told = row.asDict()
        return Told(Progress(**told.pop("engine").asDict()), **told)

    def size(self) -> int:
        """The number of rows of the table, which Delta tells without reading them."""
        return self._session.table(self.table).count()

    def rows(self, buckets: Iterable[str]) -> DataFrame:
        """The rows that are kept of the keys of these buckets, for `rows.judged_rows`."""
        kept = self._part(*buckets).where("kind = 'row'")
        return kept.select(*keys_of(self._definition), "__arrival", "row.*")

    def windows(self, buckets: Iterable[str]) -> DataFrame:
        """The last window that each key of these buckets closed."""
        held = self._part(*buckets).where("kind = 'key'")
        return held.select(*keys_of(self._definition), "closed.*", F.lit(True).alias("__latest"))

    def found(self) -> DataFrame:
        """The detections of the last run, and of those before it that were not delivered."""
        return self._part("found")

    def late(self) -> DataFrame:
        """The arrivals of the last run that were not judged, each with its `reason`."""
        return self._part("late").select("__arrival", "reason")

    def create(self, frame: DataFrame, progress: Progress) -> None:
        """Begins anew: the table is made, or replaced in one commit."""
        whole = self._whole(frame, progress)
        writer = whole.writeTo(self.table).using("delta").partitionedBy(F.col("part"))
        writer.tableProperty("delta.dataSkippingNumIndexedCols", "4").createOrReplace()

    def replace(self, frame: DataFrame, progress: Progress, buckets: Iterable[str]) -> None:
        """What was said of these buckets, of detections and of late rows is replaced in one commit.

        Of two runs that go on from the same state only one gets through; the other finds what
        that one left.
        """
        parts = ["engine", "found", "late", *buckets]
        token = (f"strandline-{progress.build}", str(progress.run))
        with settings(self._session, dict(zip(_TOKEN, token, strict=True))):
            self._whole(frame, progress).writeTo(self.table).overwrite(F.col("part").isin(parts))

    def forget_error(self) -> None:
        """After a run that went well and had nothing else to write."""
        self._session.sql(f"delete from {self.table} where part = 'engine' and kind = 'error'")

    def _part(self, *parts: str) -> DataFrame:
        return self._session.table(self.table).where(F.col("part").isin(list(parts)))

    def _whole(self, frame: DataFrame, progress: Progress) -> DataFrame:
        row = self._session.createDataFrame([tuple(asdict(progress).values())], _SCHEMA)
        engine = row.select(F.lit("engine").alias("kind"), F.struct("*").alias("engine"))
        whole = frame.unionByName(engine, allowMissingColumns=True)
        bucket = bucket_sql(keys_of(self._definition))
        part = f"if(kind in ('row', 'key'), cast({bucket} as string), kind)"
        columns = [c for c in COLUMNS if c in whole.columns]
        whole = whole.withColumn("part", F.expr(part)).select(
            "part", "kind", *keys_of(self._definition), "__arrival", *columns
        )
        return whole.hint("rebalance", "part")  # few files, and none too large


COLUMNS = ("row", "closed", "found", "reason", "engine")


def bucket_sql(columns: Iterable[str]) -> str:
    """The SQL of the bucket of a key, from 0 on; one bucket for all where there is no key."""
    listed = ", ".join(columns)
    return f"pmod(hash({listed}), {BUCKETS})" if listed else "0"


def buckets_sql(columns: Iterable[str]) -> str:
    """The SQL of the buckets of all rows, as the bits of one number."""
    return f"bit_or(shiftleft(1, {bucket_sql(columns)}))"


def buckets_in(bits: int | None) -> list[str]:
    """The parts of the table that `buckets_sql` tells of."""
    return [str(place) for place in range(BUCKETS) if (bits or 0) >> place & 1]


def keep_error(session: SparkSession, table: str, message: str) -> None:
    """Keeps the error of a run that failed in the state of its engine, until a run goes well."""
    if not session.catalog.tableExists(table):
        return
    row = [("engine", "error", message[:LONGEST_ERROR])]
    error = session.createDataFrame(row, "part string, kind string, reason string")
    empty = session.table(table).where("false")
    whole = empty.unionByName(error, allowMissingColumns=True).select(*empty.columns)
    whole.writeTo(table).overwrite((F.col("part") == "engine") & (F.col("kind") == "error"))
