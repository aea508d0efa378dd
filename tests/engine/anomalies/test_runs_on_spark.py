"""Runs on Spark: crashes and what the next run does, refusals, one write a change, the outbox."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from dbt.context.providers import BaseDatabaseWrapper
from tests.engine.anomalies.on_spark import at
from tests.engine.anomalies.oracle_ranges import AnalysedRange
from tests.engine.anomalies.oracle_rows import Detection
from tests.engine.anomalies.oracle_settings import Settings
from tests.engine.anomalies.parallel_cases import ParallelCases
from tests.engine.runs.kill import killing

from dbt.adapters.strandline.handle import SessionCursor

KEY = ("high", "AA")


@pytest.mark.soak
def test_a_crash_is_made_good_by_the_next_run_and_the_same_run_twice_writes_nothing(
    consolidated,
) -> None:
    cases = ParallelCases(18, 40)
    consolidated.define(cases.chosen)
    crashes = [(1, True), (1, False), (2, False)]  # 1 is the table, 2 the watermark
    happened = 0
    for (commit, before), run in zip(crashes, cases.runs(3), strict=True):
        consolidated.detect({n: case.found.values() for n, case in enumerate(cases.cases)})
        consolidated.give_feedback(cases.engines)
        given = (run.now, run.analysed if run.is_backfill else None)
        with killing("consolidated", commit, before=before) as crash, suppress(AssertionError):
            consolidated.run(*given)
        happened += crash.happened
        consolidated.run(*given)
        consolidated.agrees(cases.engines)
        assert consolidated.watermark == cases.engines[0].watermark

    assert happened >= 2
    version = consolidated.version
    assert consolidated.run(*given) in ("nothing new", "no new interval")
    assert consolidated.version == version


@pytest.mark.soak
def test_without_a_session_of_its_own_the_steps_stand_in_tables(consolidated, monkeypatch) -> None:
    """As on plain dbt-spark: the same rows, and in the end nothing beside them."""
    monkeypatch.setattr(BaseDatabaseWrapper, "type", lambda _: "spark")
    cases = ParallelCases(18, 20)
    consolidated.define(cases.chosen)
    for run in cases.runs(2):
        consolidated.detect({n: case.found.values() for n, case in enumerate(cases.cases)})
        consolidated.give_feedback(cases.engines)
        consolidated.run(run.now, run.analysed if run.is_backfill else None)
        consolidated.agrees(cases.engines)

    tables = consolidated.spark.sql(f"show tables in {consolidated.schema}").collect()
    assert {row.tableName for row in tables} == {"anomalies", "detections", "feedback"}


@pytest.mark.soak
def test_a_change_rewrites_the_files_of_its_month_alone(consolidated) -> None:
    consolidated.define(Settings(merge_max_duration=60))
    later = 40 * 24 * 60
    one, another = Detection(KEY, 0, 15, 4.0), Detection(KEY, later, later + 15, 4.0)
    consolidated.detect({0: [one, another]})
    consolidated.run(later + 15)
    january, february = files(consolidated)
    consolidated.detect({0: [replace(one, current=5.0), another]})
    consolidated.run(later + 15, AnalysedRange(0, 30))
    assert files(consolidated)[0] != january
    assert files(consolidated)[1] == february


def files(consolidated) -> list[str]:
    """The file of each month."""
    rows = consolidated.spark.sql(
        f"select distinct ends_month, input_file_name() as file from {consolidated.schema}.anomalies"
    ).collect()
    return [row.file for row in sorted(rows)]


@pytest.mark.soak
def test_of_two_runs_from_one_state_one_writes(consolidated) -> None:
    consolidated.define()
    consolidated.detect({0: [Detection(KEY, 0, 15, 4.0)]})
    consolidated.run(15)
    consolidated.detect({0: [Detection(KEY, 0, 15, 4.0), Detection(KEY, 45, 60, 5.0)]})
    execute = SessionCursor.execute

    def another_before(cursor, sql: str, *args) -> None:
        if "merge into" in sql:
            execute(cursor, sql, *args)
            execute(cursor, "reset spark.databricks.delta.lastCommitVersionInSession")
        execute(cursor, sql, *args)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SessionCursor, "execute", another_before)
        assert consolidated.run(60) == "left to the next run: another run has written"
    assert consolidated.watermark == 15
    assert consolidated.run(60) == "nothing new"
    assert consolidated.watermark == 60
    assert len(consolidated.read()[0][0]) == 2


@pytest.mark.soak
def test_the_clock_and_the_outbox(consolidated) -> None:
    """The clock is the greatest end, or what is given; it does not go back behind the watermark."""
    settings = Settings(mutability_period=60, completeness_delay=15, completed=True)
    consolidated.define(settings)
    consolidated.run()
    assert (consolidated.watermark, consolidated.read()) == (None, ({}, {}))  # no time yet

    one = Detection(KEY, 0, 15, 4.0, 10.0, "low", ("storm",))
    consolidated.detect({0: [one, Detection(KEY, 15, 30, 3.0, 10.0), Detection(KEY, 60, 75, 5.0)]})
    consolidated.run()
    assert consolidated.watermark == 60
    consolidated.detect({0: [one]})
    # Again from 0 on: one is outdated, and the parent shrinks.
    assert consolidated.run() == "wrote 2 rows"
    consolidated.define(
        settings, more=f", clock=\"(select timestamp'{at(200):%Y-%m-%d %H:%M:%S}Z')\""
    )
    assert consolidated.run() == "nothing new"
    assert consolidated.watermark == 180

    consolidated.run(select="notifications")
    view = f"{consolidated.schema}.notifications"
    sent = consolidated.spark.table(view).orderBy("kind").collect()
    assert [(row.kind, row.is_parent, row.status, row.ends_at.minute) for row in sent] == [
        ("completed", True, "updated", 15),
        ("new", True, "updated", 15),
    ]
    consolidated.read()
    assert {row.incident_id for row in sent} == {consolidated.ids[0][(*KEY, 0, 15, 0)]}
    assert len({row.notification_key for row in sent}) == 2
    assert sent[0].created_run_at == sent[0].notified_at


def test_what_is_refused_on_spark(consolidated) -> None:
    consolidated.define()
    one = Detection(KEY, 0, 15, 4.0)
    consolidated.detect({0: [one]})
    consolidated.run(30)
    version = consolidated.version

    consolidated.detect({0: [one, replace(one, current=5.0), Detection(KEY, 15, 15, 4.0)]})
    message = consolidated.fails(30, AnalysedRange(0, 30))
    assert (
        "there are detections without a start or an end, or whose end is not after their start (1), such as"
        ' {"case_id":0,"detector":"high","carrier":"AA","starts_at":"2024-01-01T00:15:00.000Z",'
        '"ends_at":"2024-01-01T00:15:00.000Z"}; leave them out in a staging model'
    ) in message
    assert (
        "there are detections of one key, start and end whose values differ (1), such as"
        ' {"case_id":0,"detector":"high","carrier":"AA","starts_at":"2024-01-01T00:00:00.000Z",'
        '"ends_at":"2024-01-01T00:15:00.000Z"}; add a column that distinguishes them to `keys`, or keep one of them'
    ) in message
    assert "the backfill range from '2024-01-01 00:30:00' to '2024-01-01 00:00:00' is empty" in (
        consolidated.fails(30, _backwards())
    )

    consolidated.detect({0: [one]})
    consolidated.define(replace(Settings(), merge_max_gap=2))
    message = consolidated.fails(30)
    assert (
        "`merge_max_gap` is now '2 minutes', and the stored rows were built with '1 minute'"
        in message
    )
    consolidated.model(
        "detections=[source('feed', 'detections')], keys=['case_id', 'detektor'], start='case_id', current='value', labels='case_id'"
    )
    message = consolidated.fails(30)
    assert "`keys` names the column 'detektor', which detections does not have; it has case_id," in message  # fmt: skip
    assert "did you mean 'detector'?" in message
    assert "`start` names case_id of detections, which is INT; take a TIMESTAMP" in message
    assert (
        "`labels` names case_id of detections, which is INT; a parent has the labels of all its members:"
        " make it an array of them, or a text"
    ) in message
    assert "`current` names the column 'value', which detections does not have" in message
    assert consolidated.version == version


def _backwards() -> AnalysedRange:
    analysed = object.__new__(AnalysedRange)
    object.__setattr__(analysed, "start", 30)
    object.__setattr__(analysed, "end", 0)
    return analysed
