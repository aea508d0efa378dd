"""A driver in a process of its own, with one home: both ends of a pipe with a line of JSON each.

A process can have one home only, so each master has one of these. `driver` starts it and sends
requests; `python -m bench.scale_out.driver` executes them. The first line says what to open. What
dbt and Spark print goes to standard error.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.results import ROOT
from bench.rounds import processor
from bench.scale_out.project import (
    SOURCE,
    Place,
    Project,
    append_events,
    compared,
    described,
    make_events,
)

from strandline.spark import close
from strandline.spark.jvm import end_process

_END_SECONDS = 90


class Remote:
    """A driver in a process of its own."""

    def __init__(self, process: subprocess.Popen[str], log: Path) -> None:
        self._process, self._log = process, log

    def call(self, do: str, **arguments: Any) -> Any:
        """The driver's answer to one request. Raises RuntimeError with its error."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps({"do": do, **arguments}), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the driver has ended; its log is {self._log}")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(f"{do} failed: {answer['error']}")
        return answer["answer"]


@contextmanager
def driver(folder: Path, schema: str, places: list[Place]) -> Iterator[Remote]:
    """A driver for these places, which have one master; it ends with its input."""
    folder.mkdir(parents=True, exist_ok=True)
    log = folder / "driver.log"
    command = [sys.executable, "-m", "bench.scale_out.driver"]
    paths = [str(ROOT), str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))}
    with log.open("w") as errors:
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True,
            env=environment, start_new_session=True,
        )  # fmt: skip
    try:
        remote = Remote(process, log)
        # In a line, not on the command line: the settings have the secret of the cluster.
        opened = [asdict(place) for place in places]
        remote.call("open", folder=str(folder), schema=schema, places=opened)
        yield remote
    except BaseException:
        process.kill()  # its JVM watches it, and ends
        raise
    finally:
        end_process(process, _END_SECONDS)


class Driver:
    """The requests that a line can make: one method each."""

    def __init__(self, folder: Path, schema: str, places: list[Place]) -> None:
        self._source = f"{schema}.{SOURCE}"
        self._projects = {
            place.name: Project(folder, folder / "home", schema, place) for place in places
        }
        for project in self._projects.values():
            project.deps()
        self._spark = next(iter(self._projects.values())).session()

    def make(self, number: int, days: float) -> None:
        make_events(self._spark, self._source, number, days)

    def append(self, number: int, days: float, at: int, count: int) -> None:
        append_events(self._spark, self._source, number, days, at, count)

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
        opened = None
        for line in sys.stdin:
            request = json.loads(line)
            try:
                if opened is None:
                    places = [Place(**each) for each in request["places"]]
                    opened = Driver(Path(request["folder"]), request["schema"], places)
                    answer = {"answer": None}
                else:
                    action: Callable[..., Any] = getattr(opened, request.pop("do"))
                    answer = {"answer": action(**request)}
            except Exception as error:  # goes to the other end
                answer = {"error": f"{type(error).__name__}: {error}"}
            print(json.dumps(answer), file=answers, flush=True)
    finally:
        close()


if __name__ == "__main__":
    main()
