"""Two landings with one checkpoint at once: the second waits, or says why it does not run."""

import math
import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from strandline.landing import LandingResult
from strandline.landing.landings import Landings
from strandline.spark import StrandlineSparkError
from strandline.spark.lock import RunLock

SCHEMA = "id INT NOT NULL"


def test_the_second_waits_for_the_first(place) -> None:
    """Three times, from the first landing on; one of the two lands the file."""
    for n in range(3):
        place.write(f"{n}.csv", f"id\n{n}\n")
        with ThreadPoolExecutor() as threads:
            both = [threads.submit(place.land, SCHEMA, lock_timeout=300) for _ in range(2)]
        assert sorted((each.result() for each in both), key=lambda result: result.landed) == [
            LandingResult(0, 0, 0, None, None),
            LandingResult(1, 0, 1, n + 1, n + 1),
        ]
    assert place.rows("arrival", "id") == [(n + 1, n) for n in range(3)]


def test_the_second_does_not_wait_for_ever(place) -> None:
    place.write("a.csv", "id\n1\n")
    first = RunLock(place.checkpoint / "lock").held("landing", timeout=0)
    with first, pytest.raises(StrandlineSparkError) as refused:
        place.land(SCHEMA, lock_timeout=1)
    assert str(refused.value).startswith(
        f"{place.checkpoint} is in use by another landing, process {os.getpid()}, since 20"
    )
    assert "(waited 1 s). Two landings at once could lose commits" in str(refused.value)
    assert place.land(SCHEMA) == LandingResult(1, 0, 1, 1, 1)


@pytest.mark.parametrize(
    ("wrong", "shown"), [("soon", "'soon'"), (-1, "-1"), (None, "None"), (math.nan, "nan")]
)
def test_a_time_to_wait_is_a_number_of_seconds(place, wrong, shown) -> None:
    place.write("a.csv", "id\n1\n")
    assert place.refuses(SCHEMA, lock_timeout=wrong) == (
        f"land:\n- lock_timeout is {shown}; give a number of seconds, 0 or more"
    )
    assert not place.checkpoint.exists()


@pytest.mark.soak
def test_two_machines_whose_locks_are_not_the_same(place, monkeypatch) -> None:
    """Both have found the same file: the one that is later to write it down lands nothing."""
    place.write("a.csv", "id\n1\n")
    place.land(SCHEMA)
    place.write("b.csv", "id\n2\n")
    real = Landings.write

    def write(landings, batch, *, is_again=False):
        monkeypatch.setattr(Landings, "write", real)
        assert place.land(SCHEMA, checkpoint=place.folder / "other").landed == 1
        real(landings, batch, is_again=is_again)

    monkeypatch.setattr(Landings, "write", write)
    assert place.refuses(SCHEMA) == (
        f"land: another landing into {place.table} runs at the same time, and was first; land again "
        "when it has ended"
    )
    assert place.land(SCHEMA) == LandingResult(0, 0, 0, None, None)
    assert place.rows("arrival", "id") == [(1, 1), (2, 2)]
