"""Times a dbt command: start-up (until its first node starts) and work (the rest)."""

from __future__ import annotations

import json
import os
import shlex
import statistics
import subprocess
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path


@dataclass(frozen=True)
class Times:
    """Seconds."""

    wall: float
    startup: float

    @property
    def work(self) -> float:
        return self.wall - self.startup


def run(command: str, env: dict[str, str], log: Path) -> float:
    """Runs a shell command, its output in `log`; gives its seconds. Raises RuntimeError."""
    began = time.monotonic()
    with log.open("a") as out:
        out.write(f"$ {command}\n")
        out.flush()
        done = subprocess.run(
            shlex.split(command), env=os.environ | env, stdout=out, stderr=subprocess.STDOUT
        )
    if done.returncode != 0:
        raise RuntimeError(f"`{command}` ended with {done.returncode}; its output is in {log}")
    return time.monotonic() - began


def time_dbt(command: str, env: dict[str, str], work: Path) -> Times:
    """Runs a dbt command and reads from its run results when its first node started."""
    target = work / "target"
    began = datetime.now(timezone.utc)
    wall = run(command, env | {"DBT_TARGET_PATH": str(target)}, work / "dbt.log")
    results = json.loads((target / "run_results.json").read_text())["results"]
    starts = [step["started_at"] for result in results for step in result["timing"]]
    if not starts:
        raise RuntimeError(f"`{command}` ran no node: there is nothing to measure")
    first = datetime.fromisoformat(min(starts).replace("Z", "+00:00"))
    return Times(wall, (first - began).total_seconds())


def median(times: list[Times]) -> Times:
    """The medians of wall and start-up, each for itself."""
    return Times(
        statistics.median(each.wall for each in times),
        statistics.median(each.startup for each in times),
    )
