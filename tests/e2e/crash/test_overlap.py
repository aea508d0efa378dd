"""Two runs at once on the tables of one plant: nothing is lost or counted twice, and the loser says why.

In one home a lock keeps them apart. Through a server that is named by its URL there is no lock, as
on a cluster.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e.crash.plants import Plants

LOCKED = "in use by another run, process"
# What a run may say that found another one at work, where there is no lock.
REASONS = (
    "another run has written",
    "run it again",
    "run dbt again",
    "left to the next run",
    "DELTA_CONCURRENT",
    "ConcurrentAppend",
    "waits: ",
    "land again",
    "does not balance",  # the other run had rebuilt some of the tables, and some not
)
TICK = ()
BACKFILL = ("strandline", "run", "--from", "2024-03-01", "--to", "2024-03-02")
REFRESH = ("dbt", "build", "--full-refresh")
PURGE = ("strandline", "purge", "--compact")

pytestmark = pytest.mark.soak


def started(plants: Plants, command: tuple[str, ...], target: str) -> subprocess.Popen[str]:
    if command == TICK:
        return plants.plant.tick(target)
    program, *arguments = command
    return subprocess.Popen(
        [Path(sys.executable).parent / program, *arguments, "--target", target], cwd=plants.plant.folder,
        env=plants.plant.env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


def lost(plants: Plants, other: tuple[str, ...], target: str) -> list[str]:
    """What the runs said that failed, of a tick and something else at the same time."""
    # After a full refresh a late event of a time that was purged counts, and before it does not.
    plants.bring(is_late=other != REFRESH)
    both = [plants.plant.tick(target), started(plants, other, target)]
    said = [process.communicate(timeout=600)[0] for process in both]
    return [each for each, process in zip(said, both, strict=True) if process.returncode]


def test_a_full_refresh_without_a_lock(plants: Plants) -> None:
    """It is the first test: after it, late events of earlier files that were too old count."""
    at_once(plants, REFRESH, rounds=5)


def test_two_ticks_that_each_start_spark(plants: Plants) -> None:
    plants.plant.command("strandline", "serve", "--stop")
    said = lost(plants, TICK, "local")
    plants.serve()
    assert all(LOCKED in each for each in said), said
    plants.end()


def test_two_ticks_through_a_server_of_their_home(plants: Plants) -> None:
    [said] = lost(plants, TICK, "connect")
    assert LOCKED in said, said
    plants.end()


@pytest.mark.parametrize(
    ("other", "rounds"),
    [
        pytest.param(TICK, 10, id="two ticks"),
        pytest.param(BACKFILL, 5, id="a range of time"),
        pytest.param(PURGE, 5, id="a purge"),
    ],
)
def test_two_at_once_without_a_lock(plants: Plants, other: tuple[str, ...], rounds: int) -> None:
    at_once(plants, other, rounds)


def at_once(plants: Plants, other: tuple[str, ...], rounds: int) -> None:
    failed = 0
    for _ in range(rounds):
        said = lost(plants, other, "remote")
        for each in said:
            assert any(reason in each for reason in REASONS), each
        failed += len(said)
        plants.end()
    print(f"{rounds} rounds, {failed} runs failed and said why, no table differs")
