"""The tables that the metastore of a home knows, matched with its warehouse after a crash."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from strandline.delta_log import folder_of, location_in
from strandline.literals import name_sql
from strandline.spark.warehouse import logs_in, tables_in

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from strandline.connection import Connection

LAST_RUNS = "last_runs.json"  # in a home: what models and data tests have read, by the adapter
LAST_INPUTS = "last_inputs.json"  # in a home: the same of the last run of each model, in parts
NOTHING_WAITS = "nothing_waits.json"  # in a home: see strandline.cli.nothing_waits
WRITTEN_LAST = "service.properties"  # when Derby creates a metastore; "…old" while it is replaced
_logger = logging.getLogger(__name__)


def known_tables(session: SparkSession) -> dict[str, str]:
    """What the metastore says of each table and view that it knows, by name."""
    return information_in(session, [name for (name,) in session.sql("show schemas").collect()])


def remove_unfinished(metastore: Path) -> None:
    """Removes a metastore whose creation a crash interrupted: Derby cannot read or complete it."""
    if metastore.is_dir() and not any(metastore.glob(f"{WRITTEN_LAST}*")):
        shutil.rmtree(metastore)


def remove_uncreated(home: Path, known: Collection[str]) -> None:
    """Removes the folders of empty tables whose creation a crash interrupted.

    Delta commits an empty table before the metastore knows it, and refuses to create a table in a
    folder that is not empty. Only for a metastore that knows all other tables.
    """
    for table in logs_in(home):
        if table.is_only_created and table.name not in known:
            shutil.rmtree(table.folder)
            _logger.warning(
                "The creation of %s had not ended; the next run creates it.", table.name
            )


def match_tables(session: SparkSession, home: Path, known: Mapping[str, str]) -> None:
    """Lets the metastore know the tables that are in the warehouse, and no others there."""
    here = {table.name: table for table in tables_in(home)}
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
        (home / NOTHING_WAITS).unlink(missing_ok=True)
        names = ", ".join(table.name for table in missing)
        _logger.warning(
            "The metastore of %s did not know %d of its tables, which it knows again: %s. Views"
            " are made by the next run.", home, len(missing), names,
        )  # fmt: skip


def information_in(session: Connection, schemas: Iterable[str]) -> dict[str, str]:
    """What Spark says of each table and view in these schemas, one query a schema.

    The names are schema.table in lower case, as the metastore has them.
    """
    found: dict[str, str] = {}
    for schema in schemas:
        shown = session.sql(f"show table extended in {name_sql(schema)} like '*'").collect()
        found |= {f"{schema}.{row['tableName']}".lower(): row["information"] for row in shown}
    return found


def _quoted(name: str) -> str:
    return ".".join(map(name_sql, name.split(".")))
