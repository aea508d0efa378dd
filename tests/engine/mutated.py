"""A copy of the package with a text of some macros replaced, for the mutation tests."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

from tests.conftest import ROOT


def package_with(changes: Iterable[tuple[str, str, str]], folder: Path) -> Path:
    """The copy in a new folder; each change is a macro, a text in it, and what stands instead."""
    folder.mkdir()
    shutil.copy(ROOT / "dbt_project.yml", folder)
    shutil.copytree(ROOT / "macros", folder / "macros")
    for change in changes:
        _put_into(folder / "macros", *change)
    return folder


def _put_into(macros: Path, name: str, text: str, instead: str) -> None:
    """Replaces a text of one macro, which must be there."""
    (path,) = [each for each in macros.rglob("*.sql") if f"macro {name}(" in each.read_text()]
    before, start, rest = path.read_text().partition(f"macro {name}(")
    body, end, after = rest.partition("endmacro")
    assert text in body, f"{name} has no such text any more: {text}"
    path.write_text(before + start + body.replace(text, instead) + end + after)
