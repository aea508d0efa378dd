"""A source gets a column: its late tables have it from then on, as after a full refresh."""

from __future__ import annotations

import pytest
from tests.engine.aggregation.conftest import Small, small, small_project
from tests.tables import assert_same_rows

__all__ = ["small", "small_project"]

POINTS = "source('feed', 'feed_x'), keys=['k'], ts='ts', value='v', bucket='1 hour', method='locf'"


@pytest.fixture
def plant(small: Small) -> Small:
    """A source with an event that counts and one without a time."""
    small.define(
        "x",
        "arrival bigint, k string, ts timestamp, v double",
        ["hours", "late"],
        "select={'n': 'count(*)'}, keys=['k'], ts='ts', every='hour, day'",
    )
    small.change("points_late", f"{{{{ strandline.time_weight_late({POINTS}) }}}}")
    small.feed("x", "1, 'a', timestamp'2024-01-01 00:10:00Z', 5D", "2, 'b', null, 6D")
    small.run()
    return small


@pytest.mark.soak
def test_late_tables_have_the_new_columns_of_their_source(plant: Small) -> None:
    plant.spark.sql(
        "alter table small.feed_x set tblproperties ('delta.columnMapping.mode' = 'name')"
    )
    plant.spark.sql(
        "alter table small.feed_x add columns (`Größe in m` string after k, note string)"
    )
    plant.feed(
        "x", "3, 'c', 'x', null, 7D, 'y'", "4, 'd', null, timestamp'2024-01-01 00:20:00Z', 8D, 'z'"
    )
    plant.run()
    for table in ("x_late", "points_late"):
        columns = "arrival, k, `Größe in m`, v, note"
        assert plant.rows(f"select {columns} from small.{table} order by arrival") == [
            (2, "b", None, 6.0, None),
            (3, "c", "x", 7.0, "y"),
        ], table
    found = {
        table: plant.spark.table(f"small.{table}").cache() for table in ("x_late", "points_late")
    }
    assert all(frame.count() for frame in found.values())
    plant.run("--full-refresh")
    for table, frame in found.items():
        assert_same_rows(frame, plant.spark.table(f"small.{table}"), table)
        frame.unpersist()


def test_a_column_with_values_in_what_was_read_is_refused(plant: Small) -> None:
    plant.spark.sql("alter table small.feed_x add columns (note string)")
    plant.spark.sql("update small.feed_x set note = 'n' where arrival = 1")
    assert (
        "x_late: the definition has changed:\n"
        "    - new in `source`: note, which is not null in rows that this table has read\n"
    ) in plant.fails()
