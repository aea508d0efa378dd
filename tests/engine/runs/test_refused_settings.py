"""A Spark that refuses `set` and `reset`, as a SQL warehouse of Databricks does: the rows are the same.

The var `strandline_session_settings` is false here. What each statement is: tests/unit/test_without_settings.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from random import Random
from threading import Thread
from typing import Any

import pytest
from dbt.context.providers import BaseDatabaseWrapper
from dbt_common.exceptions import DbtDatabaseError
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from tests.engine.anomalies.parallel_cases import ParallelCases
from tests.engine.correlation.test_oracle_on_spark import compare as compare_correlations
from tests.engine.runs.histories import cases
from tests.engine.runs.kill import before, killing, plain, twice_at_once
from tests.engine.runs.test_histories import RUNS, SEEDS, SOME, play
from tests.engine.runs.test_kills import KEPT, batch
from tests.engine.runs.test_replaced import contents
from tests.engine.windows.test_oracle_on_spark import compare as compare_windows

from dbt.adapters.strandline.handle import SessionCursor

COLUMNS = "arrival bigint, ts timestamp, temp int"
SOURCE = "source('feed', 'feed_points')"
# A query of detections, one for each event; views have no runs.
FOUND = f"""
{{{{ config(materialized='view') }}}}
select arrival, 'hot' as detector, ts as starts_at, ts + interval 1 minute as ends_at,
    cast(temp as double) as current_value, cast(null as double) as baseline_value
from {{{{ {SOURCE} }}}}
"""
MODELS = {
    "recent": f"{{{{ strandline.window_table({SOURCE}, store='last 90 seconds', ts='ts') }}}}",
    "counted": f"{{{{ strandline.window_table({SOURCE}, store='last 2', ts='ts', keys=['temp'], "
    "aggregates={'n': 'count(*)', 'top': 'max(arrival)'}) }}",
    "pairs": "{{ strandline.correlation_table(streams={'one': {'window': ref('recent'), 'on': 'temp'}, "
    "'two': {'window': ref('one_more'), 'on': 'temp'}}, when=['one and two', 'one and not two'], "
    "select={'id': 'one.arrival', 'other': 'two.arrival'}) }}",
    "one_more": f"{{{{ strandline.window_table({SOURCE}, store='last 30 seconds', ts='ts', where='arrival > 2') }}}}",
    "found": FOUND,
    "anomalies": "{{ strandline.anomalies(detections=[ref('found')], keys=['detector'], granularity='PT1M') }}",
    "weights": f"{{{{ strandline.time_weight_table({SOURCE}, keys=[], ts='ts', value='temp', method='locf', "
    "bucket='1 minute', gap='90 minutes') }}",
}
TABLES = ("recent", "counted", "pairs", "one_more", "anomalies", "weights")
# arrival, second, temperature; equal events, and one that is late for every window.
BATCHES = [
    ["1, timestamp_seconds(10), 70"],
    [
        "2, timestamp_seconds(60), 70",
        "2, timestamp_seconds(60), 70",
        "3, timestamp_seconds(61), 71",
    ],
    ["4, timestamp_seconds(150), 71", "5, timestamp_seconds(20), 70"],
    ["6, timestamp_seconds(2700000), 72", "7, timestamp_seconds(2700100), 70"],
]
OVERTAKEN = "{}: another run has written to this table since this run read it; nothing was written; run it again"


@contextmanager
def written_before(spark: Any, table: str, others: int = 2) -> Iterator[list[bool]]:
    """Before a run merges into a table, others do at the same time; gives which of them succeeded."""
    schema, name = table.split(".")
    outcomes: list[bool] = []

    def write(sql: str) -> None:
        try:
            spark.newSession().sql(sql)
            outcomes.append(True)
        except (PySparkException, Py4JError):
            outcomes.append(False)

    def write_at_once(sql: str) -> None:
        threads = [Thread(target=write, args=(sql,)) for _ in range(others)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    with before(re.compile(rf"merge into\s+`?{schema}`?\.`?{name}\b"), write_at_once):
        yield outcomes


@pytest.fixture
def refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Settings are refused, and the var says so."""
    execute = SessionCursor.execute

    def refusing(cursor: SessionCursor, sql: str, *args: Any) -> None:
        if re.match(r"(re)?set\b", plain(sql), re.IGNORECASE):
            raise DbtDatabaseError(f"[CONFIG_NOT_AVAILABLE] {plain(sql)}")
        execute(cursor, sql, *args)

    monkeypatch.setattr(SessionCursor, "execute", refusing)
    monkeypatch.setenv("STRANDLINE_SESSION_SETTINGS", "false")


@pytest.fixture
def elsewhere(refused: None, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: ARG001
    """The same through another adapter, where the steps of a run are tables."""
    monkeypatch.setattr(BaseDatabaseWrapper, "type", lambda _: "spark")


@pytest.mark.soak
@pytest.mark.usefixtures("refused")
def test_a_window_that_another_run_has_written_is_left_alone(windows: Any) -> None:
    windows.events("n int")
    windows.models(recent="source=source('feed', 'events'), ts='ts', store='last 10 seconds'")
    windows.land([(1, 0, 1), (2, 5, 2)])
    windows.run()
    windows.land([(3, 12, 3), (3, 12, 3)])
    with written_before(windows.spark, "windowed.recent", others=1) as outcomes:
        message = windows.fails()
    assert OVERTAKEN.format("recent") in " ".join(message.split())
    assert outcomes == [True]
    assert windows.stays("recent", "n") == [
        (1, "0", "10"),
        (2, "5", None),
        (3, "12", None),
        (3, "12", None),
    ]


@pytest.mark.soak
def test_every_table_is_what_it_is_with_settings(small: Any, request: Any) -> None:
    """Row for row, twins included, after each run of a history."""
    with_settings = list(history(small))
    for table in (*TABLES, "feed_points"):
        small.spark.sql(f"drop table small.{table}")
    request.getfixturevalue("elsewhere")
    assert list(history(small)) == with_settings


def history(small: Any) -> Iterator[dict[str, list[str]]]:
    """The contents of all tables after each run; what a build is called differs."""
    small.model("points", COLUMNS, "select 1 as nothing")
    small.change("points", "{{ config(enabled=false) }} select 1 as nothing")
    for name, body in MODELS.items():
        small.change(name, body)
    for number, rows in enumerate(BATCHES):
        small.feed("points", *rows)
        small.run(strandline_as_of=f"1970-02-0{number + 1} 00:00:00")
        found = {table: contents(small, table) for table in TABLES}
        yield {
            table: [re.sub(r'"builds":"[^"]*"', "", row) for row in rows]
            for table, rows in found.items()
        }


@pytest.mark.soak
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.usefixtures("elsewhere")
def test_aggregations_have_what_the_oracle_has(runs: Any, seed: int) -> None:
    """Random histories, through a crash, as in test_histories.py."""
    chance = Random(seed)  # noqa: S311
    project = runs("refused", *SOME)
    histories = {
        name: history
        for name, history in cases(chance, 0, 100, RUNS).items()
        if name in project.definitions
    }
    play(project, histories, killed_at=chance.randrange(1, 4))
    project.compare()
    project.compare_with_full_refresh()


@pytest.mark.soak
@pytest.mark.usefixtures("elsewhere")
def test_of_two_runs_of_an_aggregation_each_event_counts_once(runs: Any) -> None:
    project = runs("refused_twins", KEPT)
    project.land("kept", batch(0))
    project.run()
    project.land("kept", batch(1))
    messages = ""
    for _ in range(2):
        with twice_at_once(project.spark, project.schema):
            messages += project.fails("--threads", "1")
    for table in ("kept_hours", "kept_late", "kept_days"):
        assert f"{table}: another run has written to this table since" in messages
    project.run()
    project.compare()


@pytest.mark.soak
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.usefixtures("refused")
def test_windows_have_what_the_oracle_has(windows: Any, seed: int) -> None:
    """Random windows and streams, each run killed at a commit and repeated."""
    compare_windows(windows, seed, streams=6, kinds=["time", "sliding", "highest", "tumbling"])


@pytest.mark.soak
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.usefixtures("refused")
def test_correlations_have_what_the_oracle_has(windows: Any, seed: int) -> None:
    compare_correlations(windows, seed, count=300, correlations=2)


@pytest.mark.soak
@pytest.mark.usefixtures("elsewhere")
def test_anomalies_have_what_the_oracle_has(consolidated: Any) -> None:
    """Each run crashes once: before and after the commit of the rows, and after the watermark."""
    given = ParallelCases(18, 20)
    consolidated.define(given.chosen)
    crashes = [(1, True), (1, False), (2, False)]
    for (commit, is_before), run in zip(crashes, given.runs(3), strict=True):
        consolidated.detect({n: case.found.values() for n, case in enumerate(given.cases)})
        consolidated.give_feedback(given.engines)
        settings = (run.now, run.analysed if run.is_backfill else None)
        with killing("consolidated", commit, before=is_before), suppress(AssertionError):
            consolidated.run(*settings)
        consolidated.run(*settings)
        consolidated.agrees(given.engines)


@pytest.fixture
def planted(small: Any, elsewhere: None) -> Any:  # noqa: ARG001
    """All tables after one batch; a second one has landed."""
    small.model("points", COLUMNS, "select 1 as nothing")
    small.change("points", "{{ config(enabled=false) }} select 1 as nothing")
    for name, body in MODELS.items():
        small.change(name, body)
    for rows in BATCHES[:2]:
        small.feed("points", *rows)
        if rows == BATCHES[0]:
            small.run(strandline_as_of="1970-02-01 00:00:00")
    return small


@pytest.mark.soak
@pytest.mark.parametrize("table", ["recent", "counted", "pairs", "anomalies"])
def test_of_two_runs_from_one_state_the_second_fails_and_loses_nothing(
    planted: Any, table: str
) -> None:
    """The first has written just before, and two that write at the same time are not both taken."""
    planted.run("--exclude", table)
    with written_before(planted.spark, f"small.{table}") as outcomes:
        message = planted.fails("--select", table)
    assert OVERTAKEN.format(table) in " ".join(message.split())
    assert sorted(outcomes) == [False, True]
    after = contents(planted, table)
    planted.run("--select", table)
    assert contents(planted, table) == after


@pytest.mark.soak
def test_a_table_that_was_replaced_meanwhile_is_left_alone(planted: Any) -> None:
    shown = planted.spark.sql("show tblproperties small.recent").collect()
    properties = ", ".join(f"'{key}' = '{value}'" for key, value in shown if key != "type")
    replace = (
        "create or replace table small.recent using delta partitioned by (window_part) "
        f"tblproperties ({properties}) as select * from small.recent"
    )
    old = contents(planted, "recent")
    form = re.compile(r"merge into\s+`?small`?\.`?recent\b")
    with before(form, lambda _: planted.spark.sql(replace)):
        message = planted.fails("--select", "recent")
    assert OVERTAKEN.format("recent") in " ".join(message.split())
    assert contents(planted, "recent") == old
    assert planted.run("--select", "recent") == {"recent": "wrote rows"}
