"""A copy of the clone in which the pins name another Spark: only to see what would come of it.

The package itself refuses every Spark but its own. In the copy its own is another one.
"""

from __future__ import annotations

import io
import re
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path


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


def copy_for(minor: str, folder: Path) -> Path:
    """A copy of what is committed, with the pins of that Spark; an environment in it stays."""
    archive = subprocess.run(["git", "archive", "HEAD"], capture_output=True, check=True).stdout
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        if hasattr(tarfile, "data_filter"):
            files.extractall(folder, filter="data")
        else:
            files.extractall(folder)  # noqa: S202 - of our own repository
    spark = SPARKS[minor]
    for name in ("install", "dev"):
        _replace(folder / "requirements" / f"{name}.txt",
                 r"(pyspark\[connect\])==\S+ \\\n( +--hash=sha256:)\w+",
                 rf"\1=={spark.version} \\\n\g<2>{spark.source}")  # fmt: skip
    _replace(folder / "pyproject.toml", r"(pyspark\[connect\])>=[\d.]+,<[\d.]+",
             rf"\1=={spark.version}")  # fmt: skip
    package = folder / "src" / "strandline" / "spark"
    _replace(package / "jars.py", r'(?m)^SPARK = "[\d.]+"', f'SPARK = "{minor}"')
    _replace(package / "jars.lock", r"\w+ ( \S+delta-spark)_[\d.]+_", rf"{spark.delta} \1_{minor}_")
    return folder


def _replace(path: Path, pattern: str, text: str) -> None:
    """Replaces the one place that the pattern matches."""
    changed, count = re.subn(pattern, text, path.read_text(encoding="utf-8"))
    if count != 1:
        raise ValueError(f"{path} has {count} places that match {pattern!r}, it must be one")
    path.write_text(changed, encoding="utf-8")
