"""The demo as a person meets it: a process of its own, in a clone of its own."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.conftest import ONE_OF_TWO

from strandline.spark.jars import cache_dir
from strandline.spark.settings import SHORT_RUN_JAVA_OPTIONS

ROOT = Path(__file__).parents[3]
PARTS = ("dbt_project.yml", "macros", "models", "seeds", "snapshots", "profiles")
TESTS = ("tests/generic",)
BIN = Path(sys.executable).parent
DEMO = ("strandline", "demo")
MINUTES = 60


@dataclass(frozen=True)
class Clone:
    """A clone with a home of its own; the demo runs on two months, with the day that comes late."""

    folder: Path

    @classmethod
    def made_in(cls, folder: Path) -> Clone:
        for part in (*PARTS, *TESTS):
            source, target = ROOT / part, folder / part
            if source.is_dir():
                shutil.copytree(source, target)
            elif source.exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, target)
        profiles = folder / "profiles" / "profiles.yml"
        threads, java = "threads: 2\n", f"java_options: {SHORT_RUN_JAVA_OPTIONS} {ONE_OF_TWO}\n"
        text = profiles.read_text()
        profiles.write_text(text.replace(threads, f"{threads}      {java}", 1))
        return cls(folder)

    def demo(self) -> str:
        """Run the demo to its end; what it printed."""
        return self._end_of(self._start(*DEMO))

    def dbt(self, *arguments: str) -> str:
        """Run dbt on what the demo has built; what it printed."""
        return self._end_of(self._start("dbt", *arguments, "--profiles-dir", "profiles"))

    def query(self, queries: list[str]) -> list[tuple[tuple[str, ...], list[tuple[str, ...]]]]:
        """The header and the rows of each query, all texts."""
        said = self._end_of(
            self._start("python", "-m", "tests.e2e.demo.queries"), json.dumps(queries)
        )
        [results] = [line for line in said.splitlines() if line.startswith("results: ")]
        return [
            (tuple(header), [tuple(row) for row in rows])
            for header, rows in json.loads(results.removeprefix("results: "))
        ]

    def demo_killed_when(self, commit: Path) -> None:
        """Start the demo and kill -9 it, its JVM too, as soon as this commit exists."""
        process = self._start(*DEMO)
        end = time.monotonic() + 10 * MINUTES
        try:
            while not commit.exists():
                assert process.poll() is None, f"ended too early: {process.communicate()[0]}"
                assert time.monotonic() < end, f"{commit.name} was not written"
                time.sleep(0.02)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()

    def log_of(self, table: str) -> Path:
        """The folder of a table's commits, without Spark or the demo itself."""
        schema, name = table.split(".")
        return self.folder / ".strandline" / "warehouse" / f"{schema}.db" / name / "_delta_log"

    def commit(self, table: str, version: int) -> Path:
        return self.log_of(table) / f"{version:020}.json"

    def tables(self) -> set[str]:
        """Every table that has a commit, as schema.name."""
        logs = self.folder.glob(".strandline/warehouse/*.db/*/_delta_log")
        return {f"{log.parts[-3].removesuffix('.db')}.{log.parts[-2]}" for log in logs}

    def commits(self) -> dict[str, int]:
        """Each commit of each table, with the time at which it was written."""
        logs = self.folder.glob(".strandline/warehouse/*/*/_delta_log/*.json")
        return {str(log.relative_to(self.folder)): log.stat().st_mtime_ns for log in logs}

    def _end_of(self, process: subprocess.Popen[str], given: str = "") -> str:
        said, _ = process.communicate(given, timeout=15 * MINUTES)
        assert process.returncode == 0, said
        return said

    def _start(self, program: str, *arguments: str) -> subprocess.Popen[str]:
        home = self.folder / "home"
        home.mkdir(exist_ok=True)
        # The jars of Delta are fetched once for all tests; everything else is this clone's own.
        own = {"HOME": str(home), "STRANDLINE_CACHE": str(cache_dir()), "PYTHONPATH": str(ROOT)}
        env = {**os.environ, **own}
        env.pop("STRANDLINE_HOME")  # where the other tests have their tables
        return subprocess.Popen(
            [BIN / program, *arguments],
            cwd=self.folder,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )


@dataclass(frozen=True)
class Demonstrated:
    """A clone in which the demo ran through, and what it said."""

    clone: Clone
    said: str


@pytest.fixture(scope="session")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Demonstrated:
    clone = Clone.made_in(tmp_path_factory.mktemp("unbroken"))
    return Demonstrated(clone, clone.demo())


@pytest.fixture
def another_clone(tmp_path: Path) -> Clone:
    return Clone.made_in(tmp_path / "another")
