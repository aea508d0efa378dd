"""Two runs at once on the tables of one plant: nothing is lost or counted twice, and the loser says why."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e.crash.plants import Plants

# What a run may say that found another one at work.
REASONS = (
    "another run has written",
    "run it again",
    "run dbt again",
    "left to the next run",
    "DELTA_CONCURRENT",
    "ConcurrentAppend",
    "waits: ",
    "land again",
)
BACKFILL = ["run", "--from", "2024-03-01", "--to", "2024-03-02"]
REFRESH = ["build", "--full-refresh"]
ROUNDS = {"two ticks": 1, "a range of time": 5, "a full refresh": 5, "a purge": 5, "many ticks": 20}


def started(plants: Plants, program: str, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [Path(sys.executable).parent / program, *arguments], cwd=plants.plant.folder, env=plants.plant.env,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip


@pytest.mark.soak
@pytest.mark.parametrize("other", ROUNDS)
def test_two_at_once(plants: Plants, other: str) -> None:
    lost = 0
    for _ in range(ROUNDS[other]):
        plants.bring()
        both = [plants.plant.tick()]
        if other == "a range of time":
            both.append(started(plants, "strandline", *BACKFILL))
        elif other == "a full refresh":
            both.append(started(plants, "dbt", *REFRESH))
        elif other == "a purge":
            both.append(started(plants, "strandline", "purge", "--compact"))
        else:
            both.append(plants.plant.tick())
        for process in both:
            said, _ = process.communicate(timeout=600)
            if process.returncode:
                lost += 1
                assert any(reason in said for reason in REASONS), said
        plants.end()
    print(f"{other}: {ROUNDS[other]} rounds, {lost} runs lost and said why, no table differs")
