"""The tutorial, as it stands there: its files, its command, and what it shows."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from deltalake import DeltaTable
from tests.conftest import ROOT, Dbt, profile
from tests.pages import assert_shown, blocks

from strandline.cli.main import cli
from strandline.landing import land
from strandline.notify import message_of
from strandline.notify.outbox import DeltaOutbox

PAGE = (ROOT / "docs" / "tutorial.md").read_text()


class Plant:
    """The folder that the tutorial begins in; `land` and `run` do what its run.sh does."""

    def __init__(self, folder: Path, spark: Any, work: Path) -> None:
        self.folder, self.spark = folder, spark
        [command] = re.findall(r"^strandline (init .*)$", blocks(PAGE, "sh")["init"], re.MULTILINE)
        (folder.parent / "readings.csv").write_text(blocks(PAGE, "csv")["readings"])
        arguments = command.replace("../", f"{folder.parent}/")
        done = CliRunner().invoke(
            cli, [*shlex.split(arguments), "--project-dir", str(folder)], catch_exceptions=False
        )
        assert done.exit_code == 0, done.output
        (folder / "profiles.yml").write_text(profile("plant"))
        self.dbt = Dbt(work, profiles_dir=folder)
        self.dbt("deps", project_dir=folder)

    def land(self, name: str) -> None:
        incoming = self.folder / "incoming"
        incoming.mkdir(exist_ok=True)
        (incoming / f"{name}.csv").write_text(blocks(PAGE, "csv")[name])
        schema = (self.folder / "models" / "readings" / "readings.ddl").read_text()
        land(self.spark, incoming, "plant_raw.readings", schema, "csv", self.folder / "landing")

    def does(self, command: str) -> set[str]:
        """What became of the models and tests; the exposure is no-op."""
        results = self.dbt(command, project_dir=self.folder)
        return {str(result.status) for result in results} - {"no-op"}

    def waiting(self) -> list[str]:
        """The titles of what the outbox has, newest last."""
        rows = DeltaOutbox(self.spark, "plant.notifications").waiting(["desk"])["desk"]
        return [message_of(row).title for row in rows]


@pytest.fixture
def plant(tmp_path: Path, spark: Any) -> Iterator[Plant]:
    folder = tmp_path / "plant"
    folder.mkdir()
    yield Plant(folder, spark, tmp_path / "work")
    for schema in ("plant", "plant_raw"):
        spark.sql(f"drop schema if exists {schema} cascade")


def test_what_it_shows(plant: Plant, monkeypatch: pytest.MonkeyPatch) -> None:
    alerts = blocks(PAGE, "text")
    plant.land("readings")
    assert plant.does("build") == {"success", "pass"}
    assert plant.waiting() == [alerts["first_alert"].strip()]

    plant.land("late")
    assert plant.does("run") == {"success"}
    assert plant.waiting()[-1:] == [alerts["second_alert"].strip()]
    [table] = re.findall(r"^\| machine \|.*?\n\n", PAGE, re.MULTILINE | re.DOTALL)
    stored = plant.spark.sql(
        "select machine, starts_at, current_value, status from plant.readings_anomalies order by machine"
    )
    assert_shown(stored, table.strip())
    monkeypatch.chdir(plant.folder)
    check_readers(plant)


def check_readers(plant: Plant) -> None:
    """The examples of docs/readers.md, over a copy of the tables in the folder of the project.

    That is the current folder.
    """
    page = (ROOT / "docs" / "readers.md").read_text()
    detail = plant.spark.sql("describe detail plant.readings_anomalies").first()
    tables = Path(detail["location"].removeprefix("file:")).parent
    copied = plant.folder / ".strandline" / "warehouse" / "plant.db"
    shutil.copytree(tables, copied)
    for table in copied.iterdir():
        protocol = DeltaTable(table).protocol()
        assert (protocol.min_reader_version, protocol.reader_features) == (1, None), table
    shown = blocks(page, "text")
    for name, code in blocks(page, "python").items():
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(code, {})  # noqa: S102
        assert out.getvalue() == shown[name], name


def test_macros_of_another_version_are_refused(plant: Plant) -> None:
    project = plant.folder / "packages" / "strandline" / "dbt_project.yml"
    project.write_text(project.read_text().replace("version: 0.1.0", "version: 0.0.9"))
    message = plant.dbt.fails("parse", project_dir=plant.folder)
    assert (
        "are of version 0.0.9, the installed adapter is of version 0.1.0: both must be the same."
        in message
    )
    assert "run `strandline init --update`" in message
    done = CliRunner().invoke(cli, ["init", "--update", "--project-dir", str(plant.folder)])
    assert done.exit_code == 0
    plant.dbt("parse", project_dir=plant.folder)
