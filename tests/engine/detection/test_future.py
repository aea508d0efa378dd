"""Events from the future: late rows, which close no window and make no other row late."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.engine.detection.on_spark import Engine
from tests.engine.detection.oracle_metrics import Row

from strandline.detection import DetectionError

HOUR = 3600
FAR = 130 * 365 * 24 * HOUR
BOUND = "timestamp_seconds(received + 3600)"


def row(arrival: int, seconds: int, received: int | None, temp: float) -> Row:
    return Row(arrival, seconds, (), {"temp": temp, "received": received})


def bounded(engines: Callable[..., Engine], bound: str | None = BOUND) -> Engine:
    return engines(
        ["temp > 65", "avg(temp) > 60"], "s", columns={"temp": "double", "received": "bigint"},
        keys=[], window_size="4 s", step="4 s", not_after=bound,
    )  # fmt: skip


@pytest.mark.parametrize("runs", [1, pytest.param(6, marks=pytest.mark.soak)])
def test_an_event_after_its_bound_moves_no_clock(
    engines: Callable[..., Engine],
    runs: int,
) -> None:
    events = [
        row(1, 0, 0, 61.0),
        row(2, FAR, 1, 99.0),  # neither hot nor the end of a window
        row(3, 2, 2, 62.0),  # the one before does not make it late
        row(4, HOUR + 3, 3, 66.0),  # at its bound: closes the window of 0 to 4
        row(5, HOUR + 2, 4, 61.0),
        row(6, HOUR + 9, None, 50.0),  # no bound is known: closes the window of 3600 to 3604
    ]
    engine = bounded(engines)
    size = len(events) // runs
    for start in range(0, len(events), size):
        engine.land(events[start : start + size])
        engine.run()
    assert [(each.arrival, each.metric, each.left) for each in engine.found()] == [
        (4, 1, 61.5),
        (4, 0, 66),
        (6, 1, 66),
    ]
    late = engine.spark.table(f"{engine.schema}.engine1_late").orderBy("arrival")
    assert [tuple(each) for each in late.select("arrival", "late_reason").collect()] == [
        (2, f"from the future: time is after {BOUND}"),
        (5, "late: the row before it of its key is newer"),
    ]


@pytest.mark.parametrize(
    ("bound", "fault"),
    [
        (" ", "- `not_after` is ' '; write one SQL expression over the columns of the events, as"
         " 'received_at + interval 1 hour'"),
        ("now()", "- `not_after` is 'now()', which is another time in each run; write it over the"),
        ("max(time)", "`not_after` is 'max(time)': [MISSING_GROUP_BY]"),
        ("*", "`not_after` is '*', which is SEVERAL COLUMNS; make it TIMESTAMP"),
        ("received", "`not_after` is 'received', which is BIGINT; make it TIMESTAMP, as `time` is"),
        ("recieved", "`not_after` is 'recieved': [UNRESOLVED_COLUMN.WITH_SUGGESTION]"),
        ("time) or (true", "`not_after` is 'time) or (true': [PARSE_SYNTAX_ERROR]"),
    ],
    ids=["empty", "of the run", "an aggregate", "a star", "no time", "no column", "no expression"],
)  # fmt: skip
def test_what_is_refused(engines: Callable[..., Engine], bound: Any, fault: str) -> None:
    with pytest.raises(DetectionError) as refused:
        bounded(engines, bound).run()
    assert fault in str(refused.value)


@pytest.mark.soak
def test_another_bound_is_another_definition(engines: Callable[..., Engine]) -> None:
    engine = bounded(engines, None)
    engine.land([row(1, 0, 0, 61.0)])
    engine.run()
    engine.arguments["not_after"] = BOUND
    with pytest.raises(DetectionError) as refused:
        engine.run()
    assert f"- `not_after` was None, now it is '{BOUND}'" in str(refused.value)
