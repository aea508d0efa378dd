"""The tables in the warehouse of a home after a crash: damaged logs, a metastore that is gone."""

from __future__ import annotations

import logging
import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from strandline.literals import name_sql
from strandline.spark.errors import StrandlineSparkError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_VERSION = re.compile(r"(\d{20})\.(json|crc|checkpoint\..*)")
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


def tables_in(home: Path) -> list[Table]:
    """The Delta tables in the warehouse of a home, by name."""
    logs = [
        log
        for pattern in ("*/_delta_log", f"*{_SCHEMA}/*/_delta_log")
        for log in (home / "warehouse").glob(pattern)
    ]
    return sorted((Table(log.parent) for log in logs), key=lambda table: table.name)


def check_logs(home: Path) -> None:
    """Refuses a home in which the newest commit of a table is empty, cut or missing.

    A full disk or a machine that loses its power can leave that. Spark reads the older table then,
    and says nothing. Only for a process that has the lock: nobody commits meanwhile.
    """
    faults = [fault for table in tables_in(home) for fault in _faults(table)]
    if faults:
        listed = "".join(f"\n  - {fault}" for fault in faults)
        raise StrandlineSparkError(
            f"home {str(home)!r} has tables whose newest commit is damaged, as a full disk or a"
            f" loss of power can leave it. Spark would read them as they were before:{listed}\n"
            "Take each file back from a copy, or remove the commit by the command beside it; the"
            " next runs make again what was in it."
        )


def register_tables(session: SparkSession, home: Path) -> None:
    """Makes the tables of the warehouse known to a metastore that does not know them."""
    known = {
        f"{row.namespace}.{row.tableName}"
        for schema in session.sql("show schemas").collect()
        for row in session.sql(f"show tables in {name_sql(schema.namespace)}").collect()
    }
    missing = [table for table in tables_in(home) if table.name not in known]
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


def _faults(table: Table) -> Iterator[str]:
    found = [it for path in table.log.iterdir() if (it := _VERSION.fullmatch(path.name))]
    newest, summed, complete = (
        max((int(it[1]) for it in found if it[2].startswith(kind)), default=-1)
        for kind in ("json", "crc", "checkpoint")
    )
    if summed > max(newest, complete):
        yield f"{table.name}: commit {summed} is missing: {_removal(table, summed)}"
    elif newest >= 0 and (problem := _problem(table.log / f"{newest:020}.json")):
        yield f"{table.name}: commit {newest} {problem}: {_removal(table, newest)}"


def _problem(commit: Path) -> str:
    with commit.open("rb") as file:
        file.seek(max(0, commit.stat().st_size - _END))
        text = file.read().rstrip()
    if not text:
        return "is empty"
    return "" if text.endswith(b"}") else "is cut"


def _removal(table: Table, version: int) -> str:
    """The command that removes all that a log has of a commit, Hadoop's checksums too."""
    begins = (f"{version:020}.", f".{version:020}.")
    parts = sorted(path for path in table.log.iterdir() if path.name.startswith(begins))
    return shlex.join(["rm", *map(str, parts)])
