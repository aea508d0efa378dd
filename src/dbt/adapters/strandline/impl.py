"""dbt-spark with sessions of its own, and Python models that run in them."""

from __future__ import annotations

from functools import partial
from typing import Any

from dbt.adapters.base.meta import available
from dbt.adapters.spark.impl import SparkAdapter
from dbt_common.exceptions import DbtRuntimeError

from dbt.adapters.strandline.connections import StrandlineConnectionManager
from dbt.adapters.strandline.python_models import SessionPythonJob
from strandline.spark import home_for


class StrandlineAdapter(SparkAdapter):
    """The adapter of `type: strandline`."""

    ConnectionManager = StrandlineConnectionManager

    def __init__(self, config: Any, mp_context: Any) -> None:
        super().__init__(config, mp_context)
        # `dbt --project-dir` does not move into the project, and `home` counts from there.
        self._project_dir = getattr(config, "project_root", ".")
        config.credentials.home = str(home_for(config.credentials, self._project_dir))

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

    @property
    def default_python_submission_method(self) -> str:
        if self.config.credentials.has_session:
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
