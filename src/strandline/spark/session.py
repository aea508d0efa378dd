"""Opens Spark sessions from the credentials of a dbt profile: embedded, cluster or connect."""

from __future__ import annotations

import atexit
import os
import subprocess
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from strandline.preflight import java_needed
from strandline.spark.errors import StrandlineSparkError, message_of
from strandline.spark.extra import check_extra
from strandline.spark.home import check_location, check_metastore, make_private
from strandline.spark.installed import check_java, spark_minor
from strandline.spark.jars import delta_jars
from strandline.spark.jvm import (
    JVM_EXIT_SECONDS,
    context_of,
    end_process,
    forget_gateway,
    log_path,
    popen_kwargs,
    quiet_python,
    start_jvm,
    submit_arguments,
)
from strandline.spark.lock import RunLock
from strandline.spark.remote import connect, is_remote
from strandline.spark.server import running_server
from strandline.spark.settings import Credentials, driver_settings, session_settings, set_runtime
from strandline.spark.warehouse import check_logs

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class _Process:
    """What one process has: at most one home, one lock, one embedded driver."""

    def __init__(self) -> None:
        self.mutex = threading.RLock()
        self.home: Path | None = None
        self.lock: RunLock | None = None
        self.root: SparkSession | None = None
        self.jvm: subprocess.Popen[bytes] | None = None
        self.what = "run"
        self.is_abandoned = False


_process = _Process()


def home_for(credentials: Credentials, project_dir: str | Path = ".") -> Path:
    """The folder of warehouse, metastore, lock and logs; relative ones count from the project."""
    return Path(project_dir, Path(credentials.home).expanduser()).resolve()


def open_session(credentials: Credentials) -> SparkSession:
    """A session of its own: own temp views and SQL settings, shared tables and executors.

    `method: session` starts the driver of this process on first use and locks its home;
    `method: connect` opens a remote session. The caller ends it with `close_session`. Raises
    StrandlineSparkError.
    """
    check_extra("A session of Spark")
    quiet_python()
    if credentials.method == "connect":
        return _remote_session(credentials)
    if credentials.method != "session":
        raise StrandlineSparkError(
            f"method: {credentials.method} has no Spark session: it speaks SQL only."
            " Take a target with `method: session` or `method: connect`."
        )
    session = _root_session(credentials).newSession()
    for key, value in credentials.server_side_parameters.items():
        if key in session_settings(local=False, own=credentials.server_side_parameters):
            set_runtime(session, key, value)
    return session


def close_session(session: SparkSession) -> None:
    """Ends one session. The driver of this process stays warm for the next one."""
    if is_remote(session):
        session.stop()


def abandon() -> None:
    """Stops waiting for the driver: from now on `close` ends its JVM at once.

    For a process that is interrupted, whose threads may wait for Spark. What the JVM has not
    committed is not committed.
    """
    _process.is_abandoned = True
    if _process.jvm is not None and _process.jvm.stdin is not None:
        _process.jvm.stdin.close()  # the JVM watches this pipe


def close(seconds: float = JVM_EXIT_SECONDS) -> None:
    """Stops the driver of this process, if any, and frees its lock.

    A JVM that has not ended after so many seconds is killed.
    """
    with _process.mutex:
        if _process.root is not None and not _process.is_abandoned:
            from py4j.protocol import Py4JError

            gateway = _process.root.sparkContext._gateway
            with suppress(Py4JError, OSError):  # of a JVM that has ended by itself
                _process.root.stop()
            if gateway is not None:
                # Else py4j's thread that frees Java objects would log that the JVM is gone.
                gateway._gateway_client.is_connected = False
        if _process.jvm is not None:
            end_process(_process.jvm, seconds)
            forget_gateway()
        if _process.lock is not None:
            _process.lock.free()
        _process.home = _process.lock = _process.root = _process.jvm = None


def hold_as(what: str) -> None:
    """What this process is to others that wait for its home: see `strandline.spark.lock.Holder`."""
    _process.what = what


def has_ended() -> bool:
    """Whether the driver of this process has ended by itself; `close` makes way for another one."""
    return _process.jvm is not None and _process.jvm.poll() is not None


def rest() -> None:
    """Lets others use the warm server until this process opens its next session.

    An embedded driver stays as it is: its JVM has the lock of the home.
    """
    with _process.mutex:
        if _process.jvm is None:
            close()


def _root_session(credentials: Credentials) -> SparkSession:
    home = home_for(credentials)
    with _process.mutex:
        if _process.root is None:
            lock = _take_lock(home, "lock", credentials)
            try:
                return _start_driver(home, lock, credentials)
            except BaseException:
                close()
                raise
        if _process.home != home:
            raise StrandlineSparkError(
                f"This process runs Spark on {_process.home}; it cannot open {home} as well."
                " Use another process, or strandline.spark.close() first."
            )
        return _process.root


def _take_lock(home: Path, name: str, credentials: Credentials) -> RunLock:
    if _process.lock is not None and _process.lock.path != home / name:
        close()
    make_private(home)
    lock = _process.lock or RunLock(home / name)
    what = _process.what if name == "lock" else "run"
    lock.acquire(what, timeout=credentials.lock_timeout)
    _process.home, _process.lock = home, lock
    return lock


def _start_driver(home: Path, lock: RunLock, credentials: Credentials) -> SparkSession:
    from pyspark import SparkConf, SparkContext
    from pyspark.sql import SparkSession

    if SparkContext._active_spark_context is not None:
        raise StrandlineSparkError(
            "This process has started Spark by itself already, with other settings. Let Strandline"
            " start it (strandline.spark.session_for), or stop that session first."
        )
    check_java()
    check_logs(home)
    own = credentials.server_side_parameters
    is_here = check_location(home, own)
    settings = driver_settings(
        home, credentials.master, delta_jars(), credentials.java_options, own
    )
    conf = SparkConf(loadDefaults=False).setAll(list(settings.items()))
    # A signal for all processes of a group, such as that of `timeout`, is not for a JVM whose
    # process ends in order.
    is_apart = _process.what == "follow"
    kwargs = popen_kwargs(home, lock.fd, credentials.master, is_apart=is_apart)
    try:
        with submit_arguments(home, settings) as arguments:
            # The developer's door of PySpark for the JVM's output: no descriptor of ours is moved.
            gateway = start_jvm(arguments, kwargs)
        _process.jvm = gateway.proc
        root = _process.root = SparkSession(context_of(conf, gateway))
        if not is_here:
            check_metastore(root, home)
    except StrandlineSparkError:
        raise
    except Exception as error:
        raise StrandlineSparkError(
            f"Spark ({credentials.master}) did not start: {message_of(error)}\n"
            f"Its log is {log_path(home)}. {java_needed(spark_minor())}, on PATH or JAVA_HOME."
        ) from error
    finally:
        os.close(kwargs["stdout"])
    atexit.register(_at_exit, os.getpid())
    return root


def _remote_session(credentials: Credentials) -> SparkSession:
    own = credentials.server_side_parameters
    if credentials.remote:
        return connect(credentials.remote, session_settings(local=False, own=own))
    home = home_for(credentials)
    server = running_server(home)
    if server is None:
        raise StrandlineSparkError(
            f"There is no warm server for {home}: run `strandline serve` first, or name one"
            " with `remote` (as in sc://localhost:15002) in profiles.yml."
        )
    with _process.mutex:
        # Runs through one server exclude each other too: appends of both would count twice.
        _take_lock(home, "client.lock", credentials)
    return connect(server.url, session_settings(local=True, own=own), server.token)


def _at_exit(pid: int) -> None:
    if os.getpid() == pid:  # a fork must not end its parent's JVM
        close()
