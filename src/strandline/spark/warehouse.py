"""The tables in the warehouse of a home after a crash: damaged logs, a metastore that is gone."""

from __future__ import annotations

import logging
import re
import shlex
from collections.abc import Iterator
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


def tables_in(home: Path) -> list[Table]:
    """The Delta tables in the warehouse of a home, by name; a table has at least one commit."""
    logs = [
        log
        for pattern in ("*/_delta_log", f"*{_SCHEMA}/*/_delta_log")
        for log in (home / "warehouse").glob(pattern)
    ]
    tables = (Table(log.parent) for log in logs)
    return sorted((it for it in tables if max(it.newest.values()) >= 0), key=lambda it: it.name)


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


def match_tables(session: SparkSession, home: Path) -> None:
    """Lets the metastore know the tables that are in the warehouse, and no others there."""
    here = {table.name: table for table in tables_in(home)}
    known = set()
    for (schema,) in session.sql("show schemas").collect():
        views = {row.viewName for row in session.sql(f"show views in {name_sql(schema)}").collect()}
        for row in session.sql(f"show tables in {name_sql(schema)}").collect():
            known.add(f"{row.namespace}.{row.tableName}")
            is_table = row.namespace and row.tableName not in views
            if is_table and f"{schema}.{row.tableName}" not in here:
                _forget_missing(session, home, schema, row.tableName)
    missing = [table for name, table in here.items() if name not in known]
    for table in missing:
        session.sql(f"create schema if not exists {name_sql(table.schema)}")
        name = f"{name_sql(table.schema)}.{name_sql(table.folder.name)}"
        session.catalog.createTable(name, str(table.folder), "delta")
    if missing:
        names = ", ".join(table.name for table in missing)
        _logger.warning(
            "The metastore of %s did not know %d of its tables, which it knows again: %s. Views"
            " are made by the next run.", home, len(missing), names,
        )  # fmt: skip


def _forget_missing(session: SparkSession, home: Path, schema: str, table: str) -> None:
    """Drops a table of the metastore whose folder in the warehouse is gone."""
    shown = session.sql(f"show table extended in {name_sql(schema)} like {_like(table)}").collect()
    for row in shown:
        location = location_in(row.information)
        if row.tableName != table or location is None:
            continue
        folder = folder_of(location)
        if folder.is_relative_to(home / "warehouse") and not folder.exists():
            session.sql(f"drop table {name_sql(schema)}.{name_sql(table)}")


def _like(table: str) -> str:
    """A pattern that finds a table by its name, and a few more."""
    return "'" + re.sub(r"[^A-Za-z0-9_]", "*", table) + "'"


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
        return shlex.join(["rm", "-r", str(table.folder), str(home / "location")])
    begins = (f"{version:020}.", f".{version:020}.")
    parts = sorted(path for path in table.log.iterdir() if path.name.startswith(begins))
    if any(".checkpoint" in path.name for path in parts):
        parts.append(table.log / "_last_checkpoint")
    return shlex.join(["rm", *map(str, parts)])
