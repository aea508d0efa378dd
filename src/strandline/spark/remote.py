"""Sessions on a Spark Connect server."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

from strandline.spark.errors import StrandlineSparkError, message_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DEFAULT_PORT = 15002
_REACH_SECONDS = 10


def connect(url: str, settings: Mapping[str, str], token: str | None = None) -> SparkSession:
    """A remote session of its own. Raises StrandlineSparkError when no server answers.

    `token` is for a server on loopback; one elsewhere has it in its URL or in the environment, as
    Spark's client wants it. Settings that a session cannot make on that server are left out by
    Spark.
    """
    from pyspark.sql.connect.session import SparkSession as RemoteSession

    _reach(url)
    # What Spark's own `builder.remote` does before it comes to the same builder.
    os.environ["SPARK_CONNECT_MODE_ENABLED"] = "1"
    try:
        builder = RemoteSession.builder.config(map=dict(settings))
        if token is None:
            builder = builder.remote(url)
        else:
            builder = builder.channelBuilder(_loopback(url, token))
        # It has the methods of a SparkSession, and is none for the type checker.
        return cast("SparkSession", builder.create())
    except Exception as error:
        original = message = message_of(error)
        for parameter in url.split(";")[1:]:
            message = message.replace(parameter, f"{parameter.partition('=')[0]}=…")
        raise StrandlineSparkError(
            f"The Spark Connect server at {shown(url)} does not answer: {message}"
        ) from (None if message != original else error)


def is_remote(session: SparkSession) -> bool:
    """Whether a session is one of Spark Connect."""
    return not hasattr(session, "_jsparkSession")


def shown(url: str) -> str:
    """A URL as it may be shown and logged: its parameters hold the token."""
    place, parameters, _ = url.partition(";")
    return f"{place};…" if parameters else place


def _loopback(url: str, token: str) -> Any:
    """A channel to a server of this machine that requires a token.

    Spark's own sends a token without TLS to `localhost` only, which may be ::1 first, where
    another account may listen.
    """
    import grpc
    from pyspark.sql.connect.client import DefaultChannelBuilder

    class Loopback(DefaultChannelBuilder):
        def toChannel(self) -> grpc.Channel:
            credentials = grpc.composite_channel_credentials(
                grpc.local_channel_credentials(), grpc.access_token_call_credentials(token)
            )
            return self._secure_channel(self.endpoint, credentials)

    return Loopback(url)


def _reach(url: str) -> None:
    """Spark's client retries for minutes if there is no server: check its port first."""
    place = urlsplit(url)
    if place.scheme != "sc" or not place.hostname:
        raise StrandlineSparkError(
            f"`remote` must be the URL of a Spark Connect server, sc://<host>:<port>,"
            f" got '{shown(url)}'."
        )
    try:
        socket.create_connection(
            (place.hostname, place.port or DEFAULT_PORT), _REACH_SECONDS
        ).close()
    except OSError as error:
        raise StrandlineSparkError(
            f"Nothing answers at {shown(url)} ({error.strerror or error}). Is the server up, and"
            " `remote` in profiles.yml right? Empty, it means the server of `strandline serve`."
        ) from error


def chosen_port(port: int | None) -> int:
    """A port of this machine for a new server: `port` itself, else 15002, else a free one."""
    if port is None:
        return DEFAULT_PORT if not listens(DEFAULT_PORT) else any_port()
    if listens(port):
        raise StrandlineSparkError(
            f"Port {port} is in use by another program: give another `--port`, or none to have a"
            " free one chosen."
        )
    return port


def listens(port: int) -> bool:
    """Whether a program of this machine listens there."""
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def any_port() -> int:
    """A port of this machine that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
