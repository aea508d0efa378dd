"""A copy of the demo's project in a folder of its own, and the commands that are timed on it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.project import ROOT

_PARTS = (
    "dbt_project.yml", "macros", "models", "profiles", "seeds", "snapshots", "tests/generic",
)  # fmt: skip


@dataclass(frozen=True)
class Tick:
    """One `dbt run` with nothing new: seconds on the clock, and of each model."""

    wall: float
    models: tuple[float, ...]

    @property
    def per_model(self) -> float:
        return sum(self.models) / len(self.models)


class Demo:
    """The project in `folder` with everything it builds; `months` of 2013."""

    def __init__(self, folder: Path, months: int) -> None:
        self.project, self.home, self.months = folder / "project", folder / "home", months
        self._log = folder / "commands.log"
        for part in _PARTS:
            source, copy = ROOT / part, self.project / part
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copytree(source, copy) if source.is_dir() else shutil.copy(source, copy)

    def demo(self) -> float:
        """`strandline demo`, in seconds."""
        return self._timed("strandline", "demo", "--months", str(self.months))

    def land(self) -> float:
        """Lands the months, in seconds."""
        return self._timed("python", "-m", "bench.tick.landed", str(self.months))

    def build(self, target: str) -> float:
        """Builds every table of what has landed, without its tests, in seconds."""
        return sum(self._timed("dbt", it, "--target", target) for it in ("seed", "run", "snapshot"))

    def tick(self, target: str) -> Tick:
        """`dbt run`. Raises RuntimeError if it wrote anything: then something was new."""
        before = self._commits()
        wall = self._timed("dbt", "run", "--target", target)
        written = self._commits() - before
        if written:
            raise RuntimeError(f"`dbt run` with nothing new wrote {sorted(written)}")
        results = json.loads((self.project / "target" / "run_results.json").read_text())["results"]
        return Tick(wall, tuple(one["execution_time"] for one in results))

    @contextmanager
    def served(self) -> Iterator[None]:
        """The warm server; neither its start nor its stop is timed."""
        self._timed("strandline", "serve")
        try:
            yield
        finally:
            self._timed("strandline", "serve", "--stop")

    def _commits(self) -> set[str]:
        """The commits of all tables."""
        logs = self.home.glob("**/_delta_log/*.json")
        return {str(log.relative_to(self.home)) for log in logs}

    def _timed(self, command: str, *args: str) -> float:
        """Runs a command of this environment in the project. Raises RuntimeError if it fails."""
        program = Path(sys.executable).with_name(command)
        env = os.environ | {"STRANDLINE_HOME": str(self.home), "DBT_PROFILES_DIR": "profiles"}
        env |= {"PYTHONPATH": str(ROOT)}
        began = time.monotonic()
        with self._log.open("a") as out:
            out.write(f"$ {command} {' '.join(args)}\n")
            out.flush()
            done = subprocess.run(
                [str(program), *args], cwd=self.project, stdout=out, stderr=subprocess.STDOUT,
                env=env,
            )  # fmt: skip
        took = time.monotonic() - began
        if done.returncode:
            tail = self._log.read_text().splitlines()[-15:]
            raise RuntimeError("\n".join([f"{command} {' '.join(args)} failed:", *tail]))
        return took
