"""`strandline follow` on the project that `init` writes: each file lands once, each alert is sent once."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.conftest import Dbt
from tests.engine.notify.receiver import HttpReceiver

from strandline.cli.main import cli

HEADER = "machine,read_at,temperature\n"
LAND = (
    "--source incoming/readings --format csv --table mill_raw.readings"
    " --schema-file models/readings/readings.ddl"
)
NOW = datetime.now(timezone.utc).replace(minute=0, second=0, microsecond=0)


def hours(machine: str, *temperatures: float) -> str:
    """A reading for each of the last hours, the newest one five hours ago."""
    first = NOW - timedelta(hours=4 + len(temperatures))
    return HEADER + "".join(
        f"{machine},{first + timedelta(hours=i):%Y-%m-%dT%H:%M:%SZ},{temperature}\n"
        for i, temperature in enumerate(temperatures)
    )


@pytest.fixture
def mill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("NO_PROXY", "*")
    (tmp_path / "readings.csv").write_text(hours("press_1", 60.5))
    folder = tmp_path / "mill"
    folder.mkdir()
    command = [
        "init",
        "--csv",
        str(tmp_path / "readings.csv"),
        "--keys",
        "machine",
        "--above",
        "80",
    ]
    done = CliRunner().invoke(cli, [*command, "--yes", "--project-dir", str(folder)])
    assert done.exit_code == 0, done.output
    Dbt(tmp_path / "work", profiles_dir=folder)("deps", project_dir=folder)
    (folder / "incoming" / "readings").mkdir(parents=True)
    return folder


@pytest.fixture
def receiver() -> Iterator[HttpReceiver]:
    receiver = HttpReceiver()
    yield receiver
    receiver.stop()


class Following:
    """A running `strandline follow`, of which each line is a tick."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.ticks: list[dict[str, Any]] = []

    def until(self, is_seen: Callable[[], bool]) -> None:
        assert self.process.stdout is not None
        while not is_seen():
            line = self.process.stdout.readline()
            assert line, "it has ended"
            self.ticks.append(json.loads(line))
            assert not self.ticks[-1]["faults"]

    def landed(self) -> int:
        return sum(each["landed"] for tick in self.ticks for each in tick["landed"])

    def stop(self) -> None:
        """SIGTERM, as a service manager sends it, also to the JVM's parent's group."""
        os.killpg(self.process.pid, signal.SIGTERM)
        rest, _ = self.process.communicate(timeout=120)
        self.ticks += [json.loads(line) for line in rest.splitlines()]
        assert self.process.returncode == 0


@contextmanager
def following(folder: Path, receiver: HttpReceiver) -> Iterator[Following]:
    command = ["follow", "--every", "1 second", "--land", LAND, "--json"]
    env = {**os.environ, "STRANDLINE_NOTIFY_URL_OPS": receiver.url()}
    process = subprocess.Popen(
        [Path(sys.executable).with_name("strandline"), *command], cwd=folder, env=env, text=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    try:
        yield Following(process)
    finally:
        process.kill()
        process.wait()


@pytest.mark.soak  # two starts of Spark with first builds: a minute and a half
def test_files_land_once_and_alerts_are_sent_once(mill: Path, receiver: HttpReceiver) -> None:
    incoming = mill / "incoming" / "readings"
    with following(mill, receiver) as running:
        running.until(lambda: len(running.ticks) == 2)
        assert running.landed() == 0
        (incoming / "one.csv").write_text(hours("press_1", 60.5, 84.5, 61.0))
        running.until(lambda: len(receiver.deliveries) == 1)
        assert running.landed() == 3
        (incoming / "two.csv").write_text(hours("press_2", 90.5, 62.0))
        running.until(lambda: running.landed() == 5)
        running.stop()
    # What was not sent before it stopped is sent after it has begun again, and no other twice.
    with following(mill, receiver) as running:
        running.until(lambda: len(receiver.deliveries) == 2)
        running.until(lambda: len(running.ticks) == 2)
        assert running.landed() == 0
        assert [each["waited"] for each in running.ticks[-1]["sent"]] == [0]
        running.stop()
    assert [json.loads(each.body["keys"])["machine"] for each in receiver.deliveries] == [
        "press_1",
        "press_2",
    ]
