"""What a benchmark works with: a folder, a dbt project in it, its source, and queries by hand."""

from __future__ import annotations

import json
import logging
import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.results import ROOT, is_quick

from strandline.spark.settings import SHORT_RUN_JAVA_OPTIONS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CORES = 2  # of each engine
BY_HAND_SCHEMA = "by_hand"  # where peers in Spark write their tables

PROJECT = """
name: bench
version: "1.0"
profile: bench
flags: {send_anonymous_usage_stats: false}
"""

# One model after the other, since each reads the one before.
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


@contextmanager
def workplace(home: Path | None = None) -> Iterator[Path]:
    """The folder in which a benchmark works, and a quiet py4j; Spark is closed at the end.

    Without a `home` the folder is temporary.
    """
    from strandline.spark import close

    logging.getLogger("py4j").setLevel(logging.CRITICAL)
    folder = (home or Path(tempfile.mkdtemp(prefix="strandline-bench-"))).resolve()
    try:
        yield folder
    finally:
        close()
        if home is None:
            shutil.rmtree(folder, ignore_errors=True)


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
            messages = [str(done.exception or "")]
            messages += [str(each.message) for each in getattr(done.result, "results", None) or []]
            raise RuntimeError(f"dbt {' '.join(args)} failed: {' | '.join(filter(None, messages))}")
        return done.result


def make_source(spark: SparkSession, table: str, columns: str, rows: str) -> None:
    """The table with the rows of a query; one that is there already is taken as it was."""
    if spark.catalog.tableExists(table):
        # Version 1 is the whole series: what later runs appended is taken away again.
        spark.sql(f"restore table {table} to version as of 1")
        return
    spark.sql(f"create schema if not exists {table.split('.')[0]}")
    spark.sql(f"create table {table} ({columns}) using delta")
    spark.sql(f"insert into {table} {rows}")


def append(spark: SparkSession, table: str, rows: str) -> None:
    """The rows of a query more, in one commit."""
    spark.sql(f"insert into {table} {rows}")


def export(spark: SparkSession, table: str, folder: Path) -> None:
    """The rows as plain Parquet, once; times without a zone, which is what others read fastest."""
    if (folder / "_SUCCESS").exists():
        return
    rows = spark.table(table)
    plain = (
        f"cast({name} as timestamp_ntz) as {name}" if kind == "timestamp" else name
        for name, kind in rows.dtypes
    )
    rows.selectExpr(*plain).write.mode("overwrite").parquet(str(folder))


def spark_query(spark: SparkSession, sql: str, table: str) -> None:
    """The rows of a query as a Delta table, in the place of an earlier one."""
    spark.sql(f"create schema if not exists {table.split('.')[0]}")
    spark.sql(sql).write.format("delta").mode("overwrite").saveAsTable(table)


def duckdb_query(sql: str, file: Path) -> None:
    """The rows of a query as a Parquet file."""
    import duckdb

    with duckdb.connect(config={"threads": CORES}) as database:
        database.execute(f"copy ({sql}) to '{file}' (format parquet)")
