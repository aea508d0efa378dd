"""Starts the JVM of a Spark driver or server: quiet, from the pyspark wheel, holding the lock."""

from __future__ import annotations

import logging
import os
import shlex
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from strandline.spark.home import write_private

if TYPE_CHECKING:
    from py4j.java_gateway import JavaGateway
    from pyspark import SparkConf, SparkContext

LOG4J = Path(__file__).with_name("log4j2.properties")
_LOG_LIMIT = 20 * 1024 * 1024  # bytes; a larger log is set aside as spark.log.1


JVM_EXIT_SECONDS = 60


def spark_home() -> Path:
    """The Spark of the installed pyspark wheel, never another one of `$SPARK_HOME`."""
    import pyspark

    return Path(pyspark.__file__).parent


def spark_env() -> dict[str, str]:
    """The environment of every JVM: this Python for the workers, this Spark, names in UTF-8."""
    charset = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_CTYPE", "LANG"))), "")
    # In another charset Java does not find a file whose name has an umlaut.
    utf8 = {} if charset.lower().endswith(("utf-8", "utf8")) else {"LC_ALL": "C.UTF-8"}
    return {
        **os.environ,
        **utf8,
        "SPARK_HOME": str(spark_home()),
        "PYSPARK_PYTHON": sys.executable,
        "PYSPARK_DRIVER_PYTHON": sys.executable,
    }


def quiet_java_options(home: Path) -> str:
    """Java options that keep log4j, Hive and Derby in `<home>/logs`."""
    derby_log = home / "logs" / "derby.log"
    return (
        f"{shlex.quote(f'-Dlog4j2.configurationFile={LOG4J.as_uri()}')}"
        f" {shlex.quote(f'-Dderby.stream.error.file={derby_log}')}"
    )


def quiet_python() -> None:
    """Keeps PySpark from writing each error, with its JVM stack, to stderr as JSON.

    The error contains all of it.
    """
    from pyspark.logger import PySparkLogger

    for name in ("DataFrameQueryContextLogger", "SQLQueryContextLogger"):
        PySparkLogger.getLogger(name).setLevel(logging.CRITICAL + 1)
    logging.getLogger("py4j.clientserver").setLevel(logging.CRITICAL + 1)


def popen_kwargs(
    home: Path, lock_fd: int | None, master: str, *, is_apart: bool = False
) -> dict[str, Any]:
    """Arguments of Popen for a JVM: output to the log, the lock shared, its files private.

    `is_apart`: it gets no signal for the group of its process; it ends with the process all the
    same.

    On a cluster the account's own umask applies: executors may run as another account.

    The lock belongs to the open file, so a JVM that inherits it keeps it until it has ended: when
    its Python is killed, nobody else may write while it still finishes a commit.
    """
    return {
        "stdout": open_log(home),
        "stderr": subprocess.STDOUT,
        "pass_fds": () if lock_fd is None else (lock_fd,),
        "start_new_session": is_apart,
        # Spark keeps rows in the folder of temporary files, too. -1 leaves the umask as it is.
        "umask": 0o077 if master.startswith("local") else -1,
    }


def open_log(home: Path) -> int:
    """A file descriptor that appends to `<home>/logs/spark.log`."""
    log = log_path(home)
    log.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if log.exists() and log.stat().st_size > _LOG_LIMIT:
        log.replace(log.with_name("spark.log.1"))
    return os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)


def log_path(home: Path) -> Path:
    return home / "logs" / "spark.log"


@contextmanager
def submit_arguments(home: Path, conf: Mapping[str, str]) -> Iterator[list[str]]:
    """The arguments of spark-submit that make the settings, valid until the JVM has started.

    They name a private file: every account of the machine can read a command line, and a profile
    may hold the keys of a store.
    """
    path = home / "starting.conf"
    lines = (f"{_property(key)}={_property(value)}\n" for key, value in conf.items())
    write_private(path, "".join(lines))
    try:
        yield ["--load-spark-defaults", "--properties-file", str(path)]
    finally:
        path.unlink(missing_ok=True)


def _property(text: str) -> str:
    """A key or value in a file of Java properties."""
    return "".join(f"\\u{ord(sign):04x}" if sign in "\\ \n\r\t=:#!" else sign for sign in text)


def start_jvm(arguments: list[str], kwargs: dict[str, Any]) -> JavaGateway:
    """Starts the JVM; PySpark reads arguments of spark-submit from the environment alone."""
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


def context_of(conf: SparkConf, gateway: JavaGateway) -> SparkContext:
    """PySpark's context; it replaces Python's own handler of Ctrl-C only, not another one."""
    from pyspark import SparkContext

    handler = signal.getsignal(signal.SIGINT)
    context = SparkContext(conf=conf, gateway=gateway)
    is_main = threading.current_thread() is threading.main_thread()
    if is_main and handler is not signal.default_int_handler:
        signal.signal(signal.SIGINT, handler)
    return context


def forget_gateway() -> None:
    """PySpark keeps the way to a JVM that has ended, and would take it for the next one."""
    from pyspark import SparkContext

    SparkContext._gateway = SparkContext._jvm = None


def end_process(process: subprocess.Popen[Any], seconds: float = JVM_EXIT_SECONDS) -> None:
    """Closes the pipe that the process watches, and waits: the lock must be free when we have left.

    It is killed if it has not ended after so many seconds.
    """
    if process.stdin is not None:
        process.stdin.close()
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
