"""The Delta jars: resolved once by Spark's own Ivy, checked against `jars.lock`, then offline.

`delta-spark` names 31 artifacts more (Kernel, Unity Catalog, a second Hadoop and a second log4j).
Spark brings what is needed of them, so only two of `jars.lock` are fetched and put on the class
path: 9 MB instead of 90, and fewer jars to open at each start. `jars.lock` has a `delta-spark` for
each minor version of Spark; each has a folder of its own.
"""

from __future__ import annotations

import os
from pathlib import Path

from strandline.spark.extra import check_extra
from strandline.spark.installed import spark_minor
from strandline.spark.jars_fetch import JarSet, sums_in
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
    of_spark, own = "io.delta_delta-spark_", f"io.delta_delta-spark_{spark_minor()}_"
    return {
        name: digest
        for name, digest in sums_in(LOCK_FILE).items()
        if name.startswith(own) or not name.startswith(of_spark)
    }


def delta_jars() -> list[Path]:
    """Paths of the checked Delta jars; fetched on the first call on this machine.

    Raises StrandlineSparkError when they cannot be fetched, are not the locked ones, or when there
    are none for the installed Spark.
    """
    check_extra("A Spark of our own")
    return JarSet(
        what="Delta jars",
        coordinates=coordinates(),
        excluded=_EXCLUDED,
        folder=jars_folder(),
        sums=locked_sums(),
        lock=LOCK_FILE.name,
    ).paths()
