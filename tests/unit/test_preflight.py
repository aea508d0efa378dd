"""A newcomer's machine that lacks something: one line, which says what and how to get it."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from strandline import preflight

ROOT = Path(__file__).parents[2]
INSTALL_JAVA = (
    "install one (Debian, Ubuntu: sudo apt install openjdk-17-jre-headless; "
    "macOS: brew install openjdk@17) or point JAVA_HOME to one."
)


def program(folder: Path, name: str, script: str) -> Path:
    """A small shell program, as if it were installed in `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def java_says(folder: Path, version: str) -> Path:
    return program(folder, "java", f"echo 'openjdk version \"{version}\" 2025-04-15' >&2")


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the whole PATH, in an environment with the locked Spark."""
    monkeypatch.setattr(preflight, "installed_spark", lambda: "4.2.0")
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    return folder


@pytest.mark.parametrize("version", ["17.0.15", "21", "21.0.4", "17-ea", "25.0.3"])
def test_a_java_that_fits_is_no_problem(path: Path, version: str) -> None:
    java_says(path, version)
    assert preflight.problem() is None


@pytest.mark.parametrize(
    ("version", "shown"), [("11.0.2", 11), ("1.8.0_402", 8), ("26", 26), ("18.0.1", 18)]
)
def test_a_java_of_another_version_is_named(path: Path, version: str, shown: int) -> None:
    java = java_says(path, version)
    assert preflight.problem() == (
        f"Spark 4.2 needs Java 17, 21 or 25, {java} is Java {shown}: {INSTALL_JAVA}"
    )


@pytest.mark.parametrize(
    ("spark", "installed"), [("4.0", "4.2.0"), (None, "4.0.5"), ("4.1", None), (None, "4.1.4")]
)
def test_another_spark_runs_on_fewer_javas(
    path: Path, monkeypatch: pytest.MonkeyPatch, spark: str | None, installed: str | None
) -> None:
    monkeypatch.setattr(preflight, "installed_spark", lambda: installed)
    java = java_says(path, "25.0.3")
    minor = spark or str(installed)[:3]
    assert preflight.problem(spark) == (
        f"Spark {minor} needs Java 17 or 21, {java} is Java 25: {INSTALL_JAVA}"
    )
    java_says(path, "21")
    assert preflight.problem(spark) is None


def test_without_spark_it_is_the_locked_one(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(preflight, "installed_spark", lambda: None)
    java_says(path, "25.0.3")
    assert preflight.problem() is None


def test_a_start_asks_the_file_of_a_java_and_starts_none(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java = program(tmp_path / "jdk" / "bin", "java", "exit 1")
    release = tmp_path / "jdk" / "release"
    release.write_text('IMPLEMENTOR="x"\nJAVA_VERSION="25.0.3"\nOS_NAME="Linux"\n')
    (path / "java").symlink_to(java)
    assert preflight.unfit_java("4.2") is None
    assert preflight.unfit_java("4.1") == (
        f"Spark 4.1 needs Java 17 or 21, {path / 'java'} is Java 25: {INSTALL_JAVA}"
    )
    release.write_text('JAVA_VERSION="1.8.0_402"\n')
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "jdk"))
    assert preflight.unfit_java("4.2") == (
        f"Spark 4.2 needs Java 17, 21 or 25, {java} is Java 8: {INSTALL_JAVA}"
    )


@pytest.mark.parametrize("text", [None, "", 'JAVA_VERSION="?"'])
def test_a_java_that_says_nothing_about_itself_may_start(
    path: Path, tmp_path: Path, text: str | None
) -> None:
    if text is not None:
        (tmp_path / "release").write_text(text)
    java_says(path, "11")
    assert preflight.unfit_java("4.2") is None
    (path / "java").unlink()
    assert preflight.unfit_java("4.2") is None


@pytest.mark.usefixtures("path")
def test_no_java_at_all() -> None:
    assert (
        preflight.problem() == f"Spark 4.2 needs Java 17, 21 or 25, none is on PATH: {INSTALL_JAVA}"
    )


def test_a_java_that_only_says_that_there_is_none(path: Path) -> None:
    stub = program(path, "java", "echo 'Unable to locate a Java Runtime.' >&2; exit 1")
    assert (
        preflight.problem()
        == f"Spark 4.2 needs Java 17, 21 or 25, {stub} does not run: {INSTALL_JAVA}"
    )


def test_java_home_comes_before_path_as_in_spark(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java_says(path, "17.0.15")
    old = java_says(tmp_path / "old" / "bin", "11.0.2")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "old"))
    assert (
        preflight.problem()
        == f"Spark 4.2 needs Java 17, 21 or 25, {old} is Java 11: {INSTALL_JAVA}"
    )


def test_java_home_without_a_java(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java_says(path, "17.0.15")
    empty = tmp_path / "empty"
    monkeypatch.setenv("JAVA_HOME", str(empty))
    assert preflight.problem() == (
        f"Spark 4.2 needs Java 17, 21 or 25, JAVA_HOME={empty} holds no bin/java: {INSTALL_JAVA}"
    )


@pytest.mark.parametrize("running", [(3, 9), (3, 14)])
def test_a_python_of_another_version_is_named_before_java(
    running: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "version_info", (*running, 0))
    assert preflight.problem() == (
        f"Python 3.10 to 3.13 is needed, this is Python {running[0]}.{running[1]}: install one "
        "(Debian, Ubuntu: sudo apt install python3 python3-venv; macOS: brew install python@3.12)."
    )


# The same from the outside: `make demo` on such a machine, in a clone without an environment.


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """As much of a clone as the set-up reads."""
    folder = tmp_path / "my clones" / "O'Neil ä"
    for part in ("Makefile", "pyproject.toml", "scripts", "requirements", "src/strandline"):
        source, target = ROOT / part, folder / part
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, target) if source.is_dir() else shutil.copy(source, target)
    return folder


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A PATH with the plain tools of any machine, and neither Python nor Java."""
    folder = tmp_path / "machine"
    folder.mkdir()
    for tool in ("sh", "make", "cat", "cksum", "date", "mkdir", "rm", "sleep", "tail"):
        (folder / tool).symlink_to(shutil.which(tool) or tool)
    return folder


def make_demo(clone: Path, machine: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    env = {"PATH": str(machine), "HOME": str(clone)}
    make = [str(machine / "make"), "demo", *arguments]
    return subprocess.run(make, cwd=clone, env=env, capture_output=True, text=True)


def complaint(run: subprocess.CompletedProcess[str]) -> str:
    """The one line that is ours; the other one is make's own 'Error 1'."""
    assert run.returncode != 0
    assert run.stdout == ""
    ours, makes_own = run.stderr.strip().splitlines()
    assert makes_own.startswith("make")
    return ours


def test_make_demo_without_python(clone: Path, machine: Path) -> None:
    assert complaint(make_demo(clone, machine)) == (
        "strandline: Python 3.10 to 3.13 is needed (python3 on PATH: none): install one (Debian, "
        "Ubuntu: sudo apt install python3 python3-venv; macOS: brew install python@3.12), or name "
        "one, as in `make demo PYTHON=/path/to/python3`."
    )


def test_make_demo_with_a_python_that_is_too_old(clone: Path, machine: Path) -> None:
    # It answers the question "do you fit?" with no, and the question for its version with 3.8.
    program(machine, "python3", 'case "$2" in *print*) echo 3.8 ;; *) exit 1 ;; esac')
    assert "is needed (python3 on PATH: 3.8)" in complaint(make_demo(clone, machine))


def test_make_demo_with_a_named_python_that_does_not_fit(clone: Path, machine: Path) -> None:
    old = program(machine / "old", "python3", 'case "$2" in *print*) echo 3.8 ;; *) exit 1 ;; esac')
    assert complaint(make_demo(clone, machine, f"PYTHON={old}")) == (
        f"strandline: PYTHON={old} is 3.8, Python 3.10 to 3.13 is needed: name another one, "
        "as in `make demo PYTHON=python3.12`."
    )


def test_make_demo_passes_over_a_python_that_does_not_fit(clone: Path, machine: Path) -> None:
    """python3 is too old, python3.11 is there: the next hurdle is Java, so Python was found."""
    program(machine, "python3", "exit 1")
    program(machine, "python3.11", f'exec {sys.executable} "$@"')
    assert complaint(make_demo(clone, machine)) == (
        f"strandline: Spark 4.2 needs Java 17, 21 or 25, none is on PATH: {INSTALL_JAVA}"
    )


def test_make_demo_with_a_java_that_is_too_old(clone: Path, machine: Path) -> None:
    program(machine, "python3", f'exec {sys.executable} "$@"')
    java = java_says(machine, "11.0.2")
    assert complaint(make_demo(clone, machine)) == (
        f"strandline: Spark 4.2 needs Java 17, 21 or 25, {java} is Java 11: {INSTALL_JAVA}"
    )


def test_a_folder_with_a_colon_is_refused(clone: Path, machine: Path) -> None:
    program(machine, "python3", f'exec {sys.executable} "$@"')
    java_says(machine, "17.0.2")
    there = clone.rename(clone.with_name("a:b"))
    assert complaint(make_demo(there, machine)) == (
        f"strandline: {there} has a colon, which separates the folders of a PATH: "
        "neither Python nor Java works there. Move the project to another folder."
    )


def test_make_clean_removes_what_is_meant_and_nothing_else(clone: Path, machine: Path) -> None:
    for name in ("my", "venv", "my venv", ".strandline", "src/strandline/__pycache__"):
        (clone / name).mkdir(exist_ok=True)
    env = {"PATH": str(machine)}
    (machine / "find").symlink_to(shutil.which("find") or "find")
    make = [str(machine / "make"), "clean", "VENV=my venv"]
    subprocess.run(make, cwd=clone, env=env, check=True, capture_output=True)
    left = {path.name for path in clone.iterdir() if path.is_dir()}
    assert left == {"my", "venv", "scripts", "requirements", "src"}
    assert not (clone / "src/strandline/__pycache__").exists()


def test_nothing_is_made_where_something_is_missing(clone: Path, machine: Path) -> None:
    before = sorted(clone.iterdir())
    make_demo(clone, machine)
    assert sorted(clone.iterdir()) == before
