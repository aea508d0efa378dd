"""`strandline follow` in a project of `strandline init`: files land and are aggregated as they come."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.conftest import profile

from strandline.cli.main import cli

HEADER = "machine,read_at,temperature\n"
ROWS = [f"press_1,2026-01-05T{hour:02}:00:00Z,{hour}.5\n" for hour in range(4)]
LAND = (
    "--source incoming/readings --format csv --table mill_raw.readings "
    "--schema-file models/readings/readings.ddl"
)
LONGEST = 300


@pytest.mark.soak
def test_files_are_in_the_tables_at_the_next_tick(tmp_path: Path, spark: Any) -> None:
    folder, home = tmp_path / "mill", tmp_path / "home"
    folder.mkdir()
    (tmp_path / "readings.csv").write_text(HEADER + ROWS[0])
    command = ["init", "--csv", str(tmp_path / "readings.csv"), "--above", "80", "--yes"]
    done = CliRunner().invoke(cli, [*command, "--project-dir", str(folder)])
    assert done.exit_code == 0, done.output
    (folder / "profiles.yml").write_text(profile("mill"))
    program, env = Path(sys.executable).parent, os.environ | {"STRANDLINE_HOME": str(home)}
    subprocess.run([program / "dbt", "deps"], cwd=folder, env=env, check=True, timeout=LONGEST)
    incoming = folder / "incoming" / "readings"
    incoming.mkdir(parents=True)
    (incoming / "0.csv").write_text(HEADER + ROWS[0])
    process = subprocess.Popen(
        [program / "strandline", "follow", "--every", "1 second", "--land", LAND, "--no-notify"],
        cwd=folder, env=env, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    try:
        ticks = []
        for number in range(1, 4):
            tick = said(process)
            ticks.append(tick.partition("  ")[2].partition(";")[0])
            if number < 3:
                aside = incoming / f"_{number}"
                aside.write_text(HEADER + ROWS[number])
                aside.rename(incoming / f"{number}.csv")
        process.send_signal(signal.SIGTERM)
        rest, _ = process.communicate(timeout=LONGEST)
    finally:
        process.kill()
    assert process.returncode == 0, rest
    assert "Stopping when the step in hand is done" in rest
    assert ticks[0] == "1 rows in mill_raw.readings"
    hours = spark.read.format("delta").load(
        str(home / "warehouse" / "mill.db" / "readings_aggregation_hours")
    )
    landed = sum(int(tick.split()[0]) for tick in ticks)
    assert landed >= 2
    assert hours.count() >= landed


def said(process: subprocess.Popen[str]) -> str:
    """The line of the next tick that is done."""
    assert process.stdout is not None
    while True:
        line = process.stdout.readline()
        assert line, f"it has ended with {process.wait()}"
        if "longer than" not in line:
            return line
