"""Spark's classes as the JVM has loaded them, in a file that the next JVM maps into its memory.

The JVM compares the file with its own version and class path, and ignores one that does not fit.
"""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
from importlib.metadata import version
from pathlib import Path

from strandline.spark.jars import cache_dir
from strandline.spark.jvm import spark_home
from strandline.versions import DELTA


def archive_path() -> Path:
    """The file for this Java, this Spark and this Delta; it need not be there."""
    java = os.environ.get("JAVA_HOME") or shutil.which("java") or "java"
    home = Path(java).resolve()
    release = next((each / "release" for each in (home, *home.parents[:2])
                    if (each / "release").is_file()), None)  # fmt: skip
    identity = [
        release.read_text(encoding="utf-8") if release else str(home),
        str(spark_home()),
        version("pyspark"),
        DELTA,
    ]
    key = hashlib.sha256("\n".join(identity).encode()).hexdigest()[:16]
    return cache_dir() / f"classes-{key}.jsa"


def reading_option() -> str:
    """The option of a JVM that reads the archive; empty if there is none."""
    path = archive_path()
    return shlex.quote(f"-XX:SharedArchiveFile={path}") if path.is_file() else ""


def writing_option(path: Path) -> str:
    """The option of a JVM that writes an archive when it ends."""
    return shlex.quote(f"-XX:ArchiveClassesAtExit={path}")
