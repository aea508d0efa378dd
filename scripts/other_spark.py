"""Runs a cross-section of the suite with another Spark, in a copy of the clone whose pins name it.

    make spark ARGS=4.1
    make spark ARGS="4.1 tests/unit"     other tests than the cross-section

The package itself refuses every Spark but its own. In the copy its own is another one: only to see
what would come of it. It is in target/spark<version>, with an environment and jars of its own.
"""

from __future__ import annotations

import argparse
import io
import os
import re
import subprocess
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# What is most likely to differ: types and times of Python, the JVM's start and end, workers in
# Python, Arrow, the planner, Delta's commits. About six minutes on two cores.
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


@dataclass(frozen=True)
class Spark:
    """A version of Spark, and the sums by which its files are known (sha256).

    Attributes:
        version: of PySpark.
        source: the sum of PySpark's source.
        delta: the sum of the jar of Delta that is made for it, in the locked version of Delta.
    """

    version: str
    source: str
    delta: str


SPARKS = {
    "4.0": Spark(
        "4.0.5",
        "a0d44b0e7faf0458ad83b7aa664e7ed8b96beed8a55d66ce3b0dfac2309dfca6",
        "49e899667168b9412f83cbe894ce264107d7b896d6c5e12edca4e216845c1104",
    ),
    "4.1": Spark(
        "4.1.4",
        "bcbd5e18690cf79d438e97210ad06fb8d451a251bb77becc2b0418868d2acd73",
        "75a9400986853c061f5109f012547de2545a5759e5e752e5ef633dabe16a4f10",
    ),
}


def main() -> int:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("make spark ARGS=", description=__doc__, formatter_class=raw)
    parser.add_argument("spark", choices=sorted(SPARKS), help="the other Spark")
    parser.add_argument("tests", nargs="*", help="what to run instead of the cross-section")
    given, options = parser.parse_known_args()
    copy = ROOT / "target" / f"spark{given.spark}"
    copied(copy)
    pinned(copy, given.spark)
    # The jars of another Spark have another place, and a home of the outside is none of the copy's.
    env = {key: value for key, value in os.environ.items() if not key.startswith("STRANDLINE_")}
    env |= {"VENV": ".venv", "STRANDLINE_CACHE": str(copy / "cache")}
    if done := subprocess.run(["scripts/setup.sh", "dev"], cwd=copy, env=env).returncode:
        return done
    env["PATH"] = os.pathsep.join([str(copy / ".venv" / "bin"), env["PATH"]])
    command = [".venv/bin/python", "-m", "pytest", "-m", "not browser and not soak"]
    command += [*(given.tests or CROSS_SECTION), *options]
    return subprocess.run(command, cwd=copy, env=env).returncode


def copied(folder: Path) -> None:
    """A copy of what is committed; an environment in it stays."""
    archive = subprocess.run(
        ["git", "archive", "HEAD"], cwd=ROOT, capture_output=True, check=True
    ).stdout
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        if hasattr(tarfile, "data_filter"):
            files.extractall(folder, filter="data")
        else:
            files.extractall(folder)  # noqa: S202 - of our own repository


def pinned(folder: Path, minor: str) -> None:
    """Makes the pins of a copy name another Spark. Raises ValueError where they are not found."""
    spark = SPARKS[minor]
    for name in ("install", "dev"):
        _replace(folder / "requirements" / f"{name}.txt",
                 r"(pyspark\[connect\])==\S+ \\\n( +--hash=sha256:)\w+",
                 rf"\1=={spark.version} \\\n\g<2>{spark.source}")  # fmt: skip
    _replace(folder / "pyproject.toml", r"(pyspark\[connect\])[<>=\d.,]+",
             rf"\1=={spark.version}")  # fmt: skip
    package = folder / "src" / "strandline" / "spark"
    _replace(package / "jars.py", r'(?m)^SPARK = "[\d.]+"', f'SPARK = "{minor}"')
    _replace(package / "jars.lock", r"\w+ ( \S+delta-spark)_[\d.]+_", rf"{spark.delta} \1_{minor}_")


def _replace(path: Path, pattern: str, text: str) -> None:
    """Replaces the one place that the pattern matches."""
    changed, count = re.subn(pattern, text, path.read_text(encoding="utf-8"))
    if count != 1:
        raise ValueError(f"{path} has {count} places that match {pattern!r}, it must be one")
    path.write_text(changed, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
