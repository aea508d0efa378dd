"""The checkpoint of a landing, read without Spark.

Its files: ``metadata`` (the query's id), ``commits/<batch>`` (batches that are done),
``offsets/<batch>`` (up to which entry of the source's log a batch goes) and ``sources/0/<entry>``
(the files that were found). Strandline's own ``read/<batch>`` is beside them, see ``record.py``.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from strandline.landing.record import FileState, files_read


@dataclass(frozen=True)
class Discovered:
    """Files that Spark has found.

    Attributes:
        landed: those of batches that are done, as they were read; they are not read again.
        planned: those of a batch that was begun; it will be run with just these files.
    """

    landed: Mapping[Path, FileState]
    planned: frozenset[Path]


def query_id(checkpoint: Path) -> str:
    """The id that Spark gave to the streaming query when its checkpoint was made.

    A new checkpoint counts its batches from 0 again. Its id differs, so they are not confused with
    those of the old checkpoint.
    """
    return str(json.loads((checkpoint / "metadata").read_text(encoding="utf-8"))["id"])


def last_batch(checkpoint: Path) -> int:
    """Number of the last batch that is done, -1 when there is none."""
    return max((int(path.name) for path in checkpoint.glob("commits/[0-9]*")), default=-1)


def discovered_files(checkpoint: Path) -> Discovered:
    """The files in the source's log, by whether their batch is done."""
    done = _entry_of(checkpoint, last_batch(checkpoint))
    landed: dict[Path, FileState] = {}
    planned: set[Path] = set()
    for entry in _entries(checkpoint):
        if entry["batchId"] <= done:
            landed[_path_of(entry)] = FileState(entry["timestamp"])
        else:
            planned.add(_path_of(entry))
    read = files_read(checkpoint)
    landed.update((path, read[path]) for path in landed.keys() & read.keys())
    return Discovered(landed, frozenset(planned))


def batch_files(checkpoint: Path, batch: int) -> dict[Path, FileState]:
    """The files of a batch that Spark has planned, as they were when it found them."""
    first, last = _entry_of(checkpoint, batch - 1) + 1, _entry_of(checkpoint, batch)
    return {
        _path_of(entry): FileState(entry["timestamp"])
        for entry in _entries(checkpoint)
        if first <= entry["batchId"] <= last
    }


def _entries(checkpoint: Path) -> Iterator[dict[str, Any]]:
    """The entries of the source's log: every tenth file of it has those before it as well."""
    for log in checkpoint.glob("sources/0/[0-9]*"):
        for line in log.read_text(encoding="utf-8").splitlines():
            if line.startswith("{"):
                yield json.loads(line)


def _path_of(entry: dict[str, Any]) -> Path:
    return Path(unquote(urlsplit(entry["path"]).path))


def _entry_of(checkpoint: Path, batch: int) -> int:
    """The last entry of the source's log that a batch reads, -1 for none."""
    if batch < 0:
        return -1
    lines = (checkpoint / "offsets" / str(batch)).read_text(encoding="utf-8").splitlines()
    return int(json.loads(lines[-1])["logOffset"])
