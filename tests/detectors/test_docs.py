"""The example of docs/detectors.md, run in a project of somebody else, gives what the page shows."""

from __future__ import annotations

import re

import pytest
from tests.conftest import ROOT, Dbt, profile
from tests.pages import PROJECT, assert_shown, blocks, examples

PAGE = (ROOT / "docs" / "detectors.md").read_text()
TYPES = "{day_start: timestamp, flights: int}"
SHARED = "ts='day_start', value='flights', granularity='P1D', zone='America/New_York'"
WRONG = """{{ strandline.threshold_detector(ref('others'), key=['carier', 'tags'], ts='day', value='carrier', granularity='P1D', min=1) }}
"""
OTHERS = "select carrier, date(day_start) as day, map('a', 1) as tags from {{ ref('flight_days') }}"
TWICE = (
    "{{ strandline.absolute_change_detector('(select * from ' ~ ref('flight_days') ~ ' union all select * from ' ~ ref('flight_days') ~ ')', "
    f"key=['carrier'], offset='P1D', change=1, {SHARED}) }}}}"
)


@pytest.fixture
def plant(tmp_path, spark, write_files):
    assert len(examples(PAGE)) == PAGE.count("```sql") == 3
    files = {
        "dbt_project.yml": PROJECT + f"seeds: {{plant: {{+column_types: {TYPES}}}}}\n",
        "packages.yml": f"packages:\n  - local: {ROOT}\n",
        "profiles/profiles.yml": profile("plant", schema="detectors"),
        **{f"seeds/{name}.csv": text for name, text in blocks(PAGE, "csv").items()},
        **{f"models/{name}.sql": text for name, text in blocks(PAGE, "jinja").items()},
        "models/others.sql": OTHERS,
        "models/wrong.sql": WRONG,
        "models/twice.sql": TWICE,
        "models/reader.sql": "{{ config(materialized='table') }}select * from {{ ref('twice') }}",
    }
    folder = write_files(tmp_path / "plant", files)
    dbt = Dbt(tmp_path / "work", profiles_dir=folder / "profiles")
    dbt("deps", project_dir=folder)
    yield dbt, folder
    spark.sql("drop schema if exists detectors cascade")


def test_the_example_gives_what_the_page_shows(plant, spark):
    dbt, folder = plant
    dbt("build", "--exclude", "wrong", "reader", project_dir=folder)
    for query, table in examples(PAGE):
        assert_shown(spark.sql(re.sub(r"{{ ref\('(\w+)'\) }}", r"detectors.\1", query)), table)

    # What cannot be judged: columns are refused by the view, rows when it is read, in its name.
    told = dbt.fails("run", "--select", "wrong", "reader", project_dir=folder)
    for fault in (
        "`key` names the column 'carier', which others does not have; it has carrier, day, tags; did you mean 'carrier'?",
        "`key` names tags of others, which is map<string,int>; Spark does not compare maps: make it an array, a struct or a text",
        "`ts` names day of others, which is date; take a TIMESTAMP, the instant at which a bucket begins, such as agg_timestamp of an aggregation",
        "`value` names carrier of others, which is string; take a number",
        'absolute_change_detector in twice: the query has rows of {"carrier":"',
    ):
        assert fault in told
