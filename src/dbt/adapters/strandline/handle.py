"""A Spark session with the interface of a database connection, as dbt expects it."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from dbt.adapters.events.logging import AdapterLogger
from dbt.adapters.spark.connections import SparkConnectionWrapper
from dbt_common.events.contextvars import get_node_info
from dbt_common.exceptions import DbtDatabaseError
from grpc import RpcError
from py4j.protocol import Py4JError
from pyspark.errors import PySparkException

from strandline.explained import COMPUTE, OF_RUN, Account, phase_of
from strandline.literals import text_sql
from strandline.spark import close_session
from strandline.spark.errors import message_of
from strandline.spark.metastore import NOTHING_WAITS

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

T = TypeVar("T")
logger = AdapterLogger("Strandline")

_MAKES_VIEW = re.compile(r"(?i)\b(create|alter|drop)\s+(or\s+replace\s+)?view\b")
SPARK_ERRORS = (PySparkException, Py4JError, RpcError)


def with_dbt_errors(action: Callable[[], T]) -> T:
    """Runs an action of Spark; its errors become one of dbt, with the message alone."""
    try:
        return action()
    except SPARK_ERRORS as error:
        raise DbtDatabaseError(message_of(error)) from error


def account_of_node() -> Account:
    """What is known of the node that dbt runs in this thread."""
    return OF_RUN.of(str(get_node_info().get("unique_id")))


@contextmanager
def counted(session: SparkSession, phase: str, statements: int = 0) -> Iterator[None]:
    """Adds what is done in this context to the account of the node that dbt runs."""
    if not OF_RUN.is_on:
        yield
        return
    account = account_of_node()
    account.statements += statements
    java = getattr(session, "_jsparkSession", None)  # none with Spark Connect
    scheduler = None if java is None else java.sparkContext().dagScheduler()
    with account.spent(phase, lambda: scheduler.numTotalJobs() if scheduler else 0):
        yield


def _bound(sql: str, bindings: Sequence[Any]) -> str:
    """The statement with its `%s` filled in one pass; any other `%` in it stays."""
    first, *others = sql.split("%s")
    if len(others) != len(bindings):
        raise DbtDatabaseError(f"the statement has {len(others)} %s for {len(bindings)} values")
    filled = (literal(value) + text for value, text in zip(bindings, others, strict=True))
    return first + "".join(filled)


class SessionHandle(SparkConnectionWrapper):
    """One dbt connection: a session of its own and the cursors on it.

    A session of its own keeps the temp views (`<alias>__dbt_tmp`) of threads apart.
    """

    def __init__(self, session: SparkSession, home: str | None = None) -> None:
        self.session = session
        self._home = home
        self._staged: list[DataFrame] = []

    def cursor(self) -> SessionCursor:  # type: ignore[override] # dbt-spark's is its own cursor
        return SessionCursor(self.session, self._home)

    def stage(self, frame: DataFrame, view: str) -> None:
        """Makes a DataFrame a cached temp view, which `close` releases."""
        self._staged.append(frame.persist())
        frame.createOrReplaceTempView(view)

    def stage_query(self, sql: str, view: str) -> None:
        """Computes a query now and makes its rows a temp view, which `close` releases.

        Over `persist` alone, the plan of the query would be part of every reader's plan; over a
        checkpoint alone, readers would not know the size.
        """
        self._stage_result(sql, view, self.session.sql)

    def fold_query(self, sql: str, view: str, rule: str) -> None:
        """Computes the stays of a sequential window, as `stage_query` computes a query.

        The query has the columns that `strandline.windows.fold` reads; `rule` is a Rule as JSON.
        """
        from strandline.windows.plan import folded  # numpy and Arrow: only windows need them
        from strandline.windows.rule import Rule

        window = Rule.from_json(rule)
        self._stage_result(sql, view, lambda query: folded(self.session.sql(query), window))

    def smooth_query(self, sql: str, view: str, rule: str) -> None:
        """Computes what the buckets of series were expected to be, as `stage_query` computes a
        query.

        The query has the columns that `strandline.seasons.fold` reads; `rule` is a Rule as JSON.
        """
        from strandline.seasons.plan import smoothed  # numpy and Arrow: only seasons need them
        from strandline.seasons.rule import Rule

        season = Rule.from_json(rule)
        self._stage_result(sql, view, lambda query: smoothed(self.session.sql(query), season))

    def _stage_result(self, sql: str, view: str, query: Callable[[str], DataFrame]) -> None:
        logger.debug(f"On {view}: {sql}")
        with counted(self.session, COMPUTE, statements=1):
            frame = with_dbt_errors(lambda: query(sql).localCheckpoint(eager=False))
            self.stage(frame, view)
            with_dbt_errors(frame.count)

    def cancel(self) -> None:
        try:
            self.session.interruptAll()
        except Exception as error:  # dbt is ending: what cannot be interrupted ends with us
            logger.debug(f"Spark could not be interrupted: {error}")

    def close(self) -> None:
        try:
            for frame in self._staged:
                frame.unpersist()
        except SPARK_ERRORS as error:  # a session that has ended has no cached rows
            logger.debug(f"Staged rows could not be released: {error}")
        self._staged.clear()
        close_session(self.session)

    def rollback(self, *_args: Any, **_kwargs: Any) -> None:
        logger.debug("Spark has no transactions: nothing to roll back")

    def execute(self, sql: str, bindings: Sequence[Any] | None = None) -> None:
        raise NotImplementedError("execute on a cursor()")

    def fetchall(self) -> list[Any]:
        raise NotImplementedError("fetchall on a cursor()")

    @property
    def description(self) -> Sequence[tuple[Any, ...]]:
        raise NotImplementedError("description of a cursor()")


class SessionCursor:
    """The part of a cursor of PEP 249 that dbt uses."""

    def __init__(self, session: SparkSession, home: str | None = None) -> None:
        self._session = session
        self._home = home
        self._frame: DataFrame | None = None
        self._rows: list[Any] | None = None
        self._phase = phase_of("")

    def execute(self, sql: str, bindings: Sequence[Any] | None = None) -> None:
        """Runs one statement; `bindings` fill its `%s`. Raises DbtDatabaseError."""
        sql = sql.strip().removesuffix(";")
        if bindings is not None:
            sql = _bound(sql, bindings)
        self._rows, self._phase = None, phase_of(sql)
        if self._home is not None and _MAKES_VIEW.search(sql):
            # It may be that of an outbox, of which is remembered that nothing waits.
            Path(self._home, NOTHING_WAITS).unlink(missing_ok=True)
        try:
            with counted(self._session, self._phase, statements=1):
                self._frame = with_dbt_errors(lambda: self._session.sql(sql))
        except BaseException:
            self._reset_write_settings()
            raise

    def _reset_write_settings(self) -> None:
        """Removes the settings of one write, which failed, from the session.

        With its token Delta would skip later writes, and report success.
        """
        for key in ("write.txnVersion", "write.txnAppId", "replaceWhere.dataColumns.enabled"):
            self._session.conf.unset(f"spark.databricks.delta.{key}")

    @property
    def description(self) -> list[tuple[Any, ...]]:
        frame = self._frame
        if frame is None:
            return []
        fields = with_dbt_errors(lambda: frame.schema.fields)
        return [(f.name, f.dataType.simpleString(), *[None] * 4, f.nullable) for f in fields]

    def fetchall(self) -> list[Any]:
        return self.fetchmany(None)

    def fetchmany(self, size: int | None) -> list[Any]:
        """The next rows that were not fetched before, at most `size` of them (None: all)."""
        rows = self._collected()
        fetched = rows[:size]
        self._rows = rows[len(fetched) :]
        return fetched

    def fetchone(self) -> Any | None:
        return next(iter(self.fetchmany(1)), None)

    def close(self) -> None:
        self._frame = self._rows = None

    def _collected(self) -> list[Any]:
        if self._frame is None:
            return []
        if self._rows is None:
            with counted(self._session, self._phase):
                self._rows = with_dbt_errors(self._frame.collect)
        return self._rows


def literal(value: Any) -> str:
    """A literal that Spark casts back to the same value.

    Numbers are quoted: `cast('9007199254740993' as bigint)` keeps every digit, whereas a bare
    number would first become whatever type Spark sees in it.
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Decimal):
        return f"'{value:f}'" if value.is_finite() else f"'{value}'"
    if isinstance(value, dt.datetime):
        return f"'{value.isoformat(sep=' ')}'"
    return text_sql(str(value))
