"""The two examples of the source, to the row."""

from __future__ import annotations

import copy
from datetime import datetime

import pytest
from tests.engine.detection.catalogue import column, of
from tests.engine.detection.oracle import Engine
from tests.engine.detection.oracle_metrics import Metric, Row

SECOND = round((datetime(2018, 10, 8, 1, 1, 1) - datetime(1970, 1, 1)).total_seconds() * 1000)
TEMPERATURES = [59, 66, 57, 60, 63, 51, 53, 52, 56, 55]
SENSOR = [Row(n, SECOND + 2 + n, (), {"temp": temp}) for n, temp in enumerate(TEMPERATURES)]


@pytest.mark.parametrize("split", range(11))
def test_example_1_in_any_split(split: int) -> None:
    hot = Metric("row", column("temp"), ">", 65)
    above = Metric("against", column("temp"), ">", of("percentile", "temp", 75))
    engine = Engine([hot, above], window_size=6, step=3)

    found = engine.run(SENSOR[:split])
    found += copy.deepcopy(engine).run(SENSOR[split:])

    assert [(e.time - SECOND, e.metric, e.left, e.right) for e in found] == [
        (3, 0, 66, 65),
        (3, 1, 66, 59),
        (5, 1, 60, 59),
        (6, 1, 63, 60),
    ]


def test_example_1_has_the_windows_of_the_source() -> None:
    """Printed as 000~002, 002~005 and 003~008: the first two shortened to where there are rows or time."""
    threshold = Metric("window", of("percentile", "temp", 75), ">", 0)

    found = Engine([threshold], window_size=6, step=3).run(SENSOR)

    assert [(e.window_start - SECOND, e.window_end - SECOND, e.left) for e in found] == [
        (-3, 3, 59),
        (0, 6, 60),
        (3, 9, 63),
    ]


TRADES = [
    Row(message, SECOND + batch * 1_000, (f"A{number}",), {"qty": (batch * 7 + number * 3) % 10})
    for message, (batch, number) in enumerate((b, n) for b in range(39) for n in range(1, 11))
]


@pytest.mark.parametrize("metric", ["avg(qty) > 1", "avg(qty) > qty"])
@pytest.mark.parametrize("saved", [0, 100, 200, 300])
def test_example_2_a_crash_and_a_resend(metric: str, saved: int) -> None:
    """390 messages, a snapshot every hundred; after the crash all since the snapshot come again."""
    kind, right = ("window", 1) if metric == "avg(qty) > 1" else ("against", column("qty"))
    engine = Engine([Metric(kind, of("avg", "qty"), ">", right)], window_size=10, step=10)
    uncrashed = copy.deepcopy(engine).run(TRADES)

    kept = engine.run(TRADES[:saved])
    snapshot = copy.deepcopy(engine)
    lost = engine.run(TRADES[saved:])  # then the server stops
    again = snapshot.run(TRADES[saved:])

    assert len(uncrashed) > 100
    assert kept + again == uncrashed
    assert again == lost


def test_example_2_rows_from_before_the_snapshot_are_skipped() -> None:
    engine = Engine([Metric("window", of("avg", "qty"), ">", 1)], window_size=10, step=10)
    uncrashed = copy.deepcopy(engine).run(TRADES)
    engine.run(TRADES[:300])

    assert engine.consumed == 299  # as getSnapshotMsgId prints
    assert engine.run(TRADES[:300]) == []
    assert engine.run(TRADES) == [each for each in uncrashed if each.arrival >= 300]
