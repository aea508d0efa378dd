"""Arrival numbers: dense over files in their order, and over the lines of each file.

Spark reads a file in blocks, in any order and in parallel. Within a block it reads in order, so a
row's number is its place in the block plus the rows of all blocks before. Only the list of blocks
is ever sorted, never the rows.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from strandline.landing.states import EPOCH

KEYS = ("__file", "__block")
SORTED = 500_000  # rows that one task sorts
SHIFT = pa.schema([("__file", pa.string()), ("__block", pa.int64()), ("__shift", pa.int64())])


@dataclass(frozen=True, order=True)
class Block:
    """A range of a file that one task reads in order; blocks sort as rows arrive.

    Attributes:
        modified: modification time of the file.
        file: its path, which decides between files of the same instant.
        start: offset of the range in bytes.
        first: the least position of its rows.
        rows: how many rows it has.
    """

    modified: datetime
    file: str
    start: int
    first: int
    rows: int


@dataclass(frozen=True)
class Numbered:
    """Rows with their numbers.

    Attributes:
        rows: with `arrival`.
        blocks: the ranges of files that they were read from.
        last: the last number that is given, or was before if there is no row.
    """

    rows: DataFrame
    blocks: Sequence[Block]
    last: int

    @property
    def count(self) -> int:
        """How many rows there are."""
        return sum(block.rows for block in self.blocks)


def shifts(blocks: Iterable[Block], base: int = 0) -> list[tuple[str, int, int]]:
    """What to add to a row's position to get its number, per (file, start).

    The first row of the first block gets `base` + 1.
    """
    result = []
    before = base
    for block in sorted(blocks):
        result.append((block.file, block.start, before + 1 - block.first))
        before += block.rows
    return result


def line_shifts(blocks: Iterable[Block]) -> list[tuple[str, int, int]]:
    """The same, but every file begins with line 1."""
    files: dict[str, list[Block]] = {}
    for block in blocks:
        files.setdefault(block.file, []).append(block)
    return [shift for of_file in files.values() for shift in shifts(of_file)]


def blocks_of(rows: DataFrame, position: str = "__position") -> list[Block]:
    found = rows.groupBy("__modified", *KEYS).agg(F.min(position), F.count("*")).collect()
    return [Block(*row) for row in found]


def in_order(rows: DataFrame, count: int, source: str, order: Sequence[str]) -> DataFrame:
    """Rows of a source without files, sorted, each with the place by which it is numbered.

    Args:
        count: about how many there are. Of many the ranges of the sort are found by a first
            reading, so they should be in memory.
        source: a topic or a table.
        order: the columns to sort by.
    """
    tasks = math.ceil(count / SORTED)
    spread = rows.repartitionByRange(tasks, *order) if tasks > 1 else rows.repartition(1)
    return spread.sortWithinPartitions(*order).withColumns(
        {
            "__file": F.lit(source),
            "__modified": F.lit(EPOCH),
            "__block": F.spark_partition_id().cast("bigint"),
            "__position": F.monotonically_increasing_id(),
        }
    )


def numbered(rows: DataFrame, base: int) -> Numbered:
    """Rows with `arrival` from `base` + 1."""
    nth = rows.withColumn("__nth", F.monotonically_increasing_id())
    blocks = blocks_of(nth, "__nth")
    count = sum(block.rows for block in blocks)
    return Numbered(shifted(nth, shifts(blocks, base), "arrival", "__nth"), blocks, base + count)


def shifted(
    rows: DataFrame, by: list[tuple[str, int, int]], name: str, position: str = "__position"
) -> DataFrame:
    """Rows with the column `name`: their position, moved by their block's shift."""
    if not by:
        return rows.withColumn(name, F.lit(None).cast("bigint"))
    # As an Arrow table: a list would be brought into Spark by a Python process of its own.
    shift = rows.sparkSession.createDataFrame(
        pa.table(dict(zip(SHIFT.names, zip(*by, strict=True), strict=True)), SHIFT)
    )
    # A left join: a row without a block would get no number, which the table refuses.
    joined = rows.join(F.broadcast(shift), list(KEYS), "left")
    return joined.withColumn(name, F.col(position) + F.col("__shift")).drop("__shift")
