"""The settings of a target of `type: strandline` in profiles.yml."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Optional

from dbt.adapters.spark.connections import SparkCredentials
from dbt_common.dataclass_schema import StrEnum
from dbt_common.exceptions import DbtConfigError

from strandline.spark.remote import shown

ANSI = "spark.sql.ansi.enabled"
_ALLOWED = "session, connect, thrift, http, odbc"


class StrandlineMethod(StrEnum):
    """dbt-spark's ways of connecting, and Spark Connect."""

    SESSION = "session"
    CONNECT = "connect"
    THRIFT = "thrift"
    HTTP = "http"
    ODBC = "odbc"


@dataclass
class StrandlineCredentials(SparkCredentials):
    """dbt-spark's credentials and what an own Spark needs.

    `home` is relative to the project; `lock_timeout` is in seconds; `java_options` None leaves
    the choice to Strandline, an empty text means none.
    """

    method: StrandlineMethod = StrandlineMethod.SESSION  # type: ignore[assignment] # dbt-spark has its own
    home: str = ".strandline"
    master: str = "local[*]"
    remote: str = ""
    java_options: Optional[str] = None  # noqa: UP045 - dbt reads the annotation on Python 3.9 too
    # Long enough for the JVM of a run that has just ended, too short to pile up a schedule.
    lock_timeout: float = 10

    @classmethod
    def __pre_deserialize__(cls, data: Any) -> Any:
        data = super().__pre_deserialize__(data)
        method = data.get("method", "session")
        if method not in set(StrandlineMethod):
            raise DbtConfigError(
                f"profiles.yml: `method` must be one of {_ALLOWED}, got '{method}'."
            )
        return data

    def __post_init__(self) -> None:
        if self.has_session:
            # dbt-spark insists on a host; there is none.
            self.host = self.host or "localhost"
            if self.remote and self.method != StrandlineMethod.CONNECT:
                raise DbtConfigError(
                    f"profiles.yml: `remote: {shown(self.remote)}` would be ignored by"
                    f" `method: {self.method}`. Say `method: connect`, or remove `remote`."
                )
        own = self.server_side_parameters.get(ANSI)
        super().__post_init__()
        # dbt-spark turns it off: sums would wrap, and a cast that fails would be null.
        self.server_side_parameters[ANSI] = own or "true"

    @property
    def has_session(self) -> bool:
        """Whether dbt works in a SparkSession of ours, in which Python models can run."""
        return self.method in (StrandlineMethod.SESSION, StrandlineMethod.CONNECT)

    @property
    def sql_settings(self) -> str:
        """The settings of the target on which rows may depend, such as ANSI mode."""
        own = self.server_side_parameters
        return repr(sorted(each for each in own.items() if each[0].startswith("spark.sql.")))

    @property
    def type(self) -> str:
        return "strandline"

    @property
    def unique_field(self) -> str:
        return self.home if self.has_session else super().unique_field

    def connection_info(self, *, with_aliases: bool = False) -> Iterable[tuple[str, Any]]:
        """What dbt shows and logs of a connection; the URL of a server may have its token in it."""
        for key, value in super().connection_info(with_aliases=with_aliases):
            yield key, shown(value) if key == "remote" else value

    def _connection_keys(self) -> tuple[str, ...]:
        if self.method == StrandlineMethod.SESSION:
            return "method", "master", "home", "schema", "lock_timeout"
        if self.method == StrandlineMethod.CONNECT:
            return "method", "remote", "home", "schema", "lock_timeout"
        return ("method", *super()._connection_keys())
