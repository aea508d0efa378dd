"""Detections that arrive after their time was analysed, and clocks of the future, on Spark.

February 2024 begins at minute 44,640: the table is partitioned by month.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from tests.engine.anomalies.on_spark import OnSpark, at, text
from tests.engine.anomalies.oracle_ranges import AnalysedRange
from tests.engine.anomalies.oracle_rows import Detection
from tests.engine.anomalies.oracle_settings import Settings
from tests.engine.runs.kill import killing

KEY, OTHER = ("high", "AA"), ("high", "UA")
FEBRUARY = 31 * 24 * 60
TWO_DAYS = Settings(mutability_period=2 * 24 * 60)
NEWEST = Detection(KEY, FEBRUARY + 6000, FEBRUARY + 6015, 4.0, arrival=1)
FAILURE = Detection(KEY, FEBRUARY - 15, FEBRUARY, 9.0, arrival=2)
FUTURE = Detection(KEY, 39_999_990, 40_000_050, 7.0, arrival=3)  # in the year 2100


def rows(consolidated: OnSpark) -> dict[tuple, tuple[str, bool]]:
    """Status of each anomaly, and whether it was notified, by carrier, start and generation."""
    found, _ = consolidated.read()
    return {
        (row.key[1], row.start, row.generation): (row.status, row.notified_at is not None)
        for row in found.get(0, {}).values()
        if not row.is_parent
    }


def late(consolidated: OnSpark) -> list[tuple[str, int]]:
    """The first word of each reason in `anomaly_late`, and the start of the detection."""
    consolidated.run(select="late")
    zero = int(at(0).timestamp())
    starts = f"(unix_seconds(starts_at) - {zero}) div 60 as start"
    table = consolidated.spark.table(f"{consolidated.schema}.late")
    return sorted(
        (row.late_reason.split(":")[0], row.start)
        for row in table.selectExpr("late_reason", starts).collect()
    )


def counts(consolidated: OnSpark, *names: str) -> list[tuple]:
    consolidated.run(select="ledger")
    table = consolidated.spark.table(f"{consolidated.schema}.ledger").orderBy("run")
    return [tuple(row) for row in table.select(*names).collect()]


def define(consolidated: OnSpark, settings: Settings = TWO_DAYS, more: str = "") -> None:
    consolidated.define(settings, more)
    consolidated.also({
        "late": "{{ config(materialized='view') }}{{ strandline.anomaly_late(ref('anomalies')) }}",
        "ledger": "{{ strandline.anomaly_ledger(ref('anomalies')) }}",
    })  # fmt: skip


def test_a_late_detection_is_analysed_whatever_the_mutability_period(consolidated) -> None:
    """Also where a run was killed between its two commits, and where the clock does not move."""
    define(consolidated)
    gone = Detection(OTHER, FEBRUARY - 15, FEBRUARY, 5.0, arrival=1)
    kept = Detection(OTHER, FEBRUARY + 15, FEBRUARY + 30, 5.0, arrival=1)
    consolidated.detect({0: [NEWEST, gone, kept]})
    consolidated.run()
    watermark = consolidated.watermark
    assert counts(consolidated, "received", "classified", "late_analysed") == [(3, 3, 0)]

    consolidated.detect({0: [NEWEST, FAILURE]})  # of `gone` and `kept` no arrival says anything
    with killing("consolidated", 1, before=False) as crash, suppress(AssertionError):
        consolidated.run()
    assert crash.happened
    assert consolidated.run() == (
        f"nothing new; 1 late detection was analysed, from {text(FEBRUARY - 15)}"
    )
    assert rows(consolidated) == {
        ("AA", FAILURE.start, 0): ("new", True),
        ("AA", NEWEST.start, 0): ("new", True),
        ("UA", gone.start, 0): ("outdated", True),  # in the range of the late one
        ("UA", kept.start, 0): ("new", True),
    }
    assert consolidated.watermark == watermark
    version = consolidated.version
    assert consolidated.run() in ("nothing new", "no new interval")
    assert consolidated.version == version
    assert late(consolidated) == []
    names = ("run", "received", "classified", "ignored", "late", "future", "late_analysed", "written")  # fmt: skip
    assert counts(consolidated, *names)[1:] == [(2, 2, 2, 0, 0, 0, 1, 0)]

    consolidated.detect({0: [NEWEST, replace(FAILURE, current=1.0, arrival=3)]})
    assert "wrote 1 row; 1 late detection was analysed" in consolidated.run()


@pytest.mark.soak  # most of a minute
def test_late_detections_can_be_reported_instead(consolidated) -> None:
    define(consolidated, more=", late='report'")
    consolidated.detect({0: [NEWEST, Detection(OTHER, 0, 15, 5.0, arrival=1)]})
    consolidated.run()
    consolidated.detect({0: [NEWEST, FAILURE, Detection(OTHER, 0, 15, 6.0, arrival=2)]})
    command = f"strandline run --select anomalies+ --from '{text(0)}' --to '{text(FEBRUARY)}'"
    assert consolidated.run() == (
        f"nothing new; 2 late detections are not analysed; to analyse: `{command}`"
    )
    assert late(consolidated) == [("changed", 0), ("late", FAILURE.start)]
    names = ("received", "classified", "late", "not_stored")
    assert counts(consolidated, *names) == [(2, 2, 0, None), (3, 1, 2, 1)]
    assert "late" not in consolidated.run()

    consolidated.run(None, AnalysedRange(0, FEBRUARY))
    assert late(consolidated) == []
    assert rows(consolidated)["AA", FAILURE.start, 0] == ("new", True)


def test_without_an_arrival_the_ledger_finds_what_was_not_analysed(consolidated) -> None:
    define(consolidated, more=", arrival=none")
    consolidated.detect({0: [NEWEST]})
    consolidated.run()
    consolidated.detect({0: [NEWEST, FAILURE]})
    consolidated.run()
    assert ("AA", FAILURE.start, 0) not in rows(consolidated)
    assert late(consolidated) == [("late", FAILURE.start)]
    message = consolidated.fails(select="ledger")
    assert "1 detections end at or before the watermark" in message
    assert f"--from '{text(FAILURE.start)}' --to '{text(FEBRUARY)}'`" in message


def test_a_changed_bucket_shows_what_disappeared(consolidated) -> None:
    schema = consolidated.schema
    spark = consolidated.spark
    spark.sql(
        f"create table {schema}.feedback_hours (agg_timestamp timestamp, agg_arrival bigint) using delta"
    )
    buckets = ", upstream=source('feed', 'feedback_hours')"
    consolidated.sources("feedback_hours")
    define(consolidated, more=buckets)
    consolidated.detect({0: [NEWEST, FAILURE]})
    literal = f"timestamp'{text(FAILURE.start)}Z'"
    spark.sql(f"insert into {schema}.feedback_hours values ({literal}, 5)")
    consolidated.run()
    assert rows(consolidated)["AA", FAILURE.start, 0] == ("new", True)

    consolidated.detect({0: [NEWEST]})  # the hour was rewritten, and is as usual
    assert consolidated.run() in ("nothing new", "no new interval")
    assert rows(consolidated)["AA", FAILURE.start, 0] == ("new", True)
    spark.sql(f"insert overwrite {schema}.feedback_hours values ({literal}, 6)")
    consolidated.run()
    assert rows(consolidated)["AA", FAILURE.start, 0] == ("outdated", True)


@pytest.mark.soak  # most of a minute
def test_a_clock_of_the_future_and_the_way_back(consolidated) -> None:
    """Without a guard it warns; the way back keeps what was notified."""
    define(consolidated, more=", arrival=none")
    correct = Detection(KEY, 0, 15, 4.0)
    consolidated.detect({0: [correct, FUTURE]})
    message = consolidated.run()
    end = text(FUTURE.end)
    for words in (
        f"the watermark is {text(FUTURE.end)}, which is after the time of this run",
        f"The newest detections end at {end}, {text(15)}.",
        f"`strandline run --select anomalies+ --watermark '{text(15)}'`",
    ):
        assert words in message
    later = Detection(KEY, 1500, 1515, 5.0)
    consolidated.detect({0: [correct, later, FUTURE]})
    assert "which is after the time of this run" in consolidated.run()
    assert ("AA", later.start, 0) not in rows(consolidated)

    guard = ", arrival=none, not_after='current_timestamp()'"
    define(consolidated, more=guard)
    with killing("consolidated", 1, before=False) as crash, suppress(AssertionError):
        consolidated.run(watermark=15)
    assert crash.happened
    assert consolidated.watermark == 15  # and what stands after it is compared by the next run
    message = consolidated.run()
    assert "1 detection ends after `not_after`" in message
    assert rows(consolidated) == {
        ("AA", 0, 0): ("new", True),
        ("AA", 1500, 0): ("new", True),
        ("AA", FUTURE.start, 0): ("outdated", True),
    }
    assert consolidated.watermark == 1515
    assert late(consolidated) == [("future", FUTURE.start)]
    assert consolidated.run(watermark=1600).startswith("nothing new")
    assert consolidated.watermark == 1515


SKIPPED = "unchanged: nothing that it reads has changed since it last ran"
FIRST = Detection(KEY, 0, 15, 4.0, arrival=1)


def guard(consolidated, not_after: str, clock: str = "") -> None:
    """A table that is skipped while nothing has changed, as in any project, and its first run."""
    columns = "['case_id', 'detector', 'carrier']"
    given = f"keys={columns}, granularity='PT15M', not_after='{not_after}'{clock}"
    call = f"strandline.anomalies(detections=[source('feed', 'detections')], {given})"
    skips = "config(meta={'skip_unchanged': true})"
    consolidated.also({"anomalies": f"{{{{ {skips} }}}}{{{{ {call} }}}}"})
    consolidated.detect({0: [FIRST]})
    assert consolidated.run() != SKIPPED


def test_a_guard_that_moves_with_the_time_of_the_run_lets_runs_be_skipped(consolidated) -> None:
    """While it leaves nothing out: what it leaves out may be let in by the next run."""
    guard(consolidated, "current_timestamp() + interval 1 day")
    assert consolidated.run() == SKIPPED
    consolidated.detect({0: [FIRST, FUTURE]})
    assert [consolidated.run(), consolidated.run()] == ["no new interval", "no new interval"]


def test_a_clock_that_is_bounded_lets_no_run_be_skipped(consolidated) -> None:
    clock = f", clock=\"(select timestamp'{text(FUTURE.end)}Z')\""
    guard(consolidated, "current_timestamp()", clock)
    assert consolidated.run() != SKIPPED


def test_a_clock_of_the_time_of_the_run_lets_no_run_be_skipped(consolidated) -> None:
    """It goes on although nothing arrives, whatever text it shares with `not_after`."""
    guard(consolidated, "current_timestamp()", ", clock='current_timestamp() - interval 1 hour'")
    assert consolidated.run() != SKIPPED


def test_a_guard_by_chance_lets_no_run_be_skipped(consolidated) -> None:
    guard(consolidated, "current_timestamp() + rand() * interval 1 day")
    assert consolidated.run() != SKIPPED


@pytest.mark.soak
def test_the_guard_from_the_beginning(consolidated) -> None:
    """A detection of the future is not stored and moves no watermark, nor does a `clock`."""
    guard = f"(select timestamp'{text(3000)}Z')"
    clock = f", clock=\"(select timestamp'{text(FUTURE.end)}Z')\""
    define(consolidated, more=f', not_after="{guard}"{clock}')
    consolidated.detect({0: [Detection(KEY, 0, 15, 4.0, arrival=1), FUTURE]})
    consolidated.run()
    assert rows(consolidated) == {("AA", 0, 0): ("new", True)}
    assert consolidated.watermark == 3000
    names = ("received", "classified", "future")
    assert counts(consolidated, *names) == [(2, 1, 1)]

    define(consolidated, more=', not_after="ends_at - interval 1 day + interval 1 day"')
    consolidated.run()
    assert rows(consolidated)["AA", FUTURE.start, 0] == ("new", True)


@pytest.mark.soak
def test_a_jump_of_the_clock_warns(consolidated) -> None:
    """By more than the whole past of the table, and more than two days."""
    define(consolidated, more=", arrival=none")
    consolidated.detect({0: [Detection(KEY, 0, 15, 4.0), Detection(KEY, 4000, 4015, 4.0)]})
    assert "watermark" not in consolidated.run()
    jump = Detection(KEY, 9000, 9015, 4.0)
    consolidated.detect({0: [Detection(KEY, 0, 15, 4.0), Detection(KEY, 4000, 4015, 4.0), jump]})
    assert (
        f"the watermark moves from {text(4005)} to {text(9015)}, by more than the whole past of "
        f"the table, which begins at {text(0)}"
    ) in consolidated.run()


def test_what_is_refused(consolidated) -> None:
    define(consolidated, more=", not_after='carrier'")
    assert "`not_after` is 'carrier', which is STRING; make it a TIMESTAMP" in consolidated.fails()
    define(consolidated, more=", not_after='received_at'")
    assert (
        "`not_after` is 'received_at', and detections has no column 'received_at'; it has case_id"
    ) in consolidated.fails()
    define(consolidated, more=", arrival='labels_of'")
    assert "`arrival` names the column 'labels_of', which detections does not have" in (
        consolidated.fails()
    )
    define(consolidated, more=", upstream=[source('feed', 'feedback')]")
    assert (
        "`upstream` names the column 'agg_timestamp', which feedback does not have; it has anomaly_id; "
        "take the table of an aggregation, which has agg_timestamp and agg_arrival"
    ) in consolidated.fails()
