"""The warm Spark Connect server of one home: start, find, stop."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from strandline.spark.errors import StrandlineSparkError
from strandline.spark.home import check_location, check_metastore, make_private, write_private
from strandline.spark.jars import delta_jars
from strandline.spark.jvm import log_path, popen_kwargs, spark_env, spark_home, submit_arguments
from strandline.spark.lock import RunLock, holder_of
from strandline.spark.remote import chosen_port, connect, listens
from strandline.spark.settings import Credentials, driver_settings
from strandline.spark.warehouse import check_logs

_CLASS = "org.apache.spark.sql.connect.service.SparkConnectServer"
_START_SECONDS = 180
_STOP_SECONDS = 30
_AUTHENTICATE = "spark.connect.authenticate."


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

    Alive is who holds the lock of the home: a process id alone may belong to another by now.
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


def start_server(credentials: Credentials, home: Path, port: int | None) -> Server:
    """Starts a server on loopback and waits until it answers a query.

    `port` None means 15002, or any free one if that is in use. Raises StrandlineSparkError.
    """
    _refuse_own_token(credentials)
    port = chosen_port(port)
    make_private(home)
    lock = RunLock(home / "lock")
    lock.acquire("server", credentials.lock_timeout)
    try:
        check_logs(home)
        is_here = check_location(home, credentials.server_side_parameters)
        token = secrets.token_urlsafe(32)
        with submit_arguments(home, _settings(credentials, home, port)) as arguments:
            jvm = _launch(arguments, popen_kwargs(home, lock.fd, credentials.master), home, token)
            try:
                holder = lock.describe(jvm.pid, "server")
                server = Server(jvm.pid, port, holder.since, token)
                _wait(server, jvm, home)
                if not is_here:
                    _check_metastore(server, home)
            except BaseException:
                jvm.kill()
                jvm.wait()
                raise
        write_private(home / "server.json", json.dumps(asdict(server)))
        return server
    finally:
        lock.hand_over()


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


def _refuse_own_token(credentials: Credentials) -> None:
    own = [key for key in credentials.server_side_parameters if key.startswith(_AUTHENTICATE)]
    if own:
        raise StrandlineSparkError(
            f"profiles.yml: server_side_parameters has {', '.join(own)}, but each server that"
            " `strandline serve` starts has a new token, which its clients read from `home`."
            " Remove it."
        )


def _check_metastore(server: Server, home: Path) -> None:
    session = connect(server.url, {}, server.token)
    try:
        check_metastore(session, home)
    finally:
        session.stop()


def _settings(credentials: Credentials, home: Path, port: int) -> dict[str, str]:
    # All compiler tiers: a server lives long enough for them to pay.
    java_options = credentials.java_options or ""
    settings = driver_settings(
        home, credentials.master, delta_jars(), java_options, credentials.server_side_parameters
    )
    return settings | {
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.connect.grpc.binding.port": str(port),
    }


def _launch(
    arguments: list[str], kwargs: dict[str, Any], home: Path, token: str
) -> subprocess.Popen[bytes]:
    command = [str(spark_home() / "bin" / "spark-submit"), "--class", _CLASS]
    command += [*arguments, "spark-internal"]
    env = {key: value for key, value in spark_env().items() if not key.startswith("SPARK_CONNECT")}
    # Other accounts can read the command line of a process, but not its environment.
    env["SPARK_CONNECT_AUTHENTICATE_TOKEN"] = token
    try:
        return subprocess.Popen(
            command,
            env=env,
            cwd=home,
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # it outlives the terminal
            **kwargs,
        )
    finally:
        os.close(kwargs["stdout"])


def _wait(server: Server, jvm: subprocess.Popen[bytes], home: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        if jvm.poll() is not None:
            raise StrandlineSparkError(
                f"The Spark server ended while it started (exit code {jvm.returncode});"
                f" its log is {log_path(home)}."
            )
        if listens(server.port) and answers(server):
            return
        time.sleep(0.3)
    raise StrandlineSparkError(
        f"The Spark server did not answer within {_START_SECONDS} s; its log is {log_path(home)}."
    )
