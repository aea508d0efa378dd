"""What commands show by dbt-spark's own adapter is what they show by a session of ours."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.conftest import profile
from tests.e2e.starter.test_tutorial import Plant

from strandline.cli.main import cli

pytestmark = pytest.mark.soak  # a project is built: three minutes on a busy machine

# In this process its sessions are on the tables of ours.
BY_DBT_SPARK = "    own: {type: spark, method: session, host: localhost, schema: plant, server_side_parameters: {}}\n"  # fmt: skip


@pytest.fixture
def plant(tmp_path: Path, spark: Any) -> Iterator[Plant]:
    folder = tmp_path / "plant"
    folder.mkdir()
    plant = Plant(folder, spark, tmp_path / "work")
    (folder / "profiles.yml").write_text(profile("plant") + BY_DBT_SPARK)
    yield plant
    for schema in ("plant", "plant_raw"):
        spark.sql(f"drop schema if exists {schema} cascade")


def shown(plant: Plant, target: str, *arguments: str) -> str:
    at = ("--project-dir", str(plant.folder), "--target", target)
    done = CliRunner(env={"COLUMNS": "100"}).invoke(cli, [*arguments, *at])
    assert done.exit_code == 0, done.output
    return done.stdout


def page(plant: Plant, target: str) -> str:
    file = plant.folder / f"{target}.html"
    shown(plant, target, "report", "--output", str(file))
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", "now", file.read_text())
    return text.replace(f"target {target}.", "target.").replace(f'"target":"{target}"', "")


def test_both_show_the_same(plant: Plant) -> None:
    plant.land("readings")
    plant.land("late")
    assert plant.does("run") == {"success"}
    ours = shown(plant, "local", "status", "--json")
    assert {each["kind"] for each in json.loads(ours)} == {"table", "anomalies"}
    assert sum(each.get("rows", 0) > 0 for each in json.loads(ours)) == 3
    assert shown(plant, "own", "status", "--json") == ours
    assert shown(plant, "own", "status") == shown(plant, "local", "status")
    waiting = shown(plant, "local", "notify", "--dry-run", "--json")
    assert json.loads(waiting)[0]["waiting"] > 0
    assert shown(plant, "own", "notify", "--dry-run", "--json") == waiting
    both = page(plant, "local"), page(plant, "own")
    assert "readings_aggregation" in both[0]
    assert both[1] == both[0]
