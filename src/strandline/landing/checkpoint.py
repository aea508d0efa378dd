"""What Spark keeps in the checkpoint of a landing, read without Spark.

Its files: ``metadata`` (the query's id), ``commits/<batch>`` (batches that are done),
``offsets/<batch>`` (up to which entry of the source's log a batch goes) and ``sources/0/<entry>``
(the files that were found).
"""

import json
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit


@dataclass(frozen=True)
class Seen:
    """Files that Spark has found.

    Attributes:
        landed: those of batches that are done; they are not read again.
        planned: those of a batch that was begun; it will be run with just these files.
    """

    landed: frozenset[Path]
    planned: frozenset[Path]


def query_id(checkpoint: Path) -> str:
    """The id that Spark gave to the streaming query when its checkpoint was made.

    A new checkpoint counts its batches from 0 again. Its id is another one, so they are not
    taken for those of the old checkpoint.
    """
    return json.loads((checkpoint / "metadata").read_text(encoding="utf-8"))["id"]


def last_batch(checkpoint: Path) -> int:
    """Number of the last batch that is done, -1 when there is none."""
    return max((int(path.name) for path in checkpoint.glob("commits/[0-9]*")), default=-1)


def seen_files(checkpoint: Path) -> Seen:
    """The files in the source's log, by whether their batch is done."""
    done = _done_entry(checkpoint)
    landed, planned = set(), set()
    for log in checkpoint.glob("sources/0/[0-9]*"):  # every tenth holds those before it as well
        for line in log.read_text(encoding="utf-8").splitlines():
            if line.startswith("{"):
                entry = json.loads(line)
                path = Path(unquote(urlsplit(entry["path"]).path))
                (landed if entry["batchId"] <= done else planned).add(path)
    return Seen(frozenset(landed), frozenset(planned))


def _done_entry(checkpoint: Path) -> int:
    """The last entry of the source's log that a batch which is done has read, -1 for none."""
    batch = last_batch(checkpoint)
    if batch < 0:
        return -1
    lines = (checkpoint / "offsets" / str(batch)).read_text(encoding="utf-8").splitlines()
    return int(json.loads(lines[-1])["logOffset"])
