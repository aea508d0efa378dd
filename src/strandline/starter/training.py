"""A small project, landed and built, so that a JVM loads the classes that a run needs.

    python -m strandline.starter.training FOLDER ARCHIVE

FOLDER is an empty folder for the project; the JVM writes ARCHIVE when it ends.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from strandline.landing import land
from strandline.spark import close, close_session, credentials_for, open_session
from strandline.spark.archive import writing_option
from strandline.spark.settings import SHORT_RUN_JAVA_OPTIONS
from strandline.starter.answers import Answers
from strandline.starter.columns import sample_of
from strandline.starter.write import write_project

# The JVM writes 250 MB when it ends, on a busy machine in some minutes.
WRITING_SECONDS = 600

EVENTS = """machine,read_at,temperature
press_1,2026-01-05T06:00:00Z,61.5
press_1,2026-01-05T07:00:00Z,84.0
press_2,2026-01-05T07:30:00Z,59.0
press_1,2026-01-05T08:00:00Z,62.0
"""
LATE = "machine,read_at,temperature\npress_1,2026-01-05T07:10:00Z,83.0\n"


def train(folder: Path, archive: Path) -> None:
    """Two landings and two runs, the second with late events.

    Raises RuntimeError when dbt fails.
    """
    from dbt.cli.main import dbtRunner

    incoming = folder / "incoming"
    incoming.mkdir()
    first, second = incoming / "first.csv", incoming / "second.csv"
    first.write_text(EVENTS, encoding="utf-8")
    columns = sample_of(first).columns
    answers = Answers(
        "training", "training", "events", "read_at", ("machine",), "temperature",
        above=80, columns=columns,
    )  # fmt: skip
    write_project(folder, answers)
    profiles = folder / "profiles.yml"
    options = f"{SHORT_RUN_JAVA_OPTIONS} {writing_option(archive)}"
    profiles.write_text(
        "training:\n  target: local\n  outputs:\n    local:\n"
        "      {type: strandline, method: session, schema: training, threads: 2,\n"
        f"       java_options: {options!r}}}\n",
        encoding="utf-8",
    )
    os.chdir(folder)

    def dbt(command: str) -> None:
        done = dbtRunner().invoke([command, "--profiles-dir", str(folder), "--quiet"])
        if not done.success:
            raise RuntimeError(f"dbt {command} failed: {done.exception or done.result}")

    dbt("deps")
    _land(folder)
    dbt("build")
    second.write_text(LATE, encoding="utf-8")
    _land(folder)
    dbt("run")
    close(WRITING_SECONDS)


def _land(folder: Path) -> None:
    credentials = credentials_for(folder, "local", folder)
    session = open_session(credentials)
    schema = (folder / "models" / "events" / "events.ddl").read_text(encoding="utf-8")
    checkpoint = Path(credentials.home) / "landing"
    land(session, folder / "incoming", "training_raw.events", schema, "csv", checkpoint)
    close_session(session)


if __name__ == "__main__":
    train(Path(sys.argv[1]), Path(sys.argv[2]))
