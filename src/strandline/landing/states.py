"""The state of a file, by which a change is seen: before, while and after it is read."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


@dataclass(frozen=True)
class FileState:
    """What tells whether a file is still the same, without reading it.

    Attributes:
        modified: modification time in milliseconds since 1970, as Spark has it.
        size: in bytes; None if a landing of version 0.1.0 did not write it down.
    """

    modified: int
    size: int | None = None

    @property
    def time(self) -> datetime:
        """The modification time in UTC."""
        return EPOCH + timedelta(milliseconds=self.modified)

    def is_same(self, other: FileState) -> bool:
        """Whether nothing that both know differs."""
        sizes = {self.size, other.size} - {None}
        return self.modified == other.modified and len(sizes) < 2


def millis_of(time: datetime) -> int:
    """Milliseconds since 1970."""
    return (time - EPOCH) // timedelta(milliseconds=1)


def state_of(path: Path) -> FileState | None:
    """The state of a file; None if it is gone, or a link or a folder has its name."""
    try:
        found = path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    if not stat.S_ISREG(found.st_mode):
        return None
    return FileState(found.st_mtime_ns // 1_000_000, found.st_size)


def states_of(paths: Iterable[Path]) -> dict[Path, FileState]:
    """The states of the files that exist."""
    states = ((path, state_of(path)) for path in paths)
    return {path: state for path, state in states if state}


def gone_files(paths: Iterable[Path]) -> list[str]:
    """Files that a batch has found and that are gone: without them it would count them as read."""
    return [
        f"file {path} was found, and is gone before its batch was done; put it back, or an empty "
        "file in its place if it is not wanted"
        for path in sorted(paths)
        if state_of(path) is None
    ]


def changed_while_read(
    before: Mapping[Path, FileState], after: Mapping[Path, FileState]
) -> list[str]:
    """Files that differ before and after their batch was read: what was read may be neither."""
    return [
        f"file {path} changed while it was read; land again when it is complete: write a new file "
        "as _name, then rename it"
        for path, state in sorted(after.items())
        if not state.is_same(before[path])
    ]


def changed_after(landed: Mapping[Path, FileState]) -> list[Path]:
    """Files that differ from what was landed. A file is known by its path, and read once."""
    states = ((path, read, state_of(path)) for path, read in sorted(landed.items()))
    return [path for path, read, now in states if now and not now.is_same(read)]
