"""Ticks that are killed with SIGKILL at random times: the tables end like those of an undisturbed plant.

A tick lands a file, runs every kind of model, notifies and purges; in `make check` it lands and runs
four models. It is killed many times in a row; then one tick ends, and every table is compared with
its twin's, both ways, with counts.
"""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.e2e.crash.plants import Plants
from tests.e2e.crash.project import FEW, MODELS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

KILLS, SERVER_EVERY = 20, 10  # of each seed: 300 of all
FEW_KILLS = 4
VIEWS = {"_sources", "hourly", "high", "hot_late", "hot_status", "notifications"}
TABLES = sorted({Path(name).stem for name in MODELS if name.startswith("models/")} - VIEWS)
LANDINGS = 1 / 8  # of the kills are after the beginning of a landing, the others further on
FURTHER = r"Began executing node model\.plant|step notify"
STEPS = ["land", "notify", "purge"]  # a kill in `run` is one in a model
COMPARED_EVERY = 4


@pytest.mark.soak  # five minutes
def test_a_plant_that_is_killed_from_its_first_tick_on(
    tmp_path_factory: pytest.TempPathFactory, spark: SparkSession
) -> None:
    with Plants(tmp_path_factory.mktemp("plants"), spark, FEW) as plants:
        kill(plants, FEW_KILLS, span=1 / 10)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 16))
def test_ticks_that_are_killed(plants: Plants, seed: int) -> None:
    plants.random.seed(seed)
    kill(plants, KILLS, span=1 / 5)


@pytest.mark.soak
def test_a_kill_in_each_model_and_step(plants: Plants) -> None:
    places = [(it, rf"Began executing node model\.plant\.{it}\n", 0.0) for it in TABLES]
    places += [(it, f"^step {it}", 0.5) for it in STEPS]
    for nth, (place, begun, after) in enumerate(places, start=1):
        plants.bring()
        while place not in plants.plant.killed(begun, after):
            plants.bring()
        if nth % COMPARED_EVERY == 0:
            plants.end()
    plants.end()


@pytest.mark.soak
@pytest.mark.parametrize("created", ["_delta_log", f"_delta_log/{0:020}.json"])
def test_a_kill_at_the_creation_of_each_table(
    tmp_path_factory: pytest.TempPathFactory, spark: SparkSession, created: str
) -> None:
    with Plants(tmp_path_factory.mktemp("plants"), spark) as plants:
        plants.bring()
        plants.twin.done()
        warehouse, killed = plants.home / "warehouse", []
        for log in sorted(warehouse.glob("twin*.db/*/_delta_log"), key=created_at):
            schema, table = log.parts[-3].replace("twin", "plant"), log.parts[-2]
            path = warehouse / schema / table / created
            if not path.exists():  # else two tables were created at once
                assert plants.kill_at(path), f"a tick has not created {table}"
                killed.append(table)
                plants.serve()
        plants.plant.done()
        plants.compare()
    print(f"killed at the creation of {len(killed)} tables: {', '.join(killed)}")


def created_at(log: Path) -> int:
    return (log / f"{0:020}.json").stat().st_mtime_ns


def kill(plants: Plants, number: int, span: float) -> None:
    """Kills so many ticks, and their server after each ten; after each batch of files the tables are compared.

    `span`: the share of a tick that a killed one gets at most, beyond what is done already.
    """
    kills, hit = 0, Counter[str]()
    while kills < number:
        plants.bring()
        began = time.monotonic()
        plants.twin.done()
        seconds = time.monotonic() - began
        while kills < number:
            # A model that is done is skipped by the next tick, which so comes further.
            begun = "step land" if plants.random.random() < LANDINGS else FURTHER
            at = plants.plant.killed(begun, plants.random.uniform(0, seconds * span))
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
