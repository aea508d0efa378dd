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
    return f"select * except (ts), try_cast(ts as timestamp) as ts from values {rows} as given({header})"


def assert_shown(found: Any, table: str) -> None:
    """A DataFrame has the columns and rows of a table of the page, in their order."""
    assert texts(found) == cells(table)


def texts(found: Any) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The columns and rows of a DataFrame as a page writes them; a null is empty."""
    rows = found.select([found[name].cast("string") for name in found.columns]).collect()
    return tuple(found.columns), [tuple(cell or "" for cell in row) for row in rows]


def cells(table: str) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """The header and the rows of a table of a page."""
    header, _, *lines = map(_cells, table.splitlines())
    return header, lines


def project_files(page: str, queries: list[str], **more: str) -> dict[str, str]:
    """A project of the page's data, models and macros; each query is an analysis.

    `more` are models that the page does not show, or shows otherwise.
    """
    written = blocks(page, "jinja")
    macros = {name: text for name, text in written.items() if text.startswith("{% macro ")}
    models = {name: values(csv) for name, csv in blocks(page, "csv").items()}
    models |= {name: text for name, text in written.items() if name not in macros} | more
    return {
        "dbt_project.yml": PROJECT,
        "packages.yml": f"packages:\n  - local: {ROOT}\n",
        "profiles/profiles.yml": profile("plant"),
        **{f"macros/{name}.sql": text for name, text in macros.items()},
        **{f"models/{name}.sql": text for name, text in models.items()},
        **{f"analyses/example_{i}.sql": query for i, query in enumerate(queries)},
    }


def compiled_queries(dbt: Callable[..., Any], **options: Any) -> list[str]:
    """The SQL of the analyses `example_0`, `example_1` and so on; the options are those of dbt."""
    compiled = dbt("compile", "--select", "resource_type:analysis", **options)
    found = {result.node.name: result.node.compiled_code for result in compiled}
    return [found[f"example_{number}"] for number in range(len(found))]


def assert_examples(
    page: str, spark: Any, folder: Path, write_files: Callable, **more: str
) -> None:
    """Runs the page's data, models and macros in a project; each query gives the table after it."""
    shown = examples(page)
    write_files(folder / "plant", project_files(page, [query for query, _ in shown], **more))
    dbt = Dbt(folder / "work", profiles_dir=folder / "plant" / "profiles")
    dbt("deps", project_dir=folder / "plant")
    try:
        dbt("run", project_dir=folder / "plant")
        queries = compiled_queries(dbt, project_dir=folder / "plant")
        for query, (_, table) in zip(queries, shown, strict=True):
            assert_shown(spark.sql(query), table)
    finally:
        drop_schema(spark, "plant")


def _quoted(found: re.Match[str]) -> str:
    return "null" if found[0] == "null" else f"'{found[0]}'"


def _cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip("|").split("|"))
