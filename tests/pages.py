"""Pages of docs whose examples are run: their blocks and tables, and a project of somebody else."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.conftest import ROOT, Dbt, drop_schema, profile

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


def assert_examples(
    page: str, spark: Any, folder: Path, write_files: Callable, **more: str
) -> None:
    """Runs the page's data, models and macros in a project; each query gives the table after it.

    `more` are models that the page does not show.
    """
    shown = examples(page)
    written = blocks(page, "jinja")
    macros = {name: text for name, text in written.items() if text.startswith("{% macro ")}
    models = {name: values(csv) for name, csv in blocks(page, "csv").items()}
    models |= {name: text for name, text in written.items() if name not in macros} | more
    write_files(
        folder / "plant",
        {
            "dbt_project.yml": PROJECT,
            "packages.yml": f"packages:\n  - local: {ROOT}\n",
            "profiles/profiles.yml": profile("plant"),
            **{f"macros/{name}.sql": text for name, text in macros.items()},
            **{f"models/{name}.sql": text for name, text in models.items()},
            **{f"analyses/example_{i}.sql": query for i, (query, _) in enumerate(shown)},
        },
    )
    dbt = Dbt(folder / "work", profiles_dir=folder / "plant" / "profiles")
    dbt("deps", project_dir=folder / "plant")
    try:
        dbt("run", project_dir=folder / "plant")
        compiled = dbt(
            "compile", "--select", "resource_type:analysis", project_dir=folder / "plant"
        )
        queries = {result.node.name: result.node.compiled_code for result in compiled}
        for number, (_, table) in enumerate(shown):
            assert_shown(spark.sql(queries[f"example_{number}"]), table)
    finally:
        drop_schema(spark, "plant")


def _quoted(found: re.Match[str]) -> str:
    return f"'{found[0]}'"


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip("|").split("|"))
