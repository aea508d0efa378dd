"""A correlation as a stream of another one, and read by row_status: its rows are firings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import drop_schema
from tests.engine.mutated import package_with
from tests.engine.windows.on_spark import OnSpark

EVENTS = "source=source('feed', 'events'), ts='ts', store='last 5 seconds', "
MODELS = {
    **{letter: f"{EVENTS}where=\"stream = '{letter}'\"" for letter in "abd"},
    "ab": """{{ strandline.correlation_table(streams={'a': {'window': ref('a'), 'on': 'id'},
        'b': {'window': ref('b'), 'on': 'id'}}, when=['a and b'], select={'a_id': 'a.id'}) }}""",
    "abd": """{{ strandline.correlation_table(streams={'x': {'window': ref('ab'), 'on': 'a_id'},
        'd': {'window': ref('d'), 'on': 'id'}}, when=['x and d'], select={'x_id': 'x.a_id'}) }}""",
}
DAY = 24 * 3600
# Seconds since 2024-01-01.
TURNS = {"year": 0, "month": 31 * DAY}


def at_a_turn(windows: OnSpark, turn: int) -> list[tuple]:
    """An id fires before a turn, and comes in `d` days after it, after a run in between.

    The days are more than those by which the bound of a window is earlier.
    """
    after = turn + 4 * DAY
    windows.events("stream string, id bigint")
    windows.models(**MODELS)
    windows.land([(1, turn - 60, "a", 1), (1, turn - 60, "b", 1), (2, after, "z", 9)])
    windows.run()
    windows.land([(3, after + 60, "d", 1), (4, after + 90, "z", 9)])
    windows.run()
    rows = windows.spark.sql(f"select x_id from {windows.schema}.abd where row_kind = 'row'")
    return [tuple(row) for row in rows.collect()]


@pytest.mark.soak
@pytest.mark.parametrize("turn", TURNS)
def test_a_firing_is_read_after_the_turn_of(windows: Any, turn: str) -> None:
    assert at_a_turn(windows, TURNS[turn]) == [(1,)]


@pytest.mark.soak
def test_a_stream_that_skips_the_month_before_is_caught(
    spark: Any, tmp_path: Path, write_files: Callable
) -> None:
    """A mutation: the rows of a correlation are skipped by month, as those of a window are."""
    change = ("_is_inside_after", "if not is_correlation", "if true")
    package = package_with([change], tmp_path / "package")
    folder = tmp_path / "mutated" / "project"
    project = OnSpark(spark, folder, write_files, "windowed_mutated", package)
    try:
        assert at_a_turn(project, TURNS["month"]) == []
    finally:
        drop_schema(spark, project.schema)


@pytest.mark.soak
def test_rows_that_left_are_read_by_a_session_of_another_zone(windows: Any) -> None:
    """A row leaves in December for the session that writes it, and in January for the one that
    reads it."""
    noon = -12 * 3600  # of 31 December in UTC
    windows.events("stream string, id bigint")
    windows.models(
        a=MODELS["a"],
        b=MODELS["b"],
        left="""{{ config(pre_hook="set time zone 'Pacific/Kiritimati'") }}
        {{ strandline.correlation_table(streams={'a': {'window': ref('a'), 'on': 'id'},
            'b': {'window': ref('b'), 'on': 'id'}}, when=['a and not b'],
            select={'a_id': 'a.id'}) }}""",
    )
    windows.land([(1, noon, "a", 1)])
    windows.run()
    windows.land([(2, noon + 60, "z", 9)])
    windows.run()
    parts = windows.spark.sql("select window_part from windowed.a where row_kind = 'row'").collect()
    assert [row.window_part for row in parts] == ["2023-12"]
    rows = windows.spark.sql("select a_id from windowed.left where row_kind = 'row'").collect()
    assert [row.a_id for row in rows] == [1]


def test_row_status_of_a_correlation(windows: Any) -> None:
    """A firing is never expelled: all of them are `not dead`, and `dead` is refused."""
    windows.events("stream string, id bigint")
    windows.models(**{name: MODELS[name] for name in ("a", "b", "ab")})
    windows.land([(1, 0, "a", 1), (1, 0, "b", 1), (2, 1, "a", 2), (3, 2, "b", 2), (4, 60, "z", 9)])
    windows.run()
    view = "{{ config(materialized='view') }} "
    windows.models(
        now=f"{view}select * from {{{{ strandline.row_status(ref('ab'), 'not dead') }}}}",
        then=f"{view}select later.a_id, earlier.a_id as earlier_id from "
        "{{ strandline.row_status(ref('ab'), 'new') }} as later inner join "
        "{{ strandline.row_status_at(ref('ab'), 'later.cycle') }} as earlier "
        "on earlier.a_id < later.a_id",
    )
    windows.run()
    read = windows.spark.sql
    assert [row.a_id for row in read("select a_id from windowed.now order by a_id").collect()] == [1, 2]  # fmt: skip
    assert [tuple(row) for row in read("select * from windowed.then").collect()] == [(2, 1)]
    windows.models(
        now=f"{view}select * from {{{{ strandline.row_status(ref('ab'), 'dead') }}}}",
        then=f"{view}select * from "
        "{{ strandline.row_status(source('feed', 'events'), 'new') }}",
        chained="source=ref('ab'), store='last 5', where='$row_status is dead'",
        after=f"{view}select * from {{{{ strandline.row_status(ref('ab'), 'new') }}}} as one join "
        "{{ strandline.row_status_at(source('feed', 'events'), 'one.cycle') }}",
    )
    said = " ".join(windows.fails().split())
    assert "`status` is 'dead', and `window` ab is a correlation; its rows are firings" in said
    assert (
        said.count("`window` is events, which is not a window; pass a table of window_table") == 2
    )


@pytest.mark.soak
def test_columns_called_as_those_of_a_status_stay_what_they_are(windows: Any) -> None:
    windows.events("cycle string, place bigint")
    view = "{{ config(materialized='view') }} "
    windows.models(
        own="source=source('feed', 'events'), ts='ts', store='last 1'",
        entered=f"{view}select cycle, place, entered.at, entry from "
        "{{ strandline.row_status(ref('own'), 'new') }}",
        left=f"{view}select cycle, place, expelled.at, exit from "
        "{{ strandline.row_status(ref('own'), 'dead', first=1) }}",
        inside=f"{view}select one.* from {{{{ strandline.row_status(ref('own'), 'new') }}}} as one "
        "inner join {{ strandline.row_status_at(ref('own'), 'one.entered') }} as other "
        "on one.place = other.place",
    )
    windows.land([(1, 0, "x", 10), (2, 1, "y", 20)])
    windows.run()
    windows.land([(3, 2, "z", 30)])
    windows.run()
    read = windows.spark.sql
    entered = read("select cycle, place, entry from windowed.entered order by entry").collect()
    assert [tuple(row) for row in entered] == [("x", 10, 1), ("y", 20, 2), ("z", 30, 3)]
    left = read("select cycle, place, exit from windowed.left order by exit").collect()
    assert [tuple(row) for row in left] == [("x", 10, 2), ("y", 20, 3)]
    columns = windows.spark.table("windowed.inside").columns
    assert len({*columns}) == len(columns)
    assert windows.spark.table("windowed.inside").count() == 3
