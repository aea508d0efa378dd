"""The methods by which macros find out that nothing has changed."""

from __future__ import annotations

import re
from functools import cached_property
from pathlib import Path
from typing import Any

from dbt.adapters.base.meta import available
from dbt.adapters.spark.impl import SparkAdapter
from dbt_common.clients.agate_helper import table_from_data
from dbt_common.exceptions import DbtRuntimeError

import strandline
from dbt.adapters.strandline.handle import account_of_node
from dbt.adapters.strandline.unchanged.last_runs import LastInputs, LastRuns
from dbt.adapters.strandline.unchanged.upstream import Relations, digest
from dbt.adapters.strandline.unchanged.view_text import changes_by_itself
from strandline.delta_log import Commit, location_in, rows_written
from strandline.explained import OF_RUN, change_of
from strandline.literals import name_sql
from strandline.spark.metastore import LAST_INPUTS, LAST_RUNS

_IS_INCREMENTAL = re.compile(r"(?m)^.*\bis_incremental = (True|False)$")


def _because(why: str) -> None:
    """Says of the node that dbt runs why it runs, or why not."""
    if OF_RUN.is_on:
        account_of_node().why = why


def _left(note: str, own: tuple[str, Commit]) -> str:
    """The note of a run with that of the table that it has left."""
    return digest(repr([note, own]))


class UnchangedAdapter(SparkAdapter):
    """dbt-spark that knows what the last run of each model and data test has read."""

    def __init__(self, config: Any, mp_context: Any) -> None:
        super().__init__(config, mp_context)
        self._relations = Relations(self._find, self._location)
        self._runs = LastRuns(Path(config.credentials.home, LAST_RUNS))
        self._last_inputs = LastInputs(Path(config.credentials.home, LAST_INPUTS))
        self._inputs: dict[str, dict[str, Any]] = {}  # of a note, in parts
        self._versions: dict[str, int | None] = {}  # of tables before their models ran

    @available.parse_none
    def note_of_inputs(self, names: list[str], code: str, settings: str) -> str | None:
        """What identifies all that a run of a model or test would read; None if it is not known.

        Args:
            names: the relations that it refers to.
            code: its compiled text.
            settings: whatever else its rows depend on.
        """
        upstream = self._relations.upstream_of(names)
        unknown = upstream.unknown or (
            "its SQL can give other rows each time" if changes_by_itself(code) else ""
        )
        if unknown:
            _because(unknown)
            return None
        commits = [(name, commit) for name, (_, commit) in sorted(upstream.commits.items())]
        # A build and the runs after it differ in this line of a Python model.
        text = _IS_INCREMENTAL.sub("", code)
        settings += self.config.credentials.sql_settings
        read = [self._own_code, text, settings, commits, sorted(upstream.views.items())]
        note = digest(repr(read))
        self._inputs[note] = {
            "package": self._own_code,
            "text": digest(text),
            "settings": digest(settings),
            "tables": {name: digest(repr(commit)) for name, commit in commits},
            "views": {name: digest(view) for name, view in upstream.views.items()},
        }
        return note

    @available.parse_none
    def is_last_run(self, relation: str, note: str, is_new: bool) -> bool:
        """Whether a run of a model with this note has left its table as it is.

        Args:
            relation: its table.
            note: of the run that begins.
            is_new: there is no table yet, or the run is a full refresh.
        """
        if is_new:
            _because("there is no table yet, or this is a full refresh")
            return False
        own = self._relations.commit_of_table(relation)
        is_last = own is not None and self._runs.has(relation, _left(note, own))
        if OF_RUN.is_on:
            self._versions[relation] = own[1].version if own else None
            before, now = self._last_inputs.of(relation), self._inputs_of(note, own)
            _because("nothing that it reads has changed" if is_last else change_of(before, now))
        return is_last

    @available.parse_none
    def note_run(self, relation: str, note: str) -> None:
        """Remembers a run that has ended well, by the note of its inputs: see `LastRuns`."""
        own = self._relations.commit_of_table(relation)
        if own is None:
            return
        self._runs.add(relation, _left(note, own))
        self._last_inputs.keep(relation, self._inputs_of(note, own))
        if OF_RUN.is_on:
            location, commit = own
            rows = rows_written(location, self._versions.get(relation), commit.version)
            account_of_node().rows = rows

    def _inputs_of(self, note: str, own: tuple[str, Commit] | None) -> dict[str, Any]:
        """The inputs of a note, with the table of the model as it is."""
        return {**self._inputs.get(note, {}), "own": digest(repr(own))}

    @available.parse_none
    def has_passed(self, test: str, note: str) -> bool:
        """Whether a data test has passed with the same inputs."""
        has_passed = self._runs.has(test, note)
        _because(
            "it has passed on the same tables"
            if has_passed
            else "it has not passed on these tables yet"
        )
        return has_passed

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

    def _find(self, schema: str, identifier: str) -> Any:
        return self.get_relation(database="", schema=schema, identifier=identifier)

    def _location(self, name: str) -> str | None:
        """The place of a table that dbt's cache does not describe, since this run has made it.

        The metastore says it; `describe detail` would read Delta's log. It takes a pattern, in
        which other signs than these have a meaning.
        """
        schema, _, identifier = name.rpartition(".")
        is_plain = re.fullmatch(r"\w+", identifier, re.ASCII)
        statement = (
            f"show table extended in {name_sql(schema)} like '{identifier}'"
            if is_plain
            else f"describe detail {name}"
        )
        try:
            _, table = self.execute(statement, fetch=True)
        except DbtRuntimeError:
            return None
        if not table.rows:
            return None
        [row] = table.rows
        return location_in(row["information"]) if is_plain else str(row["location"])

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
