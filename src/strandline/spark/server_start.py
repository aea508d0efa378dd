"""Starts the warm Spark Connect server of one home."""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any

from strandline.spark.errors import StrandlineSparkError
from strandline.spark.home import check_location, check_metastore, make_private, write_private
from strandline.spark.installed import check_java
from strandline.spark.jars import delta_jars
from strandline.spark.jvm import (
    log_path,
    popen_kwargs,
    spark_env,
    spark_home,
    submit_arguments,
)
from strandline.spark.lock import RunLock
from strandline.spark.remote import any_port, chosen_port, connect, listens
from strandline.spark.server import Server, answers
from strandline.spark.settings import Credentials, driver_settings
from strandline.spark.warehouse import check_logs

_CLASS = "org.apache.spark.sql.connect.service.SparkConnectServer"
_START_SECONDS = 180
_AUTHENTICATE = "spark.connect.authenticate."


class _PortTaken(StrandlineSparkError):
    """Another program has taken the port while the server started."""


def start_server(credentials: Credentials, home: Path, port: int | None) -> Server:
    """Starts a server on loopback and waits until it answers a query.

    `port` None means 15002, or any free one if that is in use. Raises StrandlineSparkError.
    """
    _refuse_own_token(credentials)
    chosen = chosen_port(port)
    make_private(home)
    lock = RunLock(home / "lock")
    lock.acquire("server", credentials.lock_timeout)
    try:
        check_java()
        check_logs(home)
        is_here = check_location(home, credentials.server_side_parameters)
        try:
            server = _started(credentials, home, chosen, lock, is_here=is_here)
        except _PortTaken:  # two servers that start at once have both found it free
            if port is not None:
                raise
            server = _started(credentials, home, any_port(), lock, is_here=is_here)
    except BaseException:
        lock.free()  # also for what is left of the start script, whose server is killed
        raise
    try:
        write_private(home / "server.json", json.dumps(asdict(server)))
        return server
    finally:
        lock.hand_over()


def _started(
    credentials: Credentials, home: Path, port: int, lock: RunLock, *, is_here: bool
) -> Server:
    token = secrets.token_urlsafe(32)
    with submit_arguments(home, _settings(credentials, home, port)) as arguments:
        # It outlives the terminal.
        kwargs = popen_kwargs(home, lock.fd, credentials.master, is_apart=True)
        jvm = _launch(arguments, kwargs, home, token)
        try:
            holder = lock.describe(jvm.pid, "server")
            server = Server(jvm.pid, port, holder.since, token)
            _wait(server, jvm, home)
            if not is_here:
                _check_metastore(server, home)
        except BaseException:
            if jvm.poll() is None:  # with what its start script has begun, which has the lock too
                os.killpg(jvm.pid, signal.SIGKILL)
            jvm.wait()
            raise
    return server


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
            **kwargs,
        )
    finally:
        os.close(kwargs["stdout"])


def _wait(server: Server, jvm: subprocess.Popen[bytes], home: Path) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        if jvm.poll() is not None:
            if listens(server.port):
                raise _PortTaken(
                    f"Port {server.port} was taken by another program while the Spark server"
                    " started: give another `--port`, or none to have a free one chosen."
                )
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
