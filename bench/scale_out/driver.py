"""A process with one driver and one home, which does what it reads, a line of JSON each.

`python -m bench.scale_out.driver`: a process can have one home only, so each master has one of
these. The first line says what to open. What dbt and Spark print goes to standard error.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.measure import processor
from bench.scale_out import feed
from bench.scale_out.project import SOURCE, Place, Project
from bench.scale_out.tables import compared, described

from strandline.spark import close


class Driver:
    """What the lines ask for: a method each."""

    def __init__(self, folder: Path, schema: str, places: list[Place]) -> None:
        self._source = f"{schema}.{SOURCE}"
        self._projects = {
            place.name: Project(folder, folder / "home", schema, place) for place in places
        }
        for project in self._projects.values():
            project.deps()
        self._spark = next(iter(self._projects.values())).session()

    def make(self, number: int, days: float) -> None:
        feed.make(self._spark, self._source, number, days)

    def append(self, number: int, days: float, at: int, count: int) -> None:
        feed.append(self._spark, self._source, number, days, at, count)

    def run(self, place: str, models: list[str], full_refresh: bool = False) -> dict[str, Any]:
        """Seconds on the clock, of the driver's processor, and of each model."""
        used, began = processor(self._spark), time.monotonic()
        took = self._projects[place].run(tuple(models), full_refresh)
        return {
            "wall": time.monotonic() - began,
            "processor": processor(self._spark) - used,
            "models": [asdict(each) | {"seconds": each.seconds} for each in took],
        }

    def tables(self, place: str, models: list[str]) -> list[dict[str, Any]]:
        return [described(self._spark, place, model) for model in models]

    def compare(self, place: str, model: str, location: str) -> int:
        return compared(self._spark, model, f"{place}.{model}", f"delta.`{location}`")


def main() -> None:
    """Answers `{"answer": …}` or `{"error": …}` until its input ends."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the benchmark gets it, and closes the input
    try:
        driver = None
        for line in sys.stdin:
            asked = json.loads(line)
            try:
                if driver is None:
                    places = [Place(**each) for each in asked["places"]]
                    driver = Driver(Path(asked["folder"]), asked["schema"], places)
                    said = {"answer": None}
                else:
                    action: Callable[..., Any] = getattr(driver, asked.pop("do"))
                    said = {"answer": action(**asked)}
            except Exception as error:  # told to whoever asked
                said = {"error": f"{type(error).__name__}: {error}"}
            print(json.dumps(said), file=answers, flush=True)
    finally:
        close()


if __name__ == "__main__":
    main()
