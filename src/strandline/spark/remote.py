"""Sessions on a Spark Connect server."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from strandline.spark.errors import StrandlineSparkError, message_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_PORT = 15002
_REACH_SECONDS = 10


def connect(url: str, settings: Mapping[str, str]) -> SparkSession:
    """A remote session of its own. Raises StrandlineSparkError when nobody answers.

    Settings that a session cannot make on that server are left out by Spark.
    """
    from pyspark.sql import SparkSession

    _reach(url)
    try:
        builder = SparkSession.builder.remote(url)
        for key, value in settings.items():
            builder = builder.config(key, value)
        return builder.create()
    except Exception as error:
        raise StrandlineSparkError(
            f"The Spark Connect server at {url} does not answer: {message_of(error)}"
        ) from error


def _reach(url: str) -> None:
    """Spark's client asks a server that is not there for minutes: ask for its port first."""
    place = urlsplit(url)
    if place.scheme != "sc" or not place.hostname:
        raise StrandlineSparkError(
            f"`remote` must be the URL of a Spark Connect server, sc://<host>:<port>, got '{url}'."
        )
    try:
        socket.create_connection((place.hostname, place.port or _PORT), _REACH_SECONDS).close()
    except OSError as error:
        raise StrandlineSparkError(
            f"Nothing answers at {url} ({error.strerror or error}). Is the server up, and `remote`"
            " in profiles.yml right? Empty, it means the server of `strandline serve`."
        ) from error
