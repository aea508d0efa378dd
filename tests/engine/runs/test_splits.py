"""First builds of large tables: a partition is spread over several tasks, and nothing else changes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from tests.engine.mutated import package_with
from tests.engine.runs.kill import before
from tests.engine.runs.test_mutations import LEDGER, history

SPLIT = re.compile(r", pmod\(xxhash64\([^\n]*?\), ([2-9]|\d{2,3})\)")


def shuffles(spark: Any, query: str) -> int:
    return int(spark.sql(f"explain {query}").collect()[0].plan.count("Exchange"))


@pytest.mark.soak  # it changes how fast a build is, not what it has
def test_a_large_partition_is_spread_over_several_tasks(
    runs: Any, tmp_path: Path, spark: Any
) -> None:
    """What is large is a gigabyte; here it is 256 bytes."""
    package = package_with([("_splits", "2 ** 30)", "2 ** 8)")], tmp_path / "package")
    project = runs("splits", LEDGER, package=package, width="week")
    first, *others = history(LEDGER, 3, 25)
    project.land("ledger", first)
    assert project.run()["ledger_hours"] == "OK"
    for batch in others:
        project.land("ledger", batch)
        project.run()
    project.compare()

    creations: list[str] = []
    with before(re.compile("create or replace table"), creations.append):
        project.refresh()
    for table in ("ledger_hours", "ledger_days"):
        [creation] = [it for it in creations if table in it.split("\n")[0]]
        body = creation.partition("\nas\n")[2]
        unsplit, splits = SPLIT.subn("", body)
        assert splits == 2  # in `distribute by` and in `group by`
        assert shuffles(spark, body) == shuffles(spark, unsplit)
    assert not [body for body in project.compiled().values() if "xxhash64" in body]
