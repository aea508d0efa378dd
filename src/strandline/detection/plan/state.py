"""The table `<name>_state`: what a run needs of earlier runs, and the detections of the last one.

Every run with new events makes one commit here: its progress, the rows and windows that the next
run needs, and its detections. dbt then writes the detections into the model's table. They stay here
until the next run has found them there. So a crash between the two commits loses nothing, and the
model's table never has a detection that this one does not know.

Columns: part (`State._whole` makes it), kind (see `outcome.py`; `engine` is the one row of
`Progress`), the key columns, __arrival, and for each kind a column of its own: row, closed, found,
reason, engine.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, cast

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from strandline.delta_log import mapping_for, version_of
from strandline.detection.plan.buckets import bucket_sql
from strandline.detection.plan.cache import settings
from strandline.detection.plan.rows import keys_of

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from datetime import datetime

    from pyspark.sql import SparkSession
    from pyspark.sql.types import StructType

    from strandline.detection.definition import Definition

LONGEST_ERROR = 4_000  # characters of an error that are kept
_APP, _TOKEN = (f"spark.databricks.delta.write.txn{part}" for part in ("AppId", "Version"))


@dataclass(frozen=True)
class Progress:
    """The progress of an engine. `built_over` is the version of the table that a build replaces.

    until: the last arrival that was read (the watermark). newest: the greatest time, in units of
    the precision. rows: events that were read, late ones too. meaning: `Definition.meaning`.
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
    user: str
    consumed_at: datetime

    def advanced(self, **changed: Any) -> Progress:
        return replace(self, run=self.run + 1, **changed)


@dataclass(frozen=True)
class Checkpoint:
    """A commit: the progress, the first and last of its late arrivals, and its last detection.

    failed: whether a later run has failed.
    """

    progress: Progress
    first_late: int | None
    last_late: int | None
    last_found: int | None
    detection_id: str | None
    failed: bool


_SCHEMA = (
    "build string, run bigint, run_id string, until bigint, rows bigint, newest bigint,"
    " grid bigint, built_over bigint, meaning string, user string, consumed_at timestamp"
)
# A field of the tables of release 0.1.0: null there since, and in no new table.
_OF_0_1 = "garbage_size"


class State:
    """The state of one engine, in a table of its own."""

    def __init__(self, session: SparkSession, table: str, definition: Definition) -> None:
        self._session, self.table, self._definition = session, table, definition

    def version(self) -> int | None:
        """The version of the table; None when there is no state yet."""
        exists = self._session.catalog.tableExists(self.table)
        return version_of(self._session, self.table) if exists else None

    def checkpoint(self) -> Checkpoint | None:
        """The last commit, by one query; None when there is no state yet."""
        if not self._session.catalog.tableExists(self.table):
            return None
        row = self._part("engine", "found", "late").selectExpr(
            "any_value(engine, true) as engine",
            "min(if(kind = 'late', __arrival, null)) as first_late",
            "max(if(kind = 'late', __arrival, null)) as last_late",
            "max(if(kind = 'found', __arrival, null)) as last_found",
            "max_by(found.detection_id, if(kind = 'found', __arrival, null)) as detection_id",
            "count_if(kind = 'error') > 0 as failed",
        ).collect()[0]  # fmt: skip
        if row.engine is None:
            return None
        found = row.asDict()
        engine = found.pop("engine").asDict()
        engine.pop(_OF_0_1, None)
        return Checkpoint(Progress(**engine), **found)

    def is_of_0_1(self) -> bool:
        """Whether the table was created by release 0.1.0."""
        return _OF_0_1 in self._fields()

    def _fields(self) -> list[str]:
        """Of the column `engine`."""
        kind = self._session.table(self.table).schema["engine"].dataType
        return list(cast("StructType", kind).names)

    def size(self) -> int:
        """The number of rows of the table; Delta has it in its log."""
        return self._session.table(self.table).count()

    def rows(self, buckets: Iterable[str]) -> DataFrame:
        """The rows that are kept of the keys of these buckets, for `rows.evaluated_rows`."""
        kept = self._part(*buckets).where("kind = 'row'")
        return kept.select(*keys_of(self._definition), "__arrival", "row.*")

    def windows(self, buckets: Iterable[str]) -> DataFrame:
        """The last window that each key of these buckets closed."""
        closed = self._part(*buckets).where("kind = 'key'")
        return closed.select(*keys_of(self._definition), "closed.*", F.lit(True).alias("__latest"))

    def found(self, version: int | None = None) -> DataFrame:
        """The detections of the last run, and of those before it that were not delivered.

        version: of the table; else whichever it has when the rows are read.
        """
        options = {} if version is None else {"versionAsOf": version}
        return self._session.read.options(**options).table(self.table).where("part = 'found'")

    def late(self) -> DataFrame:
        """The arrivals of the last run that were not evaluated, each with its `reason`."""
        return self._part("late").select("__arrival", "reason")

    def create(self, frame: DataFrame, progress: Progress) -> None:
        """Creates the table, or replaces it in one commit.

        Of this and a run that follows the same version of the old table only one writes.
        """
        whole = self._whole(frame, progress, [field.name for field in fields(Progress)])
        writer = whole.writeTo(self.table).using("delta").partitionedBy(F.col("part"))
        writer = writer.tableProperty("delta.dataSkippingNumIndexedCols", "4")
        names = mapping_for(self._definition.rules.columns)
        with self._once(self.version()), settings(self._session, names):
            writer.createOrReplace()

    def replace(
        self, frame: DataFrame, progress: Progress, buckets: Iterable[str], version: int
    ) -> None:
        """Replaces the rows of these buckets, the detections and the late rows in one commit.

        Of two runs that follow one version only one writes; the other one finds its commit.
        """
        parts = ["engine", "found", "late", *buckets]
        whole = self._whole(frame, progress, self._fields())
        with self._once(version):
            whole.writeTo(self.table).overwrite(F.col("part").isin(parts))

    def _once(self, version: int | None) -> AbstractContextManager[None]:
        """Of the writes that follow one version Delta accepts only the first."""
        token = {} if version is None else {_APP: "strandline", _TOKEN: str(version + 1)}
        return settings(self._session, token)

    def delete_error(self) -> None:
        """After a run that succeeded and had nothing else to write."""
        self._session.sql(f"delete from {self.table} where part = 'engine' and kind = 'error'")

    def _part(self, *parts: str) -> DataFrame:
        return self._session.table(self.table).where(F.col("part").isin(list(parts)))

    def _whole(self, frame: DataFrame, progress: Progress, stored: Iterable[str]) -> DataFrame:
        """All that is written. stored: the fields of the progress in the table."""
        row = self._session.createDataFrame([tuple(asdict(progress).values())], _SCHEMA)
        dropped = F.lit(None).cast("bigint").alias(_OF_0_1)
        struct = F.struct(*(dropped if name == _OF_0_1 else F.col(name) for name in stored))
        engine = row.select(F.lit("engine").alias("kind"), struct.alias("engine"))
        whole = frame.unionByName(engine, allowMissingColumns=True)
        bucket = bucket_sql(keys_of(self._definition))
        part = f"if(kind in ('row', 'key'), cast({bucket} as string), kind)"
        columns = [c for c in COLUMNS if c in whole.columns]
        whole = whole.withColumn("part", F.expr(part)).select(
            "part", "kind", *keys_of(self._definition), "__arrival", *columns
        )
        return whole.hint("rebalance", "part")  # few files, and none too large


COLUMNS = ("row", "closed", "found", "reason", "engine")


def keep_error(session: SparkSession, table: str, message: str) -> None:
    """Keeps the error of a failed run in the state of its engine, until a run succeeds."""
    if not session.catalog.tableExists(table):
        return
    row = [("engine", "error", message[:LONGEST_ERROR])]
    error = session.createDataFrame(row, "part string, kind string, reason string")
    empty = session.table(table).where("false")
    whole = empty.unionByName(error, allowMissingColumns=True).select(*empty.columns)
    whole.writeTo(table).overwrite((F.col("part") == "engine") & (F.col("kind") == "error"))
