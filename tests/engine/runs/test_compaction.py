"""Small files become a few and old files go, while rows, versions and waiting builds are kept."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from tests.conftest import drop_schema

from strandline import retention
from strandline.retention import compaction

FILES = "select distinct _metadata.file_path as path, part from {}"


@pytest.fixture
def stored(spark, monkeypatch: pytest.MonkeyPatch):
    """A table with four files in each of two partitions, and one file in a third."""
    monkeypatch.setattr(compaction, "MANY", 4)
    spark.sql("create schema stored")
    spark.sql("create table stored.rows (id bigint, part date) using delta partitioned by (part)")

    def add(part: str | None, files: int) -> None:
        rows = spark.range(0, 100, 1, files)
        rows = rows.selectExpr("id", f"cast({f'{part!r}' if part else 'null'} as date) as part")
        rows.writeTo("stored.rows").append()

    add("2026-01-05", 4)
    add(None, 4)
    add("2026-01-12", 1)
    yield SimpleNamespace(
        rows=lambda: sorted(map(str, spark.table("stored.rows").collect())),
        files=lambda: {row.path: str(row.part) for row in spark.sql(FILES.format("stored.rows")).collect()},
        history=lambda: spark.sql("describe history stored.rows").collect(),
    )  # fmt: skip
    drop_schema(spark, "stored")


def test_small_files_are_joined_where_a_partition_has_many(spark, stored):
    rows, files = stored.rows(), stored.files()
    [planned] = retention.plan_compaction(spark, ["stored.rows", "stored.missing"])
    assert (planned.partitions, planned.small, planned.made) == (2, 8, None)
    assert len(stored.history()) == 4

    done = retention.compact(spark, planned)
    assert (done.small, done.made) == (8, 2)
    assert stored.rows() == rows
    after = stored.files()
    assert sorted(after.values()) == ["2026-01-05", "2026-01-12", "None"]
    [alone] = [path for path, part in files.items() if part == "2026-01-12"]
    assert alone in after
    assert stored.history()[0].operation == "OPTIMIZE"
    assert retention.plan_compaction(spark, ["stored.rows"]) == []


def test_old_files_are_deleted_without_a_commit(spark, stored):
    [planned] = retention.plan_compaction(spark, ["stored.rows"])
    retention.compact(spark, planned)
    assert retention.vacuum(spark, "stored.rows").files == 0  # they are younger than 7 days
    spark.sql(
        "alter table stored.rows set tblproperties"
        " ('delta.deletedFileRetentionDuration' = 'interval 0 seconds')"
    )
    rows, commits = stored.rows(), len(stored.history())
    done = retention.vacuum(spark, "stored.rows")
    assert done.files == 8
    assert done.bytes > 0
    assert (stored.rows(), len(stored.history())) == (rows, commits)
    assert retention.vacuum(spark, "stored.missing") is None


@pytest.mark.usefixtures("stored")
@pytest.mark.soak
def test_a_table_that_a_crashed_build_has_to_replace_is_left(spark):
    engine = "named_struct('built_over', cast({} as bigint), 'run', 0L)"
    for version, planned in ((3, 0), (2, 1)):
        spark.sql(
            "create or replace table stored.some_state using delta as"
            f" select 'engine' as part, {engine.format(version)} as engine"
        )
        assert len(retention.plan_compaction(spark, ["stored.rows"])) == planned
