"""The warm Spark Connect server of one home: find it, query it, stop it."""

from __future__ import annotations

import json
import os
import signal
import time
from dataclasses import dataclass, field
from pathlib import Path

from strandline.spark.errors import StrandlineSparkError
from strandline.spark.lock import holder_of
from strandline.spark.remote import connect

_STOP_SECONDS = 30


@dataclass(frozen=True)
class Server:
    """A server as `<home>/server.json` has it.

    Attributes:
        pid: its process.
        port: where it listens on 127.0.0.1.
        since: when it was started (ISO 8601, UTC).
        token: what it requires of each client; only the owner of the file can read it.
    """

    pid: int
    port: int
    since: str
    token: str = field(repr=False)

    @property
    def url(self) -> str:
        return f"sc://127.0.0.1:{self.port}"


def running_server(home: Path) -> Server | None:
    """The server of `home` that is alive; a state file left behind by a dead one is removed.

    A server is alive if it holds the lock of the home: its process id may belong to another by now.
    """
    path = home / "server.json"
    try:
        server = Server(**json.loads(path.read_text()))
    except (FileNotFoundError, ValueError, TypeError):
        return None
    holder = holder_of(home / "lock")
    if holder is not None and holder.what == "server" and holder.pid == server.pid:
        return server
    path.unlink(missing_ok=True)
    return None


def stop_server(home: Path) -> Server | None:
    """Stops the server of `home` and waits for its end; None when there is none."""
    server = running_server(home)
    if server is None:
        return None
    os.kill(server.pid, signal.SIGTERM)
    deadline = time.monotonic() + _STOP_SECONDS
    while holder_of(home / "lock") is not None:
        if time.monotonic() > deadline:
            os.kill(server.pid, signal.SIGKILL)
            deadline += _STOP_SECONDS
        time.sleep(0.2)
    (home / "server.json").unlink(missing_ok=True)
    return server


def answers(server: Server) -> bool:
    """Whether the server runs a query; it may need some seconds."""
    try:
        session = connect(server.url, {}, server.token)
    except StrandlineSparkError:
        return False
    try:
        # This opens the metastore as well: the first query waits for it, and it should be this one.
        return bool(session.sql("show databases").collect())
    except Exception:
        return False
    finally:
        session.stop()
