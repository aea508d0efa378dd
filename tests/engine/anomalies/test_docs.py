"""The example of docs/anomalies.md, run in a project of somebody else, gives what the page shows."""

from __future__ import annotations

import json
from datetime import datetime, timezone

import pytest
from tests.conftest import ROOT, Dbt, profile
from tests.pages import PROJECT, assert_shown, blocks, compiled_queries, examples

from strandline.cli.observed import ConsolidationStatus, consolidations
from strandline.notify import message_of
from strandline.notify.outbox import DeltaOutbox

pytestmark = pytest.mark.first

PAGE = (ROOT / "docs" / "anomalies.md").read_text()
# When the three runs of the page are.
RUNS = {1: "2013-02-09 06:00:00", 2: "2013-02-09 12:00:00", 3: "2013-02-10 06:00:00"}
TYPES = "{run: int, starts_at: timestamp, ends_at: timestamp, flights: double, usual: double}"


@pytest.fixture
def plant(tmp_path, spark, write_files):
    shown = examples(PAGE)
    assert len(shown) == PAGE.count("```sql") == 3
    folder = write_files(
        tmp_path / "plant",
        {
            "dbt_project.yml": PROJECT + f"seeds: {{plant: {{+column_types: {TYPES}}}}}\n",
            "packages.yml": f"packages:\n  - local: {ROOT}\n",
            "profiles/profiles.yml": profile("plant"),
            "snapshots/anomaly_history.yml": blocks(PAGE, "yaml")["anomaly_history"],
            **{f"seeds/{name}.csv": text for name, text in blocks(PAGE, "csv").items()},
            **{f"models/{name}.sql": text for name, text in blocks(PAGE, "jinja").items()},
            **{f"analyses/example_{i}.sql": query for i, (query, _) in enumerate(shown)},
        },
    )
    dbt = Dbt(tmp_path / "work", profiles_dir=folder / "profiles")
    dbt("deps", project_dir=folder)
    yield lambda *args: dbt(*args, project_dir=folder)
    spark.sql("drop schema if exists plant cascade")


def test_the_example_gives_what_the_page_shows(plant, spark):
    for run, at in RUNS.items():
        plant("build", "--vars", json.dumps({"run": run, "strandline_as_of": at}))
    for query, (_, table) in zip(compiled_queries(plant), examples(PAGE), strict=True):
        assert_shown(spark.sql(query), table)

    assert consolidations(spark, {"anomalies": "plant.anomalies", "gone": "plant.gone"}) == [
        ConsolidationStatus(
            "anomalies", "plant", datetime(2013, 2, 10, tzinfo=timezone.utc), active=1, outdated=2, ignored=0, severities={"": 1},
        ),
        ConsolidationStatus("gone", "plant", *[None] * 4),
    ]  # fmt: skip
    waiting = DeltaOutbox(spark, "plant.notifications").waiting(["ops"])["ops"]
    assert [
        message_of(row).title
        for row in sorted(waiting, key=lambda row: (row.notified_at, row.current))
    ] == [
        "AA: 0 flights, expected 94 (8 Feb UTC)",
        "UA: 66 flights, expected 160 (8 Feb UTC)",
        "AA: 52 flights, expected 94 (8 Feb UTC)",
    ]
    assert "`AA: 52 flights, expected 94 (8 Feb UTC)`" in PAGE

    assert {at: as_of(plant, at) for at in ("2013-02-09 05:59:59", *RUNS.values())} == {
        "2013-02-09 05:59:59": [],
        "2013-02-09 06:00:00": ["AA 0 new", "UA 0 new"],
        "2013-02-09 12:00:00": ["AA 0 outdated", "AA 1 new", "UA 0 new"],
        "2013-02-10 06:00:00": ["AA 0 outdated", "AA 1 outdated", "UA 0 new"],
    }


def as_of(plant, at: str) -> list[str]:
    """Carrier, generation and status of each anomaly, after the runs up to then."""
    query = f"{{{{ strandline.anomalies_as_of('{at}') }}}}"
    [shown] = plant("show", "--inline", query, "--limit", "-1")
    rows = shown.agate_table.rows
    return sorted(f"{row['carrier']} {row['generation']} {row['status']}" for row in rows)
