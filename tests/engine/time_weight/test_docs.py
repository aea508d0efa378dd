"""Every example of docs/time_weights.md, run in a project of somebody else, gives what the page shows."""

from __future__ import annotations

from tests.conftest import ROOT, Dbt, profile
from tests.pages import PROJECT, assert_shown, blocks, examples, values

PAGE = (ROOT / "docs" / "time_weights.md").read_text()
EVENTS = "select *, 1 as arrival from {{ ref('machine') }}"


def test_every_example_gives_what_the_page_shows(tmp_path, spark, write_files):
    shown = examples(PAGE)
    assert len(shown) == PAGE.count("```sql") == 15
    models = {name: values(csv) for name, csv in blocks(PAGE, "csv").items()}
    written = blocks(PAGE, "jinja")
    macros = {name: text for name, text in written.items() if text.startswith("{% macro ")}
    models |= {name: text for name, text in written.items() if name not in macros}
    models["machine_events"] = EVENTS
    folder = write_files(
        tmp_path / "plant",
        {
            "dbt_project.yml": PROJECT,
            "packages.yml": f"packages:\n  - local: {ROOT}\n",
            "profiles/profiles.yml": profile("plant"),
            **{f"macros/{name}.sql": text for name, text in macros.items()},
            **{f"models/{name}.sql": text for name, text in models.items()},
            **{f"analyses/example_{i}.sql": query for i, (query, _) in enumerate(shown)},
        },
    )
    dbt = Dbt(tmp_path / "work", profiles_dir=folder / "profiles")
    dbt("deps", project_dir=folder)
    try:
        dbt("run", project_dir=folder)
        compiled = dbt("compile", "--select", "resource_type:analysis", project_dir=folder)
        queries = {result.node.name: result.node.compiled_code for result in compiled}
        for number, (_, table) in enumerate(shown):
            assert_shown(spark.sql(queries[f"example_{number}"]), table)
    finally:
        spark.sql("drop schema if exists plant cascade")
