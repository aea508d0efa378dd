"""Two sources in one project, of which the keys and types are the same: nothing of one is in the other."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from tests.conftest import Dbt, profile

from strandline.cli.main import cli
from strandline.landing import land
from strandline.notify import message_of
from strandline.notify.outbox import DeltaOutbox

HEADER = "machine,read_at,temperature\n"
FILES = {
    "readings": "press_1,2026-01-05T06:00:00Z,84.5\npress_1,2026-01-05T07:00:00Z,62.5\n"
    "press_1,2026-01-05T08:00:00Z,62.5\n",
    "ovens": "press_1,2026-01-05T06:00:00Z,61.5\npress_1,2026-01-05T07:00:00Z,91.5\n"
    "press_1,2026-01-05T08:00:00Z,12345678901234567.89\npress_1,2026-01-05T09:00:00Z,1.5\n",
}
LANDED = re.compile(r"--source (\S+) .*--table (\S+) \\\n\s*--schema-file (\S+)")


@pytest.fixture
def plant(tmp_path: Path, spark: Any) -> Iterator[SimpleNamespace]:
    folder = tmp_path / "mill"
    (folder / "seeds").mkdir(parents=True)
    for name, rows in FILES.items():
        (tmp_path / f"{name}.csv").write_text(HEADER + rows)
        command = ["init", "--csv", str(tmp_path / f"{name}.csv"), "--above", "80", "--yes"]
        done = CliRunner().invoke(cli, [*command, "--project-dir", str(folder)])
        assert done.exit_code == 0, done.output
    (folder / "profiles.yml").write_text(profile("mill"))
    (folder / "seeds" / "limits.csv").write_text("machine,most\npress_1,80\n")
    (folder / "models" / "most.sql").write_text("select * from {{ ref('limits') }}")
    dbt = Dbt(tmp_path / "work", profiles_dir=folder)
    dbt("deps", project_dir=folder)
    yield SimpleNamespace(folder=folder, dbt=dbt, spark=spark, files=tmp_path)
    for schema in ("mill", "mill_raw"):
        spark.sql(f"drop schema if exists {schema} cascade")


@pytest.mark.soak
def test_each_source_has_its_rows_its_anomalies_and_its_outbox(plant: SimpleNamespace) -> None:
    run = (plant.folder / "run.sh").read_text()
    landings = LANDED.findall(run)
    assert [source for source, _, _ in landings] == ["incoming/readings", "incoming/ovens"]
    for source, table, schema in landings:
        incoming = plant.folder / source
        incoming.mkdir(parents=True)
        name = Path(source).name
        (incoming / "one.csv").write_text(HEADER + FILES[name])
        ddl = (plant.folder / schema).read_text()
        done = land(plant.spark, incoming, table, ddl, "csv", plant.folder / "landing" / table)
        assert (done.landed, done.quarantined) == (FILES[name].count("\n"), 0)
    # What `strandline run --seed --test` is.
    kinds = [f"--resource-type={kind}" for kind in ("seed", "model", "snapshot", "test")]
    results = plant.dbt("build", *kinds, project_dir=plant.folder)
    assert {str(result.status) for result in results} <= {"success", "pass", "no-op"}

    def rows(query: str) -> list[tuple[Any, ...]]:
        return [tuple(row) for row in plant.spark.sql(query).collect()]

    assert rows("select machine, string(starts_at) from mill.readings_anomalies") == [
        ("press_1", "2026-01-05 06:00:00")
    ]
    # The two hours are adjacent: a third row is their parent.
    hours = "select machine, string(starts_at), is_parent from mill.ovens_anomalies order by 2, 3"
    assert rows(hours) == [
        ("press_1", "2026-01-05 07:00:00", False),
        ("press_1", "2026-01-05 07:00:00", True),
        ("press_1", "2026-01-05 08:00:00", False),
    ]
    # A number with more digits than a double keeps has all of them in the landed table.
    assert rows("select string(max(temperature)) from mill_raw.ovens") == [
        ("12345678901234567.89",)
    ]
    assert rows("select most from mill.most") == [(80,)]

    def waiting(outbox: str) -> list[str]:
        found = DeltaOutbox(plant.spark, f"mill.{outbox}").waiting(["desk"])["desk"]
        return [message_of(row).title for row in found]

    assert len(waiting("notifications")) == 1
    assert waiting("ovens_notifications") != waiting("notifications")
    assert waiting("ovens_notifications")
