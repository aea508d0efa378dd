"""What a table has lost of what was landed in it: after a damaged disk, or when it was dropped.

Spark's checkpoint says that these files are done, so no landing would read them again.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path

from pyspark.sql import SparkSession

from strandline.landing.checkpoint import last_batch
from strandline.landing.progress import commit_label
from strandline.landing.record import FOLDER, read_record


def lost_rows(
    spark: SparkSession,
    tables: tuple[str, str],
    checkpoint: Path,
    stored: tuple[int, int],
    has_work: bool,
) -> list[str]:
    """Each table that has lost rows, as a fault with the way out.

    Args:
        tables: those of the events and of the faulty rows. The second may be dropped when its rows
            were dealt with.
        stored: the greatest arrival number of each.
        has_work: there is something to land; else it is only checked that the events are there.
    """
    last = last_batch(checkpoint)
    record = read_record(checkpoint, last)
    if record is None:
        return []
    if record.arrivals[0] and not spark.catalog.tableExists(tables[0]):
        return [_gone(tables, checkpoint)]
    if not has_work:
        return []
    faults = [
        _lost(spark, tables, nth, checkpoint, last)
        for nth, (now, then) in enumerate(zip(stored, record.arrivals, strict=True))
        if now < then
    ]
    return [fault for fault in faults if fault]


def _gone(tables: tuple[str, str], checkpoint: Path) -> str:
    return (
        f"table {tables[0]} is gone, with all that was landed in it; bring it back, or land all "
        f"files again: drop table {tables[1]} and remove the checkpoint {checkpoint}"
    )


def _lost(
    spark: SparkSession, tables: tuple[str, str], nth: int, checkpoint: Path, last: int
) -> str | None:
    """The fault of a table, if commits are missing in its history; a user may delete rows."""
    if not spark.catalog.tableExists(tables[nth]):
        return None
    history = spark.sql(f"DESCRIBE HISTORY {tables[nth]}")
    commits = history.selectExpr("version", "unix_micros(timestamp)", "userMetadata").collect()
    version, oldest, _ = min(commits)
    if version == 0 and oldest > _written_at(checkpoint, last):  # it was dropped and made again
        return _gone(tables, checkpoint) if nth == 0 else None
    labels = {label for *_, label in commits}
    missing = [
        batch
        for batch in range(last + 1)
        if (record := read_record(checkpoint, batch))
        and record.rows[nth]
        and _written_at(checkpoint, batch) > oldest  # Delta forgets old commits
        and commit_label(checkpoint, batch) not in labels
    ]
    if missing == [last]:
        done = _existing(
            checkpoint / folder / name
            for folder, batch in (("commits", last), ("offsets", last + 1))
            for name in (str(batch), f".{batch}.crc")
        )
        return (
            f"table {tables[nth]} has lost the last commit that was landed in it; `{done}` and "
            "land again: the files of that batch are read again, and what is missing is written"
        )
    if missing:
        return (
            f"table {tables[nth]} has lost {len(missing)} commits that were landed in it; bring it "
            f"back from a copy, or land all files again: drop the tables {tables[0]} and "
            f"{tables[1]}, and remove the checkpoint {checkpoint}"
        )
    return None


def _written_at(checkpoint: Path, batch: int) -> int:
    """When the record of a batch was written, in microseconds; its commits came after it."""
    return (checkpoint / FOLDER / str(batch)).stat().st_mtime_ns // 1_000


def _existing(paths: Iterable[Path]) -> str:
    return shlex.join(["rm", *(str(path) for path in paths if path.exists())])
