"""A dbt project that is measured: written where it is wanted, run inside this process."""

from __future__ import annotations

import json
import os
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.occasion import is_quick

from strandline.spark.settings import SHORT_RUN_JAVA_OPTIONS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CORES = 2  # of each engine
ROOT = Path(__file__).resolve().parents[1]

PROJECT = """
name: bench
version: "1.0"
profile: bench
flags: {send_anonymous_usage_stats: false}
"""

# One model after the other, since each feeds the next.
PROFILES = """
bench:
  target: local
  outputs:
    local:
      type: strandline
      method: session
      master: local[{cores}]
      schema: {schema}
      home: "{home}"
      java_options: "{java}"
      server_side_parameters: {{spark.driver.memory: {memory}}}
      threads: 1
"""


def _java(memory: str) -> str:
    """All compiler tiers and a heap for millions of rows, taken at once.

    A collection between two engines would give it back, and who comes next would wait for it; so
    would who first uses it. A quick run is over before any of that pays.
    """
    return SHORT_RUN_JAVA_OPTIONS if is_quick() else f"-Xms{memory} -XX:+AlwaysPreTouch"


@dataclass(frozen=True)
class Run:
    """Seconds of one dbt run: on the clock, and the sum of its models' execution times."""

    wall: float
    work: float


class DbtProject:
    """A project in `folder` on the warehouse in `home`, its tables and its source in `schema`.

    `files` are its macros and models; the source is `source('feed', <table>)`.
    """

    def __init__(
        self, folder: Path, home: Path, schema: str, memory: str, table: str, files: dict[str, str]
    ) -> None:
        self.folder, self.schema = folder, schema
        common = {
            "dbt_project.yml": PROJECT,
            "packages.yml": f"packages:\n  - local: {ROOT}\n",
            "profiles/profiles.yml": PROFILES.format(
                home=home, schema=schema, memory=memory, cores=CORES, java=_java(memory)
            ),
            "models/_sources.yml": (
                f"sources: [{{name: feed, schema: {schema}, tables: [{{name: {table}}}]}}]\n"
            ),
        }
        shutil.rmtree(folder, ignore_errors=True)
        for name, text in (common | files).items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)

    def session(self) -> SparkSession:
        """A session beside dbt's, with the same settings, on the same driver."""
        from strandline.spark import session_for

        return session_for(self.folder, None, self.folder / "profiles")

    def deps(self) -> None:
        self._dbt("deps")

    def select(
        self, models: str, count: int, full_refresh: bool = False, variables: dict | None = None
    ) -> Run:
        """Runs so many models. Raises RuntimeError when they are not as many, or one fails."""
        more = ["--full-refresh"] if full_refresh else []
        more += ["--vars", json.dumps(variables)] if variables else []
        began = time.monotonic()
        result = self._dbt("run", "--select", models, *more)
        wall = time.monotonic() - began
        if len(result.results) != count:
            raise RuntimeError(f"dbt ran {len(result.results)} models, {count} were meant")
        return Run(wall, sum(each.execution_time for each in result.results))

    def _dbt(self, *args: str) -> Any:
        from dbt.cli.main import dbtRunner

        target = () if args[0] == "deps" else ("--target-path", str(self.folder / "target"))
        places = ("--project-dir", str(self.folder), "--profiles-dir", f"{self.folder}/profiles")
        before = Path.cwd()
        try:
            done = dbtRunner().invoke(
                [*args, *places, "--log-path", str(self.folder / "logs"), "--quiet", *target]
            )
        finally:
            os.chdir(before)  # dbt moves into the project
        if not done.success:
            told = [str(done.exception or "")]
            told += [str(each.message) for each in getattr(done.result, "results", None) or []]
            raise RuntimeError(f"dbt {' '.join(args)} failed: {' | '.join(filter(None, told))}")
        return done.result
