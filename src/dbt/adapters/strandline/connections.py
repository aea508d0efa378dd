"""Opens a handle for each dbt connection."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager

from dbt.adapters.contracts.connection import Connection, ConnectionState
from dbt.adapters.exceptions import FailedToConnectError
from dbt.adapters.spark.connections import SparkConnectionManager
from dbt_common.exceptions import DbtRuntimeError

from dbt.adapters.strandline.handle import SessionHandle
from strandline.spark import StrandlineSparkError, open_session


class StrandlineConnectionManager(SparkConnectionManager):
    """dbt-spark's, with sessions of our own for `session` and `connect`."""

    TYPE = "strandline"

    @classmethod
    def open(cls, connection: Connection) -> Connection:
        if connection.state == ConnectionState.OPEN or not connection.credentials.has_session:
            return super().open(connection)
        try:
            connection.handle = SessionHandle(
                open_session(connection.credentials), connection.credentials.home
            )
        except StrandlineSparkError as error:
            connection.handle = None
            connection.state = ConnectionState.FAIL
            raise FailedToConnectError(str(error)) from error
        connection.state = ConnectionState.OPEN
        return connection

    @contextmanager
    def exception_handler(self, sql: str) -> Generator[None, None, None]:
        try:
            yield
        except DbtRuntimeError:  # its message is complete
            raise
        except Exception:
            with super().exception_handler(sql):
                raise
