"""How far a killed run came with the batch that runs next: in none, one or both of the tables."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from strandline.landing.checkpoint import last_batch, query_id
from strandline.landing.record import FOLDER, BatchRecord, read_record


@dataclass(frozen=True)
class Progress:
    """What of a batch is committed.

    Attributes:
        record: what the batch has read, if it came so far.
        is_half: its good rows are in their table, its faulty ones are not.
        is_done: all its rows are in their tables; only Spark's log has to be completed.
    """

    record: BatchRecord | None = None
    is_half: bool = False
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
    return Progress(record, is_half=bool(written) and not is_done, is_done=is_done)


def transaction_of(checkpoint: Path) -> str:
    """Delta's name for what is written by this checkpoint's query."""
    return f"strandline:{query_id(checkpoint)}"


def commit_label(checkpoint: Path, batch: int) -> str:
    """The `userMetadata` of a batch's commits, by which they are found in a table's history."""
    return f"{transaction_of(checkpoint)}:{batch}"


def lost_batch(
    spark: SparkSession, tables: tuple[str, str], checkpoint: Path, arrivals: tuple[int, int]
) -> list[str]:
    """The last batch that is done, as a fault for each table that has lost its commit or is gone.

    Args:
        arrivals: the greatest arrival number of each table.
    """
    batch = last_batch(checkpoint)
    record = read_record(checkpoint, batch)
    if record is None:
        return []
    if record.arrivals[0] and not spark.catalog.tableExists(tables[0]):
        return [
            f"table {tables[0]} is gone, and the {record.arrivals[0]:,} rows that were landed in it; "
            f"bring it back, or remove the checkpoint {checkpoint} to land all files again"
        ]
    label, written = commit_label(checkpoint, batch), checkpoint / FOLDER / str(batch)
    since = datetime.fromtimestamp(written.stat().st_mtime, timezone.utc)
    return [
        f"table {table} has lost the last {rows:,} rows that were landed in it, with their commit; "
        f"remove {checkpoint / 'commits' / str(batch)} and land again: then the files of that "
        "batch are read again, and what is missing is written"
        for table, rows, now, then in zip(
            tables, record.rows, arrivals, record.arrivals, strict=True
        )
        if rows and now < then and _has_lost(spark, table, label, since)
    ]


def _has_lost(spark: SparkSession, table: str, label: str, since: datetime) -> bool:
    """Whether a commit is missing in a history that goes back to before it.

    A user may have deleted its rows, and Delta forgets old commits.
    """
    if not spark.catalog.tableExists(table):  # a quarantine that was dealt with
        return False
    history = spark.sql(f"DESCRIBE HISTORY {table}")
    is_older = (F.col("version") == 0) | (F.col("timestamp") < F.lit(since))
    return not history.where(is_older).isEmpty() and not _has_commit(spark, table, label)


def _has_commit(spark: SparkSession, table: str, label: str) -> bool:
    if not spark.catalog.tableExists(table):
        return False
    history = spark.sql(f"DESCRIBE HISTORY {table}")
    return not history.where(F.col("userMetadata") == label).isEmpty()
