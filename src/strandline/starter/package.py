"""The macros of the installed version, in the folder of a project.

A wheel has them in strandline/package; a clone has them where they are developed.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import strandline

FOLDER = Path("packages") / "strandline"
# What a project needs of the package. The demo is not part of it.
PARTS = ("dbt_project.yml", "macros", "models/columns.md", "tests/generic")
_WITHOUT = shutil.ignore_patterns("demo", "__pycache__")


def packaged() -> Path:
    """Where the macros of this installation are."""
    installed = Path(strandline.__file__).with_name("package")
    return installed if installed.is_dir() else Path(strandline.__file__).parents[2]


def put_package(project: Path) -> Path:
    """Write the macros to packages/strandline, in the place of those that were there."""
    source, target = packaged(), project / FOLDER
    new = target.with_name("strandline.new")
    shutil.rmtree(new, ignore_errors=True)
    for part in PARTS:
        there, here = source / part, new / part
        here.parent.mkdir(parents=True, exist_ok=True)
        if there.is_dir():
            shutil.copytree(there, here, ignore=_WITHOUT)
        else:
            shutil.copyfile(there, here)
    shutil.copytree(Path(__file__).with_name("sqlfluff"), new / "sqlfluff", ignore=_WITHOUT)
    shutil.rmtree(target, ignore_errors=True)
    new.rename(target)
    return target
