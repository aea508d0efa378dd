"""How far a killed run came with the batch that runs next: in none, one or both of the tables."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from strandline.landing.checkpoint import query_id
from strandline.landing.record import BatchRecord, read_record


@dataclass(frozen=True)
class Progress:
    """What of a batch is committed.

    Attributes:
        record: what the batch has read, if it came so far.
        is_half: its rows are in one of their tables, and missing in the other.
        has_good: its good rows are in their table.
        is_done: all its rows are in their tables; only Spark's log has to be completed.
    """

    record: BatchRecord | None = None
    is_half: bool = False
    has_good: bool = False
    is_done: bool = False


def progress_of(
    spark: SparkSession, tables: tuple[str, str], checkpoint: Path, batch: int
) -> Progress:
    """The progress of a batch, by its record and the commits of the two tables."""
    record = read_record(checkpoint, batch)
    if record is None:
        return Progress()
    label = commit_label(checkpoint, batch)
    wanted = [table for table, rows in zip(tables, record.rows, strict=True) if rows]
    written = [table for table in wanted if _has_commit(spark, table, label)]
    is_done = bool(wanted) and written == wanted
    return Progress(
        record,
        is_half=bool(written) and not is_done,
        has_good=tables[0] in written,
        is_done=is_done,
    )


def transaction_of(checkpoint: Path) -> str:
    """Delta's name for what is written by this checkpoint's query."""
    return f"strandline:{query_id(checkpoint)}"


def commit_label(checkpoint: Path, batch: int) -> str:
    """The `userMetadata` of a batch's commits, by which they are found in a table's history."""
    return f"{transaction_of(checkpoint)}:{batch}"


def _has_commit(spark: SparkSession, table: str, label: str) -> bool:
    if not spark.catalog.tableExists(table):
        return False
    history = spark.sql(f"DESCRIBE HISTORY {table}")
    return not history.where(F.col("userMetadata") == label).isEmpty()
