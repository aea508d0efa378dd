"""The demo's SQL models through a Spark Thrift server on loopback, with dbt-spark alone."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

from scripts.homes.outcome import FOLDER, Counts

if TYPE_CHECKING:
    from scripts.homes.home import Home


def built(home: Home) -> Counts:
    """Builds in a process of the home; counts the models and tests of both builds."""
    packages = home.clone / FOLDER / "thrift-packages"
    if not packages.is_dir():
        command = [home.python, "-m", "pip", "install", "--quiet", "--no-input", "--no-deps"]
        command += ["--no-build-isolation", "--require-hashes", "--target", str(packages)]
        if subprocess.run(
            [*command, "-r", str(home.clone / "requirements" / "thrift.txt")]
        ).returncode:
            sys.exit("What speaks to a Thrift server could not be installed.")
    folder = home.clone / FOLDER / f"{home.name}-thrift"
    result = folder / "counts.json"
    result.unlink(missing_ok=True)
    home.run(
        [home.python, "-m", "scripts.homes.thrift_run", str(folder)],
        log=f"{home.name}-thrift.log",
        PYTHONPATH=f"{packages}:{home.clone}",
        STRANDLINE_HOME=str(folder / "home"),
        DBT_SEND_ANONYMOUS_USAGE_STATS="false",
    )
    return Counts(**json.loads(result.read_text())) if result.is_file() else Counts(0, 1, 0)
