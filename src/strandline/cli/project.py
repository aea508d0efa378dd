"""dbt in this process: parse once, build any number of times."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from strandline.cli.build import (
    Build,
    BuildFailedError,
    Node,
    Watcher,
    log_line,
    message_of,
    node_of,
    plain,
)
from strandline.cli.last_run import note_run
from strandline.cli.people import AnomalyTable, Kept
from strandline.cli.relations import (
    Observed,
    Relations,
    detectors_of,
    graph_of,
    kept_of,
    observed_of,
    relations_of,
    silences_of,
)
from strandline.report.lineage import Graph
from strandline.retention.aggregations import task_of

# dbt rewrites seeds in every build, so a build that shows increments excludes them.
NO_SEEDS = ("--exclude-resource-type", "seed")
NO_TESTS = ("--exclude-resource-type", "test")
# Unit tests are of the SQL and not of the data: `dbt build` and `dbt test` run them.
NO_UNIT_TESTS = ("--exclude-resource-type", "unit_test")
# What a run is: no seeds and no tests, but snapshots, which keep what a run changes.
RUN = ("--resource-type", "model", "--resource-type", "snapshot")
TESTS = ("--resource-type", "test")
SEEDS = ("--resource-type", "seed")
SHOWN = (
    "strandline_aggregation",
    "strandline_points",
    "strandline_window",
    "strandline_anomalies",
    "strandline_seasons",
)
# The setting by which a detector gives all buckets that it has evaluated.
EVALUATION = {"strandline_evaluation": "1"}
# The setting by which the adapter's data test looks at what it has passed on.
SKIP_TESTS = {"strandline_skip_tests": "1"}


@dataclass(frozen=True)
class Project:
    """A dbt project, run in this process against one target."""

    folder: Path
    profiles: Path
    target: str | None  # None: the profile's own
    logs: Path

    @cached_property
    def _manifest(self) -> Any:
        """The project, parsed once."""
        return self._invoke("parse").result

    @property
    def _nodes(self) -> list[Any]:
        return list(self._manifest.nodes.values())

    def relations(self) -> Relations:
        """What the project will build."""
        return relations_of(self._nodes)

    def sources(self) -> list[str]:
        """The tables that others write, and the project reads."""
        return sorted({plain(each.relation_name) for each in self._manifest.sources.values()})

    def observed(self) -> Observed:
        """Where engines, anomalies and notifications are."""
        return observed_of(self._nodes)

    def graph(self) -> Graph:
        """What reads what, sources included."""
        return graph_of(self._all_nodes())

    def home(self) -> Path | None:
        """The home of its tables; None if its target has none."""
        from strandline.spark import StrandlineSparkError, credentials_for, home_for

        try:
            credentials = credentials_for(self.folder, self.target, self.profiles)
        except StrandlineSparkError:
            return None
        return home_for(credentials, self.folder)

    def models(self, materialized: str) -> list[str]:
        """The names of the project's models of one materialization. Needs no Spark."""
        return sorted(
            node.name
            for node in self._nodes
            if node.resource_type == "model" and node.config.materialized == materialized
        )

    def build(
        self,
        watch: Watcher,
        variables: Mapping[str, str],
        *,
        with_seeds: bool = False,
        with_tests: bool = True,
    ) -> Build:
        """`dbt build` without unit tests; tests that passed on the same tables are not read again.

        Raises BuildFailedError with the message of the first failure.
        """
        without = [*NO_UNIT_TESTS]
        if not with_seeds:
            without += NO_SEEDS
        if not with_tests:
            without += NO_TESTS
        with settings_of_run({**variables, **SKIP_TESTS}):
            return self._nodes_of("build", watch, *without)

    def run(
        self,
        watch: Watcher,
        select: Sequence[str],
        variables: Mapping[str, str],
        *,
        with_tests: bool = False,
        with_seeds: bool = False,
        one_by_one: bool = False,
    ) -> Build:
        """Of the selected models and snapshots, or of all, what `dbt build` makes.

        Tests that have passed on the same tables are not read again. Raises BuildFailedError.
        """
        chosen = ("--select", *select) if select else ()
        kinds = (*RUN, *(TESTS if with_tests else ()), *(SEEDS if with_seeds else ()))
        threads = ("--threads", "1") if one_by_one else ()
        with settings_of_run({**variables, **SKIP_TESTS}):
            return self._nodes_of("build", watch, *kinds, *chosen, *threads)

    def compiled(self, *materialized: str) -> list[tuple[str, str]]:
        """The relation and the compiled body of each model of these materializations."""
        return self._compiled([f"config.materialized:{each}" for each in materialized])

    def evaluations(self) -> tuple[list[tuple[str, str]], list[Node]]:
        """The relation of each model of a detector, and the query of all that it has evaluated.

        And those that cannot be compiled.
        """
        names = detectors_of(self._nodes, self._manifest.macros)
        with settings_of_run(EVALUATION):
            compiled, nodes = self._compile(names) if names else ([], [])
        return compiled, [node for node in nodes if node.failed]

    def _compiled(self, select: Sequence[str]) -> list[tuple[str, str]]:
        """The relation and the compiled body of each selected model."""
        compiled, nodes = self._compile(select)
        self._refuse_failures(nodes)
        return compiled

    def _compile(self, select: Sequence[str]) -> tuple[list[tuple[str, str]], list[Node]]:
        # Without the tests beside the models, which would need their tables.
        outcome = self._invoke("compile", "--indirect-selection", "empty", "--select", *select)
        results = outcome.result.results
        nodes = [node_of(result) for result in results]
        return [
            (result.node.relation_name, result.node.compiled_code)
            for result, node in zip(results, nodes, strict=True)
            if not node.failed
        ], nodes

    def query_of(self, relation: str, variables: Mapping[str, str]) -> str | None:
        """The compiled body of the model of a relation; None if it is none of the project's."""
        names = [node.name for node in self._nodes if _is_model_of(node, relation)]
        if not names:
            return None
        with settings_of_run(variables):
            return self._compiled(names[:1])[0][1]

    @cached_property
    def shown(self) -> list[tuple[str, dict[str, Any], dict[str, Any] | None]]:
        """Of each model that `strandline report` shows the relation, the task and the SQL.

        Compiled once: the models stay as they are.
        """
        tasks = [(relation, task_of(code)) for relation, code in self.compiled(*SHOWN)]
        found = [(relation, task) for relation, task in tasks if task]
        pairs = [[*plain(relation).split("."), task] for relation, task in found]
        queries = self._evaluated("strandline._report_queries", pairs)
        return [(*pair, query) for pair, query in zip(found, queries, strict=True)]

    def anomaly_tables(self) -> list[AnomalyTable]:
        """The tables of anomalies, and where feedback on each is."""
        tables = []
        for relation, code in self.compiled("strandline_anomalies"):
            task = task_of(code) or {}
            given = task["settings"]["feedback"]
            kept = kept_of(self._all_nodes(), given) if given else None
            tables.append(AnomalyTable(plain(relation), tuple(task["keys"]), kept))
        return tables

    def silences(self, outbox: str) -> Kept | None:
        """Where the silences of an outbox are; None if it has none. Needs no Spark."""
        given = silences_of(self._all_nodes(), outbox)
        return kept_of(self._all_nodes(), given) if given else None

    def _all_nodes(self) -> list[Any]:
        return [*self._nodes, *self._manifest.sources.values()]

    def needed_widths(self, tables: Sequence[Mapping[str, Any]]) -> list[dict[str, Any] | None]:
        """What the macro `_needed_widths` chooses for measured tables; None where one stays."""
        return list(self._evaluated("strandline._needed_widths", tables))

    def _evaluated(self, macro: str, argument: Any) -> Any:
        """What a macro of the package gives for an argument; both are JSON."""
        call = f"{{{{ {macro}(fromjson({json.dumps(json.dumps(argument))})) }}}}"
        [result] = self._invoke("compile", "--inline", call).result.results
        self._refuse_failures([node_of(result)])
        return json.loads(result.node.compiled_code)

    @property
    def name(self) -> str:
        """As dbt_project.yml has it."""
        return str(self._manifest.metadata.project_name)

    def _nodes_of(self, command: str, watch: Watcher, *arguments: str) -> Build:
        began = time.monotonic()
        outcome = self._invoke(command, *arguments, callbacks=[_watched_by(watch)])
        note_run(self.folder)
        nodes = tuple(node_of(result) for result in outcome.result.results)
        self._refuse_failures(nodes)
        return Build(nodes, time.monotonic() - began)

    def _refuse_failures(self, nodes: Iterable[Node]) -> None:
        failures = [node for node in nodes if node.failed]
        if failures:
            raise BuildFailedError(message_of(failures, self.logs))

    def _invoke(self, *command: str, callbacks: list[Callable[[Any], None]] | None = None) -> Any:
        from dbt.cli.main import dbtRunner

        outcome = dbtRunner(callbacks=callbacks or []).invoke(
            [
                *("--no-send-anonymous-usage-stats", "--no-use-colors", "--log-level", "none"),
                *("--log-path", str(self.logs), "--log-level-file", "debug"),
                # The results of the last build stay in the target folder, for the report.
                *(("--no-write-json",) if command[0] in ("parse", "compile") else ()),
                *command,
                *(("--target", self.target) if self.target else ()),
                *("--project-dir", str(self.folder), "--profiles-dir", str(self.profiles)),
            ]
        )
        if isinstance(outcome.exception, KeyboardInterrupt):
            raise outcome.exception
        if outcome.exception is not None:
            reason = str(outcome.exception).strip()
            raise BuildFailedError(
                f"dbt {command[0]} could not run:\n{reason}\n{log_line(self.logs)}"
            )
        return outcome


@contextmanager
def settings_of_run(variables: Mapping[str, str]) -> Iterator[None]:
    """The settings of one run, as environment variables: see the macro `_run_setting`."""
    given = {name.upper(): value for name, value in variables.items()}
    before = {name: os.environ.get(name) for name in given}
    os.environ.update(given)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _is_model_of(node: Any, relation: str) -> bool:
    return node.resource_type == "model" and plain(node.relation_name or "") == relation


def _watched_by(watch: Watcher) -> Callable[[Any], None]:
    def on_event(event: Any) -> None:
        if event.info.name == "LogStartLine":
            node = event.data.node_info
            watch.started(node.unique_id, node.node_name, event.data.total)
        elif event.info.name == "NodeFinished":
            watch.finished(event.data.node_info.unique_id)

    return on_event
