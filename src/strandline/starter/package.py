"""The macros of the installed version, in the folder of a project.

A wheel has them in strandline/package; a clone has them where they are developed.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import strandline

FOLDER = Path("packages") / "strandline"
# What a project needs of the package. The demo is not part of it.
_PARTS = ("dbt_project.yml", "macros/**/*", "models/columns.md", "tests/generic/*")
_WITHOUT = Path("macros") / "demo"


def packaged() -> Path:
    """Where the macros of this installation are."""
    installed = Path(strandline.__file__).with_name("package")
    return installed if installed.is_dir() else Path(strandline.__file__).parents[2]


def package_files(folder: Path) -> list[Path]:
    """The files of the package below a folder, relative to it. The wheel is built by them, too."""
    found = (path for part in _PARTS for path in folder.glob(part) if path.is_file())
    relative = (path.relative_to(folder) for path in found)
    return sorted(path for path in relative if _WITHOUT not in path.parents)


def put_package(project: Path) -> Path:
    """Write the macros to packages/strandline, in the place of those that were there."""
    source, target = packaged(), project / FOLDER
    new = target.with_name("strandline.new")
    shutil.rmtree(new, ignore_errors=True)
    for path in package_files(source):
        (new / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source / path, new / path)
    library = Path(__file__).with_name("sqlfluff")
    shutil.copytree(library, new / "sqlfluff", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.rmtree(target, ignore_errors=True)
    new.rename(target)
    return target
