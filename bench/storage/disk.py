"""What the tables of a warehouse have on disk: live files, files, logs and checkpoints."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class Stored:
    """One table on disk; sizes in bytes.

    Attributes:
        live: data files of its newest version.
        files: data files in its folder, those of older versions too.
        log_files: commits, checksums and checkpoints.
        checkpoints: how many of the log's files are checkpoints.
        checkpoint: the size of the newest one.
    """

    table: str
    live: int
    live_bytes: int
    files: int
    bytes: int
    log_files: int
    log_bytes: int
    checkpoints: int
    checkpoint: int


def stored(spark: SparkSession, warehouse: Path, schema: str) -> list[Stored]:
    """Every Delta table of a schema, by name."""
    folders = sorted(path.parent for path in (warehouse / f"{schema}.db").glob("*/_delta_log"))
    return [_stored(spark, schema, folder) for folder in folders]


def _stored(spark: SparkSession, schema: str, folder: Path) -> Stored:
    detail = spark.sql(f"describe detail {schema}.{folder.name}").first()
    data, log, checkpoints = [], [], []
    for path in folder.rglob("*"):
        if not path.is_file() or (path.name.endswith(".crc") and path.name.startswith(".")):
            continue  # a checksum of Hadoop's local file system, of which other stores have none
        status = path.stat()
        if "_delta_log" not in path.relative_to(folder).parts:
            data.append(status.st_size)
            continue
        log.append(status.st_size)
        if ".checkpoint" in path.name:
            checkpoints.append((status.st_mtime, status.st_size))
    return Stored(
        folder.name, detail["numFiles"], detail["sizeInBytes"], len(data), sum(data), len(log),
        sum(log), len(checkpoints), max(checkpoints, default=(0, 0))[1],
    )  # fmt: skip


def total(tables: list[Stored], of: str) -> int:
    return sum(getattr(table, of) for table in tables)
