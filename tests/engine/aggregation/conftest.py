"""Small aggregations of one test: `shop = small_project({...definitions})`, `shop.run()`."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import EVALUATED, ROOT, Dbt, drop_schema, profile

PROFILE = profile("small", more="threads: 2")
SOURCES = "sources: [{name: feed, schema: small, tables: [%s]}]"


class Small:
    """A project with one source table for each aggregation, `feed_<name>`."""

    def __init__(self, spark: Any, dbt: Dbt, folder: Any, write_files: Callable) -> None:
        self.spark, self._dbt, self._folder, self._write = spark, dbt, folder, write_files

    def define(self, name: str, columns: str, durations: list[str], arguments: str) -> None:
        """An aggregation `name` over a new table of these columns; a model for each duration."""
        self.spark.sql(f"create or replace table small.feed_{name} ({columns}) using delta")
        self.redefine(name, arguments)
        for duration in durations:
            call = (
                f"aggregation_late({name}())"
                if duration == "late"
                else f"aggregation_table({name}(), '{duration}')"
            )
            self._write(
                self._folder, {f"models/{name}_{duration}.sql": f"{{{{ strandline.{call} }}}}"}
            )
        names = sorted(path.stem for path in (self._folder / "macros").iterdir())
        tables = ", ".join(f"{{name: feed_{each}}}" for each in names)
        self._write(self._folder, {"models/_sources.yml": SOURCES % tables})

    def model(self, name: str, columns: str, body: str) -> None:
        """A model of any body over a new table of these columns, `source('feed', 'feed_<name>')`."""
        feed = f"feed_{Path(name).stem}"
        self.spark.sql(f"create or replace table small.{feed} ({columns}) using delta")
        self.change(name, body)
        self._write(self._folder, {"models/_sources.yml": SOURCES % f"{{name: {feed}}}"})

    def change(self, name: str, body: str) -> None:
        """Another body of a model, or one more; it is SQL if the name does not end in `.py`."""
        file = name if name.endswith(".py") else f"{name}.sql"
        self._write(self._folder, {f"models/{file}": body})

    def redefine(self, name: str, arguments: str) -> None:
        self._write(
            self._folder,
            {
                f"macros/{name}.sql": f"{{% macro {name}() %}}{{{{ return(strandline.aggregation(name='{name}', "
                f"source=source('feed', 'feed_{name}'), {arguments})) }}}}{{% endmacro %}}"
            },
        )

    def feed(self, name: str, *rows: str) -> None:
        """Adds rows, each the inside of a SQL row, in one commit."""
        values = ", ".join(f"({row})" for row in rows)
        self.spark.sql(f"insert into small.feed_{name} values {values}")

    def run(self, *args: str, **settings: str) -> dict[str, str]:
        """Runs dbt, with settings of this run; gives each model's message."""
        results = self._dbt("run", *args, project_dir=self._folder, settings=settings)
        return {result.node.name: result.message for result in results}

    def fails(self, *args: str) -> str:
        return self._dbt.fails("run", *args, project_dir=self._folder)

    def rows(self, query: str) -> list[tuple]:
        return [tuple(row) for row in self.spark.sql(query).collect()]

    def read(self, name: str, outputs: str, duration: str = "seconds") -> list[tuple]:
        """Rows of one table by time, as text where that is plainer to compare."""
        return self.rows(
            f"select date_format(agg_timestamp, 'yyyy-MM-dd HH:mm:ss'), {outputs}"
            f" from small.{name}_{duration} order by all"
        )


@pytest.fixture(scope="session")
def small_project(tmp_path_factory: Any) -> tuple[Path, Dbt]:
    """One folder for all tests of a process: dbt parses the package once, then what a test changes."""
    folder = tmp_path_factory.mktemp("small") / "small"
    files = {
        "dbt_project.yml": 'name: small\nversion: "1.0"\nprofile: small\n'
        + "vars: {strandline_partition: week}\n"  # some tests are of the edges of weeks
        + EVALUATED,
        "profiles/profiles.yml": PROFILE,
        "packages.yml": f"packages:\n  - local: {ROOT}\n",
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    dbt = Dbt(folder.parent / "work", profiles_dir=folder / "profiles")
    dbt("deps", project_dir=folder)
    return folder, dbt


@pytest.fixture
def small(spark: Any, small_project: tuple[Path, Dbt], write_files: Callable) -> Iterator[Small]:
    folder, dbt = small_project
    spark.sql("create schema small")
    yield Small(spark, dbt, folder, write_files)
    drop_schema(spark, "small")
    for made in ("models", "macros"):
        shutil.rmtree(folder / made, ignore_errors=True)
    (folder / "profiles" / "profiles.yml").write_text(PROFILE)  # some tests have their own
