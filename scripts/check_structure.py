#!/usr/bin/env python3
"""Measures how the macros are laid out, and fails where a room reads another that it may not read.

    scripts/check_structure.py            the measures, one screen
    scripts/check_structure.py NAME …     the files and the longest chain of calls of some macros

A call is `strandline.name`, written out. What dbt calls by a name of its own (materializations,
the body of a model) is a root.
"""

from __future__ import annotations

import re
import statistics
import sys
from collections import Counter
from functools import cache
from pathlib import Path

from dbt_common.clients.jinja import get_environment
from jinja2 import nodes

MACROS = Path(__file__).resolve().parents[1] / "macros"

ROOT = MACROS.parent
# Where a line may not be longer, though no other linter sees it.
MAX_WIDTH = 100
WIDE = (
    "macros/**/*.sql",
    "macros/**/*.yml",
    "models/**/*.sql",
    "models/**/*.yml",
    "seeds/*.yml",
    "snapshots/*.*",
    "tests/generic/*.sql",
    "*.yml",
)

# Which room may read which; a room reads itself as well.
ARROWS = {
    "core": set(),
    "incremental": {"core"},
    "points": {"core", "incremental"},
    "aggregation": {"core", "incremental", "points"},
    "detectors": {"core", "incremental"},
    "anomalies": {"core", "incremental", "detectors"},
    "windows": {"core", "incremental"},
    "report": {"core", "aggregation", "detectors", "points", "windows"},
    "demo": {"aggregation", "points", "detectors", "anomalies", "windows"},
}

# By `dbt compile --inline` in strandline.cli, and by a generic test.
CALLED_FROM_ELSEWHERE = {
    *("_needed_widths", "_report_queries", "_stored_task", "_tested_columns", "_tested_relation"),
}


class Macro:
    """A macro: its file, and the names that it reads from the package."""

    def __init__(self, name: str, path: Path, node: nodes.Macro) -> None:
        self.name = name
        self.path = path
        self.room = path.relative_to(MACROS).parts[0]
        self.reads = {
            each.attr
            for each in node.find_all(nodes.Getattr)
            if isinstance(each.node, nodes.Name) and each.node.name == "strandline"
        }
        self.built_names = [
            each.lineno for each in node.find_all(nodes.Getitem) if _is_package(each.node)
        ]


def _is_package(node: nodes.Node) -> bool:
    """Whether a subscript's target is `strandline` or `context['strandline']`."""
    if isinstance(node, nodes.Getitem):
        return isinstance(node.arg, nodes.Const) and node.arg.value == "strandline"
    return isinstance(node, nodes.Name) and node.name == "strandline"


def read_macros() -> dict[str, Macro]:
    """All macros of the package by the names that dbt gives them."""
    found: dict[str, Macro] = {}
    environment = get_environment(None, capture_macros=False)
    for path in sorted(MACROS.rglob("*.sql")):
        for node in environment.parse(path.read_text()).find_all(nodes.Macro):
            name = re.sub(r"^dbt_macro__(test_)?", "", node.name)
            name = re.sub(r"^materialization_(\w+)_(spark|default)$", r"\1", name)
            found[name] = Macro(name, path, node)
    for macro in found.values():
        macro.reads = {each for each in macro.reads if each in found and each != macro.name}
    return found


class Structure:
    """The graph of calls, and its measures."""

    def __init__(self, macros: dict[str, Macro]) -> None:
        self.macros = macros
        self.lines = {
            path: len(path.read_text().splitlines())
            for path in {each.path for each in macros.values()}
        }
        self.callers = Counter(read for each in macros.values() for read in each.reads)
        self.chain = cache(self._chain)

    def _chain(self, name: str) -> tuple[str, ...]:
        """The longest chain of calls from a macro, with itself."""
        below = (self.chain(each) for each in sorted(self.macros[name].reads))
        return (name, *max(below, key=len, default=()))

    def reach(self, name: str) -> set[Path]:
        """The files of a macro and of all that it calls."""
        reached, todo = set(), [name]
        while todo:
            each = todo.pop()
            if each not in reached:
                reached.add(each)
                todo.extend(self.macros[each].reads)
        return {self.macros[each].path for each in reached}

    def arrows(self) -> Counter[tuple[str, str]]:
        """How many macros of one room read how many of another."""
        return Counter(
            (each.room, self.macros[read].room)
            for each in self.macros.values()
            for read in each.reads
            if each.room != self.macros[read].room
        )

    def faults(self) -> list[str]:
        """Every rule that is broken, in one line each."""
        roots = [each for each in self.macros if not self.callers[each]]
        found = [
            f"macros/{one} may not read macros/{other}"
            for one, other in sorted(self.arrows())
            if other not in ARROWS[one]
        ]
        found += [
            f"{_short(each.path)}: {each.name} calls a macro by a name that is put together"
            for each in self.macros.values()
            if each.built_names
        ]
        found += [
            f"{_short(self.macros[name].path)}: nothing calls {name}"
            for name in roots
            if name.startswith("_") and name not in CALLED_FROM_ELSEWHERE
        ]
        return found


def long_lines() -> list[str]:
    """Every line of SQL and YAML that is too long."""
    return [
        f"{_short(path)}:{number} has {len(line)} characters, more than {MAX_WIDTH}"
        for pattern in WIDE
        for path in sorted(ROOT.glob(pattern))
        for number, line in enumerate(path.read_text().splitlines(), 1)
        if len(line) > MAX_WIDTH
    ]


def _short(path: Path) -> str:
    return str(path.relative_to(MACROS.parent))


def _print_measures(structure: Structure) -> None:
    lines = structure.lines.values()
    private = [each for each in structure.macros if each.startswith("_")]
    print(f"{len(lines)} files of macros, {len(structure.macros)} macros ({len(private)} private)")
    print(f"lines a file: median {statistics.median(lines):g}, most {max(lines)}")
    print(f"private with one caller: {sum(structure.callers[each] == 1 for each in private)}")
    longest = max((structure.chain(each) for each in structure.macros), key=len)
    print(f"longest chain: {len(longest)}: {' > '.join(longest)}")
    for (one, other), count in sorted(structure.arrows().items()):
        print(f"{one} > {other}: {count}")


def main(names: list[str]) -> int:
    structure = Structure(read_macros())
    if names:
        for name in names:
            print(*sorted(_short(each) for each in structure.reach(name)), sep="\n")
            print(f"{len(structure.chain(name))}: {' > '.join(structure.chain(name))}")
        return 0
    _print_measures(structure)
    faults = structure.faults() + long_lines()
    for fault in faults:
        print(f"check_structure: {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
