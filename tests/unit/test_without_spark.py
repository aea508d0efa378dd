"""`pip install strandline` alone: what works without Spark in this environment, and what says so."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import ROOT
from tests.pages import PROJECT
from tests.without_spark import MODULES, PACKAGES

from strandline.cli.main import COMMANDS, WITH_SPARK
from strandline.spark import extra
from strandline.spark.errors import StrandlineSparkError

WITHOUT = (
    "Spark in this environment, which has no dbt-spark, no grpcio, no pyspark: pip"
    " install 'strandline[spark]'. `strandline --help` says which commands need it."
)


def without_spark(code: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """A program in an environment that has no Spark and no dbt-spark."""
    path = f"import sys; sys.path.insert(0, {str(ROOT)!r}); from tests.without_spark import hide; hide()\n"
    command = [sys.executable, "-c", path + code]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def command(*arguments: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return without_spark(f"from strandline.cli.main import main; main({[*arguments]!r})", folder)


def test_what_is_hidden_is_what_the_extra_installs() -> None:
    assert {*extra.MODULES} <= {*PACKAGES}
    assert {*extra.MODULES.values()} <= {*MODULES}
    hidden = without_spark("import pyspark").stderr
    assert "ModuleNotFoundError: No module named 'pyspark'" in hidden


def test_all_is_there_where_it_is_installed() -> None:
    assert extra.missing() is None


@pytest.mark.parametrize("name", sorted({*COMMANDS} - {*WITH_SPARK}))
def test_these_commands_are_there_without_spark(name: str) -> None:
    done = command(name, "--help")
    assert (done.returncode, done.stderr) == (0, "")


def test_init_writes_a_project_without_spark(tmp_path: Path) -> None:
    (tmp_path / "readings.csv").write_text("machine,read_at,value\na,2026-01-01 00:00:00,1.5\n")
    done = command("init", "--csv", "readings.csv", "--yes", "--above", "2", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "packages" / "strandline" / "dbt_project.yml").is_file()


def test_land_says_what_is_missing() -> None:
    done = command("land", "--help")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"Error: `strandline land` needs {WITHOUT}\n"


def test_prepare_says_what_is_missing() -> None:
    done = command("prepare")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"Error: A Spark of our own needs {WITHOUT}\n"


@pytest.mark.parametrize("name", ["status", "purge", "serve"])
def test_a_target_of_type_strandline_says_what_is_missing(name: str, tmp_path: Path) -> None:
    (tmp_path / "dbt_project.yml").write_text(PROJECT)
    (tmp_path / "profiles.yml").write_text(
        "plant: {target: local, outputs: {local: {type: strandline, schema: plant}}}"
    )
    more = ("--target", "local") if name == "serve" else ()
    done = command(name, *more, folder=tmp_path)
    assert done.returncode == 1
    said = " ".join((done.stdout + done.stderr).split())
    assert f"`type: strandline` in profiles.yml needs {WITHOUT}" in said
    assert "Traceback" not in said


def test_a_session_outside_of_dbt_says_what_is_missing() -> None:
    done = without_spark(
        "from types import SimpleNamespace as N\n"
        "from strandline.spark import open_session\n"
        "open_session(N(method='session'))"
    )
    assert done.stderr.splitlines()[-1].endswith(
        f"StrandlineSparkError: A session of Spark needs {WITHOUT}"
    )


def test_another_dbt_spark_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    found: dict[str, Any] = {"dbt-spark": "1.10.3"}
    monkeypatch.setattr(extra, "_version", found.get)
    with pytest.raises(StrandlineSparkError) as refused:
        extra.check_extra("This")
    assert str(refused.value) == (
        "This needs dbt-spark 1.11, this environment has 1.10.3, as dbt-databricks may want it:"
        " make another environment, and call there: pip install 'strandline[spark]'"
    )
