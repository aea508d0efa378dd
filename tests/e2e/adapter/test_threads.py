"""Two threads that stage under one name: mixed by plain dbt-spark, apart here.

Both stage the rows of an incremental model into the temp view `<alias>__dbt_tmp`, which has no
schema, and merge from it afterwards.
"""

import pytest

MODEL = """
{{{{ config(materialized='incremental', incremental_strategy='merge', unique_key='id',
            alias='events', schema='{name}') }}}}
select 1 as id, '{name}' as origin
"""

# Holds every model between staging and merge until the other one has staged as well.
MEETING = """
{% macro process_schema_changes(on_schema_change, source_relation, target_relation) %}
  {% do run_query("select reflect('java.lang.Thread', 'sleep', 3000L)") %}
{% endmacro %}
"""

PROFILE = """
strandline_demo:
  target: local
  outputs:
    local: {{type: {type}, method: session, host: local, schema: threads, threads: 2}}
"""


@pytest.fixture
def two_models(small):
    return small(
        {
            "models/left.sql": MODEL.format(name="left"),
            "models/right.sql": MODEL.format(name="right"),
            "macros/meeting.sql": MEETING,
        }
    )


def origins(project) -> dict[str, str]:
    return {
        name: project.rows(f"select origin from {project.schema}_{name}.events")[0][0]
        for name in ("left", "right")
    }


@pytest.mark.soak
def test_plain_dbt_spark_mixes_the_rows(two_models, dbt_work, tmp_path):
    from tests.conftest import Dbt

    (tmp_path / "profiles.yml").write_text(PROFILE.format(type="spark"))
    plain = Dbt(dbt_work / "plain", profiles_dir=tmp_path)
    plain("run", project_dir=two_models.folder)
    assert origins(two_models) == {"left": "left", "right": "right"}
    plain("run", project_dir=two_models.folder)
    assert len(set(origins(two_models).values())) == 1


def test_strandline_keeps_them_apart(two_models):
    for _ in range(2):
        two_models.dbt("run")
    assert origins(two_models) == {"left": "left", "right": "right"}
