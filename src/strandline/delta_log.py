"""The newest commit of a Delta table: read off its log without Spark, or its number by Spark."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from strandline.literals import instant_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# What Delta refuses in a column's name, unless the table maps names; as `_column_mapping` in SQL.
_NEEDS_MAPPING = re.compile(r"[ ,;{}()\n\t=]")

_COMMIT = re.compile(r"(\d{20})\.json")
_LOCATION = re.compile(r"^Location: (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class Commit:
    """One commit of a table.

    Attributes:
        version: its number, from 0.
        id: differs from that of any other commit, also of another table in the same place.
    """

    version: int
    id: str

    @property
    def written_at(self) -> datetime | None:
        """When it was made, in UTC; None if it does not say so."""
        millis = self.id.rpartition(" ")[2]
        return instant_of(int(millis) * 1_000) if millis.isdigit() else None


def mapping_for(names: Iterable[str]) -> dict[str, str]:
    """The settings of a session by which Delta creates a table with these columns."""
    if not any(_NEEDS_MAPPING.search(name) for name in names):
        return {}
    return {"spark.databricks.delta.properties.defaults.columnMapping.mode": "name"}


def location_in(information: str | None) -> str | None:
    """The location in the `information` of `show table extended`; None for a view."""
    found = _LOCATION.search(information or "")
    return found[1].strip() if found else None


def newest_commit(location: str) -> Commit | None:
    """The newest commit of the table in a local folder.

    Args:
        location: a path, or a URI `file:…` as Spark shows it.

    Returns:
        None if there is no log that can be read from here, or its newest commit says nothing.
    """
    log = folder_of(location) / "_delta_log"
    try:
        with os.scandir(log) as entries:
            versions = [int(found[1]) for it in entries if (found := _COMMIT.fullmatch(it.name))]
    except OSError:
        return None
    return commit_of(location, max(versions)) if versions else None


def commit_of(location: str, version: int) -> Commit | None:
    """One commit of the table in a local folder; None if it is not there or says nothing."""
    info = _info(location, version)
    if info is None:
        return None
    return Commit(version, f"{info.get('txnId')} {info.get('timestamp')}")


def changed_metadata(location: str, after: int, until: int) -> bool:
    """Whether a commit after one version, up to another, may have changed a table's columns.

    True also if one of them cannot be read.
    """
    log = folder_of(location) / "_delta_log"
    try:
        return any(
            True
            for version in range(after + 1, until + 1)
            for _ in _actions(log / f"{version:020}.json", "metaData")
        )
    except (OSError, ValueError):
        return True


def rows_written(location: str, after: int | None, until: int) -> int:
    """The rows that commits have written, those of replaced files included.

    Args:
        location: of the table.
        after: the version before them; None for the last commit alone that has written rows.
        until: the last one of them.
    """
    rows = 0
    for version in range(until, -1 if after is None else after, -1):
        info = _info(location, version)
        if info is None:
            break
        rows += int((info.get("operationMetrics") or {}).get("numOutputRows", 0))
        if after is None and rows:
            break
    return rows


def folder_of(location: str) -> Path:
    """The folder of a table. Spark shows a location as it is, other tools encode it."""
    if not location.startswith("file:"):
        return Path(location)
    path = "/" + location.removeprefix("file:").lstrip("/")
    return Path(path) if os.path.lexists(path) else Path(unquote(path))


def _info(location: str, version: int) -> dict[str, Any] | None:
    """What a commit says of itself; None if it is not there or says nothing."""
    log = folder_of(location) / "_delta_log"
    try:
        info = next(_actions(log / f"{version:020}.json", "commitInfo"), None)
    except (OSError, ValueError):
        return None
    return info if isinstance(info, dict) else None


def _actions(commit: Path, kind: str) -> Iterator[object]:
    """The actions of one kind in a commit, a line each."""
    with commit.open(encoding="utf-8") as lines:
        for line in lines:
            if f'"{kind}"' in line:
                action = json.loads(line)
                if kind in action:
                    yield action[kind]


def version_of(spark: SparkSession, table: str) -> int:
    """The number of the newest commit, wherever the table is."""
    return int(spark.sql(f"describe history {table} limit 1").collect()[0]["version"])
