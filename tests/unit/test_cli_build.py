"""What dbt reports, as data and in words; dbt's own objects are played by simple ones."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from strandline.cli.build import BuildFailedError, Node, plain
from strandline.cli.project import Project


def result(
    name: str, kind: str = "model", stored_as: str = "strandline_aggregation", **outcome: Any
) -> SimpleNamespace:
    """A result as `dbtRunner` gives it."""
    return SimpleNamespace(
        node=SimpleNamespace(
            name=name,
            unique_id=f"{kind}.shop.{name}",
            resource_type=kind,
            relation_name=f"`strandline`.`{name}`" if kind == "model" else None,
            config=SimpleNamespace(materialized=stored_as),
        ),
        status=outcome.get("status", "success"),
        message=outcome.get("message", "OK"),
        execution_time=outcome.get("seconds", 1.5),
        adapter_response=outcome.get("response", {}),
    )


def event(name: str, unique_id: str, total: int = 0) -> SimpleNamespace:
    """An event as dbt's callbacks get it."""
    node = SimpleNamespace(unique_id=unique_id, node_name=unique_id.split(".")[-1])
    data = SimpleNamespace(node_info=node, total=total)
    return SimpleNamespace(info=SimpleNamespace(name=name), data=data)


SETTINGS = ("STRANDLINE_AS_OF", "STRANDLINE_FROM")


class Watching:
    def __init__(self) -> None:
        self.events: list[tuple[Any, ...]] = []

    def started(self, node_id: str, label: str, total: int) -> None:
        self.events.append(("started", node_id, label, total))

    def finished(self, node_id: str) -> None:
        self.events.append(("finished", node_id))


def project_whose_dbt(
    monkeypatch: pytest.MonkeyPatch,
    *results: SimpleNamespace,
    exception: Exception | None = None,
    events: tuple[SimpleNamespace, ...] = (),
    calls: list[list[str]] | None = None,
    settings: list[str | None] | None = None,
) -> Project:
    """A project whose dbt fires these events and gives these results.

    `calls` gets its arguments, `settings` what its environment has of SETTINGS.
    """
    calls = [] if calls is None else calls
    settings = [] if settings is None else settings

    class Runner:
        def __init__(self, callbacks: list[Any]) -> None:
            self.callbacks = callbacks

        def invoke(self, arguments: list[str]) -> SimpleNamespace:
            calls.append(arguments)
            settings.extend(os.environ.get(name) for name in SETTINGS)
            for happened in events:
                for callback in self.callbacks:
                    callback(happened)
            return SimpleNamespace(result=SimpleNamespace(results=results), exception=exception)

    monkeypatch.setattr("dbt.cli.main.dbtRunner", Runner)
    return Project(Path("here"), Path("here/profiles"), "local", Path("logs"))


def test_a_build_is_its_nodes_in_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    project = project_whose_dbt(
        monkeypatch,
        result("stg", stored_as="view"),
        result("days", seconds=2.5),
        result("unique_days", kind="test", stored_as="test", status="pass"),
        result("sizes", kind="seed", stored_as="seed"),
    )
    built = project.build(Watching(), {})
    assert built.stored() == [
        Node(
            "days", "model", "strandline_aggregation", "strandline.days", "success", 2.5, "OK",
            unique_id="model.shop.days",
        )
    ]  # fmt: skip
    assert [node.name for node in built.nodes] == ["stg", "days", "unique_days", "sizes"]
    assert built.tests() == 1


def test_who_watches_sees_each_node_begin_and_end(monkeypatch: pytest.MonkeyPatch) -> None:
    happened = (
        event("LogStartLine", "model.strandline.days", total=7),
        event("SQLQuery", "model.strandline.days"),
        event("NodeFinished", "model.strandline.days"),
    )
    watching = Watching()
    project_whose_dbt(monkeypatch, result("days"), events=happened).build(watching, {})
    assert watching.events == [
        ("started", "model.strandline.days", "days", 7),
        ("finished", "model.strandline.days"),
    ]


RUN = ["build", "--resource-type", "model", "--resource-type", "snapshot"]
BUILD = ["build", "--exclude-resource-type", "unit_test"]
AS_OF = {"strandline_as_of": "2013-12-31 05:00:00"}


@pytest.mark.parametrize(
    ("call", "command"),
    [
        # Seeds are written each time that they are built.
        (lambda it, w: it.build(w, {}), [*BUILD, "--exclude-resource-type", "seed"]),
        (
            lambda it, w: it.build(w, {}, with_tests=False),
            [*BUILD, "--exclude-resource-type", "seed", "--exclude-resource-type", "test"],
        ),
        (lambda it, w: it.build(w, {}, with_seeds=True), BUILD),
        (lambda it, w: it.build(w, AS_OF, with_seeds=True), BUILD),
        # What a run changes is in the history, as after a build.
        (lambda it, w: it.run(w, (), {}), RUN),
        (
            lambda it, w: it.run(w, ("a+", "b"), AS_OF),
            [*RUN, "--select", "a+", "b"],
        ),
        (
            lambda it, w: it.run(w, (), {}, with_tests=True),
            [*RUN, "--resource-type", "test"],
        ),
    ],
)
def test_the_arguments_of_dbt(
    monkeypatch: pytest.MonkeyPatch, call: Callable, command: list[str]
) -> None:
    calls: list[list[str]] = []
    call(project_whose_dbt(monkeypatch, result("days"), calls=calls), Watching())
    [arguments] = calls
    assert arguments[arguments.index("build") : arguments.index("--target")] == command


def test_settings_of_a_run_are_in_its_environment_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """So dbt need not parse again, as it does when a var has changed."""
    monkeypatch.setenv("STRANDLINE_FROM", "of the user")
    monkeypatch.delenv("STRANDLINE_AS_OF", raising=False)
    settings: list[str | None] = []
    project = project_whose_dbt(monkeypatch, result("days"), settings=settings)
    project.build(Watching(), AS_OF | {"strandline_from": "2013-02-08 05:00:00"})
    assert settings == ["2013-12-31 05:00:00", "2013-02-08 05:00:00"]
    assert [os.environ.get(name) for name in SETTINGS] == [None, "of the user"]


def test_what_a_project_stores_are_its_tables_with_its_seeds_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    built = [
        result("days"),
        result("mart", stored_as="view"),
        result("events_late", stored_as="view"),
        result("sizes", stored_as="seed"),
        result("unique_days", kind="test", stored_as="test"),
    ]
    for each in built:
        each.node.depends_on = SimpleNamespace(macros=[])
    built[2].node.depends_on.macros.append("macro.strandline.detection_late")
    built[3].node.resource_type = "seed"
    built[3].node.relation_name = "`strandline`.`sizes`"
    manifest = SimpleNamespace(nodes={each.node.name: each.node for each in built})
    project = project_whose_dbt(monkeypatch)
    monkeypatch.setattr(Project, "_invoke", lambda *_: SimpleNamespace(result=manifest))
    relations = project.relations()
    assert relations.by_name == {
        "days": "strandline.days",
        "mart": "strandline.mart",
        "events_late": "strandline.events_late",
    }
    assert relations.stored == ["strandline.days"]
    assert relations.late == ["strandline.events_late"]
    assert relations.seeds == ["strandline.sizes"]


def test_a_failed_node_is_reported_first_and_the_log_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    project = project_whose_dbt(
        monkeypatch,
        result("days", status="error", message="  no column `arrival`\n"),
        result("months", status="skipped"),
        result("unique_days", kind="test", status="fail", message="Got 3 results"),
    )
    with pytest.raises(BuildFailedError) as raised:
        project.build(Watching(), {})
    assert str(raised.value) == (
        "model days failed:\nno column `arrival`\n(1 more failed)\nThe whole log: logs/dbt.log"
    )


def test_a_project_that_does_not_parse_is_reported_in_dbts_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    project = project_whose_dbt(monkeypatch, exception=ValueError("depends on nothing known"))
    with pytest.raises(BuildFailedError) as raised:
        project.build(Watching(), {})
    assert str(raised.value) == (
        "dbt build could not run:\ndepends on nothing known\nThe whole log: logs/dbt.log"
    )


def test_an_interrupted_dbt_is_no_failure_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    project = project_whose_dbt(monkeypatch, exception=KeyboardInterrupt())
    with pytest.raises(KeyboardInterrupt):
        project.build(Watching(), {})


@pytest.mark.parametrize(
    "written",
    ["`strandline`.`days`", "strandline.days", "`spark_catalog`.`strandline`.`days`"],
)
def test_a_relation_has_one_spelling(written: str) -> None:
    assert plain(written) == "strandline.days"
