"""The source's examples of correlation as models, with data and expected rows.

All windows of a test read one table of events by the column `stream`; times are in seconds.
"""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.windows.on_spark import cycle

SLA = """{{ strandline.correlation_table(
    streams={
        'one': {'window': ref('stage_1'), 'on': 'id'},
        'two': {'window': ref('stage_2'), 'on': 'id'},
        'three': {'window': ref('stage_3'), 'on': 'id'}},
    when=['one and two and not three', 'one and not two and three', 'one and two and three',
        'one and not two and not three'],
    select={
        'stage_1_id': 'one.id', 'stage_2_id': 'two.id', 'stage_3_id': 'three.id',
        'priority': 'one.priority',
        'comment': "case when stage_2_id is null and stage_3_id is not null then 'Stage 2 missing!' "
            "when stage_2_id is not null and stage_3_id is null then 'Stage 3 missing!' "
            "when stage_2_id is null and stage_3_id is null then 'Stage 2 & 3 missing!' "
            "else 'All OK!' end"},
    where='priority < 7.5') }}"""


def streams(windows: Any, store: str = "last 5 seconds", **models: str) -> None:
    windows.events("stream string, id bigint, priority double")
    stages = {
        f"stage_{number}": "source=source('feed', 'events'), ts='ts', "
        f"store='{store}', where=\"stream = '{number}' and priority > 5\""
        for number in (1, 2, 3)
    }
    windows.models(**stages, **models)


def fired(windows: Any, name: str, columns: str) -> list[tuple]:
    rows = windows.spark.sql(
        f"select {columns}, entered from {windows.schema}.{name} where row_kind = 'row' "
        "order by entered, entry, correlation_id"
    ).collect()
    return [(*row[:-1], cycle(row[-1])) for row in rows]


@pytest.mark.soak
def test_sla_of_three_stages(windows: Any) -> None:
    """Each branch of the comment; two ids that the filters drop."""
    streams(windows, sla_alerts=SLA)
    windows.land(
        [
            (1, 0, "1", 11, 6.0), (2, 0, "1", 12, 6.0), (3, 0, "1", 13, 7.0), (4, 0, "1", 14, 6.5),
            (5, 0, "1", 15, 8.0), (6, 0, "1", 16, 5.0),
            (7, 1, "2", 11, 6.0), (8, 1, "2", 12, 6.0), (9, 1, "2", 15, 6.0),
            (10, 2, "3", 11, 6.0), (11, 2, "3", 13, 6.0), (12, 2, "3", 15, 6.0),
        ]
    )  # fmt: skip
    windows.run()
    assert fired(windows, "sla_alerts", "stage_1_id, stage_2_id, stage_3_id, comment") == [
        (11, 11, 11, "All OK!", "2"),
    ]
    windows.land([(13, 60, "1", 99, 6.0)])
    windows.run()
    assert fired(windows, "sla_alerts", "stage_1_id, stage_2_id, stage_3_id, comment") == [
        (11, 11, 11, "All OK!", "2"),
        (12, 12, None, "Stage 3 missing!", "5"),
        (13, None, 13, "Stage 2 missing!", "5"),
        (14, None, None, "Stage 2 & 3 missing!", "5"),
    ]
    assert windows.run() == ["nothing new"] * 4


MATCHER = """{{ strandline.correlation_table(
    streams={'a': {'window': ref('stage_1'), 'on': 'id'}, 'b': {'window': ref('stage_2'), 'on': 'id'},
        'c': {'window': ref('stage_3'), 'on': 'id'}},
    when=['a and b and not c'], select={'a_id': 'a.id', 'b_id': 'b.id', 'c_id': 'c.id'}) }}"""


@pytest.mark.soak
def test_the_four_traces_of_the_delayed_matcher(windows: Any) -> None:
    """Ids 1 to 4 are the traces; id 5 fires, and again after all its events have left."""
    streams(windows, matcher=MATCHER)
    windows.land([(1, 0, "1", 1, 6.0), (2, 1, "3", 1, 6.0)])
    windows.land([(3, 20, "1", 2, 6.0), (4, 21, "2", 2, 6.0)])
    windows.land([(5, 40, "1", 3, 6.0), (6, 41, "2", 3, 6.0), (7, 43, "3", 3, 6.0)])
    # c comes late in its window, so it leaves before a and b do.
    windows.land([(8, 60, "1", 4, 6.0), (9, 61, "2", 4, 6.0), (10, 57, "3", 4, 6.0)])
    windows.land([(11, 80, "1", 5, 6.0), (12, 81, "2", 5, 6.0)])
    windows.run()
    windows.land([(13, 84, "1", 5, 6.0), (14, 100, "1", 5, 6.0), (15, 101, "2", 5, 6.0)])
    windows.land([(16, 200, "1", 9, 6.0)])
    windows.run()
    assert fired(windows, "matcher", "correlation_id, a_id, b_id, c_id") == [
        (2, 2, 2, None, "25"),
        (5, 5, 5, None, "86"),
        (5, 5, 5, None, "105"),
    ]


FIRST_INSIDE = """{{ strandline.correlation_table(
    streams={'a': {'window': ref('stage_1'), 'on': 'id'}, 'b': {'window': ref('stage_2'), 'on': 'id'},
        'c': {'window': ref('stage_3'), 'on': 'id'}},
    when=['a and c', 'a and b and not c'],
    select={'of_a': 'a.priority', 'of_b': 'b.priority'}) }}"""


@pytest.mark.soak
def test_of_several_rows_the_one_that_entered_first_is_taken(windows: Any) -> None:
    only_b = FIRST_INSIDE.replace("'of_a': 'a.priority', ", "")
    streams(windows, first_inside=FIRST_INSIDE, only_b=only_b)
    windows.land(
        [
            (1, 0, "1", 1, 6.1), (2, 1, "1", 1, 6.2), (3, 2, "1", 1, 6.3), (4, 3, "1", 1, 6.4),
            (5, 4, "3", 1, 6.0),
            # The event of second 7 comes after that of second 10, and leaves before it.
            (6, 10, "1", 2, 6.1), (7, 7, "1", 2, 6.2), (8, 13, "3", 2, 6.0),
            # Another one enters in the cycle that fires.
            (9, 20, "1", 3, 6.1), (10, 21, "1", 3, 6.2), (10, 21, "3", 3, 6.0),
            (11, 30, "1", 4, 6.1), (12, 27, "1", 4, 6.2), (13, 31, "2", 4, 6.3),
            # At second 45 a leaves, and one of two b.
            (14, 40, "1", 5, 6.1), (14, 40, "2", 5, 6.2), (15, 41, "2", 5, 6.3),
            (16, 99, "1", 9, 6.0),
        ]
    )  # fmt: skip
    windows.run()
    assert fired(windows, "first_inside", "correlation_id, pattern, of_a, of_b") == [
        (1, "a and c", 6.1, None, "4"),
        (2, "a and c", 6.1, None, "13"),
        (3, "a and c", 6.1, None, "21"),
        (4, "a and b and not c", 6.1, 6.3, "35"),
        (5, "a and b and not c", 6.1, 6.2, "45"),
    ]
    assert fired(windows, "only_b", "correlation_id, of_b")[3:] == [(4, 6.3, "35"), (5, 6.2, "45")]


WRONG_COLUMNS = [
    (("ref('stage_2'), 'on': 'id'", "ref('stage_2'), 'on': 'stream'"), "ids of different types: one.id is BIGINT, two.stream is STRING"),
    (("ref('stage_2'), 'on': 'id'", "ref('stage_2'), 'on': 'idd'"), "`streams` names the column 'idd', which stage_2 does not have"),
    (("ref('stage_2'), 'on': 'id'", "source('feed', 'events'), 'on': 'id'"), "which is not a window; take a window_table"),
    (("'one.priority'", "'one.prioritie'"), "`select` names the column 'prioritie', which stage_1 does not have"),
]  # fmt: skip


def test_what_is_refused_when_the_windows_are_there(windows: Any) -> None:
    wrong = {
        f"wrong_{number}": SLA.replace(*change, 1)
        for number, (change, _) in enumerate(WRONG_COLUMNS)
    }
    streams(windows, **wrong)
    said = " ".join(windows.fails().split())
    assert [message for _, message in WRONG_COLUMNS if message not in said] == []
