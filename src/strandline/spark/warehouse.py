"""The tables in the warehouse of a home, and after a crash their damaged logs."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from strandline.spark.errors import StrandlineSparkError

_VERSION = re.compile(r"(\d{20})\.(json|crc|checkpoint)(\..*)?")
_SCHEMA = ".db"
_END = 256  # bytes of a commit that show whether it is whole


@dataclass(frozen=True)
class Table:
    """A Delta table in a folder of the warehouse."""

    folder: Path

    @property
    def schema(self) -> str:
        parent = self.folder.parent.name
        return parent.removesuffix(_SCHEMA) if parent.endswith(_SCHEMA) else "default"

    @property
    def name(self) -> str:
        return f"{self.schema}.{self.folder.name}"

    @property
    def log(self) -> Path:
        return self.folder / "_delta_log"

    @cached_property
    def newest(self) -> dict[str, int]:
        """The greatest version of the commits (json), checksums (crc) and whole checkpoints."""
        found: dict[str, int] = {"json": -1, "crc": -1, "checkpoint": -1}
        for path in self.log.iterdir():
            name = _VERSION.fullmatch(path.name)
            # Delta ignores an empty checkpoint, but not an empty commit.
            if name and (name[2] != "checkpoint" or path.stat().st_size):
                found[name[2]] = max(found[name[2]], int(name[1]))
        return found

    @property
    def version(self) -> int:
        """The newest version that its log names, -1 if it has none."""
        return max(self.newest.values())

    @property
    def is_only_created(self) -> bool:
        """Whether no row was ever in it: it has its first commit at most, and no file of data."""
        return self.version <= 0 and [it.name for it in self.folder.iterdir()] == [self.log.name]

    def is_newer_than(self, nanoseconds: int) -> bool:
        """Whether its first commit was written after a time of the same clock, since 1970.

        Without a commit, its log counts. A table that has lost its oldest commits is not new.
        """
        first = self.log / f"{0:020}.json"
        if self.version < 0:
            first = self.log
        return first.exists() and first.stat().st_mtime_ns > nanoseconds


def logs_in(home: Path) -> list[Table]:
    """The folders with a log in the warehouse, by name; a log can be without a commit."""
    logs = [
        log
        for pattern in ("*/_delta_log", f"*{_SCHEMA}/*/_delta_log")
        for log in (home / "warehouse").glob(pattern)
    ]
    return sorted((Table(log.parent) for log in logs), key=lambda it: it.name)


def tables_in(home: Path) -> list[Table]:
    """The Delta tables in the warehouse of a home, by name; a table has at least one commit."""
    return [table for table in logs_in(home) if table.version >= 0]


def has_tables_since(home: Path, nanoseconds: int) -> bool:
    """Whether the creation of a table in the warehouse began after a time."""
    return any(table.is_newer_than(nanoseconds) for table in logs_in(home))


def check_logs(home: Path) -> None:
    """Refuses a home in which the newest commit of a table is empty, incomplete or missing.

    A full disk or a machine that loses its power can leave that. Spark reads the older table then,
    and says nothing. Only for a process that has the lock: nobody commits meanwhile.
    """
    faults = [fault for table in tables_in(home) for fault in _faults(table, home)]
    if faults:
        listed = "".join(f"\n  - {fault}" for fault in faults)
        raise StrandlineSparkError(
            f"home {str(home)!r} has tables whose newest commit is damaged, as a full disk or a"
            f" loss of power can leave it. Spark would read them as they were before:{listed}\n"
            "Take each file back from a copy, or run the command beside it; the next runs make"
            " again what was in the commit."
        )


def _faults(table: Table, home: Path) -> Iterator[str]:
    commit, summed, complete = (table.newest[kind] for kind in ("json", "crc", "checkpoint"))
    if summed > commit:
        yield f"{table.name}: commit {summed} is missing: {_removal(table, summed, home)}"
    elif commit > complete and (problem := _problem(table.log / f"{commit:020}.json")):
        yield f"{table.name}: commit {commit} {problem}: {_removal(table, commit, home)}"


def _problem(commit: Path) -> str:
    with commit.open("rb") as file:
        file.seek(max(0, commit.stat().st_size - _END))
        text = file.read().rstrip()
    if not text:
        return "is empty"
    return "" if text.endswith(b"}") else "is incomplete"


def _removal(table: Table, version: int, home: Path) -> str:
    """The command that removes all that a log has of a commit, Hadoop's checksums too.

    Of the first commit, the table: without the record of the home, the next start drops it.
    """
    if version == 0:
        return shlex.join(["rm", "-rf", str(table.folder), str(home / "location")])
    begins = (f"{version:020}.", f".{version:020}.")
    parts = sorted(path for path in table.log.iterdir() if path.name.startswith(begins))
    pointer = table.log / "_last_checkpoint"
    if pointer.exists() and any(".checkpoint" in path.name for path in parts):
        parts.append(pointer)
    return shlex.join(["rm", *map(str, parts)])
