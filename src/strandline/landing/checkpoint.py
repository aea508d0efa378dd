"""The checkpoint of a landing of version 0.1.0, which is read once into `<table>_landings`.

It is the one of a streaming query: ``metadata`` (its id), ``commits/<batch>`` (batches that are
done), ``offsets/<batch>`` (up to which entry of the source's log a batch goes) and
``sources/0/<entry>`` (the files that were found). Beside them is ``read/<batch>``: what a batch had
read before it wrote to a table.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from strandline.landing.landings import Batch, Landings, Part
from strandline.landing.states import FileState


@dataclass(frozen=True)
class _Record:
    """A batch that was read and whose rows were about to be written.

    Attributes:
        files: all files of the batch, those without rows too.
        rows: how many rows it has for the events table and for the quarantine.
        arrivals: the last number in each of them with these rows.
        unreadable: files that are in the quarantine whole, by name, with the reason.
    """

    files: Mapping[Path, FileState]
    rows: tuple[int, int]
    arrivals: tuple[int, int]
    unreadable: Mapping[str, str] = field(default_factory=dict)


def has_begun(checkpoint: Path) -> bool:
    """Whether there is such a checkpoint, which was not read so far."""
    return (checkpoint / "metadata").exists()


def import_checkpoint(
    spark: SparkSession, checkpoint: Path, source: Path, landings: Landings
) -> None:
    """Bring all batches of the checkpoint into the table of the landings, once."""
    metadata = checkpoint / "metadata"
    if not landings.exists:
        query = str(json.loads(metadata.read_text(encoding="utf-8"))["id"])
        landings.create(query)
    if landings.last() is None and (batches := _batches(spark, checkpoint, source, landings)):
        landings.import_all(batches)
    # So that the files land again if someone drops the table.
    metadata.rename(checkpoint / "metadata.imported")


def _batches(
    spark: SparkSession, checkpoint: Path, source: Path, landings: Landings
) -> list[Batch]:
    """The batches that are done, and the one that a killed run had read."""
    done = max((int(path.name) for path in checkpoint.glob("commits/[0-9]*")), default=-1)
    counts = [_rows_by_file(spark, table) for table in landings.tables]
    batches, arrivals = [], (0, 0)
    for number in range(done + 2):
        record = _record(checkpoint, number)
        if number > done and record is None:
            break  # nothing of it is written
        files = {**_files_of(checkpoint, number), **(record.files if record else {})}
        arrivals = record.arrivals if record else arrivals
        folder = _folder_of(files, source)
        parts: list[Part] = []
        for path, state in sorted(files.items()):
            name = str(path.relative_to(folder))
            landed, quarantined = (count.get(name, 0) for count in counts)
            if number > done and record:  # its counts decide what is still to be written
                landed, quarantined = record.rows if not parts else (0, 0)
            reason = record.unreadable.get(name) if record else None
            parts.append(
                Part(str(folder), name, state, None, None, landed, quarantined, arrivals, reason)
            )
        if parts:
            batches.append(Batch(number, tuple(parts), _noted_at(checkpoint, number)))
    return batches


def _rows_by_file(spark: SparkSession, table: str) -> dict[str, int]:
    if not spark.catalog.tableExists(table):
        return {}
    rows = spark.table(table).groupBy("landed_from").agg(F.count("*").alias("rows")).toArrow()
    return {row["landed_from"]: row["rows"] for row in rows.to_pylist()}


def _folder_of(files: Iterable[Path], source: Path) -> Path:
    """The folder that a batch has read; of another source the one that holds all its files."""
    if all(path.is_relative_to(source) for path in files):
        return source
    return Path(os.path.commonpath([path.parent for path in files]))


def _files_of(checkpoint: Path, batch: int) -> dict[Path, FileState]:
    """The files of a batch, as they were when Spark found them."""
    first, last = _entry_of(checkpoint, batch - 1) + 1, _entry_of(checkpoint, batch)
    return {
        Path(unquote(urlsplit(entry["path"]).path)): FileState(entry["timestamp"])
        for entry in _entries(checkpoint)
        if first <= entry["batchId"] <= last
    }


def _entries(checkpoint: Path) -> Iterator[dict[str, Any]]:
    """The entries of the source's log: every tenth file of it has those before it as well."""
    for log in checkpoint.glob("sources/0/[0-9]*"):
        for line in log.read_text(encoding="utf-8").splitlines():
            if line.startswith("{"):
                yield json.loads(line)


def _entry_of(checkpoint: Path, batch: int) -> int:
    """The last entry of the source's log that a batch reads, -1 for none."""
    offsets = checkpoint / "offsets" / str(batch)
    if batch < 0 or not offsets.exists():
        return -1
    return int(json.loads(offsets.read_text(encoding="utf-8").splitlines()[-1])["logOffset"])


def _record(checkpoint: Path, batch: int) -> _Record | None:
    path = checkpoint / "read" / str(batch)
    if not path.exists():
        return None
    found = json.loads(path.read_text(encoding="utf-8"))
    files = {Path(name): FileState(*state) for name, state in found["files"].items()}
    (good, bad), (event, faulty) = found["rows"], found["arrivals"]
    return _Record(files, (good, bad), (event, faulty), found.get("unreadable", {}))


def _noted_at(checkpoint: Path, batch: int) -> datetime:
    """When a batch was read, which is before its commits."""
    for folder in ("read", "offsets"):
        path = checkpoint / folder / str(batch)
        if path.exists():
            return datetime.fromtimestamp(path.stat().st_mtime, timezone.utc)
    return datetime.now(timezone.utc)
