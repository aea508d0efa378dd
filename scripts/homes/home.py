"""A home: a clone, an environment in it made from the lock files, a Python, a Java and a Spark."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from scripts.homes.other_spark import SPARKS, copy_for
from scripts.homes.outcome import FOLDER

from strandline.preflight import java_command, java_version

__all__ = ["SPARKS", "Home", "made"]

ROOT = Path(__file__).resolve().parents[2]
VERSIONS = """
import platform
from importlib.metadata import version
from strandline.spark.jars import DELTA_VERSION
print(platform.python_version(), version("pyspark"), DELTA_VERSION)
"""


@dataclass(frozen=True)
class Home:
    """Where tests run.

    Attributes:
        name: of its files in target/homes.
        clone: the folder of the code, ROOT or a copy with other pins.
        venv: its environment.
        java: its JAVA_HOME; None: as the environment has it.
    """

    name: str
    clone: Path
    venv: Path
    java: Path | None

    @property
    def python(self) -> str:
        return str(self.venv / "bin" / "python")

    def env(self, **own: str) -> dict[str, str]:
        """The environment of every command: nothing of the outside that changes what is run."""
        env = {
            key: value
            for key, value in os.environ.items()
            if not key.startswith("STRANDLINE_") or key == "STRANDLINE_CACHE"
        }
        path = [str(self.venv / "bin"), env["PATH"]]
        if self.java:
            env["JAVA_HOME"] = str(self.java)
            path.insert(1, str(self.java / "bin"))
        if self.clone != ROOT:  # the jars of another Spark have another place
            env["STRANDLINE_CACHE"] = str(self.clone / "cache")
        return {**env, "PATH": os.pathsep.join(path), **own}

    def run(self, command: list[str], log: str, **own: str) -> int:
        """Runs a command in the clone, its output in a file of target/homes; its exit code."""
        path = ROOT / FOLDER / log
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            return subprocess.run(
                command, cwd=self.clone, env=self.env(**own), stdout=file, stderr=file
            ).returncode

    def versions(self) -> dict[str, str]:
        """What runs there, as it says itself."""
        said = subprocess.run(
            [self.python, "-c", VERSIONS],
            env=self.env(),
            capture_output=True,
            text=True,
            check=True,
        ).stdout.split()
        return dict(zip(("python", "spark", "delta"), said, strict=True)) | {
            "java": java_of(self.java)
        }


def java_of(home: Path | None) -> str:
    """The version of a JAVA_HOME, or of the environment's Java."""
    java = str(home / "bin" / "java") if home else java_command()[0]
    return str(java_version(java)) if java else "none"


def made(python: str, java: Path | None, spark: str | None) -> Home:
    """The home, ready to run; made from the lock files if it is not there."""
    program = shutil.which(python) or sys.exit(f"There is no {python}.")
    said = subprocess.run(
        [program, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"],
        capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    clone = copy_for(spark, ROOT / FOLDER / f"spark{spark}") if spark else ROOT
    venv = FOLDER / f"python{said}"
    name = f"python{said}-java{java_of(java)}" + (f"-spark{spark}" if spark else "")
    home = Home(name, clone, clone / venv, java)
    # By the Java of the environment: `setup.sh` refuses one that is not supported.
    setup = {**os.environ, "VENV": str(venv), "PYTHON": program}
    if subprocess.run(["scripts/setup.sh", "dev"], cwd=clone, env=setup).returncode:
        sys.exit(f"The environment of {name} could not be made.")
    return home
