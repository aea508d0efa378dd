"""A model whose inputs have not changed since it last ran is skipped; any change makes it run.

A window over a view of the events, a chained one, and an aggregation: each reads what others made.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from strandline.explained import OF_RUN

SKIPPED = "unchanged: nothing that it reads has changed since it last ran"
WINDOW = "source=ref('staged'), ts='ts', keys=['key'], store='last 10 seconds', aggregates={'n': 'count(v)'}"
STAGED = (
    "{{ config(materialized='view') }} select * from {{ source('feed', 'events') }} where v > 0"
)
SUMS = (
    "{{ strandline.aggregation_table(strandline.aggregation(name='sums', source=ref('staged'), "
    "ts='ts', keys=['key'], select={'total': 'sum(v)'}, every='minutes'), 'minutes') }}"
)
TABLES = {"sums_minutes", "counts", "busy"}
EVENTS = "windowed.events"


@pytest.fixture
def project(windows: Any) -> Any:
    """Built once."""
    windows.events("key string, v bigint")
    windows.models(
        staged=STAGED, counts=WINDOW, sums_minutes=SUMS,
        busy="source=ref('counts'), store='last 1 minutes', where='$row_status is new and n > 1'",
    )  # fmt: skip
    windows.land([(1, 0, "a", 1), (2, 1, "a", 2), (3, 2, "b", 0)])
    windows.run()
    return windows


def ran(messages: dict[str, str]) -> set[str]:
    return {name for name, message in messages.items() if not message.startswith("unchanged")}


def versions(project: Any) -> list[int]:
    history = "describe history windowed.{} limit 1"
    return [project.spark.sql(history.format(name)).first().version for name in sorted(TABLES)]


def test_a_run_skips_what_is_unchanged_and_runs_what_has_changed(project: Any) -> None:
    before = versions(project)
    assert project.messages() == {"staged": "unchanged", **dict.fromkeys(TABLES, SKIPPED)}
    assert versions(project) == before
    project.land([(4, 3, "a", 4)])
    assert ran(project.messages()) == TABLES
    assert project.stays("counts", "key, n")[-1] == ("a", 3, "3", None)
    assert ran(project.messages()) == set()
    # A commit that has no effect on any table.
    project.spark.sql(f"alter table {EVENTS} set tblproperties ('a' = 'b')")
    assert ran(project.messages()) >= {"counts", "sums_minutes"}
    assert ran(project.messages()) == set()
    whatever_changes(project)


def explained(project: Any, *args: str) -> dict[str, str]:
    """Why each model ran, or did not."""
    with OF_RUN.on():
        project.run(*args)
    return {name: OF_RUN.of(f"model.{project.schema}.{name}").why for name in TABLES}


@pytest.mark.soak
def test_a_run_says_why(project: Any) -> None:
    unchanged = "nothing that it reads has changed"
    assert explained(project) == dict.fromkeys(TABLES, unchanged)
    project.land([(4, 3, "a", 4)])
    assert explained(project) == {
        "busy": "windowed.counts has new commits",
        "counts": f"{EVENTS} has new commits",
        "sums_minutes": f"{EVENTS} has new commits",
    }
    for name in TABLES:
        account = OF_RUN.of(f"model.{project.schema}.{name}")
        assert account.statements > 3
        assert account.jobs > 0
        assert account.seconds["write"] > 0
        assert account.rows > 0
    refreshed = "there is no table yet, or this is a full refresh"
    assert explained(project, "--full-refresh") == dict.fromkeys(TABLES, refreshed)


def whatever_changes(project: Any) -> None:
    """What each change makes run; that finds nothing new, or says what it did."""
    spark = project.spark
    # The clock of windows, and a range that is recomputed.
    assert ran(project.messages(as_of="2024-01-01 00:00:05")) == {"counts", "busy"}
    backfill = {
        "strandline_from": "2024-01-01 00:00:00",
        "strandline_to": "2024-01-02 00:00:00",
    }
    assert ran(project.messages(**backfill)) == TABLES
    # A commit without new events: a row goes, then a model's own table is restored.
    spark.sql(f"delete from {EVENTS} where arrival = 3")
    assert ran(project.messages()) == TABLES
    spark.sql("restore table windowed.counts to version as of 0")
    assert ran(project.messages()) >= {"counts", "busy"}
    # Columns of the view, and its text.
    spark.sql(f"alter table {EVENTS} add column (w int)")
    assert ran(project.messages()) >= {"staged", "counts", "sums_minutes"}
    assert "w" in spark.table("windowed.staged").columns


@pytest.mark.soak
def test_another_text_of_a_view_runs_what_reads_it(project: Any) -> None:
    assert ran(project.messages()) == set()
    project.models(staged=STAGED.replace("v > 0", "v > -1"))
    assert ran(project.messages()) >= {"staged", "counts", "sums_minutes"}


@pytest.mark.soak
def test_a_table_in_the_place_of_another_is_another(project: Any) -> None:
    """With the same rows and the same number of commits."""
    spark = project.spark
    rows = spark.table(EVENTS).collect()
    spark.sql(f"drop table {EVENTS}")
    project.events("key string, v bigint")
    spark.createDataFrame(rows, spark.table(EVENTS).schema).coalesce(1).writeTo(EVENTS).append()
    assert ran(project.messages()) >= {"staged", "counts", "sums_minutes"}


@pytest.mark.soak
@pytest.mark.parametrize(
    ("config", "why"),
    [
        ("meta={'skip_unchanged': false}", "the model is not to be skipped"),
        ("post_hook='select 1'", "a hook runs in each run"),
    ],
)
def test_some_models_are_never_skipped(project: Any, config: str, why: str) -> None:
    project.models(sums_minutes=f"{{{{ config({config}) }}}}{SUMS}")
    project.run()
    assert ran(project.messages()) == {"sums_minutes"}, why


@pytest.mark.soak
def test_a_source_without_a_log_and_a_view_that_changes_by_itself(
    project: Any, tmp_path: Path
) -> None:
    now = STAGED.replace("v > 0", "v > 0 and ts < current_timestamp()")
    project.models(staged=now)
    project.run()
    assert ran(project.messages()) == {"counts", "sums_minutes"}
    # Spark itself does not find Parquet in the home of the tests, whose name has %20 in it.
    place = f"using parquet location '{tmp_path / 'chosen'}'"
    project.spark.sql(f"create table windowed.chosen {place} as select * from {EVENTS}")
    project.models(staged=STAGED.replace("'events'", "'chosen'"))
    project.run()
    assert ran(project.messages()) == {"staged", "counts", "sums_minutes"}
