"""The clock of a window: events from the future, what moves it, and the way back."""

from __future__ import annotations

from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import drop_schema
from tests.engine.mutated import package_with
from tests.engine.windows.on_spark import MIDNIGHT, OnSpark

EVENTS = "source=source('feed', 'events'), ts='ts', "
HOUR, FAR = 3_600, 75 * 365 * 86_400
BOUND = "received + make_dt_interval(0, 1)"
# The second event is of the year 2099.
CORRECT = [(1, 0, 0, 1), (3, 300, 300, 3), (4, 600, 600, 4)]
FUTURE = (2, FAR, 60, 2)


def land(windows: Any, *rows: tuple) -> None:
    """(arrival, seconds of ts, seconds of received, id)."""
    midnight = "timestamp'2024-01-01 00:00:00Z' + make_dt_interval(0, 0, 0, {})"
    values = ", ".join(
        f"({arrival}, {midnight.format(ts)}, {midnight.format(received)}, {id})"
        for arrival, ts, received, id in rows
    )
    windows.spark.sql(f"insert into {windows.schema}.events values {values}")


def entered(windows: Any, name: str) -> list[int]:
    return [row[0] for row in windows.stays(name, "id")]


def models(windows: Any) -> None:
    windows.models(
        bounded=EVENTS + f"store='last 1 hour', not_after='{BOUND}'",
        filtered=EVENTS + f"store='last 1 hour', where='ts <= {BOUND}'",
        weighed=EVENTS + f"store='last 9', weight=0.5, not_after='{BOUND}'",
        ticks=EVENTS + f"store='last 1 hour', every='10 minutes', not_after='{BOUND}'",
        bounded_ledger="{{ strandline.window_ledger(source('feed', 'events'), window=ref('bounded')) }}",
    )


@pytest.mark.soak  # a minute
def test_an_event_from_the_future_moves_no_clock(windows: Any) -> None:
    windows.events("received timestamp, id int")
    models(windows)
    land(windows, CORRECT[0], FUTURE)
    windows.run()
    reason = f"from the future: ts is after {BOUND}"
    for name in ("bounded", "weighed", "ticks"):
        assert windows.kinds(name, "late", "id, reason") == [(2, reason)], name
    land(windows, *CORRECT[1:])
    assert "1 received" not in windows.messages()["bounded_ledger"]
    assert entered(windows, "bounded") == entered(windows, "filtered") == [1, 3, 4]
    assert windows.kinds("filtered", "late", "id") == []
    assert entered(windows, "weighed") == [1, 3]  # the late one weighs nothing
    assert windows.kinds("weighed", "pending", "id") == [(4,)]
    assert entered(windows, "ticks") == [1, 3]  # at 00:10; the fourth waits
    figures = "select received, applied, late, unusable from {}.bounded_ledger order by run"
    rows = windows.spark.sql(figures.format(windows.schema)).collect()
    assert [tuple(row) for row in rows] == [(2, 1, 0, 1), (4, 3, 0, 1)]


@pytest.mark.parametrize(
    ("model", "macro", "text", "instead"),
    [
        ("bounded", "_window_clock", "task.not_after is not none", "false"),
        ("filtered", "_window_clock", "strandline._reads_time(task)", "false"),
        ("chained", "_cycle_range", "coalesce(", "nullif("),  # null, and no range
    ],
)
@pytest.mark.soak
def test_the_old_clock_is_found(
    spark: Any, write_files: Any, tmp_path: Path, model: str, macro: str, text: str, instead: str
) -> None:
    """Each mutation brings back what 0.1.0 did: honest rows are late, or rows vanish."""
    package = package_with([(macro, text, instead)], tmp_path / "package")
    windows = OnSpark(spark, tmp_path / "mutated", write_files, "mutated_windows", package)
    try:
        _compare(windows, model)
    finally:
        drop_schema(spark, windows.schema)


def _compare(windows: Any, model: str) -> None:
    windows.events("received timestamp, id int")
    if model == "chained":
        windows.models(first=EVENTS + "store='last 5'", chained=CHAINED)
        null = "null, null"
        windows.spark.sql(f"insert into {windows.schema}.events values (1, {null}, 1)")
        land(windows, (3, 5, 5, 3))
        windows.run()
        assert entered(windows, "chained") == [3]
    else:
        models(windows)
        land(windows, CORRECT[0], FUTURE, *CORRECT[1:])
        windows.run("--select", model)
        assert entered(windows, model) != [1, 3, 4]


@pytest.mark.soak  # a minute
def test_a_jump_of_the_clock_is_reported_and_there_is_a_way_back(windows: Any) -> None:
    windows.events("received timestamp, id int")
    windows.models(
        recent=EVENTS + "store='last 1 hour'",
        chained="source=ref('recent'), store='last 9', where='$row_status is new'",
    )
    land(windows, CORRECT[0], (9, 30, 30, 9))
    windows.run()
    land(windows, (10, FAR, 60, 2))
    windows.warnings()
    windows.run()
    (warning,) = [each for each in windows.warnings() if "the clock jumps" in each]
    far = datetime.fromtimestamp(MIDNIGHT + FAR, timezone.utc).strftime("%Y-%m-%d %H:%M:%S")
    assert (
        f"recent: the clock jumps from 2024-01-01 00:00:30 to {far}, which is more than the whole past "
        "of this window, since 2024-01-01 00:00:00." in warning
    )
    land(windows, (11, 300, 300, 3))
    windows.run()
    assert windows.kinds("recent", "late", "id") == [(3,)]

    # The way back: the wrong event leaves the source, the tables go back, and what follows is read.
    windows.spark.sql(f"delete from {windows.schema}.events where id = 2")
    for name in ("recent", "chained"):
        windows.spark.sql(f"restore table {windows.schema}.{name} to version as of 0")
    windows.run()
    assert entered(windows, "recent") == entered(windows, "chained") == [1, 9, 3]
    assert windows.kinds("recent", "late", "id") == []


CHAINED = "source=ref('first'), store='last 5', where='$row_status is new'"


@pytest.mark.soak  # a minute
def test_rows_before_the_clock_is_known_reach_chained_windows(windows: Any) -> None:
    windows.events("received timestamp, id int")
    windows.models(
        first=EVENTS + "store='last 1'",
        chained=CHAINED,
        gone="source=ref('first'), store='last 5', where='$row_status is dead'",
    )
    windows.spark.sql(f"insert into {windows.schema}.events values (1, null, null, 1)")
    windows.run()
    assert entered(windows, "chained") == [1]
    windows.spark.sql(f"insert into {windows.schema}.events values (2, null, null, 2)")
    windows.run()
    land(windows, (3, 5, 5, 3))
    windows.run()
    split = {name: windows.stays(name, "id") for name in ("first", "chained", "gone")}
    assert entered(windows, "chained") == [1, 2, 3]
    assert entered(windows, "gone") == [1, 2]
    parts = windows.spark.sql(f"select distinct window_part from {windows.schema}.first").collect()
    assert sorted(row[0] for row in parts) == ["2024-01", "none", "open"]
    windows.run("--full-refresh")
    assert split == {name: windows.stays(name, "id") for name in split}


REFUSED = [
    ("not_after='n'", "`not_after` is 'n', which is INT; make it a TIMESTAMP"),
    ("not_after='recieved'", "`not_after` is 'recieved', and events has no column 'recieved'; it has arrival, ts, n, received; did you mean 'received'?"),
    ("where='n + 1'", "`where` is 'n + 1', which is INT; write a condition"),
    ("where='a.n > 1'", "`where` is 'a.n > 1', which Spark rejects: [UNRESOLVED_COLUMN"),
    ("where='sum(n) > 1'", "`where` is 'sum(n) > 1', which Spark rejects: "),
    ("weight={'n + 1': 0.5}", "`weight` has 'n + 1', which is INT; write a condition"),
    ("weight={'kind = 1': 0.5}", "`weight` has 'kind = 1', and events has no column 'kind'; it has arrival, ts, n, received"),
    ("aggregates={'s': 'sum(max(n))'}", "`aggregates` has s = 'max(n)', which Spark rejects"),
    ("aggregates={'s': 'sum(rank() over (order by n))'}", "`aggregates` has s = 'rank() over (order by n)', which Spark rejects"),
    ("aggregates={'s': 'avg(ts)'}", "`aggregates` has s = 'ts', which is TIMESTAMP; it needs a number"),
    ("keys=['n || 1']", "names the column 'n || 1', which events does not have"),
]  # fmt: skip


def test_what_is_refused(windows: Any) -> None:
    windows.events("n int, received timestamp")
    windows.models(
        **{
            f"wrong_{place}": EVENTS + "store='last 5', " + arguments
            for place, (arguments, _) in enumerate(REFUSED)
        }
    )
    said = windows.refusals()
    for place, (arguments, message) in enumerate(REFUSED):
        assert message in said[f"wrong_{place}"], arguments


def test_a_wrong_ts_is_reported_once(windows: Any) -> None:
    windows.events("n int")
    windows.models(refused="source=source('feed', 'events'), ts='n', store='last 5'")
    assert windows.fails().count("which is INT; take a TIMESTAMP") == 1


@pytest.mark.soak
def test_three_of_weight_a_half_at_once_run(windows: Any) -> None:
    windows.events("id int")
    windows.models(
        half=EVENTS + "store='last 9', weight=0.5",
        fifth=EVENTS + "store='last 999', weight=0.2",
        timed=EVENTS + "store='last PT1H', weight=0.5",
    )
    windows.warnings()
    windows.land((1, 0, id) for id in (1, 2, 3))
    windows.run()
    warning, *_ = [each for each in windows.warnings() if "weight" in each]
    assert "window_table in timed: `weight` is 0.5, and a time window has no weights" in warning
    assert windows.stays("half", "id") == [(id, "0", None) for id in (1, 2, 3)]
    # Nothing is left of them: the next waits for another one.
    windows.land([(2, 5, 4), (3, 6, 5), (4, 7, 6)])
    windows.run()
    assert windows.stays("half", "id")[3:] == [(4, "6", None), (5, "6", None)]
    assert windows.kinds("half", "pending", "id") == [(6,)]

    # Hundreds of arrivals of one to seven events, in blocks and ranges, against a plain sum.
    sizes = [1 + (n * 7919) % 7 for n in range(400)]
    windows.land(
        (10 + n, 10 + n, 1000 * n + k) for n, size in enumerate(sizes) for k in range(size)
    )
    windows.run()
    pending, expected = 0, []
    for number, count in [
        (1, 3),
        (2, 1),
        (3, 1),
        (4, 1),
        *((10 + n, s) for n, s in enumerate(sizes)),
    ]:
        pending += count
        if pending >= 5:
            expected.append((number, pending))
            pending = 0
    rows = windows.spark.sql(
        "select unix_seconds(entered.at), count(*) from windowed.fifth where row_kind = 'row' group by 1 order by 1"
    ).collect()
    midnight = 1_704_067_200
    seconds = {1: 0, 2: 5, 3: 6, 4: 7}
    assert [(row[0] - midnight, row[1]) for row in rows] == [
        (seconds.get(number, number), count) for number, count in expected
    ]
    assert len(windows.kinds("fifth", "pending", "id")) == pending
