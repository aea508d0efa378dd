"""The example of docs/boiler.md, run in a project of somebody else, before and after the logger's readings arrive."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.conftest import ROOT, Dbt, drop_schema
from tests.pages import assert_shown, blocks, compiled_queries, examples, project_files, values

PAGE = (ROOT / "docs" / "boiler.md").read_text()
[(BEFORE, TABLE_BEFORE)] = re.findall(r"```sql before\n(.*?)```\n\n(\|.*?)\n\n", PAGE, re.DOTALL)
SHOWN = examples(PAGE)
HEARD = " where arrival <= {{ var('until', 18) }}"  # 10: before the logger has sent what it kept


@pytest.fixture
def folder(tmp_path: Any, spark: Any, write_files: Any) -> Any:
    files = project_files(
        PAGE,
        [BEFORE, *(query for query, _ in SHOWN)],
        readings=values(blocks(PAGE, "csv")["readings"]) + HEARD,
    )
    files["models/hot.py"] = blocks(PAGE, "python")["hot"]
    files["models/checks.yml"] = blocks(PAGE, "yaml")["checks"]
    yield write_files(tmp_path / "plant", files)
    drop_schema(spark, "plant")


@pytest.mark.soak
def test_the_morning(folder: Any, tmp_path: Any, spark: Any) -> None:
    assert len(SHOWN) + 1 == PAGE.count("```sql") == 4
    dbt = Dbt(tmp_path / "work", profiles_dir=folder / "profiles")
    dbt("deps", project_dir=folder)

    early = ["--vars", "{until: 10}"]
    dbt("run", *early, project_dir=folder)
    queries = compiled_queries(dbt, project_dir=folder)
    assert_shown(spark.sql(queries[0]), TABLE_BEFORE)
    assert "no_gap_longer_than" in dbt.fails("test", *early, project_dir=folder)

    dbt("run", project_dir=folder)
    for query, (_, table) in zip(queries[1:], SHOWN, strict=True):
        assert_shown(spark.sql(query), table)
    dbt("test", project_dir=folder)
    assert spark.table("plant.boiler_late").count() == 8  # what the logger sent
    notified = spark.table("plant.boiler_notifications").select("detector", "status")
    assert sorted(map(tuple, notified.collect())) == [("hot", "new"), ("unknown", "outdated")]
