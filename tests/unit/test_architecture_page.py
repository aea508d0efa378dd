"""docs/architecture.md says which room reads which; the code does the same."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from pathlib import Path

from scripts.check_structure import ARROWS, Structure, read_macros
from tests.unit.test_imports import imported

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
ADAPTER = ("dbt.adapters.strandline", "dbt.include.strandline")


def tables() -> dict[str, set[str]]:
    """Each room of the tables by its folder, with the rooms that it reads."""
    rows = re.findall(r"^\| `([\w/]+)` \|.*\| ([\w, ]*)\|$", PAGE, re.M)
    return {folder: set(re.findall(r"\w+", reads)) for folder, reads in rows}


def room_of(module: str) -> str | None:
    """The room of a Python module; none for another's, and for a module that any room may use."""
    if module.startswith(ADAPTER):
        return "adapter"
    parts = module.split(".")
    if parts[0] == "strandline_demo":
        return "demo"
    is_room = parts[0] == "strandline" and len(parts) > 1
    return parts[1] if is_room and (ROOT / "src" / "strandline" / parts[1]).is_dir() else None


def test_the_rooms_of_the_macros() -> None:
    found: dict[str, set[str]] = {f"macros/{room}": set() for room in ARROWS}
    for one, other in Structure(read_macros()).arrows():
        found[f"macros/{one}"].add(other)
    shown = {folder: reads for folder, reads in tables().items() if folder.startswith("macros/")}
    assert shown == found


def test_the_rooms_of_python() -> None:
    found: dict[str, set[str]] = defaultdict(set)
    for root in (ROOT / "src", ROOT / "demo"):
        for path in root.rglob("*.py"):
            room = room_of(".".join(path.relative_to(root).with_suffix("").parts))
            if room is None:
                continue
            names = imported(ast.parse(path.read_text(encoding="utf-8")))
            found[room] |= {other for other in map(room_of, names) if other and other != room}
    folders = {"adapter": "src/dbt", "demo": "demo"}
    shown = {folder: reads for folder, reads in tables().items() if "macros/" not in folder}
    assert shown == {
        folders.get(room, f"src/strandline/{room}"): reads for room, reads in found.items()
    }
