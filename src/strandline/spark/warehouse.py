"""The tables in the warehouse of a home after a crash: damaged logs, a metastore that is gone."""

from __future__ import annotations

import logging
import re
import shlex
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from strandline.delta_log import folder_of, location_in
from strandline.literals import name_sql
from strandline.spark.errors import StrandlineSparkError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_VERSION = re.compile(r"(\d{20})\.(json|crc|checkpoint)(\..*)?")
_SCHEMA = ".db"
_END = 256  # bytes of a commit that show whether it is whole
LAST_RUNS = "last_runs.json"  # in a home: what models and data tests have read, by the adapter
_logger = logging.getLogger(__name__)


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
    def is_only_created(self) -> bool:
        """Whether no row was ever in it: it has its first commit at most, and no file of data."""
        is_empty = [path.name for path in self.folder.iterdir()] == [self.log.name]
        return is_empty and max(self.newest.values()) <= 0

    def is_newer_than(self, nanoseconds: int) -> bool:
        """Whether its first commit was written after a time of the same clock, since 1970.

        Without a commit, its log counts. A table that has lost its oldest commits is not new.
        """
        first = self.log / f"{0:020}.json"
        if not first.exists() and max(self.newest.values()) >= 0:
            return False
        return (first if first.exists() else self.log).stat().st_mtime_ns > nanoseconds


def tables_in(home: Path) -> list[Table]:
    """The Delta tables in the warehouse of a home, by name; a table has at least one commit."""
    return [table for table in _logs_in(home) if max(table.newest.values()) >= 0]


def has_tables_since(home: Path, nanoseconds: int) -> bool:
    """Whether the creation of a table in the warehouse began after a time."""
    return any(table.is_newer_than(nanoseconds) for table in _logs_in(home))


def check_logs(home: Path) -> None:
    """Refuses a home in which the newest commit of a table is empty, cut or missing.

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


def remove_uncreated(session: SparkSession, home: Path) -> None:
    """Removes the folders of empty tables whose creation a crash has cut off.

    Delta commits an empty table before the metastore knows it, and refuses to create a table in a
    folder that is not empty. Only for a metastore that knows all other tables.
    """
    for table in _logs_in(home):
        if table.is_only_created and not session.catalog.tableExists(_quoted(table.name)):
            shutil.rmtree(table.folder)
            _logger.warning(
                "The creation of %s had not ended; the next run creates it.", table.name
            )


def match_tables(session: SparkSession, home: Path) -> None:
    """Lets the metastore know the tables that are in the warehouse, and no others there."""
    here = {table.name: table for table in tables_in(home)}
    schemas = [schema for (schema,) in session.sql("show schemas").collect()]
    known = information_in(session, schemas)
    for name, information in known.items():
        location = location_in(information)
        if location is not None and name not in here:
            folder = folder_of(location)
            if folder.is_relative_to(home / "warehouse") and not folder.exists():
                session.sql(f"drop table {_quoted(name)}")
    missing = [table for name, table in here.items() if name not in known]
    for table in missing:
        session.sql(f"create schema if not exists {name_sql(table.schema)}")
        session.catalog.createTable(_quoted(table.name), str(table.folder), "delta")
    if missing:
        # By these notes models would be skipped that make views, as `detect` does.
        (home / LAST_RUNS).unlink(missing_ok=True)
        names = ", ".join(table.name for table in missing)
        _logger.warning(
            "The metastore of %s did not know %d of its tables, which it knows again: %s. Views"
            " are made by the next run.", home, len(missing), names,
        )  # fmt: skip


def information_in(session: SparkSession, schemas: Iterable[str]) -> dict[str, str]:
    """What Spark says of each table and view in these schemas, one query a schema.

    The names are schema.table in lower case, as the metastore has them.
    """
    found: dict[str, str] = {}
    for schema in schemas:
        shown = session.sql(f"show table extended in {name_sql(schema)} like '*'").collect()
        found |= {f"{schema}.{row['tableName']}".lower(): row["information"] for row in shown}
    return found


def _logs_in(home: Path) -> list[Table]:
    """The folders with a log in the warehouse, by name; a log can be without a commit."""
    logs = [
        log
        for pattern in ("*/_delta_log", f"*{_SCHEMA}/*/_delta_log")
        for log in (home / "warehouse").glob(pattern)
    ]
    return sorted((Table(log.parent) for log in logs), key=lambda it: it.name)


def _quoted(name: str) -> str:
    return ".".join(map(name_sql, name.split(".")))


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
    return "" if text.endswith(b"}") else "is cut"


def _removal(table: Table, version: int, home: Path) -> str:
    """The command that removes all that a log has of a commit, Hadoop's checksums too.

    Of the first commit, the table: without the record of the home, the next start forgets it.
    """
    if version == 0:
        return shlex.join(["rm", "-rf", str(table.folder), str(home / "location")])
    begins = (f"{version:020}.", f".{version:020}.")
    parts = sorted(path for path in table.log.iterdir() if path.name.startswith(begins))
    pointer = table.log / "_last_checkpoint"
    if pointer.exists() and any(".checkpoint" in path.name for path in parts):
        parts.append(pointer)
    return shlex.join(["rm", *map(str, parts)])
