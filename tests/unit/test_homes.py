"""`make homes`: which homes are chosen, what is refused, the lock files and what is counted."""

from __future__ import annotations

from pathlib import Path

import pytest
from scripts import homes
from scripts.homes import CROSS_SECTION, ROOT, SOURCES, Home, Outcome, chosen, outcome, write_locks

from strandline.versions import JAVAS, LOCKED

SPREAD = ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]


def java(folder: Path, version: str) -> Path:
    """The folder of a Java that says which one it is."""
    program = folder / "bin" / "java"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n")
    program.chmod(0o755)
    return folder


@pytest.fixture(autouse=True)
def javas(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[int, Path]:
    """The Javas of a machine, one of them in $JAVA_HOME."""
    found = {each: java(tmp_path / f"jvm/java-{each}", f"{each}.0.1") for each in (17, 21, 25)}
    monkeypatch.setattr(homes, "JAVA_HOMES", (f"{tmp_path}/jvm/*",))
    monkeypatch.setenv("JAVA_HOME", str(found[17]))
    return found


def test_every_spark_on_the_java_that_spark_would_find(javas: dict[int, Path]) -> None:
    found, faults = chosen(JAVAS, [], {"JAVA_HOME": str(javas[17])})
    assert faults == []
    assert found == [Home(spark, 17, javas[17]) for spark in ("4.0", "4.1", "4.2")]


def test_javas_by_version_and_by_folder(javas: dict[int, Path]) -> None:
    found, faults = chosen(["4.2"], ["21", str(javas[25])], {})
    assert faults == []
    assert found == [Home("4.2", 21, javas[21]), Home("4.2", 25, javas[25])]


def test_what_is_wrong_is_collected(tmp_path: Path) -> None:
    _, faults = chosen(["4.0", "4.2"], ["25", "11", "/no/java"], {})
    assert faults == [
        f"no Java 11 is in {tmp_path}/jvm/*: give its folder",
        "--java /no/java is neither a version nor a folder with bin/java that runs",
        "Spark 4.0 does not run on Java 25: give Java 17 or 21, or another Spark",
    ]


def test_a_machine_without_a_java(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "none"))
    _, faults = chosen(["4.2"], [], {})
    assert faults == [
        f"no Java runs here (JAVA_HOME={tmp_path}/none holds no bin/java): name one by --java"
    ]


def test_the_command_refuses_in_one_message(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    given = ["homes", "--spark", "4.1", "--java", "25", "--cross-section", "tests/unit"]
    monkeypatch.setattr("sys.argv", given)
    with pytest.raises(SystemExit):
        homes.main()
    assert capsys.readouterr().err.endswith(
        "error: Spark 4.1 does not run on Java 25: give Java 17 or 21, or another Spark;"
        " --cross-section names the tests already: leave it out, or the tests\n"
    )


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([], SPREAD),
        (["-k", "name"], [*SPREAD, "-k", "name"]),
        (["-n", "0", "tests/unit"], ["-n", "0", "tests/unit"]),
        (["tests/unit/test_homes.py::test_x", "-x"], ["tests/unit/test_homes.py::test_x", "-x"]),
        (["--cross-section", "-n", "0"], ["-n", "0", *CROSS_SECTION]),
    ],
)
def test_what_pytest_is_given(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    given: list[str],
    expected: list[str],
) -> None:
    calls: list[tuple[Home, list[str]]] = []

    def run(home: Home, to_pytest: list[str]) -> Outcome:
        calls.append((home, to_pytest))
        return Outcome(2, 3, 1)

    monkeypatch.setattr(homes, "run", run)
    monkeypatch.setattr("sys.argv", ["homes", "--spark", "4.1", "--spark", "4.2", *given])
    assert homes.main() == 1
    assert [(home.spark, to_pytest) for home, to_pytest in calls] == [
        ("4.1", expected),
        ("4.2", expected),
    ]
    assert capsys.readouterr().out == (
        "\nSpark 4.1, Java 17: 2 of 3 passed\nSpark 4.2, Java 17: 2 of 3 passed\n"
    )


def test_the_locked_spark_has_the_environment_of_the_clone() -> None:
    home = Home(LOCKED, 17, None)
    assert home.locks is None
    assert Home("4.1", 17, None).venv == Path("target/homes/spark4.1/venv")
    # Two Javas share an environment, and not what their tests write.
    assert Home("4.1", 21, None).venv == Home("4.1", 17, None).venv
    assert Home("4.1", 21, None).folder != Home("4.1", 17, None).folder


@pytest.mark.parametrize("spark", SOURCES)
def test_lock_files_with_another_spark(tmp_path: Path, spark: str) -> None:
    write_locks(tmp_path / "locks", spark)
    version, digest = SOURCES[spark]
    assert version.startswith(f"{spark}.")
    for name in ("install.txt", "dev.txt"):
        own = (ROOT / "requirements" / name).read_text().splitlines()
        other = (tmp_path / "locks" / name).read_text().splitlines()
        changed = [line for line in other if line not in own]
        assert changed == [f"pyspark[connect]=={version} \\", f"    --hash=sha256:{digest}"]
        assert len(other) == len(own)


def test_each_spark_but_the_locked_one_has_a_source() -> None:
    assert {*SOURCES, LOCKED} == set(JAVAS)


def test_a_pin_that_is_not_found_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements" / "install.txt").write_text("pyspark==4.2.0\n")
    monkeypatch.setattr(homes, "ROOT", tmp_path)
    with pytest.raises(ValueError, match=r"install\.txt has 0 pins of pyspark, it must be one"):
        write_locks(tmp_path / "locks", "4.1")


def test_what_passed_of_how_many(tmp_path: Path) -> None:
    report = tmp_path / "tests.xml"
    report.write_text(
        '<testsuites><testsuite tests="9" failures="2" errors="1" skipped="1"/></testsuites>'
    )
    assert outcome(report, 1) == Outcome(5, 9, 1)
    assert str(outcome(report, 1)) == "5 of 9 passed"


def test_a_pytest_that_wrote_nothing_is_no_success(tmp_path: Path) -> None:
    assert outcome(tmp_path / "none.xml", 0) == Outcome(0, 0, 1)
    assert str(outcome(tmp_path / "none.xml", 4)) == "no test ran (exit code 4)"


def test_the_cross_section_exists() -> None:
    assert [name for name in CROSS_SECTION if not (ROOT / name).exists()] == []
