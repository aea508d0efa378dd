"""What each batch has read: the state of its files, in ``read/<batch>`` of the checkpoint.

Spark's log has the time of a file when it was found, and not its size. The file may be another one
when its batch runs, so a batch writes down what it has read before it writes to a table.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path

FOLDER = "read"


@dataclass(frozen=True)
class FileState:
    """What tells whether a file is still the same, without reading it.

    Attributes:
        modified: modification time in milliseconds since 1970, as Spark has it.
        size: in bytes; None if only Spark's log knows the file.
    """

    modified: int
    size: int | None = None

    @property
    def time(self) -> datetime:
        """The modification time in UTC."""
        return datetime.fromtimestamp(self.modified / 1000, timezone.utc)

    def is_same(self, other: FileState) -> bool:
        """Whether nothing that both know differs."""
        sizes = {self.size, other.size} - {None}
        return self.modified == other.modified and len(sizes) < 2


@dataclass(frozen=True)
class BatchRecord:
    """A batch that was read and whose rows were about to be written.

    Attributes:
        files: all files of the batch, those without rows too.
        rows: how many rows it has for the events table and for the quarantine.
        arrivals: the last arrival number of each of them with these rows.
        unreadable: files that are in the quarantine whole, by name, with the reason.
    """

    files: Mapping[Path, FileState]
    rows: tuple[int, int]
    arrivals: tuple[int, int]
    unreadable: Mapping[str, str] = field(default_factory=dict)


def state_of(path: Path) -> FileState | None:
    """The state of a file; None if it is gone, or a link or a folder has its name."""
    try:
        found = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return FileState(found.st_mtime_ns // 1_000_000, found.st_size)


def read_record(checkpoint: Path, batch: int) -> BatchRecord | None:
    """The record of a batch; None if no run came so far."""
    path = checkpoint / FOLDER / str(batch)
    if not path.exists():
        return None
    found = json.loads(path.read_text(encoding="utf-8"))
    files = {Path(name): FileState(*state) for name, state in found["files"].items()}
    (good, bad), (event, faulty) = found["rows"], found["arrivals"]
    # Version 0.1.0 wrote none.
    unreadable = found.get("unreadable", {})
    return BatchRecord(files, (good, bad), (event, faulty), unreadable)


def write_record(checkpoint: Path, batch: int, record: BatchRecord) -> None:
    """Write the record of a batch; it appears whole."""
    folder = checkpoint / FOLDER
    folder.mkdir(exist_ok=True)
    files = {str(path): (state.modified, state.size) for path, state in record.files.items()}
    with (folder / f".{batch}").open("w", encoding="utf-8") as file:
        json.dump(
            {
                "rows": record.rows,
                "arrivals": record.arrivals,
                "files": files,
                "unreadable": dict(record.unreadable),
            },
            file,
        )
        file.flush()
        os.fsync(file.fileno())
    (folder / f".{batch}").replace(folder / str(batch))


def given_arrivals(checkpoint: Path, batch: int) -> tuple[int, int]:
    """The last arrival number of each table before a batch, as the batch before it wrote it down.

    A table from which a user has deleted its last rows has smaller ones: they are not given twice.
    """
    record = read_record(checkpoint, batch - 1)
    return record.arrivals if record else (0, 0)


def files_read(checkpoint: Path) -> dict[Path, FileState]:
    """The state of every file in the records of all batches, the last one where there are two."""
    batches = sorted(int(path.name) for path in checkpoint.glob(f"{FOLDER}/[0-9]*"))
    records = (read_record(checkpoint, batch) for batch in batches)
    return {path: state for record in records if record for path, state in record.files.items()}
