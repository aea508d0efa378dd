"""Two processes race to commit the same version, 3,000 times: the lock lets one commit each.

A commit is made as Delta makes it on a local disk: it looks whether the file is there, then renames one
to it. That is not atomic: without the lock both succeed now and then, and a commit is lost.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

RACES = 3000
RACER = """
import json, os, sys, time
from contextlib import nullcontext
from pathlib import Path
from strandline.spark import lock as locks

folder, name, other, races, is_locked = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4]), sys.argv[5]
locks._POLL_SECONDS = 0.0001  # the loser tries again at once
committed = []
for version in range(races):
    (folder / f"{name}.ready").write_text(str(version))
    while True:  # both begin at the same time
        try:
            if int((folder / f"{other}.ready").read_text() or -1) >= version:
                break
        except FileNotFoundError:
            pass
    lock = locks.RunLock(folder / "lock")
    if is_locked == "locked":
        lock.acquire(timeout=60)
    commit = folder / f"{version:05}.json"
    if not commit.exists():
        draft = folder / f"{name}.draft"
        draft.write_text(name)
        draft.rename(commit)
        committed.append(version)
    lock.free()
print(json.dumps(committed))
"""


def raced(folder: Path, races: int, is_locked: str) -> list[int]:
    """How many processes committed each version."""
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", RACER, str(folder), name, other, str(races), is_locked],
            stdout=subprocess.PIPE,
            text=True,
        )
        for name, other in (("one", "two"), ("two", "one"))
    ]
    committed = [json.loads(racer.communicate(timeout=300)[0]) for racer in racers]
    return [sum(version in each for each in map(set, committed)) for version in range(races)]


@pytest.mark.parametrize("races", [300, pytest.param(RACES, marks=pytest.mark.soak)])
def test_with_the_lock_each_version_is_committed_once(tmp_path: Path, races: int) -> None:
    assert raced(tmp_path, races, "locked") == [1] * races


@pytest.mark.soak
def test_without_the_lock_a_commit_is_lost(tmp_path: Path) -> None:
    """What the lock is for: the same race without it has versions that both committed."""
    assert max(raced(tmp_path, RACES, "bare")) == 2
