"""Files that are gone or that changed: before, while and after they are read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from strandline.landing.progress import Progress
from strandline.landing.record import FileState, state_of


def gone_files(paths: Iterable[Path]) -> list[str]:
    """Files that a batch was planned with and that are gone.

    Spark would run the batch without them and count them as read.
    """
    return [
        f"file {path} was found, and is gone before its batch was done; put it back, or an empty "
        "file in its place if it is not wanted"
        for path in sorted(paths)
        if state_of(path) is None
    ]


def changed_halfway(paths: Iterable[Path], progress: Progress) -> list[str]:
    """Files that changed when their good rows had landed, and their faulty ones had not, or the
    other way round after a commit was lost.

    Neither the old nor the new file can be landed once: the one is gone, and a part of the rows of
    the other would be skipped. An empty file says that faulty rows are not wanted.
    """
    if not progress.is_half or progress.record is None:
        return []
    landed, otherwise = "faulty", ""
    if progress.has_good:
        landed = "good"
        otherwise = ", or an empty file in its place if its faulty rows are not wanted"
    faults = []
    for path in sorted(paths):
        now, read = state_of(path), progress.record.files.get(path)
        if now and now.size and read and not now.is_same(read):
            time = read.time.isoformat(timespec="milliseconds")
            faults.append(
                f"file {path} changed when only its {landed} rows had landed; put back the file of "
                f"{read.size:,} bytes modified at {time}{otherwise}"
            )
    return faults


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


def changed_after(files: Iterable[Path], landed: Mapping[Path, FileState]) -> list[Path]:
    """Files that differ from what was landed; Spark knows a file by its path and ignores them."""
    known = ((path, landed[path]) for path in files if path in landed)
    states = ((path, read, state_of(path)) for path, read in known)
    return [path for path, read, now in states if now and not now.is_same(read)]


def states_of(paths: Iterable[Path]) -> dict[Path, FileState]:
    """The states of the files that exist."""
    states = ((path, state_of(path)) for path in paths)
    return {path: state for path, state in states if state}
