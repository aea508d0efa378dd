"""Every example of docs/windows.md, run in a project of somebody else, gives what the page shows."""

from __future__ import annotations

from typing import Any

from tests.conftest import ROOT, Dbt, drop_schema, profile
from tests.pages import PROJECT, assert_shown, blocks, examples, values

PAGE = (ROOT / "docs" / "windows.md").read_text()


def test_every_example_gives_what_the_page_shows(
    tmp_path: Any, spark: Any, write_files: Any
) -> None:
    shown = examples(PAGE)
    assert len(shown) == PAGE.count("```sql") == 5
    models = {name: values(csv) for name, csv in blocks(PAGE, "csv").items()}
    models |= blocks(PAGE, "jinja")
    folder = write_files(
        tmp_path / "plant",
        {
            "dbt_project.yml": PROJECT,
            "packages.yml": f"packages:\n  - local: {ROOT}\n",
            "profiles/profiles.yml": profile("plant"),
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
        drop_schema(spark, "plant")
