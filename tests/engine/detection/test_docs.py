"""Every example of docs/detection.md, run in a project of somebody else, gives what the page shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from inspect import signature
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from tests.conftest import ROOT, Dbt, drop_schema
from tests.pages import assert_shown, blocks, compiled_queries, examples, project_files, values

from strandline.cli.main import cli
from strandline.detection import DetectionError, detect
from strandline.detection.functions import LISTED

pytestmark = pytest.mark.first

PAGE = (ROOT / "docs" / "detection.md").read_text()
EXAMPLES = examples(PAGE)
STATUS, REFUSAL = re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture(scope="module")
def plant(tmp_path_factory, spark, write_files) -> Iterator[SimpleNamespace]:
    """The page's project after two runs, the second of them with the last six events."""
    folder = tmp_path_factory.mktemp("docs") / "plant"
    files = project_files(
        PAGE,
        [query for query, _ in EXAMPLES],
        sensor=values(blocks(PAGE, "csv")["sensor"]) + " where arrival <= {{ var('until', 11) }}",
    )
    files["models/sensor_detections.py"] = blocks(PAGE, "python")["sensor_detections"]
    write_files(folder, files)
    dbt = Dbt(folder.parent / "work", profiles_dir=folder / "profiles")
    dbt("deps", project_dir=folder)
    try:
        dbt("run", "--vars", "{until: 5}", project_dir=folder)
        dbt("run", project_dir=folder)
        queries = compiled_queries(dbt, project_dir=folder)
        yield SimpleNamespace(folder=folder, queries=queries)
    finally:
        drop_schema(spark, "plant")


@pytest.mark.parametrize("number", range(len(EXAMPLES)))
def test_a_query_gives_what_the_page_shows(spark, plant, number):
    _, table = EXAMPLES[number]
    assert_shown(spark.sql(plant.queries[number]), table)


def test_every_query_of_the_page_was_run():
    assert len(EXAMPLES) == PAGE.count("```sql") == 6


def test_the_status_is_what_the_command_says(plant):
    selected = ("--select", "engine1", "--select", "sensor_anomalies")
    changing = re.compile(r"^  (user|consumed at|bytes held) .*$")
    assert [changing.sub(r"\1", line) for line in status(plant, *selected)] == [
        changing.sub(r"\1", line) for line in STATUS.splitlines() if line
    ]


def test_the_status_has_a_line_for_each_table(plant):
    said = status(plant)
    heads = ("table ", "engine ", "anomalies ", "rows that could not be used")
    assert [line for line in said if line.startswith(heads)] == [
        "table              rows  watermark  written",
        "engine   rows  last arrival  status",
        "anomalies         active  outdated  ignored  watermark",
        "rows that could not be used",
    ]
    assert "engine1    11            11  OK" in said
    assert "sensor_anomalies       5         0        0  2018-10-08 01:01:01" in said
    late = "select late_reason, count(*) from plant.sensor_late group by 1"
    assert (
        " ".join(" ".join(said[said.index(heads[-1]) + 1 :]).split())
        == f"plant.sensor_late 1 {late}"
    )


def status(plant, *arguments: str) -> list[str]:
    """The lines of `strandline status` that are not empty."""
    at = ("--project-dir", str(plant.folder), "--profiles-dir", str(plant.folder / "profiles"))
    result = CliRunner(env={"COLUMNS": "80"}).invoke(cli, ["status", *arguments, *at])
    assert result.exit_code == 0, result.output
    return [line.rstrip() for line in result.stdout.splitlines() if line.strip()]


def test_the_refusal_is_word_for_word(spark):
    given: dict = {}
    exec(blocks(PAGE, "python")["refused"], given)  # noqa: S102
    del given["__builtins__"]
    events = spark.sql(values(blocks(PAGE, "csv")["sensor"]))
    with pytest.raises(DetectionError) as refused:
        detect(
            None,
            spark,
            name="engine1",
            source=events,
            ts="ts",
            keys=["sym"],
            **given,
        )
    assert str(refused.value) == REFUSAL.rstrip("\n")


def test_the_functions_are_all_there_are():
    section = PAGE.split("The functions are\n\n")[1].split("\n\n")[0]
    assert re.findall(r"`(\w+)`", section) == LISTED


def test_the_arguments_are_all_there_are():
    section = PAGE.split("## Arguments")[1].split("## Choices")[0]
    named = {
        name
        for line in section.splitlines()[4:]
        for name in re.findall(r"`(\w+)`", line.split(" | ")[0])
    }
    assert named == set(signature(detect).parameters) - {"dbt", "session"}
