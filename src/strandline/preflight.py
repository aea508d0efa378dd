"""What must stand before the first step: Python 3.10 to 3.13 and a Java that Spark runs on.

Only the standard library, so that it also runs before anything is installed:
`PYTHONPATH=src python3 -m strandline.preflight` prints nothing and ends with 0, or prints one line
and ends with 1. After it comes the Spark that will be installed, if it is not the locked one.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from strandline.versions import LOCKED, installed_spark, javas_of, listed, minor_of

PYTHON_FROM, PYTHON_TO = (3, 10), (3, 13)
INSTALL_JAVA = (
    "install one (Debian, Ubuntu: sudo apt install openjdk-17-jre-headless; "
    "macOS: brew install openjdk@17) or point JAVA_HOME to one."
)
INSTALL_PYTHON = (
    "install one (Debian, Ubuntu: sudo apt install python3 python3-venv; "
    "macOS: brew install python@3.12)."
)


def problem(spark: str | None = None) -> str | None:
    """The first thing that is missing, in one line that says what to install; else None.

    spark: the minor version that will be installed; without it the installed one, else the locked.
    """
    minor = spark or minor_of(installed_spark() or LOCKED)
    return _python_problem(sys.version_info[:2]) or _java_problem(minor)


def _python_problem(running: tuple[int, int]) -> str | None:
    if PYTHON_FROM <= running <= PYTHON_TO:
        return None
    found = f"{running[0]}.{running[1]}"
    return f"Python 3.10 to 3.13 is needed, this is Python {found}: {INSTALL_PYTHON}"


def _java_problem(minor: str) -> str | None:
    needed = java_needed(minor)
    java, named_by = java_command()
    if java is None:
        return f"{needed}, {named_by}: {INSTALL_JAVA}"
    found = java_version(java)
    if found is None:
        return f"{needed}, {java} does not run: {INSTALL_JAVA}"
    return _other_java(minor, java, found)


def java_needed(minor: str) -> str:
    """The beginning of each message about Java."""
    return f"Spark {minor} needs Java {listed(javas_of(minor))}"


def unfit_java(minor: str) -> str | None:
    """What is wrong with the Java that Spark will start, by the file that it has about itself.

    It costs no process. Without that file it says nothing: a start that fails says more.
    """
    java, _ = java_command()
    release = Path(java or "").resolve().parents[1:2]
    try:
        text = (release[0] / "release").read_text(encoding="utf-8")
    except (OSError, IndexError, UnicodeError):
        return None
    found = _major(text, r'JAVA_VERSION="')
    return None if found is None or java is None else _other_java(minor, java, found)


def _other_java(minor: str, java: str, found: int) -> str | None:
    if found in javas_of(minor):
        return None
    return f"{java_needed(minor)}, {java} is Java {found}: {INSTALL_JAVA}"


def java_command() -> tuple[str | None, str]:
    """The java that Spark will start, looked for where Spark looks; or why there is none."""
    home = os.environ.get("JAVA_HOME")
    if home:
        java = Path(home) / "bin" / "java"
        return (str(java), "") if java.is_file() else (None, f"JAVA_HOME={home} holds no bin/java")
    java_on_path = shutil.which("java")
    return (java_on_path, "") if java_on_path else (None, "none is on PATH")


def java_version(java: str) -> int | None:
    """17 for `openjdk version "17.0.15"`, 8 for `java version "1.8.0_402"`."""
    try:
        found = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired):
        return None
    if found.returncode != 0:
        return None
    return _major(found.stderr + found.stdout, r'version "')


def _major(text: str, before: str) -> int | None:
    match = re.search(before + r"(\d+)(?:\.(\d+))?", text)
    if match is None:
        return None
    major, minor = match.group(1), match.group(2)
    return int(minor) if major == "1" and minor else int(major)


if __name__ == "__main__":
    missing = problem((sys.argv[1:] or [LOCKED])[0])
    if missing:
        sys.exit(f"strandline: {missing}")
