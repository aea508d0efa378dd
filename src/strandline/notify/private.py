"""Foreign code that knows a secret, run so that nothing it says gets out and it ends in time.

Apprise, requests and urllib3 log the URLs that they call, with the tokens in them. What is logged
in a thread of ours, by whatever library, is emptied before any handler sees it; only the caller of
`private` gets the words.
"""

from __future__ import annotations

import logging
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")
WITHHELD = "(withheld: it could hold the URL of a receiver)"
_installing = threading.Lock()


class PrivateFailure(Exception):
    """The function raised an error; no more is told of it than its type."""


class _Private(threading.Thread):
    """A thread that does not keep the process from ending, and what was logged in it."""

    def __init__(self, function: Callable[[], Any]) -> None:
        super().__init__(name="strandline-notify", daemon=True)
        self._function = function
        self.said: list[str] = []
        self.value: Any = None
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.value = self._function()
        except BaseException as error:
            self.error = error


def private(function: Callable[[], T], seconds: float) -> tuple[T, list[str]]:
    """The function's value, and what was logged meanwhile.

    Raises TimeoutError after so many seconds, and leaves the function behind, still private;
    PrivateFailure when the function raised anything.
    """
    _install()
    thread = _Private(function)
    with _apprise_speaks_here_alone():
        thread.start()
        thread.join(seconds)
    if thread.is_alive():
        raise TimeoutError
    if thread.error is not None:
        raise PrivateFailure(type(thread.error).__name__)
    return thread.value, thread.said


def _install() -> None:
    """Once, and for good: a function that was left behind may still log when all else is over."""
    with _installing:
        before = logging.getLogRecordFactory()
        if getattr(before, "is_private", False):
            return

        def factory(*args: Any, **kwargs: Any) -> logging.LogRecord:
            record = before(*args, **kwargs)
            thread = threading.current_thread()
            if isinstance(thread, _Private):
                thread.said.append(_text(record))
                record.msg, record.args = WITHHELD, ()
                record.exc_info = record.exc_text = record.stack_info = None
            return record

        factory.is_private = True
        logging.setLogRecordFactory(factory)
        # A warning names the host of a URL, and goes to stderr past all loggers.
        warnings.filterwarnings("ignore", module=r"urllib3\.")


def _text(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except Exception:  # a malformed line of a foreign library
        return ""


@contextmanager
def _apprise_speaks_here_alone() -> Iterator[None]:
    """Why a receiver did not accept, Apprise says on DEBUG; nobody wants the emptied lines."""
    logger = logging.getLogger("apprise")
    before = logger.level, logger.propagate
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    try:
        yield
    finally:
        logger.setLevel(before[0])
        logger.propagate = before[1]
