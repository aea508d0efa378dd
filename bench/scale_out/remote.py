"""The other end of a driver's process: asks it, and ends it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.project import ROOT
from bench.scale_out.project import Place

from strandline.spark.jvm import end_process

_END_SECONDS = 90


class Remote:
    """A driver in a process of its own."""

    def __init__(self, process: subprocess.Popen[str], log: Path) -> None:
        self._process, self._log = process, log

    def ask(self, do: str, **arguments: Any) -> Any:
        """What the driver answers. Raises RuntimeError with its error."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps({"do": do, **arguments}), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the driver has ended; its log is {self._log}")
        said = json.loads(line)
        if "error" in said:
            raise RuntimeError(f"{do} failed: {said['error']}")
        return said["answer"]


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
        # In a line, not on the command line: the settings hold the secret of the cluster.
        told = [asdict(place) for place in places]
        remote.ask("open", folder=str(folder), schema=schema, places=told)
        yield remote
    except BaseException:
        process.kill()  # its JVM watches it, and ends
        raise
    finally:
        end_process(process, _END_SECONDS)
