"""The dbt project that is measured: written where it is wanted, run inside this process."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CORES = 2  # of each engine
ROOT = Path(__file__).resolve().parents[2]
DURATIONS = ("seconds", "minutes", "hours", "days", "months", "years")
# The definitions by name, and what they say beside the common arguments.
TRADES, BUFFERED = "trades", "buffered"
DEFINITIONS = {TRADES: "", BUFFERED: ", buffer_size=5"}

PROJECT = """
name: bench
version: "1.0"
profile: bench
flags: {send_anonymous_usage_stats: false}
"""

# All compiler tiers and a heap for millions of rows; one model after the other, since each feeds
# the next.
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
      java_options: ""
      server_side_parameters: {{spark.driver.memory: {memory}}}
      threads: 1
"""

MACRO = """
{{% macro {name}_aggregation() %}}
    {{{{ return(strandline.aggregation(
        name='{name}', source=source('feed', 'events'),
        select={{'avg_price': 'avg(price)', 'total': 'sum(quantity)', 'low': 'min(price)',
                'high': 'max(price)', 'events': 'count(*)'}},
        group_by=['symbol'], aggregate_by='ts', every='sec...year'{more})) }}}}
{{% endmacro %}}
"""


@dataclass(frozen=True)
class Run:
    """Seconds of one dbt run: on the clock, and the sum of its models' execution times."""

    wall: float
    work: float


class Project:
    """A project in `folder` on the warehouse in `home`, its tables in `schema`."""

    def __init__(
        self, folder: Path, home: Path, schema: str, names: Iterable[str], memory: str
    ) -> None:
        self.folder, self.schema = folder, schema
        files = {
            "dbt_project.yml": PROJECT,
            "packages.yml": f"packages:\n  - local: {ROOT}\n",
            "profiles/profiles.yml": PROFILES.format(
                home=home, schema=schema, memory=memory, cores=CORES
            ),
            "models/_sources.yml": (
                f"sources: [{{name: feed, schema: {schema}, tables: [{{name: events}}]}}]\n"
            ),
        }
        for name in names:
            more = DEFINITIONS[name]
            files[f"macros/{name}_aggregation.sql"] = MACRO.format(name=name, more=more)
            for duration in DURATIONS:
                body = f"strandline.aggregation_table({name}_aggregation(), '{duration}')"
                files[f"models/{name}_{duration}.sql"] = f"{{{{ {body} }}}}\n"
        shutil.rmtree(folder, ignore_errors=True)
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text)

    def session(self) -> SparkSession:
        """A session beside dbt's, with the same settings, on the same driver."""
        from strandline.spark import session_for

        return session_for(self.folder, None, self.folder / "profiles")

    def deps(self) -> None:
        self._dbt("deps")

    def run(self, name: str = TRADES, full_refresh: bool = False) -> Run:
        """Runs the six models of one definition."""
        more = ["--full-refresh"] if full_refresh else []
        began = time.monotonic()
        result = self._dbt("run", "--select", f"{name}_*", *more)
        wall = time.monotonic() - began
        if len(result.results) != len(DURATIONS):
            raise RuntimeError(f"dbt ran {len(result.results)} models, {len(DURATIONS)} were meant")
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
