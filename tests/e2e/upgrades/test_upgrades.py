"""Tables that a release has written: the newest version continues them, as its own.

`releases/` has an archive of each release: the files of a project, and its tables after one run. To
add one: `python -m tests.e2e.upgrades.keep 0.2.0`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import DataFrame, SparkSession
from tests.e2e.crash.content import without_runs
from tests.e2e.upgrades.project import Project, unpacked
from tests.tables import assert_same_rows

RELEASES = Path(__file__).parent / "releases"
# Of the state of `detect` the rows from which the next run continues; the rest is about the last run.
STATE = "kind in ('row', 'key')"


@pytest.fixture
def project(tmp_path: Path, spark: SparkSession) -> Iterator[Callable[..., Project]]:
    made: list[Project] = []

    def make(files: dict[str, str]) -> Project:
        made.append(Project(tmp_path, spark, files))
        return made[-1]

    yield make
    for each in made:
        each.drop()


def content(project: Project) -> dict[str, DataFrame]:
    """Each table, computed now: it will be replaced."""
    found = {}
    for table in project.tables():
        rows = without_runs(project.spark.table(f"kept.{table}"))
        rows = rows.where(STATE) if table.endswith("_state") else rows
        rows = (
            rows.orderBy("run", ascending=False).limit(1).drop("run") if "ledger" in table else rows
        )
        if table == "anomalies":
            # 0.1.0 notified of all that its first run found, and a first run of now of the newest.
            rows = rows.drop(
                *(name for name in rows.columns if name.startswith(("notified", "withheld")))
            )
        found[table] = rows.localCheckpoint()
    return found


@pytest.mark.soak
@pytest.mark.parametrize("archive", sorted(RELEASES.glob("*.zip")), ids=lambda path: path.stem)
def test_the_tables_of_a_release_are_read_on(
    archive: Path, tmp_path: Path, project: Any, spark: SparkSession
) -> None:
    kept = project(unpacked(archive, tmp_path))
    tables = sorted(path.name for path in (tmp_path / "tables").iterdir())
    for table in tables:
        spark.sql(f"create table kept.{table} using delta location '{tmp_path / 'tables' / table}'")
    commits = {table: spark.sql(f"describe history kept.{table}").count() for table in tables}
    kept.run()
    # No rows are written; a table may get columns and properties of this release.
    for table in tables:
        history = spark.sql(f"describe history kept.{table}").orderBy("version").collect()
        written = {row["operation"] for row in history[commits[table] :]}
        assert written <= {"ADD COLUMNS", "SET TBLPROPERTIES"}, (table, written)

    kept.land(41, 70)
    kept.run()
    read_on = content(kept)
    assert set(read_on) == set(tables)
    kept.begin_again()
    kept.land(41, 70)
    kept.run()
    of_now = content(kept)
    for table, rows in read_on.items():
        assert not rows.isEmpty(), table
        # Columns that this release has added come last.
        assert sorted(rows.columns) == sorted(of_now[table].columns), table
        assert_same_rows(rows, of_now[table].select(rows.columns), table)
