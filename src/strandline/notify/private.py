"""Foreign code that knows a secret, run so that its logs stay private and it ends in time.

Apprise, requests and urllib3 log the URLs that they call, with the tokens in them. Log records of
a thread of ours, of any library, are emptied before a handler gets them; only the caller of
`private` gets their text.

The same libraries read an answer of any length into memory. A thread of ours reads at most
`MOST_BYTES` from its connections, and unpacks at most as many from an answer.
"""

from __future__ import annotations

import logging
import socket
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

T = TypeVar("T")
WITHHELD = "(withheld: it could hold the URL of a receiver)"
# A service answers with a few thousand bytes; one that lists its channels with some more.
MOST_BYTES = 1 << 20
TOO_LONG = f"answered with more than {MOST_BYTES >> 20} MiB"
_installing = threading.Lock()


class PrivateFailure(Exception):
    """The function raised an error; only its type is given."""


class AnswerTooLong(OSError):
    """An answer has more bytes than a thread of ours may read."""

    def __init__(self) -> None:
        super().__init__(TOO_LONG)


class _Private(threading.Thread):
    """A daemon thread, with the text of what was logged in it."""

    def __init__(self, function: Callable[[], Any]) -> None:
        super().__init__(name="strandline-notify", daemon=True)
        self._function = function
        self.logged: list[str] = []
        self.bytes_left = MOST_BYTES
        self.value: Any = None
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.value = self._function()
        except BaseException as error:
            self.error = error


def private(function: Callable[[], T], seconds: float) -> tuple[T, list[str]]:
    """The value of the function, and what it logged.

    Raises TimeoutError after so many seconds, and leaves the function behind, still private;
    PrivateFailure when the function raised anything.
    """
    _install()
    thread = _Private(function)
    with _apprise_debug_log():
        thread.start()
        thread.join(seconds)
    if thread.is_alive():
        raise TimeoutError
    if thread.error is not None:
        raise PrivateFailure(type(thread.error).__name__)
    return thread.value, thread.logged


def _install() -> None:
    """Once and for good: a function that timed out may still log later."""
    with _installing:
        before = logging.getLogRecordFactory()
        if isinstance(before, _PrivateRecords):
            return
        logging.setLogRecordFactory(_PrivateRecords(before))
        _limit_connections()
        _limit_unpacked_answers()
        # A warning names the host of a URL, and goes to stderr past all loggers.
        warnings.filterwarnings("ignore", module=r"urllib3\.")


class _PrivateRecords:
    """A factory of log records that empties those of a thread of ours."""

    def __init__(self, factory: Callable[..., logging.LogRecord]) -> None:
        self._factory = factory

    def __call__(self, *args: Any, **kwargs: Any) -> logging.LogRecord:
        record = self._factory(*args, **kwargs)
        thread = threading.current_thread()
        if isinstance(thread, _Private):
            thread.logged.append(_text(record))
            record.msg, record.args = WITHHELD, ()
            record.exc_info = record.exc_text = record.stack_info = None
        return record


def _limit_connections() -> None:
    """Counts the bytes that http.client and smtplib read, with and without TLS."""
    read = socket.SocketIO.readinto

    def readinto(self: socket.SocketIO, b: Any) -> int | None:
        count = read(self, b)
        thread = threading.current_thread()
        if isinstance(thread, _Private) and count:
            thread.bytes_left -= count
            if thread.bytes_left < 0:
                raise AnswerTooLong
        return count

    socket.SocketIO.readinto = readinto  # type: ignore[method-assign] # replaced on purpose


def _limit_unpacked_answers() -> None:
    """A megabyte of gzip may be a gigabyte of text."""
    from requests.exceptions import ContentDecodingError
    from requests.models import Response

    read = Response.iter_content

    def iter_content(self: Response, *args: Any, **kwargs: Any) -> Iterator[Any]:
        chunks = read(self, *args, **kwargs)
        if not isinstance(threading.current_thread(), _Private):
            return chunks
        return limited(chunks)

    def limited(chunks: Iterator[Any]) -> Iterator[Any]:
        length = 0
        for chunk in chunks:
            length += len(chunk)
            if length > MOST_BYTES:
                raise ContentDecodingError(TOO_LONG)
            yield chunk

    Response.iter_content = iter_content  # type: ignore[method-assign] # replaced on purpose


def _text(record: logging.LogRecord) -> str:
    try:
        return record.getMessage()
    except Exception:  # a malformed line of a foreign library
        return ""


@contextmanager
def _apprise_debug_log() -> Iterator[None]:
    """Apprise logs on DEBUG why a receiver did not accept; the emptied lines are not passed on."""
    logger = logging.getLogger("apprise")
    before = logger.level, logger.propagate
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    try:
        yield
    finally:
        logger.setLevel(before[0])
        logger.propagate = before[1]
