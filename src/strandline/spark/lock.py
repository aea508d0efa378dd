"""One writer for one home or checkpoint: a lock (flock) that the kernel frees with its holder.

Two JVMs on one local disk can both commit the same Delta version, and one commit is lost silently.
So the second one is refused, not left to Delta.
"""

from __future__ import annotations

import fcntl
import json
import os
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path

from strandline.spark.errors import StrandlineSparkError

_POLL_SECONDS = 0.2
ENDLESS = ("server", "follow")


@dataclass(frozen=True)
class Holder:
    """Who holds a lock: its process id, what it is and since when (ISO 8601, UTC).

    It is a `run`, a `server`, a `landing`, or a `follow`. Of these a server and `strandline follow`
    do not end by themselves.
    """

    pid: int
    what: str
    since: str


class RunLock:
    """A lock file, re-entrant within the process: `acquire` locks it once, `free` releases it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._fd: int | None = None
        self._mutex = threading.Lock()

    @property
    def fd(self) -> int | None:
        """The open file that carries the lock, to be inherited by the JVM; None when it is free."""
        return self._fd

    def acquire(self, what: str = "run", timeout: float = 0) -> None:
        """Acquires the lock, waiting up to `timeout` seconds.

        Raises StrandlineSparkError naming the holder.
        """
        with self._mutex:
            if self._fd is not None:
                return
            try:
                self._acquire(what, timeout)
            except OSError as error:
                raise StrandlineSparkError(_not_writable(self.path, error)) from error

    def _acquire(self, what: str, timeout: float) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        fd = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            self._wait(fd, timeout)
            self._fd = fd
            self.describe(os.getpid(), what)
        except BaseException:
            self._fd = None
            os.close(fd)
            raise

    def describe(self, pid: int, what: str) -> Holder:
        """Writes the process that holds it, for the message that a second process gets."""
        assert self._fd is not None, "only an acquired lock has a holder"
        holder = Holder(pid, what, datetime.now(timezone.utc).isoformat(timespec="seconds"))
        os.truncate(self._fd, 0)
        os.pwrite(self._fd, json.dumps(asdict(holder)).encode(), 0)
        return holder

    def free(self) -> None:
        """Releases it for every process that shares the lock."""
        with self._mutex:
            if self._fd is not None:
                fcntl.flock(self._fd, fcntl.LOCK_UN)
                os.close(self._fd)
                self._fd = None

    @contextmanager
    def held(self, what: str, timeout: float) -> Iterator[None]:
        """Holds the lock for a block, after up to `timeout` seconds; see `acquire`."""
        self.acquire(what, timeout)
        try:
            yield
        finally:
            self.free()

    def hand_over(self) -> None:
        """Releases it in this process only: the JVM that inherited it keeps it."""
        with self._mutex:
            if self._fd is not None:
                os.close(self._fd)
                self._fd = None

    def _wait(self, fd: int, timeout: float) -> None:
        # At least one more try: `holder_of` locks it for an instant.
        deadline = time.monotonic() + max(timeout, 2 * _POLL_SECONDS)
        while True:
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                # No use in waiting for what does not end by itself.
                if time.monotonic() >= deadline or _read(self.path).what in ENDLESS:
                    raise StrandlineSparkError(_refusal(self.path, timeout)) from None
                time.sleep(_POLL_SECONDS)


def holder_of(path: Path) -> Holder | None:
    """Who holds the lock now; None when no process does. Never waits."""
    try:
        fd = os.open(path, os.O_RDWR)
    except FileNotFoundError:
        return None
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return None
    except BlockingIOError:
        return _read(path)
    finally:
        os.close(fd)


def _not_writable(path: Path, error: OSError) -> str:
    return (
        f"folder {str(path.parent)!r} cannot be written: {error.strerror}. A run keeps its lock"
        " there, and more. Free some space or make it writable, or name another folder with"
        " `home` in profiles.yml."
    )


def _read(path: Path) -> Holder:
    try:
        return Holder(**json.loads(path.read_text()))
    except (ValueError, TypeError):  # between taking the lock and writing the name
        return Holder(0, "run", "just now")


def _refusal(path: Path, timeout: float) -> str:
    holder = _read(path)
    if holder.what == "server":
        return (
            f"{path.parent} is served by the warm Spark server, process {holder.pid}, since"
            f" {holder.since}. Use it with `--target connect`, or end it with"
            " `strandline serve --stop`."
        )
    if holder.what == "follow":
        return (
            f"{path.parent} is in use by `strandline follow`, process {holder.pid}, since"
            f" {holder.since}, until it is stopped. Stop it, or let both use one warm server:"
            " `strandline serve`, then `--target connect` for each."
        )
    waited = f" (waited {timeout:g} s)" if timeout else ""
    return (
        f"{path.parent} is in use by another {holder.what}, process {holder.pid}, since"
        f" {holder.since}{waited}. Two {holder.what}s at once could lose commits or count an event"
        " twice, so this one stops. Wait for the other to end, or raise `lock_timeout` (seconds)"
        " in profiles.yml."
    )
