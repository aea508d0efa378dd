"""Pages of docs whose examples are run: their blocks and tables, and a project of somebody else."""

from __future__ import annotations

import re
from typing import Any

PROJECT = """
name: plant
version: "1.0"
profile: plant
models: {plant: {+materialized: view}}
"""


def blocks(page: str, language: str) -> dict[str, str]:
    """The named blocks of a language."""
    return dict(re.findall(rf"```{language} (\w+)\n(.*?)```", page, re.DOTALL))


def examples(page: str) -> list[tuple[str, str]]:
    """Every query that is followed by its result, with the text of that table."""
    return re.findall(r"```sql\n(.*?)```\n\n(\|.*?)\n\n", page, re.DOTALL)


def values(csv: str) -> str:
    """A view of the rows of a CSV; instants under `ts`."""
    header, *lines = csv.splitlines()
    rows = ", ".join(f"({re.sub(r'[^,]*[^,0-9][^,]*', _quoted, line)})" for line in lines)
    return f"select * except (ts), timestamp(ts) as ts from values {rows} as given({header})"


def assert_shown(found: Any, table: str) -> None:
    """A frame has the columns and rows of a table of the page, in their order."""
    shown = found.select([found[name].cast("string") for name in found.columns]).collect()
    header, _, *lines = map(_cells, table.splitlines())
    assert tuple(found.columns) == header
    assert [tuple(cell or "" for cell in row) for row in shown] == lines


def _quoted(found: re.Match[str]) -> str:
    return f"'{found[0]}'"


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip("|").split("|"))
