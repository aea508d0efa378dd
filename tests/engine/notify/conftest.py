"""Receivers that end with their test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from tests.engine.notify.receiver import HttpReceiver


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the machine is set to, the receivers are on it."""
    monkeypatch.setenv("NO_PROXY", "*")


@pytest.fixture
def receiver() -> Iterator[HttpReceiver]:
    receiver = HttpReceiver()
    yield receiver
    receiver.stop()


@pytest.fixture
def other() -> Iterator[HttpReceiver]:
    receiver = HttpReceiver()
    yield receiver
    receiver.stop()
