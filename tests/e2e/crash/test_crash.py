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

KILLS, IN_A_ROW, SERVER_EVERY = 20, 10, 8  # of each seed: 300 of all
VIEWS = {"_sources", "hourly", "high", "hot_late", "hot_status", "notifications"}
TABLES = sorted({Path(name).stem for name in MODELS if name.startswith("models/")} - VIEWS)
STEPS = ["land", "notify", "purge"]  # a kill in `run` is one in a model
COMPARED_EVERY = 4

pytestmark = pytest.mark.soak


@pytest.mark.parametrize("seed", range(1, 16))
def test_ticks_that_are_killed(plants: Plants, seed: int) -> None:
    plants.random.seed(seed)
    kills, hit = 0, Counter[str]()
    while kills < KILLS:
        plants.bring()
        began = time.monotonic()
        plants.twin.done()
        seconds = time.monotonic() - began
        for _ in range(IN_A_ROW):
            # A model that is done is skipped by the next tick, which so comes further.
            at = plants.plant.killed(plants.random.uniform(2, seconds))
            if not at:
                break
            kills += 1
            hit.update(at)
            if kills % SERVER_EVERY == 0:
                plants.kill_server()
                plants.serve()
        plants.plant.done()
        plants.compare()
    print(f"{kills} kills, no table differs: at most {3 / kills:.1%} do harm (95 %); {hit}")


def test_a_kill_in_each_model_and_step(plants: Plants) -> None:
    places = [(plants.plant.killed_in, it) for it in TABLES]
    places += [(plants.plant.killed_at, it) for it in STEPS]
    for nth, (is_killed, place) in enumerate(places, start=1):
        plants.bring()
        while not is_killed(place):
            plants.bring()
        if nth % COMPARED_EVERY == 0:
            plants.end()
    plants.end()
