"""The Delta jars: resolved once by Spark's own Ivy, checked against `jars.lock`, then offline.

`delta-spark` names 31 artifacts more (Kernel, Unity Catalog, a second Hadoop and a second log4j).
Spark brings what is needed of them, so only two of `jars.lock` are fetched and put on the class
path: 9 MB instead of 90, and fewer jars to open at each start. `jars.lock` has a `delta-spark` for
each minor version of Spark; each has a folder of its own.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from strandline.spark.errors import StrandlineSparkError
from strandline.spark.extra import check_extra
from strandline.spark.installed import check_java, spark_minor
from strandline.versions import DELTA

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


def coordinates() -> str:
    """Delta for the installed Spark, as Maven names it."""
    return f"io.delta:delta-spark_{spark_minor()}_2.13:{DELTA}"


def jars_folder() -> Path:
    """Where the jars for the installed Spark are."""
    return cache_dir() / f"delta-{DELTA}-spark-{spark_minor()}"


def locked_sums() -> dict[str, str]:
    """File name to sha256 (hex) of the jars for the installed Spark.

    `jars.lock` has them in the format of `sha256sum`, with those for the other Sparks.
    """
    lines = LOCK_FILE.read_text().split("\n")
    sums = {name: digest for digest, name in (line.split() for line in lines if line)}
    of_spark, own = "io.delta_delta-spark_", f"io.delta_delta-spark_{spark_minor()}_"
    return {
        name: digest
        for name, digest in sums.items()
        if name.startswith(own) or not name.startswith(of_spark)
    }


def delta_jars() -> list[Path]:
    """Paths of the checked Delta jars; fetched on the first call on this machine.

    Raises StrandlineSparkError when they cannot be fetched, are not the locked ones, or when there
    are none for the installed Spark.
    """
    check_extra("A Spark of our own")
    folder = jars_folder()
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

    check_java()
    ivy.mkdir()
    script = ivy / "empty.py"
    script.touch()
    command = [str(spark_home() / "bin" / "spark-submit"), "--master", "local[1]"]
    command += ["--conf", f"spark.jars.ivy={ivy}", "--packages", coordinates()]
    command += ["--exclude-packages", _EXCLUDED, str(script)]
    done = subprocess.run(command, env=spark_env(), capture_output=True, text=True)
    if done.returncode != 0:
        log = cache_dir() / "resolve.log"
        log.write_text(done.stdout + done.stderr)
        raise StrandlineSparkError(
            f"The Delta jars ({coordinates()}) could not be fetched from Maven. They are needed"
            " once; afterwards Strandline works offline.\n"
            "  - Is this machine online? Behind a proxy or a mirror, set JAVA_TOOL_OPTIONS"
            " (-Dhttps.proxyHost=... -Dhttps.proxyPort=...) or name your Ivy settings in"
            " $SPARK_CONF_DIR/spark-defaults.conf (spark.jars.ivySettings).\n"
            f"  - Or copy {' and '.join(locked_sums())} into {jars_folder()}.\n"
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
