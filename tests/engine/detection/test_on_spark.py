"""`detect` on Spark, case by case: the source's examples, splits, crashes, and what must be refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any

import pytest
from tests.engine.detection import oracle, streams
from tests.engine.detection.catalogue import CATALOGUE
from tests.engine.detection.on_spark import Engine, as_read
from tests.engine.detection.oracle_metrics import Row
from tests.engine.detection.test_oracle_examples import SECOND, SENSOR, TRADES

from strandline.detection import DetectionError
from strandline.detection.plan import rows as plan_rows

THRESHOLDS = ["temp > 65", "temp > percentile(temp, 75)"]


def sensor(engines: Callable[..., Engine], metrics: list[str] | None = None) -> Engine:
    return engines(
        metrics or THRESHOLDS, columns={"temp": "double"}, keys=[], window_size="6 ms", step="3 ms"
    )


def test_example_1_with_the_two_other_classes_in_splits(engines: Callable[..., Engine]) -> None:
    """After DolphinDB: temp > 65 is found at 003, the percentile at 003, 005 and 006."""
    engine = sensor(engines, [*THRESHOLDS, "max(temp) - min(temp) > 8"])
    for start, end in [(0, 1), (1, 5), (5, 10)]:
        engine.land(SENSOR[start:end])
        engine.run()

    expected = [
        #  arrival, time, metric, window, left, right
        (1, 3, 0, None, 66, 65),
        (1, 3, 1, (-3, 3), 66, 59),
        (3, 5, 1, (-3, 3), 60, 59),
        (4, 6, 2, (0, 6), 9, 8),
        (4, 6, 1, (0, 6), 63, 60),
        (7, 9, 2, (3, 9), 15, 8),
    ]
    assert found(engine) == sorted(expected, key=lambda e: (e[0], e[2] != 2, e[2]))
    engine.run(full_refresh=True)
    assert found(engine) == sorted(expected, key=lambda e: (e[0], e[2] != 2, e[2]))


def found(engine: Engine) -> list[tuple]:
    def at(time: int | None) -> int | None:
        return None if time is None else time - SECOND

    return [
        (e.arrival, at(e.time), e.metric,
         None if e.window_start is None else (at(e.window_start), at(e.window_end)), e.left, e.right)
        for e in engine.found()
    ]  # fmt: skip


@pytest.mark.soak
def test_example_1_row_by_row(engines: Callable[..., Engine]) -> None:
    engine = sensor(engines)
    for row in SENSOR:
        engine.land([row])
        engine.run()
    assert [(time, metric) for _, time, metric, *_ in found(engine)] == [
        (3, 0),
        (3, 1),
        (5, 1),
        (6, 1),
    ]


@pytest.mark.soak
def test_example_2_a_crash_and_a_resend(engines: Callable[..., Engine]) -> None:
    """390 messages; after 300 the server crashes between its commits, then some come again."""
    metric = {"avg(qty) > qty": CATALOGUE["avg(qty) > qty"]}
    expected = as_read(oracle.Engine(list(metric.values()), window_size=10, step=10).run(TRADES))
    engine = engines(list(metric), columns={"qty": "bigint"}, window_size="10 ms", step="10 ms")
    engine.land(TRADES[:300])
    engine.run()
    engine.land(TRADES[200:350])
    assert engine.run_killed(1, before=False)
    engine.land(TRADES[340:])
    engine.run()
    assert engine.found() == expected


CRASHES = [
    # commit 1 is the state, 2 the late rows, 3 the detections
    pytest.param(1, False, False, id="state", marks=pytest.mark.soak),
    pytest.param(2, False, False, id="late", marks=pytest.mark.soak),
    pytest.param(3, False, False, id="detections", marks=pytest.mark.soak),
    pytest.param(1, True, False, id="nothing", marks=pytest.mark.soak),
    pytest.param(1, False, True, id="state-full-refresh", marks=pytest.mark.soak),
    pytest.param(2, False, True, id="late-full-refresh", marks=pytest.mark.soak),
    pytest.param(3, False, True, id="detections-full-refresh", marks=pytest.mark.soak),
]


@pytest.mark.parametrize(("commit", "before", "full_refresh"), CRASHES)
def test_a_crash_after_a_commit(
    engines: Callable[..., Engine], commit: int, before: bool, full_refresh: bool
) -> None:
    """State, late rows, detections: whichever commit a run does not reach, the next one makes."""
    made = streams.stream(77, count=300, precision="ms", keys=6)
    metrics = dict(list(CATALOGUE.items())[2::9])
    windows = {"window_size": made.window_size, "step": made.step}
    of_oracle = oracle.Engine(list(metrics.values()), round_time=made.round_time, **windows)
    expected = as_read(of_oracle.run(made.rows))
    late = sorted((reason, row.arrival) for reason, row in of_oracle.late)
    assert expected
    assert late
    engine = engines(
        metrics, round_time=made.round_time, window_size=f"{made.window_size} ms",
        step=f"{made.step} ms",
    )  # fmt: skip
    engine.land(made.rows[:200])
    engine.run()
    engine.land(made.rows[200:])
    assert engine.run_killed(commit, before=before, full_refresh=full_refresh)
    engine.run()
    assert engine.found() == expected
    assert engine.late() == late
    versions = engine.versions()
    engine.run()
    assert engine.versions() == versions, "a run without new events wrote something"


@pytest.mark.soak
def test_a_build_over_another_format_that_crashed_is_completed(
    engines: Callable[..., Engine],
) -> None:
    """dbt drops such a table after the state is written: a crash before that leaves it there."""
    engine = sensor(engines)
    engine.spark.sql(f"create table {engine.table} (temp double) using parquet")
    engine.land(SENSOR)
    assert engine.run_killed(2, before=False, full_refresh=True)  # the state, and its late rows
    engine.run()
    once = engine.found()
    assert [(time, metric) for _, time, metric, *_ in found(engine)] == [
        (3, 0),
        (3, 1),
        (5, 1),
        (6, 1),
    ]
    engine.run()
    assert engine.found() == once


@pytest.mark.soak
def test_two_runs_from_one_state(engines: Callable[..., Engine], monkeypatch: Any) -> None:
    """The second of two simultaneous runs writes nothing, and reads the commit of the first."""
    from strandline.detection.plan.state import State

    engine = sensor(engines)
    engine.land(SENSOR[:4])
    engine.run()
    engine.land(SENSOR[4:])
    replace = State.replace

    def twice(state: State, *args: Any) -> None:
        replace(state, *args)
        replace(state, *args)

    monkeypatch.setattr(State, "replace", twice)
    before = engine.versions()
    engine.run()
    assert engine.versions()[1] == before[1] + 1
    assert [(time, metric) for _, time, metric, *_ in found(engine)] == [
        (3, 0),
        (3, 1),
        (5, 1),
        (6, 1),
    ]


@pytest.mark.soak
def test_without_a_key_rows_are_sorted_in_ranges(
    engines: Callable[..., Engine], monkeypatch: Any
) -> None:
    monkeypatch.setattr(plan_rows, "ROWS_A_RANGE", 40)
    made = streams.stream(78, count=400, precision="ms", keys=1)
    rows = [Row(row.arrival, row.time, (), row.values) for row in made.rows]
    metrics = {
        m: CATALOGUE[m]
        for m in ("lt(qty, prev(qty))", "sum(qty) > prev(sum(qty))", "avg(qty) > qty")
    }
    windows = {"window_size": made.window_size, "step": made.step, "round_time": made.round_time}
    of_oracle = oracle.Engine(list(metrics.values()), **windows)
    expected = as_read(of_oracle.run(rows))
    engine = engines(
        metrics, keys=[], round_time=made.round_time, window_size=f"{made.window_size} ms",
        step=f"{made.step} ms",
    )  # fmt: skip
    engine.land(rows[:250])
    engine.run()
    engine.land(rows[250:])
    engine.run()
    assert engine.found() == expected
    assert engine.late() == sorted((reason, row.arrival) for reason, row in of_oracle.late)


def test_prev_inside_an_aggregate_sees_only_the_window(engines: Callable[..., Engine]) -> None:
    """Windows of two steps, readings 1 4 9 16, one a millisecond: deltas are 3, 5, 7."""
    engine = engines(
        ["sum(deltas(temp)) > 0"], columns={"temp": "double"}, keys=[], window_size="4 ms",
        step="2 ms",
    )  # fmt: skip
    engine.land([Row(n, SECOND + n, (), {"temp": (n + 1.0) ** 2}) for n in range(7)])
    engine.run()
    assert [(window, left) for _, _, _, window, left, _ in found(engine)] == [
        ((-2, 2), 3),  # 4 - 1
        ((0, 4), 15),  # 16 - 1
        ((2, 6), 27),  # 36 - 9
    ]


def test_what_is_out_of_range_is_null_and_stops_nothing(engines: Callable[..., Engine]) -> None:
    """65,536 times itself is 0 in 32 bits, and does not wrap here; NaN has no floor."""
    metrics = [
        "qty / price > 0", "qty * qty > 0", "qty % zero = 0", "qty > 0", "n * n > 0", "floor(temp) < 1",
        "ceil(temp) < 1",
    ]  # fmt: skip
    columns = {
        "qty": "decimal(38,2)", "price": "decimal(12,10)", "zero": "int", "n": "int", "temp": "double",
    }  # fmt: skip
    engine = engines(metrics, columns=columns, keys=[])
    qty, price = Decimal("9" * 34), Decimal("0.0000000001")
    given = {"qty": qty, "price": price, "zero": 0, "n": 65_536, "temp": math.nan}
    engine.land(
        [Row(1, SECOND, (), given), Row(2, SECOND, (), dict.fromkeys(columns) | {"temp": -0.5})]
    )
    engine.run()
    assert [(each.arrival, each.metric, each.left) for each in engine.found()] == [
        (1, 3, float(qty)), (1, 4, 2**32), (2, 5, -1.0), (2, 6, 0.0),
    ]  # fmt: skip


def test_an_aggregate_that_is_out_of_range_is_null_too(engines: Callable[..., Engine]) -> None:
    metrics = [
        f"{value} < 0"
        for value in ("med(qty)", "percentile(qty, 50, 'linear')", "sum(qty)", "min(qty)")
    ]
    engine = engines(metrics, columns={"qty": "bigint"}, keys=[], window_size="2 ms", step="2 ms")
    least, most = -(2**63), 2**63 - 1
    for n, qty in enumerate([least, most, least, least, 1]):
        engine.land([Row(n, SECOND + n, (), {"qty": qty})])
    engine.run()
    assert sorted((window, metric, left) for _, _, metric, window, left, _ in found(engine)) == [
        ((0, 2), 0, -0.5),  # the difference for metric 1 is out of range
        ((0, 2), 2, -1),
        ((0, 2), 3, least),
        ((2, 4), 1, least),  # the sums for metrics 0 and 2 are
        ((2, 4), 3, least),
    ]


def test_rows_are_taken_in_any_order_without_aggregates(engines: Callable[..., Engine]) -> None:
    engine = engines(["temp < prev(temp)"], columns={"temp": "double"}, keys=[])
    readings = [(9, 5.0), (2, 4.0), (5, 6.0), (1, 1.0)]
    rows = [Row(n, SECOND + time, (), {"temp": temp}) for n, (time, temp) in enumerate(readings)]
    for some in (rows[:1], rows[1:]):
        engine.land(some)
        engine.run()
    assert [(arrival, time) for arrival, time, *_ in found(engine)] == [(1, 2), (3, 1)]
    assert engine.late() == []


def test_another_definition_is_refused_and_the_status_says_so(
    engines: Callable[..., Engine], spark: Any
) -> None:
    engine = sensor(engines)
    engine.land(SENSOR)
    engine.run()
    engine.arguments["metrics"] = ["temp > 66", THRESHOLDS[1]]
    with pytest.raises(DetectionError) as refused:
        engine.run()
    assert str(refused.value) == (
        "detect 'engine1': its table was built by another definition:\n"
        "- `metrics` was ['temp > 65', 'temp > percentile(temp, 75)'],"
        " now it is ['temp > 66', 'temp > percentile(temp, 75)']\n"
        "Rebuild it with --full-refresh, or restore the definition."
    )
    status = spark.table(f"{engine.schema}.engine1_status")
    assert status.first().status == "ERROR"
    assert status.first().last_error == str(refused.value)

    engine.arguments["metrics"] = THRESHOLDS
    engine.run()
    row = status.first()
    assert (row.name, row.status, row.last_error) == ("engine1", "OK", None)
    assert (row.groups, row.rows, row.metric_count, row.metrics) == (1, 10, 2, THRESHOLDS)
    assert (row.last_arrival, row.garbage_size, row.rows_kept) == (9, 2000, 6)


@pytest.mark.soak
def test_a_status_that_is_gone_is_made_again(engines: Callable[..., Engine], spark: Any) -> None:
    """After a metastore was lost, there are the tables and no view."""
    engine = sensor(engines)
    engine.land(SENSOR)
    engine.run()
    spark.sql(f"drop view {engine.schema}.engine1_status")
    engine.run()
    assert spark.table(f"{engine.schema}.engine1_status").first().status == "OK"


def test_a_table_without_its_state_is_refused(engines: Callable[..., Engine], spark: Any) -> None:
    engine = sensor(engines)
    engine.run()
    spark.sql(f"drop table {engine.schema}.engine1_state")
    with pytest.raises(DetectionError, match="rebuild both with --full-refresh"):
        engine.run()


def test_events_without_an_arrival_are_refused(engines: Callable[..., Engine]) -> None:
    engine = sensor(engines)
    engine.land([*SENSOR, Row(None, SECOND, (), {"temp": 1.0})])  # type: ignore[arg-type]
    with pytest.raises(DetectionError, match="1 events have no `arrival`; number every event"):
        engine.run()
