"""`strandline status` on real tables: two engines in two schemas, their runs, an error, a kill."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from tests.conftest import Dbt, drop_schema, profile

from strandline.cli.main import cli
from strandline.detection.plan.state import keep_error

MODEL = """
from strandline.detection import detect


def model(dbt, session):
    dbt.config(materialized="incremental", unique_key="detection_id", file_format="delta"{config})
    return detect(
        dbt,
        session,
        name="{name}",
        source=dbt.ref("sensor"),
        ts="ts",
        keys=["sensor"],
        metrics={metrics},
        window_size="6 seconds",
        step="3 seconds",
        garbage_size=500,
    )
"""
ROWS = """
select cast(arrival as bigint) as arrival, sensor, timestamp_seconds(arrival) as ts, temp
from values (1, 'a', 64), (2, 'b', 66), (3, 'a', 70), (9, 'a', 71) as given(arrival, sensor, temp)
where arrival <= {{ var('until', 0) }}
"""
METRICS = ["temp > 65", "avg(temp) > 60"]


@pytest.fixture
def plant(spark, tmp_path: Path, write_files: Callable) -> Iterator[SimpleNamespace]:
    folder = write_files(
        tmp_path / "plant",
        {
            "dbt_project.yml": 'name: plant\nversion: "1.0"\nprofile: plant\n',
            "profiles/profiles.yml": profile("plant"),
            "models/sensor.sql": "{{ config(materialized='view') }}" + ROWS,
            "models/hot_detections.py": MODEL.format(name="hot", metrics=METRICS, config=""),
            "models/cold_detections.py": MODEL.format(
                name="cold", metrics=["temp < 0"], config=', schema="audit"'
            ),
            # Tables of others whose names end alike.
            "models/us_state.sql": "{{ config(materialized='table', file_format='delta') }} select 1 as part, 'x' as kind, 2 as engine",
            "models/any_state.py": "def model(dbt, session):\n    dbt.config(materialized='table', file_format='delta')\n    return session.range(3)\n",
        },
    )
    dbt = Dbt(tmp_path / "work", profiles_dir=folder / "profiles")

    def strandline(*arguments: str):
        at = ("--project-dir", str(folder), "--profiles-dir", str(folder / "profiles"))
        return CliRunner(env={"COLUMNS": "80"}).invoke(cli, ["status", *arguments, *at])

    yield SimpleNamespace(
        run=lambda until: dbt("run", "--vars", f"{{until: {until}}}", project_dir=folder),
        strandline=strandline,
    )  # fmt: skip
    for schema in ("plant", "plant_audit"):
        if spark.catalog.databaseExists(schema):
            drop_schema(spark, schema)


def statuses(plant: SimpleNamespace) -> dict[str, dict]:
    result = plant.strandline("--json")
    assert result.exit_code == 0, result.output
    return {each["name"]: each for each in json.loads(result.stdout) if each["kind"] == "engine"}


@pytest.mark.soak
def test_engines_are_found_and_shown_run_by_run(spark, plant):
    none = plant.strandline()
    assert none.exit_code == 0, none.output
    assert "hot_detections                    not built yet; run dbt" in none.output
    assert "engine" not in none.stdout

    plant.run(until=3)
    first = statuses(plant)
    assert first.keys() == {"hot", "cold"}
    hot = first["hot"]
    assert first["cold"]["schema"] == "plant_audit"
    assert hot["user"] == spark.sql("select current_user()").collect()[0][0]
    assert {name: hot[name] for name in ("schema", "status", "last_error", "groups", "rows", "metric_count", "metrics", "last_arrival", "garbage_size", "rows_kept")} == {
        "schema": "plant", "status": "OK", "last_error": None, "groups": 2, "rows": 3,
        "metric_count": 2, "metrics": METRICS, "last_arrival": 3, "garbage_size": 500, "rows_kept": 3,
    }  # fmt: skip
    [consumed] = spark.sql("select date_format(consumed_at, 'yyyy-MM-dd HH:mm:ss') from plant.hot_status").collect()  # fmt: skip
    assert hot["consumed_at"][:19].replace("T", " ") == consumed[0]
    assert (
        hot["bytes_held"] == spark.sql("describe detail plant.hot_state").collect()[0].sizeInBytes
    )

    keep_error(spark, "plant.hot_state", "no column `tmep`")
    spark.sql("drop view plant_audit.cold_status")
    found = statuses(plant)
    assert (found["hot"]["status"], found["hot"]["last_error"]) == ("ERROR", "no column `tmep`")
    assert found["hot"]["rows"] == 3
    assert found["cold"]["status"] is None
    assert found["cold"]["bytes_held"] > 0
    assert "its first run has not ended" in plant.strandline().output

    plant.run(until=9)
    second = statuses(plant)["hot"]
    assert (second["status"], second["rows"], second["last_arrival"]) == ("OK", 4, 9)
    assert second["consumed_at"] > hot["consumed_at"]

    shown = plant.strandline("--select", "hot")
    assert shown.exit_code == 0, shown.output
    for line in ("hot             OK", "  metric 1      avg(temp) > 60", "  last arrival  9"):
        assert f"\n{line}" in shown.output
    assert "cold" not in shown.stdout
