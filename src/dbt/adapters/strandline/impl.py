"""dbt-spark with sessions of its own, and Python models that run in them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from dbt.adapters.base.meta import available
from dbt.adapters.contracts.connection import AdapterResponse
from dbt_common.exceptions import DbtRuntimeError

import strandline
from dbt.adapters.strandline.columns import Columns
from dbt.adapters.strandline.connections import StrandlineConnectionManager
from dbt.adapters.strandline.python_models import PythonModelResponse, SessionPythonJob
from dbt.adapters.strandline.unchanged.adapter import UnchangedAdapter
from strandline.spark import home_for
from strandline.stopping import asked
from strandline.versions import LACKS, minor_of

_OTHER_VERSION = (
    "The macros of Strandline in {package.project_root} are of version {package.version}, the "
    f"installed adapter is of version {strandline.__version__}: both must be the same. If the "
    "macros are in packages/strandline, run `strandline init --update`; otherwise name version "
    f"{strandline.__version__} in packages.yml and run `dbt deps`, or install the other adapter."
)


class StrandlineAdapter(UnchangedAdapter):
    """The adapter of `type: strandline`."""

    ConnectionManager = StrandlineConnectionManager

    def __init__(self, config: Any, mp_context: Any) -> None:
        # `dbt --project-dir` does not move into the project, and `home` counts from there.
        self._project_dir = getattr(config, "project_root", ".")
        config.credentials.home = str(home_for(config.credentials, self._project_dir))
        super().__init__(config, mp_context)
        self._columns = Columns(Path(config.credentials.home, "columns.json"))
        self._spark: str | None = None  # the minor version, once it was asked for

    def set_macro_resolver(self, macro_resolver: Any) -> None:
        """As dbt has it; macros of the package of another version are refused.

        Raises DbtRuntimeError.
        """
        projects = getattr(self.config, "dependencies", None) or {}
        package = projects.get("strandline")
        if package is not None and package.version != strandline.__version__:
            raise DbtRuntimeError(_OTHER_VERSION.format(package=package))
        super().set_macro_resolver(macro_resolver)

    def pre_model_hook(self, config: Any) -> Any:
        """Begins no model in a process that was asked to stop. Raises DbtRuntimeError."""
        if asked.is_set():
            raise DbtRuntimeError("not begun: the process was asked to stop")
        return super().pre_model_hook(config)

    @available.parse_none
    def describe_query(self, sql: str) -> dict[str, Any]:
        """The types that `describe query` gives, or in `error` the message with which it stops."""
        try:
            _, table = self.execute(sql, fetch=True)
        except DbtRuntimeError as error:
            return {"types": [], "error": str(error.msg)}
        return {"types": [row[1] for row in table.rows], "error": None}

    @available.parse_none
    def spark_lacks(self, what: str) -> bool:
        """Whether the Spark of the connection has not what `strandline.versions` names so.

        It may be another one than the installed: that of a server elsewhere.
        """
        if self._spark is None:
            if self.config.credentials.has_session:
                version = self.connections.get_thread_connection().handle.session.version
            else:
                _, table = self.execute("select version()", fetch=True)
                version = table.rows[0][0]
            self._spark = minor_of(version)
        return what in LACKS.get(self._spark, ())

    @available.parse_none
    def stage_query(self, sql: str, view: str) -> None:
        """Computes a query once, into a temp view of this connection: see `SessionHandle`."""
        self.connections.get_thread_connection().handle.stage_query(sql, view)

    @available.parse_none
    def fold_query(self, sql: str, view: str, rule: str) -> None:
        """Computes the stays of a window, into a temp view: see `SessionHandle`."""
        self.connections.get_thread_connection().handle.fold_query(sql, view, rule)

    @available.parse_none
    def smooth_query(self, sql: str, view: str, rule: str) -> None:
        """Computes what buckets were expected to be, into a temp view: see `SessionHandle`."""
        self.connections.get_thread_connection().handle.smooth_query(sql, view, rule)

    def get_columns_in_relation(self, relation: Any) -> list[Any]:
        """As dbt-spark has it; described once for each state of a relation and what it reads."""
        name, has_session = str(relation), self.config.credentials.has_session
        state = self._relations.state_of(name) if has_session else None
        describe = super().get_columns_in_relation
        if state is None:
            return list(describe(relation))
        return self._columns.of(name, state, lambda: list(describe(relation)))

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
