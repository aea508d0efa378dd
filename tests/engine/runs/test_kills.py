"""Crashes, and two runs at once: the tables end as if nothing had happened."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import Any

import pytest
from tests.conftest import ROOT
from tests.engine.runs.definition import Definition, simple
from tests.engine.runs.histories import SECOND, _at
from tests.engine.runs.kill import twice_at_once

COLUMNS = {"arrival": "bigint", "id": "string", "symbol": "string", "ts": "timestamp", "n": "int"}
KEPT = Definition(
    "kept",
    COLUMNS,
    simple(total="sum(n)", c="count(*)", now="n"),
    every=("hours", "days"),
    keys=("symbol",),
    event_id="id",
)
COMMITS = 4  # two tables; the late events and their watermark


def batch(number: int) -> list[dict[str, Any]]:
    """Five events of a year of their own (what one batch breaks, no later one repairs); two count for nothing."""
    second, arrival = _at(2000 + number, 3, 5, 7, 8, 9), number * 10
    counted = [
        {
            "arrival": arrival + n,
            "id": f"{number}-{n}",
            "symbol": "AB"[n % 2],
            "n": n,
            "ts": (second + 40 * n) * SECOND,
        }
        for n in range(3)
    ]
    return [
        *counted,
        counted[0] | {"arrival": arrival + 3},
        counted[1] | {"arrival": arrival + 4, "ts": None},
    ]


@pytest.mark.soak  # tests/e2e/crash kills processes, at any time
def test_a_crash_after_any_commit_is_made_good_by_the_next_run(runs: Any) -> None:
    project = runs("kills", KEPT)
    project.land("kept", batch(0))
    assert project.run_killed(2, before=False), "the first build: two tables of three are there"
    project.run()
    for commit in range(1, COMMITS + 1):
        project.land("kept", batch(commit))
        assert project.run_killed(commit, before=False), f"a run makes {COMMITS} commits"
    project.land("kept", batch(COMMITS + 1))
    assert not project.run_killed(COMMITS + 1, before=False), "it makes no more than that"
    project.compare()
    assert set(project.run().values()) == {"nothing new"}


@pytest.mark.soak
def test_a_second_process_is_refused_in_one_line_and_nothing_is_lost(runs: Any) -> None:
    project = runs("met", KEPT)
    project.land("kept", batch(0))
    project.run()
    project.land("kept", batch(1))
    versions = project.versions()

    call = [
        sys.executable,
        "-c",
        "from dbt.cli.main import cli; cli()",
        "run",
        "--project-dir",
        str(project.folder),
    ]
    call += [
        "--profiles-dir",
        str(project.folder / "profiles"),
        "--target-path",
        str(project.folder / "other"),
    ]
    second = subprocess.run(
        call, env=os.environ | {"PYTHONPATH": str(ROOT / "src")}, capture_output=True, text=True
    )
    said = [
        line
        for line in (second.stdout + second.stderr).splitlines()
        if "in use by another run" in line
    ]
    assert second.returncode != 0
    assert said, second.stdout + second.stderr
    assert f"process {os.getpid()}" in said[0]
    assert project.versions() == versions

    project.run()
    project.compare()


@pytest.mark.soak  # tests/e2e/crash has two processes at once
@pytest.mark.parametrize("definition", [KEPT], ids=["kept"])
def test_two_runs_that_start_from_one_state_count_each_event_once(
    runs: Any, definition: Definition
) -> None:
    """Whatever the second run writes, another one has just written: it says so, and writes nothing."""
    project = runs("twins", definition)
    project.land(definition.name, batch(0))
    project.run()
    project.land(definition.name, batch(1))
    messages = ""
    # What has failed is whole the second time, and the days come after the hours.
    for _ in range(2):
        with twice_at_once(project.spark, project.schema):
            messages += project.fails("--threads", "1")
    for table in ("kept_hours", "kept_late", "kept_days"):
        assert (
            f"{table}: another run has written to this table since this run read its watermark; "
            "nothing was written; run it again"
        ) in messages
    project.run()
    project.compare()


@pytest.mark.soak
def test_an_aggregation_that_fails_takes_nothing_from_its_neighbour(runs: Any) -> None:
    """Twice the same failure, in the session that writes the neighbour's late events after it."""
    failing = Definition("a_failing", {"arrival": "bigint", "ts": "timestamp", "n": "bigint"}, simple(total="sum(n)"),
                         every=("days",))  # fmt: skip
    sound = failing.but(name="b_sound")
    project = runs("neighbours", failing, sound)
    at, largest = _at(2018, 1, 5) * SECOND, 2**63 - 1
    project.land("a_failing", [{"arrival": 1, "ts": at, "n": largest}])
    project.land("b_sound", [{"arrival": 1, "ts": at, "n": 1}])
    project.run("--threads", "1")
    project.land("a_failing", [{"arrival": 2, "ts": at, "n": 1}])
    for arrival in (2, 3):
        project.land("b_sound", [{"arrival": arrival, "ts": None, "n": 1}])
        assert "a sum of n is beyond the range of its type" in project.fails("--threads", "1")
    assert sorted(project.read_late("b_sound")) == [
        ("no event time", 2, None, 1),
        ("no event time", 3, None, 1),
    ]
