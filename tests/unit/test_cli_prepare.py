"""`strandline prepare` without Spark: what it stores, when it does nothing, what a failure leaves."""

from __future__ import annotations

import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from strandline.cli.main import cli
from strandline.spark.archive import archive_path, reading_option, writing_option
from strandline.spark.settings import SHORT_RUN_JAVA_OPTIONS, driver_settings


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "my cache"
    folder.mkdir()
    monkeypatch.setenv("STRANDLINE_CACHE", str(folder))
    monkeypatch.setattr("strandline.spark.jars.delta_jars", list)
    return folder


@pytest.fixture
def trained(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Instead of the small project: writes `text`, or ends with `code` and nothing."""
    training = SimpleNamespace(text="classes", code=0, runs=0)

    def run(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        training.runs += 1
        if training.text:
            Path(command[-1]).write_text(training.text)
        return subprocess.CompletedProcess(command, training.code, "", "dbt build failed: no disk")

    monkeypatch.setattr("strandline.cli.prepare.subprocess.run", run)
    return training


def options(home: Path) -> str:
    return driver_settings(home, "local[*]", [])["spark.driver.extraJavaOptions"]


def test_what_is_stored_is_read_by_the_next_start(cache: Path, trained: SimpleNamespace) -> None:
    assert "SharedArchiveFile" not in options(cache)
    done = CliRunner().invoke(cli, ["prepare"])
    assert (done.exit_code, trained.runs) == (0, 1)
    [archive] = cache.glob("classes-*.jsa")
    assert f"Spark's classes are in {archive} (0 MB)." in done.output
    assert archive.stat().st_mode & 0o777 == 0o400
    assert f"{SHORT_RUN_JAVA_OPTIONS} '-XX:SharedArchiveFile={archive}'" in options(cache)


def test_a_cluster_and_own_options_are_left_alone(cache: Path, trained: SimpleNamespace) -> None:  # noqa: ARG001
    CliRunner().invoke(cli, ["prepare"])
    on_cluster = driver_settings(cache, "spark://master:7077", [])
    own = driver_settings(cache, "local[*]", [], "-Xss4m")
    for settings in (on_cluster, own):
        assert "SharedArchiveFile" not in settings["spark.driver.extraJavaOptions"]


def test_a_second_time_it_does_nothing_without_again(cache: Path, trained: SimpleNamespace) -> None:  # noqa: ARG001
    for arguments, runs in ((["prepare"], 1), (["prepare"], 1), (["prepare", "--again"], 2)):
        assert CliRunner().invoke(cli, arguments).exit_code == 0
        assert trained.runs == runs


@pytest.mark.parametrize(("text", "code"), [("", 0), ("half", 1)])
def test_a_failure_leaves_what_was_there(
    cache: Path, trained: SimpleNamespace, text: str, code: int
) -> None:
    CliRunner().invoke(cli, ["prepare"])
    trained.text, trained.code = text, code
    done = CliRunner().invoke(cli, ["prepare", "--again"])
    assert done.exit_code == 1
    assert done.output.endswith(
        "Error: The classes could not be stored; runs start without them.\ndbt build failed: no disk\n"
    )
    assert [path.read_text() for path in cache.iterdir()] == ["classes"]


def test_another_java_has_a_file_of_its_own(
    cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    paths = set()
    for version in ("17", "21"):
        home = tmp_path / version
        home.mkdir()
        (home / "release").write_text(f'JAVA_VERSION="{version}"')
        monkeypatch.setenv("JAVA_HOME", str(home))
        paths.add(archive_path())
    assert {path.parent for path in paths} == {cache}
    assert len(paths) == 2


def test_another_spark_has_a_file_of_its_own(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = {archive_path()}
    monkeypatch.setattr("strandline.spark.archive.version", lambda _: "4.9.9")
    paths.add(archive_path())
    assert {path.parent for path in paths} == {cache}
    assert len(paths) == 2


def test_options_of_a_path_with_a_space(cache: Path) -> None:
    assert writing_option(cache / "a.jsa") == f"'-XX:ArchiveClassesAtExit={cache}/a.jsa'"
    assert reading_option() == ""
