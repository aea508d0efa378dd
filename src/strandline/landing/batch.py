"""One batch: number its rows, write down what was read, append the good rows, then the others."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql import types as T

from strandline.errors import LandingError
from strandline.landing.landings import Batch, Landings, Part
from strandline.landing.numbering import KEYS, Block, Numbered, numbered
from strandline.landing.unfinished import EVENTS, QUARANTINE, Unfinished
from strandline.spark.errors import message_of

FAULTY = ("arrival", "landed_from", "line", "raw", "raw_bytes", "reason")


class Read(ABC):
    """The rows of a batch, in memory until the end of a `with` block.

    Attributes:
        good: rows without a fault: the columns of `shown_rows`.
        bad: the others.
        unreadable: files that are one faulty row, by name, with the reason.
        ignored: columns that the schema lacks and that are left out.
    """

    def __init__(
        self,
        rows: DataFrame,
        cached: list[DataFrame],
        *,
        unreadable: Mapping[str, str] | None = None,
        ignored: Sequence[str] = (),
    ) -> None:
        self._cached = cached
        self.good = rows.where(F.col("reason") == "")
        self.bad = rows.where(F.col("reason") != "").drop("__row")
        self.unreadable = unreadable or {}
        self.ignored = (*ignored, *_unknown_fields(rows))

    @abstractmethod
    def parts(
        self, good: Sequence[Block], bad: Sequence[Block], before: tuple[int, int]
    ) -> tuple[Part, ...]:
        """What was read, by the blocks of its rows and the numbers that were given before."""

    def __enter__(self) -> Read:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        release(self._cached)


def release(cached: list[DataFrame]) -> None:
    """Free the memory that frames take."""
    for frame in cached:
        frame.unpersist()
    cached.clear()


def shown_rows(
    rows: DataFrame,
    *,
    landed_from: Column,
    row: Column,
    line: Column,
    raw: Column,
    reason: Column,
    kept: Sequence[str] = (),
) -> DataFrame:
    """Rows as both tables need them; Delta's files have text only if it is UTF-8.

    Args:
        rows: with the place of each: the columns `numbering.KEYS` and `__modified`.
        row: the struct of the user's columns.
        raw: the text of the row.
        kept: other columns that stay as they are.
    """
    return rows.select(
        *KEYS,
        "__modified",
        landed_from.alias("landed_from"),
        row.alias("__row"),
        line.alias("line"),
        F.make_valid_utf8(raw).alias("raw"),
        F.when(~F.is_valid_utf8(raw), raw.cast("binary")).alias("raw_bytes"),
        reason.alias("reason"),
        *(name for name in ("__unknown", *kept) if name in rows.columns),
    )


def _unknown_fields(rows: DataFrame) -> list[str]:
    """The fields of JSON that the schema lacks and that are left out."""
    if "__unknown" not in rows.columns:
        return []
    found = rows.select(F.explode("__unknown")).distinct().collect()
    return sorted(name for (name,) in found)


@dataclass(frozen=True)
class Written:
    """Rows that a batch has appended.

    Attributes:
        rows: how many, of each table.
        arrivals: the last number in each of them.
    """

    rows: tuple[int, int]
    arrivals: tuple[int, int]


@dataclass(frozen=True)
class Tables:
    """Appends batches to the two tables, and writes them down before.

    Attributes:
        schema: the user's columns.
    """

    landings: Landings
    schema: T.StructType

    def write(
        self, number: int, before: tuple[int, int], read: Read, *, is_again: bool = False
    ) -> Written:
        """Land a new batch.

        Args:
            number: of the batch.
            before: the last number that was given in each table.
            is_again: the number is written down, with other parts, of which no row has landed.
        """
        events, faulty = numbered(read.good, before[EVENTS]), numbered(read.bad, before[QUARANTINE])
        parts = read.parts(events.blocks, faulty.blocks, before)
        self.landings.write(Batch(number, parts), is_again=is_again)
        self._append(number, events, faulty, (EVENTS, QUARANTINE))
        return Written((events.count, faulty.count), (events.last, faulty.last))

    def complete(self, unfinished: Unfinished, read: Read) -> Written:
        """Append what is missing of a batch.

        Raises:
            LandingError: the same files have other rows now: they are read in another way.
        """
        batch, missing = unfinished.batch, unfinished.missing
        bases = batch.arrivals[0] - batch.rows[0], batch.arrivals[1] - batch.rows[1]
        events, faulty = numbered(read.good, bases[EVENTS]), numbered(read.bad, bases[QUARANTINE])
        counts = events.count, faulty.count
        if unfinished.is_restored:
            self._refuse_others(unfinished, counts)
            parts = read.parts(events.blocks, faulty.blocks, bases)
            self.landings.write(Batch(batch.number, parts))
        elif not unfinished.is_as_read():  # the faulty rows that it lacks are not wanted
            parts = read.parts((), faulty.blocks, (batch.arrivals[EVENTS], bases[QUARANTINE]))
            before = {part.name: part for part in batch.parts}
            kept = tuple(part.with_events(before[part.name]) for part in parts)
            self.landings.write(Batch(batch.number, kept), is_again=True)
        elif counts != batch.rows:
            raise LandingError(
                f"land: batch {batch.number} had {batch.rows[EVENTS]:,} good and "
                f"{batch.rows[QUARANTINE]:,} faulty rows when it was begun, and has "
                f"{counts[EVENTS]:,} and {counts[QUARANTINE]:,} now; give the schema and the "
                "options of that landing, and change them when the batch is done"
            )
        self._append(batch.number, events, faulty, missing)
        landed = counts[EVENTS] if EVENTS in missing else 0
        quarantined = counts[QUARANTINE] if QUARANTINE in missing else 0
        return Written((landed, quarantined), (events.last, faulty.last))

    def _refuse_others(self, unfinished: Unfinished, counts: tuple[int, int]) -> None:
        """Refuse a batch of which a table has other rows than its files have now."""
        batch = unfinished.batch
        if any(counts[nth] != batch.rows[nth] for nth in {EVENTS, QUARANTINE} - unfinished.missing):
            raise LandingError(
                f"land: {self.landings.name} has lost batch {batch.number}, and its files have "
                f"{counts[EVENTS]:,} good and {counts[QUARANTINE]:,} faulty rows now, where the "
                f"tables have {batch.rows[EVENTS]:,} and {batch.rows[QUARANTINE]:,}; put the files "
                "back as they were, and give the schema and the options of that landing"
            )

    def _append(
        self, number: int, events: Numbered, faulty: Numbered, tables: Collection[int]
    ) -> None:
        values = [F.col("__row")[field.name].alias(field.name) for field in self.schema]
        if EVENTS in tables and events.count:
            rows = events.rows.select(*values, "arrival", "landed_from")
            append(self.landings, rows, self.landings.table, number)
        if QUARANTINE in tables and faulty.count:
            append(self.landings, faulty.rows.select(*FAULTY), self.landings.quarantine, number)


def append(landings: Landings, rows: DataFrame, table: str, batch: int) -> None:
    """Append rows of a batch to one of the tables, unless it has that batch already.

    The transaction is an option of the one write: as a setting of the session it would leave out
    later statements, too.
    """
    (
        rows.write.format("delta")
        .mode("append")
        .option("txnAppId", landings.transaction)
        .option("txnVersion", batch)
        .option("userMetadata", landings.label_of(batch))
        .saveAsTable(table)
    )


def failed(cause: str) -> LandingError:
    """The error of a batch that the next landing begins or completes."""
    return LandingError(
        f"land: the batch failed and is not done; correct the cause and land again: {cause}"
    )


def cause_of(error: Exception) -> str:
    """The last cause in one line."""
    lines = message_of(error).splitlines()
    named = [line for line in lines if re.match(r"(Caused by: |[\w.]*(Error|Exception): )", line)]
    return (named or lines)[-1].removeprefix("Caused by: ")
