"""What models and data tests have read in their last runs: a file in the home."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from dbt.adapters.strandline.kept_file import read_kept, write_kept

KEPT = 8  # notes of one model or test, which may be run in several ways by turns


class LastInputs:
    """What the last run of each model has read, part by part: it says what has changed since.

    Args:
        file: where they are kept.
    """

    def __init__(self, file: Path) -> None:
        self._file, self._mutex = file, threading.Lock()

    def of(self, name: str) -> dict[str, Any] | None:
        found = read_kept(self._file).get(name)
        return found if isinstance(found, dict) else None

    def keep(self, name: str, inputs: dict[str, Any]) -> None:
        with self._mutex:
            write_kept(self._file, {**read_kept(self._file), name: inputs})


class LastRuns:
    """The notes of the last runs of each model and each data test that has passed.

    A note identifies all that a run has read, and the table after it. The tables
    themselves are compared with it, so nothing is wrong if the file is lost, damaged or old: more
    is run than necessary.

    Args:
        file: where they are kept.
    """

    def __init__(self, file: Path) -> None:
        self._file, self._mutex = file, threading.Lock()
        self._notes: dict[str, list[str]] | None = None

    def has(self, name: str, note: str) -> bool:
        """Whether a run of this model or test has had this note."""
        with self._mutex:
            return note in self._read().get(name, [])

    def add(self, name: str, note: str) -> None:
        """Keeps the note of a run that has just ended well."""
        with self._mutex:
            notes = self._read()
            others = [each for each in notes.get(name, []) if each != note]
            notes[name] = [*others, note][-KEPT:]
            write_kept(self._file, notes)

    def _read(self) -> dict[str, list[str]]:
        if self._notes is None:
            try:
                found = read_kept(self._file)
                self._notes = {str(name): [str(n) for n in notes] for name, notes in found.items()}
            except TypeError:
                self._notes = {}
        return self._notes
