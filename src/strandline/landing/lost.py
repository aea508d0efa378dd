"""What a table has lost of what was landed in it: after a damaged disk, or when it was dropped.

Spark's checkpoint says that these files are done, so no landing would read them again.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from dataclasses import dataclass
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
    short = [nth for nth in (0, 1) if stored[nth] < record.arrivals[nth]]
    if not short:
        return []
    found = {
        nth: _commits(spark, tables[nth])
        for nth in (0, 1)
        if spark.catalog.tableExists(tables[nth])
    }
    if 0 in short and found[0].is_made_after(_written_at(checkpoint, last)):
        return [_gone(tables, checkpoint)]
    lost = {
        nth: batches
        for nth in short
        if nth in found and (batches := _missing(found[nth], nth, checkpoint, last))
    }
    if not lost:
        return []
    first = min(map(min, lost.values()))
    # Spark gives the files after it to other batches, and Delta would not write these twice.
    is_last = not any(
        commit_label(checkpoint, batch) in commits.labels
        for commits in found.values()
        for batch in range(first + 1, last + 2)
    )
    remedy = _read_again(checkpoint, first, last) if is_last else _land_again(tables, checkpoint)
    return [
        f"table {tables[nth]} has lost {_count(batches, is_last=is_last)} landed in it; {remedy}"
        for nth, batches in lost.items()
    ]


def _gone(tables: tuple[str, str], checkpoint: Path) -> str:
    return (
        f"table {tables[0]} is gone, with all that was landed in it; bring it back, or land all "
        f"files again: drop table {tables[1]} and remove the checkpoint {checkpoint}"
    )


@dataclass(frozen=True)
class _Commits:
    """What Delta's history of a table has: its oldest commit, and the labels of landings.

    Attributes:
        version: of the oldest commit.
        oldest: when that was, in microseconds since 1970.
    """

    version: int
    oldest: int
    labels: frozenset[str]

    def is_made_after(self, time: int) -> bool:
        """Whether the table is another one than at that time: it was dropped and made again."""
        return self.version == 0 and self.oldest > time


def _commits(spark: SparkSession, table: str) -> _Commits:
    history = spark.sql(f"DESCRIBE HISTORY {table}")
    commits = history.selectExpr("version", "unix_micros(timestamp)", "userMetadata").collect()
    version, oldest, _ = min(commits)
    return _Commits(version, oldest, frozenset(label for *_, label in commits if label))


def _missing(found: _Commits, nth: int, checkpoint: Path, last: int) -> list[int]:
    """The batches of which a table lacks the commit; none if a user has deleted rows."""
    return [
        batch
        for batch in range(last + 1)
        if (record := read_record(checkpoint, batch))
        and record.rows[nth]
        # Delta forgets old commits, and a table that was made again never had them.
        and _written_at(checkpoint, batch) > found.oldest
        and commit_label(checkpoint, batch) not in found.labels
    ]


def _count(batches: list[int], *, is_last: bool) -> str:
    last = "the last " if is_last else ""
    if len(batches) == 1:
        return f"{last or 'a '}commit that was"
    return f"{last}{len(batches)} commits that were"


def _read_again(checkpoint: Path, first: int, last: int) -> str:
    """The way out if no table has a commit after a batch: Spark runs it and what follows again."""
    batches = [("commits", batch) for batch in range(first, last + 1)]
    batches += [("offsets", batch) for batch in range(first + 1, last + 2)]
    done = _existing(
        checkpoint / folder / name
        for folder, batch in batches
        for name in (str(batch), f".{batch}.crc")
    )
    return f"`{done}` and land again: these files are read again, and what is missing is written"


def _land_again(tables: tuple[str, str], checkpoint: Path) -> str:
    return (
        f"bring it back from a copy, or land all files again: drop the tables {tables[0]} and "
        f"{tables[1]}, and remove the checkpoint {checkpoint}"
    )


def _written_at(checkpoint: Path, batch: int) -> int:
    """When the record of a batch was written, in microseconds; its commits came after it."""
    return (checkpoint / FOLDER / str(batch)).stat().st_mtime_ns // 1_000


def _existing(paths: Iterable[Path]) -> str:
    return shlex.join(["rm", *(str(path) for path in paths if path.exists())])
