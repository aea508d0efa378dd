"""Files of older versions: Delta's VACUUM, and what it frees."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from strandline.delta_log import folder_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# Delta lists the folders of a table in as many tasks as Spark allows, 10,000: for each table that
# took a minute on two cores.
_LISTING = ("spark.sql.sources.parallelPartitionDiscovery.parallelism", "32")
_MOST_LISTED = 1_000  # by Delta in a dry run


@dataclass(frozen=True)
class Vacuumed:
    """The data files that a VACUUM deleted, or would delete, and their bytes.

    None if they are not on this machine.

    Attributes:
        table: schema.name.
    """

    table: str
    files: int | None
    bytes: int | None


def vacuum(spark: SparkSession, table: str, *, dry_run: bool = False) -> Vacuumed | None:
    """Deletes the files that no version of the table's retention has: 7 days, or its own property.

    With `dry_run` they are counted, and none is deleted. Delta lists at most 1,000 of them: with
    more, the number is at least that, and the bytes are not known.

    Makes no commit, so that no model runs again for it. None if there is no such Delta table.
    """
    if not spark.catalog.tableExists(table):
        return None
    detail = spark.sql(f"describe detail {table}").collect()[0]
    if detail["format"] != "delta":
        return None
    spark.conf.set(*_LISTING)
    spark.conf.set("spark.databricks.delta.vacuum.logging.enabled", "false")
    if dry_run:
        return _would_go(spark, table)
    before = _stored(detail["location"])
    spark.sql(f"vacuum {table}")
    after = _stored(detail["location"])
    if before is None or after is None:
        return Vacuumed(table, None, None)
    return Vacuumed(table, before[0] - after[0], before[1] - after[1])


def _would_go(spark: SparkSession, table: str) -> Vacuumed:
    found = [
        folder_of(row["path"])
        for row in spark.sql(f"vacuum {table} dry run").collect()
        if row["path"].endswith(".parquet")
    ]
    sizes = [each.stat().st_size for each in found if each.is_file()]
    is_whole = len(found) < _MOST_LISTED and len(sizes) == len(found)
    return Vacuumed(table, len(found), sum(sizes) if is_whole else None)


def _stored(location: str) -> tuple[int, int] | None:
    """The number of data files in a local folder, and their bytes."""
    folder = folder_of(location)
    if not folder.is_dir():
        return None
    sizes = [entry.stat().st_size for entry in _data_files(folder)]
    return len(sizes), sum(sizes)


def _data_files(folder: Path) -> Iterator[os.DirEntry[str]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                if entry.name != "_delta_log":
                    yield from _data_files(Path(entry.path))
            elif entry.name.endswith(".parquet"):
                yield entry
