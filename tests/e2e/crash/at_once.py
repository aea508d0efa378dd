"""Two runs at once on the tables of one plant, a few rounds of them, and what they may say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.e2e.crash.plants import Plants

REBUILT = "was rebuilt after this table had read it"
# What a run may say that found another one at work, where there is no lock.
REASONS = (
    "another run has written",
    "run it again",
    "run dbt again",
    "left to the next run",
    "DELTA_CONCURRENT",
    "ConcurrentAppend",
    "waits: ",
    "in use by another landing",
    "land again",
    # The other run had rebuilt some of the tables, and some not.
    "does not balance",
    REBUILT,
)
TICK = ()
REFRESH = ("dbt", "build", "--full-refresh")


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
    # Of a time that was purged: after a full refresh it counts, and before it does not.
    plants.bring(is_late=other != REFRESH)
    both = [plants.plant.tick(target), started(plants, other, target)]
    said = [process.communicate(timeout=600)[0] for process in both]
    return [each for each, process in zip(said, both, strict=True) if process.returncode]


def repaired(plants: Plants) -> None:
    """A tick; if it says that a refresh has ended half done, the refresh as it says."""
    tick = plants.plant.tick()
    said, _ = tick.communicate(timeout=600)
    if tick.returncode:
        assert REBUILT in said, said
        plants.plant.command(*REFRESH, "--target", "connect")


def at_once(plants: Plants, other: tuple[str, ...], rounds: int) -> None:
    """After each round a tick ends, and all tables are compared with the twin's."""
    failed = 0
    for _ in range(rounds):
        said = lost(plants, other, "remote")
        for each in said:
            assert any(reason in each for reason in REASONS), each
        failed += len(said)
        if other == REFRESH:
            repaired(plants)
        plants.end(is_rebuilt=other == REFRESH)
    print(f"{rounds} rounds, {failed} runs failed and said why, no table differs")
