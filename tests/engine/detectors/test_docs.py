"""The example of docs/detectors.md, run in a project of somebody else, gives what the page shows."""

from __future__ import annotations

import re
from datetime import datetime, timezone

import pytest
from tests.conftest import ROOT, Dbt, profile
from tests.pages import PROJECT, assert_shown, blocks, examples

from strandline.cli.observed import consolidations

pytestmark = pytest.mark.first

PAGE = (ROOT / "docs" / "detectors.md").read_text()
TYPES = "{day_start: timestamp, flights: int, trips: int, landed: bigint, starts_at: timestamp, ends_at: timestamp}"
SHARED = "ts='day_start', value='flights', granularity='P1D', time_zone='America/New_York'"
WRONG = """{{ strandline.threshold_detector(ref('others'), keys=['carier', 'tags'], ts='day', value='carrier', granularity='P1D', min=1) }}
"""
LABELLED = """{{ strandline.label_events(ref('others'), events=ref('calendar'), name='nam', start='kind', keys=['tags']) }}
"""
MINUTES = (
    """select *, starts_at as starts, 'x' as labels, 1 as is_ignored from {{ ref('too_few') }}"""
)
IGNORED = """{{ strandline.label_threshold(ref('minutes'), max=1, value='detector', keys=['carier'], source=ref('flight_days'), ts='day_strat') }}
"""
ANOMALIES = """{{ strandline.anomalies(detections=[ref('minutes')], keys=['carrier']) }}"""
RENAMED = """{{ strandline.anomalies(detections=[ref('too_few')], keys=['carrier'], ignored='ignore') }}"""
OTHERS = "select carrier, date(day_start) as day, map('a', 1) as tags from {{ ref('flight_days') }}"
TWICE = (
    "{{ strandline.absolute_change_detector('(select * from ' ~ ref('flight_days') ~ ' union all select * from ' ~ ref('flight_days') ~ ')', "
    f"keys=['carrier'], offset='P1D', change=1, {SHARED}) }}}}"
)
WRONG_MODELS = ["wrong", "reader", "wrong_label", "wrong_ignore", "wrong_anomalies", "renamed_anomalies"]  # fmt: skip


@pytest.fixture
def plant(tmp_path, spark, write_files):
    assert len(examples(PAGE)) == PAGE.count("```sql") == 10
    files = {
        "dbt_project.yml": PROJECT + f"seeds: {{plant: {{+column_types: {TYPES}}}}}\n",
        "packages.yml": f"packages:\n  - local: {ROOT}\n",
        "profiles/profiles.yml": profile("plant", schema="detectors"),
        **{f"seeds/{name}.csv": text for name, text in blocks(PAGE, "csv").items()},
        **{f"models/{name}.sql": text for name, text in blocks(PAGE, "jinja").items()},
        "models/others.sql": OTHERS,
        "models/wrong.sql": WRONG,
        "models/twice.sql": TWICE,
        "models/wrong_label.sql": LABELLED,
        "models/minutes.sql": MINUTES,
        "models/wrong_ignore.sql": IGNORED,
        "models/wrong_anomalies.sql": ANOMALIES,
        "models/renamed_anomalies.sql": RENAMED,
        "models/reader.sql": "{{ config(materialized='table') }}select * from {{ ref('twice') }}",
    }
    folder = write_files(tmp_path / "plant", files)
    dbt = Dbt(tmp_path / "work", profiles_dir=folder / "profiles")
    dbt("deps", project_dir=folder)
    yield dbt, folder
    spark.sql("drop schema if exists detectors cascade")


def test_the_example_gives_what_the_page_shows(plant, spark):
    dbt, folder = plant
    refused = [name for name in WRONG_MODELS if name != "reader"]
    dbt("build", "--exclude", *refused, "reader", project_dir=folder)
    for query, table in examples(PAGE):
        assert_shown(spark.sql(re.sub(r"{{ ref\('(\w+)'\) }}", r"detectors.\1", query)), table)

    [status] = consolidations(spark, {"labelled_anomalies": "detectors.labelled_anomalies"})
    assert (status.active, status.outdated, status.ignored) == (2, 0, 2)
    assert status.watermark == datetime(2013, 2, 10, 5, tzinfo=timezone.utc)

    # What cannot be evaluated: columns are refused by the view, rows when it is read, in its name.
    listed = dbt.fails("run", "--select", *WRONG_MODELS, project_dir=folder)
    for fault in (
        "`keys` names the column 'carier', which others does not have; it has carrier, day, tags; did you mean 'carrier'?",
        "`keys` names tags of others, which is MAP<STRING,INT>; Spark does not compare maps: make it an array, a struct or a text",
        "`ts` names day of others, which is DATE; take a TIMESTAMP, the instant at which a bucket begins, such as agg_timestamp of an aggregation",
        "`value` names carrier of others, which is STRING; take a number (cast it in a staging model)",
        "`name` names the column 'nam', which calendar does not have; it has name, kind, starts_at, ends_at; did you mean 'name'?",
        "`start` names kind of calendar, which is STRING; take a TIMESTAMP (cast it in a staging model)",
        "`keys` names tags of others, which is MAP<STRING,INT>; Spark does not compare maps",
        "`detections` names the column 'starts_at', which others does not have; it has carrier, day, tags",
        "minutes.labels is STRING, and label macros add to ARRAY<STRING>; make it array(labels) in a staging model",
        "minutes.is_ignored is INT, and label macros add to BOOLEAN; rename or cast it in a staging model",
        "`ts` names the column 'day_strat', which flight_days does not have; it has carrier, day_start, flights; did you mean 'day_start'?",
        "`value` names the column 'detector', which flight_days does not have",
        "`ignored` names is_ignored of minutes, which is INT; take a BOOLEAN, true for what is to be ignored",
        "`ignored` names the column 'ignore', which too_few does not have",
        'absolute_change_detector in twice: the query has rows of {"carrier":"',
    ):
        assert fault in listed
