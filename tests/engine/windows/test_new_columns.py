"""A source gets a column: a window has it from then on, as after a full refresh, or the run says why not."""

from __future__ import annotations

from typing import Any

import pytest
from tests.tables import assert_same_rows

EVENTS = "source=source('feed', 'events'), ts='ts', "
# Every way in which a window keeps the columns of its events; one reads them through a view.
MODELS = {
    "staged": "{{ config(materialized='view') }} select * from {{ source('feed', 'events') }}",
    "recent": "source=ref('staged'), ts='ts', store='last 2'",
    "best": EVENTS + "store='highest 2 using id'",
    "some": EVENTS + "store='random 2'",
    "waiting": EVENTS + "store='last 10 seconds', every='10 seconds'",
    "doubled": EVENTS + "store='last 3', aggregates={'n': 'sum(id * 2)'}",
    "left": "source=ref('recent'), store='last 2', where='$row_status is dead'",
}
SLOW = ("best", "some", "waiting", "doubled")
MAPPED = "set tblproperties ('delta.columnMapping.mode' = 'name')"


def names(*, all_of_them: bool) -> list[str]:
    return [name for name in MODELS if all_of_them or name not in SLOW]


@pytest.mark.parametrize("all_of_them", [False, pytest.param(True, marks=pytest.mark.soak)])
def test_a_column_that_is_null_in_what_was_read_is_added(windows: Any, all_of_them: bool) -> None:
    chosen = names(all_of_them=all_of_them)
    windows.events("id bigint")
    windows.models(**{name: MODELS[name] for name in chosen})
    windows.land([(1, 0, 5), (2, 1, 3), (3, 2, 4)])
    windows.run()
    change(windows, MAPPED, "add columns (`Größe in m` string after ts, unit int)")
    windows.run()
    assert windows.spark.table(f"{windows.schema}.recent").columns[:5] == [
        "arrival", "ts", "größe in m", "id", "unit",
    ]  # fmt: skip
    windows.land([(4, 3, "x", 9, 1), (5, 12, None, 2, None), (6, 13, "y", 7, 2)])
    windows.run()
    assert windows.stays("recent", "id, `Größe in m`, unit") == [
        (5, None, None, "0", "2"),
        (3, None, None, "1", "3"),
        (4, None, None, "2", "12"),
        (9, "x", 1, "3", "13"),
        (2, None, None, "12", None),
        (7, "y", 2, "13", None),
    ]
    assert_same_after_a_full_refresh(windows, chosen[1:])


def assert_same_after_a_full_refresh(windows: Any, names: list[str]) -> None:
    found = {name: rows(windows, name).cache() for name in names}
    assert all(frame.count() for frame in found.values())
    windows.run("--full-refresh")
    for name, frame in found.items():
        assert_same_rows(frame, rows(windows, name), name)
        frame.unpersist()


def change(windows: Any, *clauses: str) -> None:
    for clause in clauses:
        windows.spark.sql(f"alter table {windows.schema}.events {clause}")


def rows(windows: Any, name: str) -> Any:
    """What a window has, without the builds of its source."""
    table = windows.spark.table(f"{windows.schema}.{name}")
    return table.withColumn("window_progress", table.window_progress.dropFields("builds"))


@pytest.mark.soak
def test_a_column_with_values_in_what_was_read_is_refused(windows: Any) -> None:
    windows.events("id bigint")
    windows.models(recent=EVENTS + "store='last 2'")
    windows.land([(1, 0, 5)])
    windows.run()
    change(windows, "add columns (unit int, zone int)")
    windows.spark.sql(f"update {windows.schema}.events set unit = 1")
    assert (
        "recent: the definition has changed:\n"
        "    - new in `source`: unit, which is not null in rows that this table has read\n"
        "    - to rebuild this table"
    ) in windows.fails()
    assert "unit" not in windows.spark.table(f"{windows.schema}.recent").columns
    # Rows that were not read yet may have values.
    windows.spark.sql(f"update {windows.schema}.events set unit = null")
    windows.land([(2, 1, 6, 1, 2)])
    windows.run()
    assert windows.stays("recent", "id, unit, zone") == [
        (5, None, None, "0", None),
        (6, 1, 2, "1", None),
    ]


@pytest.mark.soak
@pytest.mark.parametrize("commit", [1, 2, 3, 4, 5, 6])
def test_a_kill_at_each_commit_of_the_run_that_adds_it(windows: Any, commit: int) -> None:
    """With a name that Delta must map: its property, the columns, the task, the rows."""
    windows.events("id bigint")
    windows.models(recent=EVENTS + "store='last 2'", doubled=MODELS["doubled"])
    windows.land([(1, 0, 5), (2, 1, 3)])
    windows.run()
    change(windows, MAPPED, "add columns (`Größe in m` string)")
    windows.land([(3, 2, 4, "x")])
    windows.run_killed(commit)
    windows.run()
    assert_same_after_a_full_refresh(windows, ["recent", "doubled"])
