"""dbt-spark with sessions of its own, and Python models that run in them."""

from __future__ import annotations

import re
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from dbt.adapters.base.meta import available
from dbt.adapters.contracts.connection import AdapterResponse
from dbt.adapters.spark.impl import SparkAdapter
from dbt_common.clients.agate_helper import table_from_data
from dbt_common.exceptions import DbtRuntimeError

import strandline
from dbt.adapters.strandline.columns import Columns
from dbt.adapters.strandline.connections import StrandlineConnectionManager
from dbt.adapters.strandline.last_runs import LastRuns
from dbt.adapters.strandline.python_models import PythonModelResponse, SessionPythonJob
from dbt.adapters.strandline.upstream import Relations, digest
from dbt.adapters.strandline.view_text import changes_by_itself
from strandline.spark import home_for
from strandline.spark.metastore import LAST_RUNS

_IS_INCREMENTAL = re.compile(r"(?m)^.*\bis_incremental = (True|False)$")

_OTHER_VERSION = (
    "The macros of Strandline in {package.project_root} are of version {package.version}, the "
    f"installed adapter is of version {strandline.__version__}: both must be the same. If the "
    "macros are in packages/strandline, run `strandline init --update`; otherwise name version "
    f"{strandline.__version__} in packages.yml and run `dbt deps`, or install the other adapter."
)


class StrandlineAdapter(SparkAdapter):
    """The adapter of `type: strandline`."""

    ConnectionManager = StrandlineConnectionManager

    def __init__(self, config: Any, mp_context: Any) -> None:
        super().__init__(config, mp_context)
        # `dbt --project-dir` does not move into the project, and `home` counts from there.
        self._project_dir = getattr(config, "project_root", ".")
        config.credentials.home = str(home_for(config.credentials, self._project_dir))
        self._relations = Relations(self._find, self._location)
        self._columns = Columns(Path(config.credentials.home, "columns.json"))
        self._runs = LastRuns(Path(config.credentials.home, LAST_RUNS))

    def set_macro_resolver(self, macro_resolver: Any) -> None:
        """As dbt has it; macros of the package of another version are refused.

        Raises DbtRuntimeError.
        """
        projects = getattr(self.config, "dependencies", None) or {}
        package = projects.get("strandline")
        if package is not None and package.version != strandline.__version__:
            raise DbtRuntimeError(_OTHER_VERSION.format(package=package))
        super().set_macro_resolver(macro_resolver)

    @available.parse_none
    def describe_query(self, sql: str) -> dict[str, Any]:
        """The types that `describe query` gives, or in `error` the message with which it stops."""
        try:
            _, table = self.execute(sql, fetch=True)
        except DbtRuntimeError as error:
            return {"types": [], "error": str(error.msg)}
        return {"types": [row[1] for row in table.rows], "error": None}

    @available.parse_none
    def stage_query(self, sql: str, view: str) -> None:
        """Computes a query once, into a temp view of this connection: see `SessionHandle`."""
        self.connections.get_thread_connection().handle.stage_query(sql, view)

    @available.parse_none
    def fold_query(self, sql: str, view: str, rule: str) -> None:
        """Computes the stays of a window, into a temp view: see `SessionHandle`."""
        self.connections.get_thread_connection().handle.fold_query(sql, view, rule)

    @available.parse_none
    def note_of_inputs(self, names: list[str], code: str, settings: str) -> str | None:
        """What identifies all that a run of a model or test would read; None if it is not known.

        Args:
            names: the relations that it refers to.
            code: its compiled text.
            settings: whatever else its rows depend on.
        """
        upstream = self._relations.upstream_of(names)
        if upstream.unknown or changes_by_itself(code):
            return None
        commits = [(name, commit) for name, (_, commit) in sorted(upstream.commits.items())]
        # A build and the runs after it differ in this line of a Python model.
        text = _IS_INCREMENTAL.sub("", code)
        settings += self.config.credentials.sql_settings
        read = [self._own_code, text, settings, commits, sorted(upstream.views.items())]
        return digest(repr(read))

    @available.parse_none
    def is_last_run(self, relation: str, note: str) -> bool:
        """Whether a run of a model with this note has left its table as it is."""
        left = self._left(relation, note)
        return left is not None and self._runs.has(relation, left)

    @available.parse_none
    def note_run(self, relation: str, note: str) -> None:
        """Remembers a run that has ended well, by the note of its inputs: see `LastRuns`."""
        left = self._left(relation, note)
        if left is not None:
            self._runs.add(relation, left)

    def _left(self, relation: str, note: str) -> str | None:
        """The note of a run with that of the table as it is now; None if that is not known."""
        own = self._relations.commit_of_table(relation)
        return None if own is None else digest(repr([note, own]))

    @available.parse_none
    def has_passed(self, test: str, note: str) -> bool:
        """Whether a data test has passed with the same inputs."""
        return self._runs.has(test, note)

    @available.parse_none
    def note_passed(self, test: str, note: str) -> None:
        """Remembers that a data test has passed with these inputs."""
        self._runs.add(test, note)

    @available.parse_none
    def no_failures(self) -> Any:
        """The result of a data test that passes."""
        row = {"failures": 0, "should_warn": False, "should_error": False}
        return table_from_data([row], list(row))

    @available.parse_none
    def note_view(self, relation: str, text: str) -> None:
        """Remembers the text of a view that this run has made or left."""
        self._relations.note_view(relation, text)

    @available.parse_none
    def view_note(self, text: str, settings: str) -> str | None:
        """The property by which a later run sees that a view need not be recreated."""
        return self._relations.view_note(text, settings + self.config.credentials.sql_settings)

    @available.parse_none
    def is_same_view(self, relation: Any, note: str) -> bool:
        """Whether a view is there as it would be made now, by the note that it would get."""
        return self._relations.is_same_view(relation, note)

    def get_columns_in_relation(self, relation: Any) -> list[Any]:
        """As dbt-spark has it; described once for each state of a relation and what it reads."""
        name, has_session = str(relation), self.config.credentials.has_session
        state = self._relations.state_of(name) if has_session else None
        describe = super().get_columns_in_relation
        if state is None:
            return list(describe(relation))
        return self._columns.of(name, state, lambda: list(describe(relation)))

    def _find(self, schema: str, identifier: str) -> Any:
        return self.get_relation(database="", schema=schema, identifier=identifier)

    def _location(self, name: str) -> str | None:
        """The place of a table that dbt's cache does not describe, since this run has made it."""
        try:
            _, table = self.execute(f"describe detail {name}", fetch=True)
        except DbtRuntimeError:
            return None
        return str(table.rows[0]["location"]) if table.rows else None

    @cached_property
    def _own_code(self) -> str:
        """Which version of the package it is, macros and Python. An adapter lives for one run."""
        macros = getattr(self._macro_resolver, "macros", {})
        texts = [
            macro.macro_sql
            for _, macro in sorted(macros.items())
            if macro.package_name == "strandline"
        ]
        files = sorted(Path(strandline.__file__).parent.rglob("*.py"))
        return digest("\n".join([*texts, *(file.read_text(encoding="utf-8") for file in files)]))

    def generate_python_submission_response(self, submission_result: Any) -> AdapterResponse:
        """The response with what the engines of detection did: the materialization reads it."""
        message = self.connections.get_response(None)._message
        engines = submission_result or ()  # None: dbt-spark's job on a cluster
        return PythonModelResponse(
            _message=message,
            engines=[run.engine for run in engines],
            is_left_to_next_run=any(run.is_left_to_next_run for run in engines),
        )

    @property
    def default_python_submission_method(self) -> str:
        # A Thrift server runs no Python: the job of a session says so, dbt-spark's needs
        # a cluster of Databricks.
        if self.config.credentials.has_session or self.config.credentials.method == "thrift":
            return "session"
        return super().default_python_submission_method

    @property
    def python_submission_helpers(self) -> dict[str, Any]:
        return {
            **super().python_submission_helpers,
            "session": partial(
                SessionPythonJob, self.connections.get_thread_connection, self._project_dir
            ),
        }
