#!/usr/bin/env python3
"""Writes `macros/<room>/_private.yml`: macros that begin with `_` are not shown in `dbt docs`.

dbt reads `docs` of macros only from the properties of each single macro, neither from
dbt_project.yml nor for a folder. `make format` writes the files, a unit test compares them.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

MACROS = Path(__file__).resolve().parents[1] / "macros"
PRIVATE = re.compile(r"{%-? macro (_\w+)\(")
HEAD = "# Written by scripts/hide_macros.py: `dbt docs` shows none of these.\nmacros:\n"
FIRST = "  - {name: %s, config: &hidden {docs: {show: false}}}\n"
OTHERS = "  - {name: %s, config: *hidden}\n"


def private_macros(room: Path) -> list[str]:
    """The private macros of a room, in the order of their names."""
    return sorted(
        name for path in room.rglob("*.sql") for name in PRIVATE.findall(path.read_text())
    )


def properties(names: list[str]) -> str:
    """The text of a `_private.yml`."""
    return HEAD + "".join((OTHERS if place else FIRST) % each for place, each in enumerate(names))


def main() -> int:
    for room in sorted(path for path in MACROS.iterdir() if path.is_dir()):
        path, names = room / "_private.yml", private_macros(room)
        if names:
            path.write_text(properties(names))
        else:
            path.unlink(missing_ok=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
