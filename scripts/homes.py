"""Runs the suite in other homes: with another Spark, on another Java.

    make homes                                     every Spark, on the Java of this machine
    make homes ARGS="--spark 4.1 --java 21"        one home
    make homes ARGS="--spark 4.1 tests/unit -x"    some tests; options of pytest
    make homes ARGS=--cross-section                what differs most likely, in minutes

Without tests it is what `make test` and `make check` run, but the linters. The environment of
another Spark is made in target/homes, from the lock files with that Spark in them.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from strandline.preflight import java_command, java_version
from strandline.versions import JAVAS, LOCKED, javas_of, listed

ROOT = Path(__file__).resolve().parents[1]
FOLDER = Path("target/homes")  # in the clone
# Types and times of Python, the JVM's start and end, workers in Python, Arrow, the planner, Delta's
# commits. About six minutes on two cores.
CROSS_SECTION = (
    "tests/unit",
    "tests/e2e/adapter/test_sessions.py",
    "tests/e2e/adapter/test_python_models.py",
    "tests/e2e/adapter/test_seeds.py",
    "tests/e2e/adapter/test_errors.py",
    "tests/e2e/consumer/test_readme_example.py",
    "tests/engine/landing/test_exactly_once.py",
    "tests/engine/aggregation/test_event_times.py",
    "tests/engine/time_weight/test_golden_on_spark.py",
    "tests/engine/detection/test_contract.py",
    "tests/engine/anomalies/test_cases.py",
    "tests/engine/windows/test_sequential.py",
    "tests/engine/correlation/test_examples_on_spark.py",
)
# Of each Spark but the locked one: the version of PySpark, and the sha256 of its source.
SOURCES = {
    "4.0": ("4.0.5", "a0d44b0e7faf0458ad83b7aa664e7ed8b96beed8a55d66ce3b0dfac2309dfca6"),
    "4.1": ("4.1.4", "bcbd5e18690cf79d438e97210ad06fb8d451a251bb77becc2b0418868d2acd73"),
}
# Where the packages of the systems put their Javas.
JAVA_HOMES = ("/usr/lib/jvm/*", "/Library/Java/JavaVirtualMachines/*/Contents/Home")


@dataclass(frozen=True)
class Home:
    """A Spark on a Java.

    Attributes:
        spark: its minor version.
        java: the major version.
        java_home: the folder of that Java; None for the one that Spark finds by itself.
    """

    spark: str
    java: int
    java_home: Path | None

    def __str__(self) -> str:
        return f"Spark {self.spark}, Java {self.java}"

    @property
    def folder(self) -> Path:
        return FOLDER / f"spark{self.spark}-java{self.java}"

    @property
    def locks(self) -> Path | None:
        """The folder of its lock files; None for those of the clone."""
        return None if self.spark == LOCKED else FOLDER / f"spark{self.spark}" / "requirements"

    @property
    def venv(self) -> Path:
        own = Path(os.environ.get("VENV") or ".venv")
        return own if self.spark == LOCKED else FOLDER / f"spark{self.spark}" / "venv"


@dataclass(frozen=True)
class Outcome:
    """What came of the tests of a home.

    Attributes:
        passed, total: tests.
        code: of pytest, or of what should have made the environment.
    """

    passed: int
    total: int
    code: int

    def __str__(self) -> str:
        if not self.total:
            return f"no test ran (exit code {self.code})"
        return f"{self.passed} of {self.total} passed"


def main() -> int:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(
        "make homes ARGS=",
        usage="%(prog)s[--spark …] [--java …] [--cross-section] [tests and options of pytest]",
        description=__doc__,
        formatter_class=raw,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("--spark", action="append", choices=sorted(JAVAS), help="may be given more than once")
    add("--java", action="append", help="a version, or a folder; may be given more than once")
    add("--cross-section", action="store_true", help="only what differs most likely")
    given, to_pytest = parser.parse_known_args()
    names_tests = any((ROOT / each.partition("::")[0]).exists() for each in to_pytest)
    homes, faults = chosen(given.spark or sorted(JAVAS), given.java or [], os.environ)
    if given.cross_section and names_tests:
        faults.append("--cross-section names the tests already: leave it out, or the tests")
    if faults:
        parser.error("; ".join(faults))
    if given.cross_section:
        to_pytest += CROSS_SECTION
    elif not names_tests:  # as `make test` does
        to_pytest = ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder", *to_pytest]
    outcomes = {home: run(home, to_pytest) for home in homes}
    print()
    for home, outcome in outcomes.items():
        print(f"{home}: {outcome}")
    return max(outcome.code for outcome in outcomes.values())


def chosen(
    sparks: Iterable[str], javas: Iterable[str], env: Mapping[str, str]
) -> tuple[list[Home], list[str]]:
    """The homes of all pairs, and what is wrong with what was given."""
    found: list[tuple[int, Path | None]] = []
    faults = []
    for java in javas:
        version, folder, fault = _java(java)
        if fault:
            faults.append(fault)
        else:
            found.append((version, folder))
    if not javas:
        command, why = java_command()
        version = (java_version(command) if command else None) or 0
        if not version:
            faults.append(f"no Java runs here ({why or command}): name one by --java")
        else:
            found.append((version, Path(env["JAVA_HOME"]) if env.get("JAVA_HOME") else None))
    homes = [Home(spark, version, folder) for spark in sparks for version, folder in found]
    faults += [
        f"Spark {home.spark} does not run on Java {home.java}: give Java"
        f" {listed(javas_of(home.spark))}, or another Spark"
        for home in homes
        if home.java not in javas_of(home.spark)
    ]
    return homes, faults


def _java(given: str) -> tuple[int, Path | None, str]:
    """The version and the folder of a Java, or what is wrong with it."""
    if given.isdigit():
        for folder in _java_homes():
            if java_version(str(folder / "bin" / "java")) == int(given):
                return int(given), folder, ""
        return 0, None, f"no Java {given} is in {' or '.join(JAVA_HOMES)}: give its folder"
    folder = Path(given).expanduser().resolve()
    version = java_version(str(folder / "bin" / "java"))
    if version is None:
        return 0, None, f"--java {given} is neither a version nor a folder with bin/java that runs"
    return version, folder, ""


def _java_homes() -> list[Path]:
    return [path for pattern in JAVA_HOMES for path in sorted(Path("/").glob(pattern[1:]))]


def run(home: Home, to_pytest: list[str]) -> Outcome:
    """Makes the environment of a home, and runs tests in it."""
    print(f"\n{home}", flush=True)
    # A home of the outside, or its settings, are none of the tests'.
    env = {key: value for key, value in os.environ.items() if not key.startswith("STRANDLINE_")}
    env["VENV"] = str(home.venv)
    if home.java_home:
        env["JAVA_HOME"] = str(home.java_home)
    if home.locks:
        write_locks(ROOT / home.locks, home.spark)
        env |= {"HOME_LOCKS": str(home.locks), "HOME_SPARK": home.spark}
    if code := subprocess.run(["scripts/setup.sh", "dev"], cwd=ROOT, env=env).returncode:
        return Outcome(0, 0, code)
    programs = ROOT / home.venv / "bin"
    env["PATH"] = os.pathsep.join([str(programs), env["PATH"]])
    report = ROOT / home.folder / "tests.xml"
    report.parent.mkdir(parents=True, exist_ok=True)
    report.unlink(missing_ok=True)
    command = [str(programs / "python"), "-m", "pytest", "-m", "not browser and not soak"]
    command += [f"--junitxml={report}", *to_pytest]
    return outcome(report, subprocess.run(command, cwd=ROOT, env=env).returncode)


def write_locks(folder: Path, spark: str) -> None:
    """The lock files of the clone with another Spark in them."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    version, digest = SOURCES[spark]
    for name in ("install.txt", "dev.txt"):
        text = (ROOT / "requirements" / name).read_text(encoding="utf-8")
        changed, count = re.subn(
            r"^(pyspark\[connect\])==\S+ \\\n( +--hash=sha256:)\w+$",
            rf"\1=={version} \\\n\g<2>{digest}",
            text,
            flags=re.MULTILINE,
        )
        if count != 1:
            raise ValueError(f"requirements/{name} has {count} pins of pyspark, it must be one")
        (folder / name).write_text(changed, encoding="utf-8")


def outcome(report: Path, code: int) -> Outcome:
    """The outcome that pytest has written, if it came to that."""
    if not report.is_file():
        return Outcome(0, 0, code or 1)
    suites = list(ElementTree.parse(report).getroot().iter("testsuite"))  # noqa: S314 - of pytest
    total, *lost = (
        sum(int(suite.get(name, "0")) for suite in suites)
        for name in ("tests", "failures", "errors", "skipped")
    )
    return Outcome(total - sum(lost), total, code)


if __name__ == "__main__":
    sys.exit(main())
