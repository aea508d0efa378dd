"""Keeps the tables of a release for the tests of later ones: `python -m tests.e2e.upgrades.keep 0.1.0`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.e2e.upgrades.project import FILES, Project, packed

from dbt.adapters.strandline.credentials import StrandlineCredentials
from strandline.spark import close_session, open_session

RELEASES = Path(__file__).parent / "releases"


def keep(release: str) -> None:
    """Runs the project once, and packs its tables."""
    with TemporaryDirectory() as folder:
        os.environ["STRANDLINE_HOME"] = f"{folder}/home"
        credentials = StrandlineCredentials(schema="kept", home=f"{folder}/home")
        spark = open_session(credentials)
        project = Project(Path(folder), spark, FILES)
        project.begin()
        RELEASES.mkdir(exist_ok=True)
        packed(project, RELEASES / f"{release}.zip")
        close_session(spark)


if __name__ == "__main__":
    keep(sys.argv[1])
