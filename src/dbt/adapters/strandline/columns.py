"""The columns of relations, kept between runs: a file in the home."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dbt.adapters.spark.column import SparkColumn

from dbt.adapters.strandline.kept_file import read_kept, write_kept


class Columns:
    """The columns of each relation in one state, which follows from what they follow from.

    Args:
        file: where they are kept. If it is lost or damaged, relations are described again.
    """

    def __init__(self, file: Path) -> None:
        self._file, self._mutex = file, threading.Lock()
        self._kept: dict[str, Any] | None = None

    def of(self, name: str, state: str, describe: Callable[[], list[Any]]) -> list[Any]:
        """Those of a relation in a state: as kept, or as described now and kept."""
        with self._mutex:
            columns = self._of(name, state)
        if columns is None:
            columns = describe()
            with self._mutex:
                kept = self._read()
                kept[name] = [state, [asdict(column) for column in columns]]
                write_kept(self._file, kept)
        return columns

    def _of(self, name: str, state: str) -> list[Any] | None:
        try:
            known, columns = self._read()[name]
            return [SparkColumn(**column) for column in columns] if known == state else None
        except (KeyError, TypeError, ValueError):
            return None

    def _read(self) -> dict[str, Any]:
        if self._kept is None:
            self._kept = read_kept(self._file)
        return self._kept
