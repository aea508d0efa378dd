"""Sets of jars: resolved once by Spark's own Ivy, checked against locked sums, then offline."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from strandline.spark.errors import StrandlineSparkError
from strandline.spark.installed import check_java


@dataclass(frozen=True)
class JarSet:
    """Jars that are fetched together, into a folder of their own.

    Attributes:
        what: its name in messages, such as `Delta jars`.
        coordinates: what Maven calls the jar that needs the others.
        excluded: what is not fetched of that, as globs of Ivy with commas between.
        folder: where they are kept; if it is there, nothing is fetched.
        sums: sha256 (hex) by file name.
        lock: the file that has them.
    """

    what: str
    coordinates: str
    excluded: str
    folder: Path
    sums: Mapping[str, str]
    lock: str

    @property
    def is_there(self) -> bool:
        """Whether they have been fetched on this machine."""
        return self.folder.is_dir()

    def paths(self) -> list[Path]:
        """The checked jars; fetched on the first call on this machine.

        Raises StrandlineSparkError when they cannot be fetched or are not the locked ones.
        """
        if set(":,") & set(str(self.folder)):
            raise StrandlineSparkError(
                f"The folder of the {self.what}, {self.folder}, has a colon or a comma, which"
                " separates the folders of a class path. Name another one in $STRANDLINE_CACHE."
            )
        if not self.is_there:
            self._fetch()
        for name in self.sums:
            self._check(self.folder / name)
        return [self.folder / name for name in self.sums]

    def _fetch(self) -> None:
        """Fills the folder in one step (a rename), so that no other process sees half of it."""
        self.folder.parent.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=f".{self.folder.name}-", dir=self.folder.parent))
        try:
            resolve(self, work / "ivy")
            ready = work / "jars"
            ready.mkdir()
            for name in self.sums:
                self._check(work / "ivy" / "jars" / name)
                shutil.move(work / "ivy" / "jars" / name, ready / name)
            try:
                ready.rename(self.folder)
            except OSError:
                if not self.is_there:  # otherwise another process was quicker: the same files
                    raise
        finally:
            shutil.rmtree(work, ignore_errors=True)

    def _check(self, jar: Path) -> None:
        again = f"Remove the folder {self.folder}: the next run fetches it again."
        if not jar.is_file():
            raise StrandlineSparkError(f"{jar} is missing. {again}")
        found = hashlib.sha256(jar.read_bytes()).hexdigest()
        if found != self.sums[jar.name]:
            raise StrandlineSparkError(
                f"{jar} is not the jar that Strandline was tested with: its sha256 is {found},"
                f" {self.lock} says {self.sums[jar.name]}. {again} If it happens again, the mirror"
                " that you use gives other files."
            )


def sums_in(lock: Path) -> dict[str, str]:
    """File name to sha256 (hex) in a lock file, which has the format of `sha256sum`."""
    lines = lock.read_text(encoding="utf-8").splitlines()
    return {name: digest for digest, name in (line.split() for line in lines if line)}


def resolve(jars: JarSet, ivy: Path) -> None:
    """Has Ivy put the jars into `<ivy>/jars`."""
    from strandline.spark.jvm import spark_env, spark_home  # the jars are needed without a JVM too

    check_java()
    ivy.mkdir()
    script = ivy / "empty.py"
    script.touch()
    command = [str(spark_home() / "bin" / "spark-submit"), "--master", "local[1]"]
    command += ["--conf", f"spark.jars.ivy={ivy}", "--packages", jars.coordinates]
    if jars.excluded:
        command += ["--exclude-packages", jars.excluded]
    done = subprocess.run([*command, str(script)], env=spark_env(), capture_output=True, text=True)
    if done.returncode != 0:
        log = jars.folder.parent / "resolve.log"
        log.write_text(done.stdout + done.stderr)
        raise StrandlineSparkError(
            f"The {jars.what} ({jars.coordinates}) could not be fetched from Maven."
            " They are needed once; afterwards Strandline works offline.\n"
            "  - Is this machine online? Behind a proxy or a mirror, set JAVA_TOOL_OPTIONS"
            " (-Dhttps.proxyHost=... -Dhttps.proxyPort=...) or name your Ivy settings in"
            " $SPARK_CONF_DIR/spark-defaults.conf (spark.jars.ivySettings).\n"
            f"  - Or copy {', '.join(jars.sums)} into {jars.folder}.\n"
            f"The output of Ivy is in {log}."
        )
