"""Which tables there are, their rows, and the tables of rows that could not be used."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from strandline.literals import text_sql
from strandline.spark.metastore import information_in

if TYPE_CHECKING:
    from strandline.connection import Connection


def row_counts(spark: Connection, tables: list[str]) -> dict[str, int]:
    """How many rows each of these tables and views has."""
    counts = " union all ".join(
        f"select {text_sql(name)} as name, count(*) as n from {name}" for name in tables
    )
    return {row["name"]: row["n"] for row in spark.sql(counts).collect()} if tables else {}


def information_of(spark: Connection, tables: Iterable[str]) -> dict[str, str]:
    """What Spark says of each table and view in the schemas of these tables."""
    schemas = {table.rpartition(".")[0] for table in tables}
    return information_in(spark, filter(spark.catalog.databaseExists, sorted(schemas)))


LATE, FAULTY = "late_reason", "reason"


@dataclass(frozen=True)
class Unusable:
    """A table of rows that could not be used.

    Attributes:
        table: schema.name.
        rows: how many it has.
        column: the column with the reasons.
    """

    table: str
    rows: int
    column: str


def unusable(spark: Connection, tables: Iterable[str], home: Path | None) -> list[Unusable]:
    """The tables and views of late events among `tables`, and the quarantines of the landings of
    a home, if there is one."""
    late = [name for name in tables if LATE in _columns(spark, name)]
    quarantines = () if home is None else _quarantines(spark, home)
    faulty = [name for name in quarantines if FAULTY in _columns(spark, name)]
    rows = row_counts(spark, [*late, *faulty])
    return [
        Unusable(name, rows[name], column)
        for names, column in ((late, LATE), (faulty, FAULTY))
        for name in names
    ]


def _quarantines(spark: Any, home: Path) -> Iterator[str]:
    """Each landing has a folder under the name of its table, which knows its quarantine."""
    from strandline.landing.tables import quarantine_of

    for folder in sorted((home / "landing").glob("*.*")):
        if spark.catalog.tableExists(folder.name):
            yield quarantine_of(spark, folder.name)


def _columns(spark: Connection, table: str) -> list[str]:
    return spark.table(table).columns if spark.catalog.tableExists(table) else []
