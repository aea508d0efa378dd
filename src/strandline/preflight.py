"""What must stand before the first step: Python 3.10 to 3.13 and Java 17 or 21.

Only the standard library, so that it also runs before anything is installed:
`python3 src/strandline/preflight.py` prints nothing and ends with 0, or prints one line and ends
with 1.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

PYTHON_FROM, PYTHON_TO = (3, 10), (3, 13)
JAVA_VERSIONS = (17, 21)
INSTALL_JAVA = (
    "install one (Debian, Ubuntu: sudo apt install openjdk-17-jre-headless; "
    "macOS: brew install openjdk@17) or point JAVA_HOME to one."
)
INSTALL_PYTHON = (
    "install one (Debian, Ubuntu: sudo apt install python3 python3-venv; "
    "macOS: brew install python@3.12)."
)


def problem() -> str | None:
    """The first thing that is missing, in one line that says what to install; else None."""
    return _python_problem(sys.version_info[:2]) or _java_problem()


def _python_problem(running: tuple[int, int]) -> str | None:
    if PYTHON_FROM <= running <= PYTHON_TO:
        return None
    found = f"{running[0]}.{running[1]}"
    return f"Python 3.10 to 3.13 is needed, this is Python {found}: {INSTALL_PYTHON}"


def _java_problem() -> str | None:
    java, named_by = java_command()
    if java is None:
        return f"Java 17 or 21 is needed, {named_by}: {INSTALL_JAVA}"
    version = java_version(java)
    if version is None:
        return f"Java 17 or 21 is needed, {java} does not run: {INSTALL_JAVA}"
    if version not in JAVA_VERSIONS:
        return f"Java 17 or 21 is needed, {java} is Java {version}: {INSTALL_JAVA}"
    return None


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
    match = re.search(r'version "(\d+)(?:\.(\d+))?', found.stderr + found.stdout)
    if match is None:
        return None
    major, minor = match.group(1), match.group(2)
    return int(minor) if major == "1" and minor else int(major)


if __name__ == "__main__":
    missing = problem()
    if missing:
        sys.exit(f"strandline: {missing}")
