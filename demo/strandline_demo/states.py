"""Tables as Delta describes them: their versions and rows."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from strandline.cli.tables import information_of, row_counts
from strandline.delta_log import Commit, location_in, newest_commit, version_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@dataclass(frozen=True)
class State:
    """A table at one moment. Every commit to it, however small, is a new version."""

    version: int
    rows: int


class States:
    """The states of tables; the rows of a version are counted once and kept in a file.

    Args:
        spark: a session.
        file: where the counts are kept. Without it they are counted again.
    """

    def __init__(self, spark: SparkSession, file: Path) -> None:
        self._spark, self._file = spark, file

    def versions(self, tables: Iterable[str]) -> dict[str, int]:
        """The version of each of the tables that exists."""
        return {name: commit.version for name, commit in self._commits(tables).items()}

    def of(self, tables: Iterable[str]) -> dict[str, State]:
        """The state of each of the tables that exists."""
        commits = self._commits(tables)
        kept = self._kept()
        keys = {name: f"{commit.version} {commit.id}" for name, commit in commits.items()}
        known = {name: rows for name, (key, rows) in kept.items() if keys.get(name) == key}
        unknown = [name for name, commit in commits.items() if not commit.id or name not in known]
        rows = known | row_counts(self._spark, unknown)
        if unknown:
            now = {name: (key, rows[name]) for name, key in keys.items()}
            with suppress(OSError):
                self._file.write_text(json.dumps(kept | now, indent=1), encoding="utf-8")
        return {name: State(commit.version, rows[name]) for name, commit in commits.items()}

    def _kept(self) -> dict[str, tuple[str, int]]:
        """The rows of each table, and the commit that has them."""
        try:
            found = json.loads(self._file.read_text(encoding="utf-8"))
            return {str(name): (str(key), int(rows)) for name, (key, rows) in found.items()}
        except (OSError, ValueError, AttributeError, TypeError):
            return {}

    def of_all(self, tables: Iterable[str]) -> str | None:
        """One text for the commits of tables and for all views beside them; it changes with them.

        Views may be among `tables`.

        None if the log of one of the tables cannot be read from here.
        """
        names = list(tables)
        shown = information_of(self._spark, names)
        views = {name: text for name, text in shown.items() if "\nType: VIEW" in text}
        stored = [name for name in names if name not in views]
        commits = {name: newest_commit(location_in(shown.get(name)) or "") for name in stored}
        if any(commit is None and name in shown for name, commit in commits.items()):
            return None
        state = [sorted(views.items()), sorted((k, str(v)) for k, v in commits.items())]
        return hashlib.sha256(json.dumps(state).encode()).hexdigest()

    def _commits(self, tables: Iterable[str]) -> dict[str, Commit]:
        """The newest commit of each table; without an id if its log cannot be read from here."""
        names = list(tables)
        shown = information_of(self._spark, names)
        return {
            table: newest_commit(location_in(shown[table]) or "")
            or Commit(version_of(self._spark, table), "")
            for table in names
            if table in shown
        }
