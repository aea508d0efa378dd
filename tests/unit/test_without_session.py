"""What needs a Spark session and gets a connection that speaks SQL only: it says what to take."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from tests.unit.jinja_macros import Refused, macros_with


def connection(kind: str, method: str) -> SimpleNamespace:
    return macros_with(
        adapter=SimpleNamespace(type=lambda: kind),
        target=SimpleNamespace(method=method),
        model=SimpleNamespace(name="top_sellers"),
    )


@pytest.mark.parametrize(
    ("kind", "method"), [("spark", "thrift"), ("spark", "session"), ("strandline", "thrift")]
)
def test_a_sequential_window_needs_a_session(kind: str, method: str) -> None:
    task = {"store": {"kind": "highest", "max": None, "by_key": None}}
    with pytest.raises(Refused) as refused:
        connection(kind, method)._staged_run(None, task, {})
    assert str(refused.value) == (
        "window_table of top_sellers:\n  - this `store` is computed row after row in the driver's "
        "session, and the connection is not of type strandline with method session or connect; "
        "take such a profile (docs/windows.md)"
    )


@pytest.mark.parametrize("kind", ["spark", "databricks"])
def test_another_adapter_has_no_session_of_ours(kind: str) -> None:
    assert connection(kind, "session")._in_session() is False


@pytest.mark.parametrize("method", ["session", "connect"])
def test_our_adapter_has_one(method: str) -> None:
    assert connection("strandline", method)._in_session() is True
