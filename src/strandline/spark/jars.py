"""The Delta jars: resolved once by Spark's own Ivy, checked against `jars.lock`, then offline.

`delta-spark` names 31 artifacts more (Kernel, Unity Catalog, a second Hadoop and a second log4j).
Spark brings what is needed of them, so only the two of `jars.lock` are fetched and put on the class
path: 9 MB instead of 90, and fewer jars to open at each start.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from importlib.metadata import version
from pathlib import Path

from strandline.spark.errors import StrandlineSparkError
from strandline.spark.extra import check_extra

SPARK = "4.2"  # the minor version that this Delta is made for
DELTA_VERSION = "4.4.0"
COORDINATES = f"io.delta:delta-spark_{SPARK}_2.13:{DELTA_VERSION}"
LOCK_FILE = Path(__file__).with_name("jars.lock")

# Globs of Ivy: everything that delta-spark drags in, except delta-storage.
_EXCLUDED = (
    "org.*:*,com.*:*,commons-*:*,javax.*:*,io.airlift:*,io.unitycatalog:*,io.delta:delta-kernel*"
)


def cache_dir() -> Path:
    """The user's cache: `$STRANDLINE_CACHE`, else `$XDG_CACHE_HOME/strandline`."""
    if own := os.environ.get("STRANDLINE_CACHE"):
        return Path(own).expanduser()
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "strandline"


def locked_sums() -> dict[str, str]:
    """File name to sha256 (hex), as `jars.lock` has them (the format of `sha256sum`)."""
    lines = LOCK_FILE.read_text().split("\n")
    return {name: digest for digest, name in (line.split() for line in lines if line)}


def delta_jars() -> list[Path]:
    """Paths of the checked Delta jars; fetched on the first call on this machine.

    Raises StrandlineSparkError when they cannot be fetched, are not the locked ones, or are made
    for another Spark than the installed one.
    """
    check_extra("A Spark of our own")
    installed = version("pyspark")
    if not installed.startswith(f"{SPARK}."):
        raise StrandlineSparkError(
            f"Spark {SPARK} is needed, this environment has pyspark {installed}: Strandline was"
            f" tested with Spark {SPARK} and Delta {DELTA_VERSION}, which is made for it alone."
            f" Call: pip install 'pyspark[connect]=={SPARK}.*'"
        )
    folder = cache_dir() / f"delta-{DELTA_VERSION}"
    if set(":,") & set(str(folder)):
        raise StrandlineSparkError(
            f"The folder of the Delta jars, {folder}, has a colon or a comma, which separates the"
            " folders of a class path. Name another one in $STRANDLINE_CACHE."
        )
    if not folder.is_dir():
        _fetch_into(folder)
    for name, digest in locked_sums().items():
        _check(folder / name, digest)
    return [folder / name for name in locked_sums()]


def _fetch_into(folder: Path) -> None:
    """Fills `folder` in one step (a rename), so that no other process sees half of it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    work = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        _resolve(work / "ivy")
        ready = work / "jars"
        ready.mkdir()
        for name, digest in locked_sums().items():
            _check(work / "ivy" / "jars" / name, digest)
            shutil.move(work / "ivy" / "jars" / name, ready / name)
        try:
            ready.rename(folder)
        except OSError:
            if not folder.is_dir():  # otherwise another process was quicker: the same files
                raise
    finally:
        shutil.rmtree(work, ignore_errors=True)


def _resolve(ivy: Path) -> None:
    from strandline.spark.jvm import spark_env, spark_home  # the jars are needed without a JVM too

    ivy.mkdir()
    script = ivy / "empty.py"
    script.touch()
    command = [str(spark_home() / "bin" / "spark-submit"), "--master", "local[1]"]
    command += ["--conf", f"spark.jars.ivy={ivy}", "--packages", COORDINATES]
    command += ["--exclude-packages", _EXCLUDED, str(script)]
    done = subprocess.run(command, env=spark_env(), capture_output=True, text=True)
    if done.returncode != 0:
        log = cache_dir() / "resolve.log"
        log.write_text(done.stdout + done.stderr)
        raise StrandlineSparkError(
            f"The Delta jars ({COORDINATES}) could not be fetched from Maven. They are needed once;"
            " afterwards Strandline works offline.\n"
            "  - Is this machine online? Behind a proxy or a mirror, set JAVA_TOOL_OPTIONS"
            " (-Dhttps.proxyHost=... -Dhttps.proxyPort=...) or name your Ivy settings in"
            " $SPARK_CONF_DIR/spark-defaults.conf (spark.jars.ivySettings).\n"
            f"  - Or copy {' and '.join(locked_sums())} into"
            f" {cache_dir() / ('delta-' + DELTA_VERSION)}.\n"
            f"The output of Ivy is in {log}."
        )


def _check(jar: Path, expected: str) -> None:
    if not jar.is_file():
        raise StrandlineSparkError(
            f"{jar} is missing. Remove the folder {jar.parent}: the next run fetches it again."
        )
    found = hashlib.sha256(jar.read_bytes()).hexdigest()
    if found != expected:
        raise StrandlineSparkError(
            f"{jar} is not the jar that Strandline was tested with: its sha256 is {found},"
            f" {LOCK_FILE.name} says {expected}. Remove the folder {jar.parent}: the next run"
            " fetches it again. If it happens again, the mirror that you use gives other files."
        )
