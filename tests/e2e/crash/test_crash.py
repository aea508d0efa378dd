"""Ticks that are killed with SIGKILL at random times: the tables end like those of an undisturbed plant.

A tick lands a file, runs every kind of model, notifies and purges. It is killed several times in a
row; then one tick ends, and every table is compared with its twin's, both ways, with counts.
"""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

import pytest
from tests.e2e.crash.plants import Plants
from tests.e2e.crash.project import MODELS

MOST = 300
VIEWS = {"_sources", "hourly", "high", "notifications"}
# Kills, how many in a row, and after how many one of the server.
FEW = pytest.param(20, 10, 8, id="20", marks=pytest.mark.soak)
MANY = pytest.param(MOST, 4, 10, id="300", marks=pytest.mark.soak)


@pytest.mark.parametrize(("wanted", "in_a_row", "server_every"), [FEW, MANY])
def test_ticks_that_are_killed(
    plants: Plants, wanted: int, in_a_row: int, server_every: int
) -> None:
    plants.begin()
    kills, hit = 0, Counter[str]()
    while kills < wanted:
        plants.bring()
        began = time.monotonic()
        plants.twin.done()
        seconds = time.monotonic() - began
        for _ in range(in_a_row):
            # A model that is done is skipped by the next tick, which so comes further.
            at = plants.plant.killed(plants.random.uniform(2, seconds))
            if not at:
                break
            kills += 1
            hit.update(at)
            if kills % server_every == 0:
                plants.kill_server()
                plants.serve()
        plants.plant.done()
        plants.compare()
    if kills >= MOST:
        stored = {Path(name).stem for name in MODELS if name.startswith("models/")} - VIEWS
        for model in sorted(stored - hit.keys()):
            plants.bring()
            while not plants.plant.killed_in(model):
                plants.bring()
            kills += 1
            hit[model] += 1
            plants.plant.done()
            plants.twin.done()
            plants.compare()
        assert {"land", "notify", "purge"} <= hit.keys()
    print(f"{kills} kills, no table differs: at most {3 / kills:.1%} do harm (95 %); {hit}")
