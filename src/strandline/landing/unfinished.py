"""Batches whose rows are not in both tables: after a kill, or after a crash that lost commits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from strandline.landing.landings import Batch, Landings, Part
from strandline.landing.states import state_of

EVENTS, QUARANTINE = 0, 1


@dataclass(frozen=True)
class Unfinished:
    """A batch that is to be read again.

    Attributes:
        missing: the tables that lack its rows, of `EVENTS` and `QUARANTINE`.
        has_begun: some of its rows have landed, or some of a later batch. Then it has to be read
            again as it was; else its files can land with others.
        is_restored: it is known by the rows of one table; those of the other are not counted.
    """

    batch: Batch
    missing: frozenset[int]
    has_begun: bool
    is_restored: bool = False

    def is_as_read(self) -> bool:
        """Whether all its files are as they were when they were read."""
        states = ((read, state_of(path)) for path, read in self.batch.files.items())
        return self.batch.is_read and all(now and now.is_same(read) for read, now in states)

    def changed(self) -> list[str]:
        """Files that changed when a part of their rows had landed.

        Neither the old nor the new file can be landed once: the one is gone, and a part of the rows
        of the other would be left out. An empty file says that faulty rows are not wanted.
        """
        if not self.has_begun:
            return []
        when, otherwise = "before rows of it that were lost could land again", ""
        if self.missing == {EVENTS} and self.batch.rows[QUARANTINE]:
            when = "when only its faulty rows had landed"
        elif self.missing == {QUARANTINE}:
            when = "when only its good rows had landed"
            otherwise = ", or an empty file in its place if its faulty rows are not wanted"
        faults = []
        for path, read in sorted(self.batch.files.items()):
            now = state_of(path)
            if now and not now.is_same(read) and (now.size or not otherwise):
                time = read.time.isoformat(timespec="milliseconds")
                faults.append(
                    f"file {path} changed {when}; put back the file of {read.size or 0:,} bytes "
                    f"modified at {time}{otherwise}"
                )
        return faults


def unfinished(
    spark: SparkSession, landings: Landings, last: Batch | None, stored: tuple[int, int]
) -> tuple[list[Unfinished], list[str]]:
    """The batches to be read again, from the first on, and what stops the landing.

    Args:
        last: the last batch.
        stored: the greatest arrival number of both tables, 0 for one that is missing.
    """
    if last is None:
        return [], []
    if last.arrivals[EVENTS] and not spark.catalog.tableExists(landings.table):
        return [], [_gone(landings)]
    short = [nth for nth in (EVENTS, QUARANTINE) if stored[nth] < last.arrivals[nth]]
    commits = {
        nth: _commits(spark, landings.tables[nth])
        for nth in short
        if spark.catalog.tableExists(landings.tables[nth])
    }
    if EVENTS in short and commits[EVENTS].is_made_after(last.noted_at):
        return [], [_gone(landings)]
    missing: dict[int, set[int]] = {}
    batches = {batch.number: batch for batch in landings.batches()} if short else {}
    for nth in set(short) & commits.keys():
        for number in _missing(landings, nth, commits[nth], batches.values()):
            missing.setdefault(number, set()).add(nth)
    found = [
        Unfinished(
            batches[number],
            frozenset(tables),
            has_begun=number < last.number or not tables >= _wanted(batches[number]),
        )
        for number, tables in sorted(missing.items())
    ]
    if not last.is_read:
        found.append(Unfinished(last, frozenset((EVENTS, QUARANTINE)), has_begun=False))
    return found, []


@dataclass(frozen=True)
class Forgotten:
    """A batch that the tables have and the landings lack: they have lost a commit in a crash.

    Attributes:
        number: of the batch.
        tables: those that have rows of it.
        arrivals: the last numbers before it.
    """

    number: int
    tables: frozenset[int]
    arrivals: tuple[int, int]

    def rows(self, spark: SparkSession, landings: Landings) -> Iterator[tuple[int, DataFrame]]:
        """Its rows, of each table that has some."""
        for nth in sorted(self.tables):
            rows = spark.table(landings.tables[nth])
            yield nth, rows.where(F.col("arrival") > self.arrivals[nth])

    def with_parts(self, parts: Iterable[Part]) -> Unfinished:
        """The batch, by the parts that its rows are from."""
        missing = frozenset((EVENTS, QUARANTINE)) - self.tables
        batch = Batch(self.number, tuple(parts))
        return Unfinished(batch, missing, has_begun=True, is_restored=True)


def forgotten(
    spark: SparkSession, landings: Landings, last: Batch | None, stored: tuple[int, int]
) -> tuple[Forgotten | None, list[str]]:
    """The batch after the last one, if the tables have it; or what stops the landing.

    Args:
        last: the last batch of the landings.
        stored: the greatest arrival number of both tables.
    """
    number, arrivals = (last.number, last.arrivals) if last else (-1, (0, 0))
    if not landings.exists or not any(a > b for a, b in zip(stored, arrivals, strict=True)):
        return None, []
    found: dict[int, set[int]] = {}
    known = landings.arrivals_written()  # a user may have deleted its rows, to land them again
    for nth in (EVENTS, QUARANTINE):
        if spark.catalog.tableExists(landings.tables[nth]):
            for version in _commits(spark, landings.tables[nth]).numbers_of(landings):
                if version > number and version not in known:
                    found.setdefault(version, set()).add(nth)
    if len(found) < 2:
        for version, tables in found.items():
            return Forgotten(version, frozenset(tables), arrivals), []
        return None, []
    return None, [
        f"table {landings.name} has lost several batches, of which {landings.table} or "
        f"{landings.quarantine} has rows; bring it back from a copy, or land all again: drop the "
        "three tables"
    ]


@dataclass(frozen=True)
class _Commits:
    """What Delta's history of a table has: its oldest commit, and the labels of landings.

    Attributes:
        version: of the oldest commit.
        oldest: when that was.
        labels: the versions, by label.
    """

    version: int
    oldest: datetime
    labels: dict[str, int]

    def is_made_after(self, time: datetime) -> bool:
        """Whether the table is another one than at that time: it was dropped and made again."""
        return self.version == 0 and self.oldest > time

    def numbers_of(self, landings: Landings) -> list[int]:
        """The batches whose commits the table has."""
        begin = landings.label_of("")
        labels = (label for label in self.labels if label.startswith(begin))
        return [int(label.removeprefix(begin)) for label in labels]


def _commits(spark: SparkSession, table: str) -> _Commits:
    history = spark.sql(f"DESCRIBE HISTORY {table}").select("version", "timestamp", "userMetadata")
    commits = [tuple(row.values()) for row in history.toArrow().to_pylist()]
    version, oldest, _ = min(commits)
    return _Commits(version, oldest, {label: number for number, _, label in commits if label})


def _wanted(batch: Batch) -> set[int]:
    """The tables that get rows of a batch."""
    return {nth for nth in (EVENTS, QUARANTINE) if batch.rows[nth]}


def _missing(landings: Landings, nth: int, found: _Commits, batches: Iterable[Batch]) -> list[int]:
    """The batches of which a table lacks the commit; none if a user has deleted rows."""
    return [
        batch.number
        for batch in batches
        if batch.rows[nth]
        # Delta forgets old commits, and a table that was made again never had them.
        and batch.noted_at > found.oldest
        and landings.label_of(batch.number) not in found.labels
    ]


def _gone(landings: Landings) -> str:
    return (
        f"table {landings.table} is gone, with all that was landed in it; bring it back, or land "
        f"all again: drop the tables {landings.quarantine} and {landings.name}"
    )
