"""Every example of docs/time_weights.md, run in a project of somebody else, gives what the page shows."""

from __future__ import annotations

import re

from tests.conftest import ROOT, Dbt

PAGE = (ROOT / "docs" / "time_weights.md").read_text()
PROFILE = """
plant:
  target: local
  outputs:
    local:
      type: strandline
      method: session
      schema: plant
      home: "{{ env_var('STRANDLINE_HOME') }}"
      threads: 1
"""
PROJECT = """
name: plant
version: "1.0"
profile: plant
models: {plant: {+materialized: view}}
"""
EVENTS = "select *, 1 as arrival from {{ ref('machine') }}"


def blocks(language: str) -> dict[str, str]:
    """The named blocks of a language."""
    return dict(re.findall(rf"```{language} (\w+)\n(.*?)```", PAGE, re.DOTALL))


def values(csv: str) -> str:
    """A view of the rows of a CSV; instants under `ts`."""
    header, *lines = csv.splitlines()
    rows = ", ".join(f"({re.sub(r'[^,]*[^,0-9][^,]*', quoted, line)})" for line in lines)
    return f"select * except (ts), timestamp(ts) as ts from values {rows} as given({header})"


def quoted(found: re.Match[str]) -> str:
    return f"'{found[0]}'"


def cells(line: str) -> tuple[str, ...]:
    return tuple(cell.strip() for cell in line.strip("|").split("|"))


def test_every_example_gives_what_the_page_shows(tmp_path, spark, write_files):
    examples = re.findall(r"```sql\n(.*?)```\n\n(\|.*?)\n\n", PAGE, re.DOTALL)
    assert len(examples) == PAGE.count("```sql") == 11
    models = {name: values(csv) for name, csv in blocks("csv").items()}
    written = blocks("jinja")
    macros = {name: text for name, text in written.items() if text.startswith("{% macro ")}
    models |= {name: text for name, text in written.items() if name not in macros}
    models["machine_events"] = EVENTS
    folder = write_files(
        tmp_path / "plant",
        {
            "dbt_project.yml": PROJECT,
            "packages.yml": f"packages:\n  - local: {ROOT}\n",
            "profiles/profiles.yml": PROFILE,
            **{f"macros/{name}.sql": text for name, text in macros.items()},
            **{f"models/{name}.sql": text for name, text in models.items()},
            **{f"analyses/example_{i}.sql": query for i, (query, _) in enumerate(examples)},
        },
    )
    dbt = Dbt(tmp_path / "work", profiles_dir=folder / "profiles")
    dbt("deps", project_dir=folder)
    try:
        dbt("run", project_dir=folder)
        compiled = dbt("compile", "--select", "resource_type:analysis", project_dir=folder)
        queries = {result.node.name: result.node.compiled_code for result in compiled}
        for number, (_, table) in enumerate(examples):
            found = spark.sql(queries[f"example_{number}"])
            shown = found.select([found[name].cast("string") for name in found.columns]).collect()
            header, _, *lines = map(cells, table.splitlines())
            assert tuple(found.columns) == header
            assert [tuple(cell or "" for cell in row) for row in shown] == lines
    finally:
        spark.sql("drop schema if exists plant cascade")
