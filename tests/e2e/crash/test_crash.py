"""Ticks that are killed with SIGKILL at random times: the tables end like those of an undisturbed plant.

A tick lands a file, runs every kind of model, notifies and purges. A batch is killed several times in a
row; then one tick ends, and every table is compared with its twin's, both ways, with counts.
"""

from __future__ import annotations

from collections import Counter

import pytest
from tests.e2e.crash.plants import Plants

# Kills, how many in a row, and after how many one of the server.
KILLS = {"few": (20, 10, 7), "many": (300, 3, 10)}


@pytest.mark.soak
@pytest.mark.parametrize("size", ["few", "many"])
def test_ticks_that_are_killed(plants: Plants, size: str) -> None:
    wanted, in_a_row, server_every = KILLS[size]
    seconds = plants.begin()
    kills: Counter[str] = Counter()
    while kills.total() < wanted:
        plants.bring()
        for _ in range(in_a_row):
            step, was_killed = plants.plant.killed(plants.random.uniform(0.5, seconds))
            kills[step] += was_killed
            if was_killed and kills.total() % server_every == 0:
                plants.kill_server()
                plants.serve()
                kills["server"] += 1
        plants.end()
    total = kills.total()
    print(
        f"{total} kills, no table differs: at most {3 / total:.1%} of kills do harm (95 %); {kills}"
    )
