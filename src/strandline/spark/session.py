"""Opens Spark sessions from the credentials of a dbt profile: embedded, cluster or connect."""

from __future__ import annotations

import atexit
import os
import shlex
import signal
import subprocess
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

from strandline.spark.errors import StrandlineSparkError, message_of
from strandline.spark.home import check_location, check_metastore, make_private
from strandline.spark.jars import delta_jars
from strandline.spark.jvm import (
    log_path,
    popen_kwargs,
    quiet_python,
    spark_env,
    submit_arguments,
)
from strandline.spark.lock import RunLock
from strandline.spark.remote import connect
from strandline.spark.server import running_server
from strandline.spark.settings import Credentials, driver_settings, session_settings

if TYPE_CHECKING:
    from py4j.java_gateway import JavaGateway
    from pyspark import SparkConf, SparkContext
    from pyspark.sql import SparkSession


_JVM_EXIT_SECONDS = 60  # with -XX:ArchiveClassesAtExit it writes 200 MB


class _Process:
    """What one process has: at most one home, one lock, one embedded driver."""

    def __init__(self) -> None:
        self.mutex = threading.RLock()
        self.home: Path | None = None
        self.lock: RunLock | None = None
        self.root: SparkSession | None = None
        self.jvm: subprocess.Popen[bytes] | None = None
        self.is_abandoned = False


_process = _Process()


def home_for(credentials: Credentials, project_dir: str | Path = ".") -> Path:
    """The folder of warehouse, metastore, lock and logs; relative ones count from the project."""
    return Path(project_dir, Path(credentials.home).expanduser()).resolve()


def open_session(credentials: Credentials) -> SparkSession:
    """A session of its own: own temp views and SQL settings, shared tables and executors.

    `method: session` starts the driver of this process on first use and takes the lock on its
    home; `method: connect` opens a remote session. The caller ends it with `close_session`.
    Raises StrandlineSparkError.
    """
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
            _set(session, key, value)
    return session


def close_session(session: SparkSession) -> None:
    """Ends one session. The driver of this process stays warm for the next one."""
    if is_remote(session):
        session.stop()


def is_remote(session: SparkSession) -> bool:
    """Whether a session speaks Spark Connect."""
    return not hasattr(session, "_jsparkSession")


def abandon() -> None:
    """From now on no answer of the driver is waited for: `close` ends its JVM as it is.

    For a process that is interrupted, whose threads may wait for Spark. What the JVM has not
    committed is not committed.
    """
    _process.is_abandoned = True
    if _process.jvm is not None and _process.jvm.stdin is not None:
        _process.jvm.stdin.close()  # the JVM watches this pipe


def close() -> None:
    """Stops the driver of this process, if any, and frees its lock."""
    with _process.mutex:
        if _process.root is not None and not _process.is_abandoned:
            gateway = _process.root.sparkContext._gateway
            _process.root.stop()
            if gateway is not None:
                # Else py4j's thread that frees Java objects would log that the JVM is gone.
                gateway._gateway_client.is_connected = False
        if _process.jvm is not None:
            _end(_process.jvm)
        if _process.lock is not None:
            _process.lock.free()
        _process.home = _process.lock = _process.root = _process.jvm = None


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
    lock.acquire(timeout=credentials.lock_timeout)
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
    is_here = check_location(home)
    own = credentials.server_side_parameters
    settings = driver_settings(
        home, credentials.master, delta_jars(), credentials.java_options, own
    )
    conf = SparkConf(loadDefaults=False).setAll(list(settings.items()))
    kwargs = popen_kwargs(home, lock.fd, credentials.master)
    try:
        with submit_arguments(home, settings) as arguments:
            # The developer's door of PySpark for the JVM's output: no descriptor of ours is moved.
            gateway = _gateway(arguments, kwargs)
        _process.jvm = gateway.proc
        root = _process.root = SparkSession(_context(conf, gateway))
        if not is_here:
            check_metastore(root, home)
    except StrandlineSparkError:
        raise
    except Exception as error:
        raise StrandlineSparkError(
            f"Spark ({credentials.master}) did not start: {message_of(error)}\n"
            f"Its own words are in {log_path(home)}. Java 17 or 21 is needed on PATH or JAVA_HOME."
        ) from error
    finally:
        os.close(kwargs["stdout"])
    atexit.register(_at_exit, os.getpid())
    return root


def _gateway(arguments: list[str], kwargs: dict[str, Any]) -> JavaGateway:
    """Starts the JVM; PySpark takes arguments of spark-submit from the environment alone."""
    from pyspark.java_gateway import launch_gateway

    before = dict(os.environ)
    theirs = before.get("PYSPARK_SUBMIT_ARGS", "pyspark-shell")
    os.environ.update(spark_env(), PYSPARK_SUBMIT_ARGS=f"{shlex.join(arguments)} {theirs}")
    try:
        return launch_gateway(popen_kwargs=kwargs)
    finally:
        for name in ("LC_ALL", "PYSPARK_SUBMIT_ARGS"):
            if name in before:
                os.environ[name] = before[name]
            else:
                os.environ.pop(name, None)


def _context(conf: SparkConf, gateway: JavaGateway) -> SparkContext:
    """PySpark's context; it replaces Python's own handler of Ctrl-C only, not another one."""
    from pyspark import SparkContext

    handler = signal.getsignal(signal.SIGINT)
    context = SparkContext(conf=conf, gateway=gateway)
    is_main = threading.current_thread() is threading.main_thread()
    if is_main and handler is not signal.default_int_handler:
        signal.signal(signal.SIGINT, handler)
    return context


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


def _set(session: SparkSession, key: str, value: str) -> None:
    from pyspark.errors import AnalysisException

    try:
        session.conf.set(key, value)
    except AnalysisException as error:
        # Static settings count from the start of the driver, where they were given already.
        if "CANNOT_MODIFY" not in str(error):
            raise


def _end(jvm: subprocess.Popen[bytes]) -> None:
    """Closes the pipe that the JVM watches, and waits: the lock must be free when we have left."""
    if jvm.stdin is not None:
        jvm.stdin.close()
    try:
        jvm.wait(_JVM_EXIT_SECONDS)
    except subprocess.TimeoutExpired:
        jvm.kill()
        jvm.wait()


def _at_exit(pid: int) -> None:
    if os.getpid() == pid:  # a fork must not end its parent's JVM
        close()
