"""Settings of a session that hold for a while."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


@contextmanager
def settings(session: SparkSession, given: Mapping[str, str]) -> Iterator[None]:
    """Within it the session has these settings, and afterwards those of before."""
    before = {name: session.conf.get(name, None) for name in given}
    try:
        for name, value in given.items():
            session.conf.set(name, value)
        yield
    finally:
        for name, earlier in before.items():
            if earlier is None:
                session.conf.unset(name)
            else:
                session.conf.set(name, earlier)
