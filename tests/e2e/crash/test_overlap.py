"""Two runs at once on the tables of one plant: nothing is lost or counted twice, and the loser says why.

In one home a lock keeps them apart. Through a server that is named by its URL there is no lock, as
on a cluster.
"""

from __future__ import annotations

import pytest
from tests.e2e.crash.at_once import TICK, at_once, lost
from tests.e2e.crash.plants import Plants

LOCKED = "in use by another run, process"
BACKFILL = ("strandline", "run", "--from", "2024-03-01", "--to", "2024-03-02")
PURGE = ("strandline", "purge", "--compact")

pytestmark = pytest.mark.soak


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
