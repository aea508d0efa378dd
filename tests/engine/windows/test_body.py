"""`dbt compile` and `dbt show`: the body of a window or a correlation is the query of a full refresh."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.first

EVENTS = "source=source('feed', 'events'), ts='ts', "
WINDOWS = {
    "sliding": EVENTS + "store='last 2', keys=['my.key']",
    "timed": EVENTS + "store='last 20 seconds', where='`unit.price` > 1'",
    "tumbling": EVENTS + "store='latest 2'",
    "chosen": EVENTS + "store='random 3 seed 1'",
    "weighed": EVENTS + "store='last 3', weight=0.5",
    "ticking": EVENTS + "store='last 3', every='10 seconds'",
    "summed": EVENTS + "store='last 30 seconds', keys=['my.key'], pinned=true, aggregates={"
    "'n': 'count(id)', 'total': 'sum(id)', 'ever': 'sum(`unit.price`) entrance only', 'middle': 'median(`unit.price`)'}",
    "chained": "source=ref('summed'), store='last 2', where='$row_status is new and n > 1'",
    "middles": "source=ref('summed'), store='last 2', where='$row_status is new', aggregates={'middle': 'median(total)'}",
    "pairs": """{{ strandline.correlation_table(
        streams={'one': {'window': ref('timed'), 'on': 'id'}, 'two': {'window': ref('tumbling'), 'on': 'id'}},
        when=['one and two', 'one and not two'], select={'price': 'one.`unit.price`'}) }}""",
}
OWN = {
    "summed": "`my.key`, n, total, ever, middle",
    "chained": "`my.key`, n",
    "middles": "middle",
    "pairs": "price, pattern",
}


@pytest.mark.soak  # three minutes
def test_the_body_is_what_the_table_is(windows: Any) -> None:
    windows.events("`my.key` string, id bigint, `unit.price` double")
    windows.models(**WINDOWS)
    # The event of second 39 is older than the clock, that of second 5 is late in windows of 30 seconds.
    windows.land(
        (number, second, "ab"[number % 2], number, number / 4)
        for number, second in enumerate([0, 3, 3, 8, 21, 40, 39, 41, 41, 60, 5], 1)
    )
    results = windows.dbt("run", project_dir=windows._folder)
    assert windows.kinds("summed", "late", "window_event.id") == [(11,)]
    assert {result.node.name for result in results} == set(WINDOWS)
    for result in results:
        name = result.node.name
        columns = OWN.get(name, "`my.key`, id, `unit.price`") + ", entered, expelled, entry, exit"
        queries = (
            f"select {columns} from ({result.node.compiled_code}\n)",
            f"select {columns} from {windows.schema}.{name} where row_kind = 'row'",
        )
        body, table = (sorted(map(str, windows.spark.sql(each).collect())) for each in queries)
        assert table, name
        assert (name, body) == (name, table)
