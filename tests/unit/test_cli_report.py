"""`strandline report` without Spark: where the file goes, and wrong use."""

from __future__ import annotations

from concurrent.futures import Future
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from strandline.cli import report_contents
from strandline.cli.build import Node
from strandline.cli.main import cli
from strandline.cli.report_contents import NothingBuiltError, Parts
from strandline.report.found import Anomalies, Evaluation, Found, found_in
from strandline.report.lineage import Graph


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> SimpleNamespace:
    """A project whose report is empty; what was opened, and in which zone it was read."""
    (tmp_path / "dbt_project.yml").touch()
    recorded = SimpleNamespace(folder=tmp_path, opened=[], zones=[])

    def write_report(_project: Any, _spark: Any, zone: str, file: Path, _show: Any) -> int:
        recorded.zones.append(zone)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("<!doctype html>")
        return 1_234_567

    monkeypatch.setattr("strandline.cli.report_contents.write_report", write_report)
    monkeypatch.setattr("strandline.spark.connection_for", lambda *_: nullcontext())
    monkeypatch.setattr(click, "launch", recorded.opened.append)
    return recorded


def report(plant: SimpleNamespace, *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["report", "--project-dir", str(plant.folder), *arguments])


def test_the_file_is_in_the_target_folder_of_the_project(plant: SimpleNamespace) -> None:
    result = report(plant)
    file = plant.folder / "target" / "strandline_report.html"
    assert result.exit_code == 0, result.output
    assert result.output.splitlines()[-1] == f"{file} (1.2 MB)"
    assert file.read_text() == "<!doctype html>"
    assert (plant.zones, plant.opened) == (["UTC"], [])


def test_a_file_is_replaced_and_opened(plant: SimpleNamespace, tmp_path: Path) -> None:
    file = tmp_path / "of my own.html"
    file.write_text("before")
    result = report(plant, "--output", str(file), "--open", "--time-zone", "Europe/Berlin")
    assert result.exit_code == 0, result.output
    assert file.read_text() == "<!doctype html>"
    assert (plant.zones, plant.opened) == (["Europe/Berlin"], [file.as_uri()])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--time-zone", "Europe/Berln"),
            "'Europe/Berln' is no time zone: write a name such as America/New_York or UTC; did you mean Europe/Berlin?",
        ),
        (("--output", "."), "File '.' is a directory."),
        (("--project-dir", "/"), "/ holds no dbt_project.yml: name one with --project-dir."),
    ],
)
def test_wrong_use(plant: SimpleNamespace, arguments: tuple[str, ...], message: str) -> None:
    result = report(plant, *arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())


def test_a_project_that_is_not_built_yet_has_nothing_to_show(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("strandline.cli.report_contents.information_of", lambda *_: {})
    project: Any = SimpleNamespace(
        name="plant", observed=lambda: SimpleNamespace(outboxes=["plant.notifications"])
    )
    nobody: Any = None  # neither a session nor threads are used
    unbuilt = Parts(project, nobody, nobody, print)
    with pytest.raises(NothingBuiltError) as refused:
        unbuilt.tables(found_in([("`plant`.`anomalies`", {"kind": "anomalies"}, None)]))
    assert str(refused.value) == (
        "nothing of plant is built yet, so there is nothing to show;"
        " run `dbt build`, then `strandline report`"
    )


def test_a_detector_that_does_not_compile_is_named() -> None:
    wrong = Node("wrong", "model", "view", "s.wrong", "error", 0.1, "Compilation Error\n  no `min`")
    project: Any = SimpleNamespace(
        shown=[],
        evaluations=lambda: ([("`s`.`b`", "select 2"), ("`s`.`a`", "select 1")], [wrong]),
        observed=lambda: SimpleNamespace(forecasts=[]),
        graph=lambda: Graph({}, {}),
    )
    found, unread = report_contents._found(project)
    assert [(one.name, one.query) for one in found.evaluations] == [
        ("a", "select 1"),
        ("b", "select 2"),
    ]
    assert unread == [{"name": "wrong", "message": "Compilation Error no `min`"}]


def test_a_detector_that_cannot_be_read_is_named_and_the_others_are_shown() -> None:
    few, odd = (
        Evaluation(name, f"`s`.`{name}`", "detector", "select 1") for name in ("few", "odd")
    )
    found = Found((), (), (), (Anomalies("all", "`s`.`all`", ("detector",)),), (few, odd))
    project: Any = SimpleNamespace(
        graph=lambda: Graph({"all": ["few"]}, {"s.all": "all", "s.few": "few"})
    )
    read: Future[Any] = Future()
    read.set_result([{"name": "few_flights", "kind": "detector"}])
    failed: Future[Any] = Future()
    failed.set_exception(ValueError("has a row at 2013-01-01\nand more"))
    parts = Parts(project, None, None, print)  # type: ignore[arg-type]
    assert parts._evaluations(found, [read, failed]) == {
        "evaluations": [
            {
                "name": "few_flights",
                "kind": "detector",
                "anomalies": [{"table": 0, "detectors": ["few_flights"]}],
            }
        ],
        "unread": [{"name": "odd", "message": "has a row at 2013-01-01"}],
    }
