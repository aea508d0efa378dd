"""What has landed: the table `<table>_landings`, a row for each file or other part of each batch.

A batch is written down here when it is read, and then appended to the events table and to the
quarantine, each time in one commit that carries its number. So a batch is done when both tables
have the commits of the rows that are counted here, and one that a killed landing has begun is read
again from the same parts, to the same numbers.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql import types as T

from strandline.connection import properties_of
from strandline.errors import LandingError
from strandline.landing.states import EPOCH, FileState, millis_of
from strandline.landing.tables import create_table

SCHEMA = T.StructType(
    [
        T.StructField("batch", T.LongType(), nullable=False),
        T.StructField("source", T.StringType(), nullable=False),  # a folder, a topic or a table
        T.StructField("part", T.StringType(), nullable=False),  # the file below it; a partition
        T.StructField("size", T.LongType()),  # of a file, in bytes
        T.StructField("modified", T.TimestampType()),
        T.StructField("source_id", T.StringType()),  # differs if a topic or a table is made again
        T.StructField("first", T.LongType()),  # offset, or version
        T.StructField("last", T.LongType()),
        # None: the part was found, and could not be read.
        T.StructField("landed", T.LongType()),
        T.StructField("quarantined", T.LongType()),
        # The last numbers that were given in the two tables when this part had landed.
        T.StructField("arrival", T.LongType()),
        T.StructField("quarantine_arrival", T.LongType()),
        T.StructField("reason", T.StringType()),  # why a file is in quarantine whole
        T.StructField("noted_at", T.TimestampType(), nullable=False),
        T.StructField("noted_by", T.StringType(), nullable=False),  # the landing that wrote the row
    ]
)
ARROW = {
    T.LongType: pa.int64(),
    T.StringType: pa.string(),
    T.TimestampType: pa.timestamp("us", "UTC"),
}
ID = "strandline.landing"
NEWEST = 100  # commits that are looked at; a user deletes rows after the last one, if at all


@dataclass(frozen=True)
class Part:
    """A part of a batch: a file, a range of offsets of a partition, or of versions of a table.

    Attributes:
        source: the folder, the topic or the table.
        name: the file's path below the folder, or the partition's number.
        state: of a file, as it was read.
        first, last: the first and the last offset or version that was read.
        landed, quarantined: how many rows each table got; None if it could not be read.
        arrivals: the last numbers in both tables when this part had landed.
        reason: why a file is in quarantine whole.
        source_id: of a topic or a table; it differs if it was deleted and made again.
    """

    source: str
    name: str
    state: FileState | None = None
    first: int | None = None
    last: int | None = None
    landed: int | None = None
    quarantined: int | None = None
    arrivals: tuple[int, int] = (0, 0)
    reason: str | None = None
    source_id: str | None = None

    @property
    def path(self) -> Path:
        """Of a file."""
        return Path(self.source) / self.name

    def with_events(self, other: Part) -> Part:
        """The same with the good rows of another reading of it."""
        arrivals = other.arrivals[0], self.arrivals[1]
        return replace(self, landed=other.landed, arrivals=arrivals)


@dataclass(frozen=True)
class Batch:
    """A batch as it was written down.

    Attributes:
        number: from 0, in the order in which batches land.
        noted_at: when it was written down.
    """

    number: int
    parts: tuple[Part, ...]
    noted_at: datetime = EPOCH

    @property
    def is_read(self) -> bool:
        """Whether its rows were counted; else its files were found, and one could not be read."""
        return all(part.landed is not None for part in self.parts)

    @property
    def rows(self) -> tuple[int, int]:
        """How many rows each table gets."""
        return (
            sum(part.landed or 0 for part in self.parts),
            sum(part.quarantined or 0 for part in self.parts),
        )

    @property
    def arrivals(self) -> tuple[int, int]:
        """The last number in each table when it has landed."""
        events, faulty = zip(*(part.arrivals for part in self.parts), strict=True)
        return max(events), max(faulty)

    @property
    def files(self) -> dict[Path, FileState]:
        """The states of its files."""
        return {part.path: part.state for part in self.parts if part.state}

    @property
    def reasons(self) -> dict[str, str]:
        """The files that are in quarantine whole, by name."""
        return {part.name: part.reason for part in self.parts if part.reason}


class PartsGone(LandingError):
    """Files were found, and are gone before their batch was done.

    Args:
        parts: all files of the batch.
    """

    def __init__(self, message: str, parts: Sequence[Part]) -> None:
        super().__init__(message)
        self._parts = parts

    def parts_after(self, before: tuple[int, int]) -> tuple[Part, ...]:
        """The files, with the last numbers that were given before them."""
        return tuple(replace(part, arrivals=before) for part in self._parts)


class Landings:
    """The table of what has landed, and the names of the two tables that got it."""

    def __init__(self, spark: SparkSession, table: str, quarantine: str) -> None:
        self._spark = spark
        self.table, self.quarantine = table, quarantine
        self.name = f"{table}_landings"
        self.exists = spark.catalog.tableExists(self.name)
        self._id = properties_of(spark, self.name).get(ID, "") if self.exists else ""

    @property
    def tables(self) -> tuple[str, str]:
        return self.table, self.quarantine

    @property
    def transaction(self) -> str:
        """Delta's name for what is written by the landings of this table."""
        return f"strandline:{self._id}"

    def label_of(self, batch: int | str) -> str:
        """The `userMetadata` of a batch's commits, by which a table's history knows them."""
        return f"{self.transaction}:{batch}"

    def create(self, given_id: str | None = None) -> None:
        """Make the table unless it exists.

        Args:
            given_id: of a checkpoint that goes on in it.
        """
        if self.exists:
            return
        self._id = given_id or str(uuid.uuid4())
        create_table(self._spark, self.name, SCHEMA, {ID: self._id})
        self.exists = True

    def last(self) -> Batch | None:
        """The last batch; None when there is none."""
        found = self.batches(F.col("batch") == F.lit(self._last_number())) if self.exists else []
        return found[0] if found else None

    def batches(self, where: Column | None = None) -> list[Batch]:
        """All batches, or some of them, from the first on."""
        rows = self._rows()
        found = rows if where is None else rows.where(where)
        parts: dict[int, list[Part]] = {}
        noted: dict[int, datetime] = {}
        for row in found.toArrow().to_pylist():
            parts.setdefault(row["batch"], []).append(_part_of(row))
            noted[row["batch"]] = row["noted_at"]
        return [Batch(number, tuple(each), noted[number]) for number, each in sorted(parts.items())]

    def arrivals_before(self, batch: int) -> tuple[int, int]:
        """The last number given in each table before a batch.

        A table from which a user has deleted its last rows has smaller ones: no number is given
        twice.
        """
        before = self._rows().where(F.col("batch") < batch)
        found = before.agg(F.max("arrival"), F.max("quarantine_arrival")).first()
        return (int(found[0] or 0), int(found[1] or 0)) if found else (0, 0)

    def states(self, files: Iterable[Path]) -> dict[Path, FileState]:
        """Of these files those that are in a batch, as they were read."""
        paths = [str(path) for path in files]
        if not self.exists or not paths:
            return {}
        wanted = self._spark.createDataFrame(pa.table({"__path": paths}))
        path = F.concat(F.rtrim("source", F.lit("/")), F.lit("/"), "part").alias("__path")
        found = (
            self._rows().where(F.col("modified").isNotNull()).select(path, "modified", "size")
            .join(F.broadcast(wanted), "__path")
        )  # fmt: skip
        return {
            Path(row["__path"]): FileState(millis_of(row["modified"]), row["size"])
            for row in found.toArrow().to_pylist()
        }

    def ends_of(self, source: str) -> dict[str, tuple[int, str | None]]:
        """What comes after the last offset or version that has landed, by the parts of a source.

        With the id that the source had then.
        """
        if not self.exists:
            return {}
        rows = self._rows().where((F.col("source") == source) & F.col("last").isNotNull())
        of_id = rows.groupBy("part", "source_id").agg(
            F.max("last").alias("last"), F.max("batch").alias("batch")
        )
        newest = of_id.groupBy("part").agg(F.max_by(F.struct("last", "source_id"), "batch"))
        return {part: (found["last"] + 1, found["source_id"]) for part, found in newest.collect()}

    def write(self, batch: Batch, *, is_again: bool = False) -> None:
        """Write a batch down before its rows are appended.

        Args:
            is_again: it is written already, from other parts, of which no row has landed.

        Raises:
            LandingError: another landing has written the same number in the meantime.
        """
        by = str(uuid.uuid4())
        now = datetime.now(timezone.utc)
        frame = self._frame([_row_of(part, batch.number, now, by) for part in batch.parts])
        numbers = batch.arrivals if batch.parts else ()
        label = ":".join([self.label_of(batch.number), *map(str, numbers), by])
        writer = frame.write.format("delta").option("userMetadata", label)
        if is_again:
            writer = writer.mode("overwrite").option("replaceWhere", f"batch = {batch.number}")
        else:
            # Of two landings that give the same number, Delta leaves the second one out.
            writer = (
                writer.mode("append")
                .option("txnAppId", self.transaction)
                .option("txnVersion", batch.number)
            )
        writer.saveAsTable(self.name)
        if not is_again and label not in self._labels():
            raise LandingError(
                f"land: another landing into {self.table} runs at the same time, and was first; "
                "land again when it has ended"
            )

    def import_all(self, batches: Sequence[Batch]) -> None:
        """Write the batches of a checkpoint of version 0.1.0 in one commit."""
        by = "0.1.0"
        frame = self._frame(
            [
                _row_of(part, batch.number, batch.noted_at, by)
                for batch in batches
                for part in batch.parts
            ]
        )
        frame.write.format("delta").mode("append").saveAsTable(self.name)

    def arrivals_written(self) -> dict[int, tuple[int, int]]:
        """The last numbers of the batches of late, also of those that a user has deleted here."""
        begin = self.label_of("")
        found: dict[int, tuple[int, int]] = {}
        for label in self._labels():
            number, *arrivals, _ = label.removeprefix(begin).split(":")
            if label.startswith(begin) and len(arrivals) == 2:
                # The newest one counts, if a batch was planned twice.
                found.setdefault(int(number), (int(arrivals[0]), int(arrivals[1])))
        return found

    def _frame(self, rows: list[dict[str, object]]) -> DataFrame:
        schema = pa.schema([(field.name, ARROW[type(field.dataType)]) for field in SCHEMA])
        return self._spark.createDataFrame(pa.Table.from_pylist(rows, schema))

    def _labels(self) -> list[str]:
        """The labels of the newest commits."""
        newest = self._spark.sql(f"DESCRIBE HISTORY {self.name} LIMIT {NEWEST}")
        labels = newest.where(F.col("userMetadata").isNotNull()).select("userMetadata")
        return [label for (label,) in labels.collect()]

    def _rows(self) -> DataFrame:
        return self._spark.table(self.name)

    def _last_number(self) -> int:
        """Delta answers from its log's statistics."""
        found = self._rows().agg(F.max("batch")).first()
        return -1 if found is None or found[0] is None else int(found[0])


def _part_of(row: Mapping[str, Any]) -> Part:
    modified = row["modified"]
    state = None if modified is None else FileState(millis_of(modified), row["size"])
    return Part(
        source=row["source"],
        name=row["part"],
        state=state,
        first=row["first"],
        last=row["last"],
        landed=row["landed"],
        quarantined=row["quarantined"],
        arrivals=(row["arrival"] or 0, row["quarantine_arrival"] or 0),
        reason=row["reason"],
        source_id=row["source_id"],
    )


def _row_of(part: Part, batch: int, now: datetime, by: str) -> dict[str, object]:
    state = part.state
    return {
        "batch": batch,
        "source": part.source,
        "part": part.name,
        "size": state.size if state else None,
        "modified": state.time if state else None,
        "source_id": part.source_id,
        "first": part.first,
        "last": part.last,
        "landed": part.landed,
        "quarantined": part.quarantined,
        "arrival": part.arrivals[0],
        "quarantine_arrival": part.arrivals[1],
        "reason": part.reason,
        "noted_at": now,
        "noted_by": by,
    }
