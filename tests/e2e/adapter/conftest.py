"""Small dbt projects in temporary folders, run in the one Spark of the test run."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from tests.conftest import Dbt

PROJECT = """
name: small
version: "1.0"
profile: strandline_demo
flags: {send_anonymous_usage_stats: false}
models: {+file_format: delta}
snapshots: {+file_format: delta}
seeds: {+file_format: delta}
"""

# For JVMs of their own beside the one of the test run: compile no more than they must.
QUICK = {"JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1"}


class Small:
    """A project of a few files in a schema of its own."""

    def __init__(self, folder: Path, schema: str, dbt: Dbt, spark: SparkSession) -> None:
        self.folder = folder
        self.schema = schema
        self._dbt = dbt
        self._spark = spark

    def dbt(self, *args: str):
        return self._dbt(*args, project_dir=self.folder)

    def fails(self, *args: str) -> str:
        return self._dbt.fails(*args, project_dir=self.folder)

    def rows(self, sql: str) -> list[tuple]:
        """The rows of a query; `{s}` is the project's schema. Sorted as text."""
        found = self._spark.sql(sql.replace("{s}", self.schema)).collect()
        return sorted((tuple(row) for row in found), key=repr)

    def tables(self) -> set[str]:
        """Names of all tables and views of the schema, temp views of this session excluded."""
        return {name for _, name, temp in self.rows("show tables in {s}") if not temp}


@pytest.fixture
def small(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    dbt: Dbt,
    spark: SparkSession,
    write_files: Callable,
) -> Iterator[Callable[[dict[str, str]], Small]]:
    """Makes a project of `{path: text}`; its schema is named after the test, and dropped."""
    schema = re.sub(r"\W+", "_", request.node.name)[:60].lower()
    folder = tmp_path / schema

    def make(files: dict[str, str]) -> Small:
        hook = (
            "{% macro generate_schema_name(custom, node) %}"
            + schema
            + "{{ '_' ~ custom if custom }}{% endmacro %}"
        )
        write_files(folder, {"dbt_project.yml": PROJECT, "macros/schema.sql": hook, **files})
        return Small(folder, schema, dbt, spark)

    yield make
    for (name,) in (tuple(row) for row in spark.sql("show databases").collect()):
        if name.startswith(schema):
            spark.sql(f"drop database {name} cascade")


@pytest.fixture(scope="class")
def dbt_profile_target(strandline_home: Path) -> dict:
    """The target of dbt's own adapter tests."""
    return {"type": "strandline", "method": "session", "home": str(strandline_home), "threads": 2}


@pytest.fixture(scope="class")
def logs_dir(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where dbt's own adapter tests write their log: not into the repository."""
    folder = str(tmp_path_factory.mktemp("logs"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DBT_LOG_PATH", folder)
        yield folder
