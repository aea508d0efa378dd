"""A process that lands is killed at random times, with its JVM; then nothing is lost or doubled."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.engine.landing.landing_child import TABLE

CHILD = Path(__file__).with_name("landing_child.py")
FILES, ROWS = 20, 50  # files that come before each kill, and rows in each; one row is faulty
SEED, KILLS = 20131104, 10
LONGEST = 12.0  # seconds: a landing that nothing disturbs is done by then, most are sooner


@pytest.mark.soak
def test_killed_at_random_times(spark, tmp_path: Path) -> None:
    chance = random.Random(SEED)  # noqa: S311
    when = []
    for kill in range(KILLS):
        write_files(tmp_path / "source", kill)
        # Stratified: some of the kills are early, some late.
        seconds = LONGEST * (kill + chance.random()) / KILLS
        when.append(f"{seconds:.1f} s ({killed_after(seconds, tmp_path)})")
    write_files(tmp_path / "source", KILLS)
    last = landed(tmp_path)

    ids = [n for n in range((KILLS + 1) * FILES * ROWS) if n % ROWS]
    faulty = [n for n in range((KILLS + 1) * FILES * ROWS) if n % ROWS == 0]
    events = rows_of(spark, tmp_path, TABLE, "id", "arrival")
    assert sorted(n for n, _ in events) == ids
    assert sorted(arrival for _, arrival in events) == list(range(1, len(ids) + 1))
    bad = rows_of(spark, tmp_path, f"{TABLE}_quarantine", "raw", "arrival")
    assert sorted(raw for raw, _ in bad) == sorted(f"bad {n}" for n in faulty)
    assert sorted(arrival for _, arrival in bad) == list(range(1, len(faulty) + 1))
    assert last["arrival_to"] == len(ids)
    print(f"\nkilled after {', '.join(when)}: received {len(ids) + len(faulty):,} = landed "
          f"{len(ids):,} + quarantined {len(faulty):,}; 0 failures of {KILLS} kills: below "
          f"{3 / KILLS:.0%} at 95 %")  # fmt: skip


@pytest.mark.soak
@pytest.mark.parametrize("table", ["killed", "killed_quarantine"])
@pytest.mark.parametrize("seen", ["_delta_log", f"_delta_log/{0:020}.json"])
def test_killed_when_a_table_is_created(spark, tmp_path: Path, table: str, seen: str) -> None:
    write_files(tmp_path / "source", 0)
    process = start(tmp_path)
    path = tmp_path / "home" / "warehouse" / "raw.db" / table / seen
    while not path.exists():
        assert process.poll() is None, f"it has ended without {path}"
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    landed(tmp_path)
    assert sorted(rows_of(spark, tmp_path, TABLE, "id")) == [
        (n,) for n in range(FILES * ROWS) if n % ROWS
    ]
    assert len(rows_of(spark, tmp_path, f"{TABLE}_quarantine", "raw")) == FILES


def write_files(source: Path, kill: int) -> None:
    """The files that come before a kill: they are written aside, then renamed."""
    source.mkdir(exist_ok=True)
    for file in range(kill * FILES, (kill + 1) * FILES):
        rows = range(file * ROWS, (file + 1) * ROWS)
        lines = [str(n) if n % ROWS else f"bad {n}" for n in rows]
        aside = source / f"_{file:05}.csv"
        aside.write_text("\n".join(["id", *lines, ""]))
        aside.rename(source / f"{file:05}.csv")


def start(folder: Path) -> subprocess.Popen[str]:
    """A landing whose Spark is ready."""
    process = subprocess.Popen(
        [sys.executable, CHILD, folder], stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stdout.readline() == "ready\n"
    return process


def killed_after(seconds: float, folder: Path) -> str:
    """Kill a landing so long after its Spark is ready; what it was doing."""
    process = start(folder)
    time.sleep(seconds)
    os.killpg(process.pid, signal.SIGKILL)
    return "done" if process.communicate()[0] else "at work"


def landed(folder: Path) -> dict:
    """What an undisturbed landing says it has done."""
    process = start(folder)
    said, _ = process.communicate(timeout=300)
    assert process.returncode == 0
    return json.loads(said)


def rows_of(spark, folder: Path, table: str, *columns: str) -> list[tuple]:
    """The rows of a table of the other process, by its folder."""
    schema, name = table.split(".")
    path = folder / "home" / "warehouse" / f"{schema}.db" / name
    return [
        tuple(row) for row in spark.read.format("delta").load(str(path)).select(*columns).collect()
    ]
