"""Starts the JVM of a Spark driver or server: quiet, from the pyspark wheel, holding the lock."""

from __future__ import annotations

import logging
import os
import shlex
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pyspark

LOG4J = Path(__file__).with_name("log4j2.properties")
_LOG_LIMIT = 20 * 1024 * 1024  # bytes; a larger log is set aside as spark.log.1


def spark_home() -> Path:
    """The Spark of the installed pyspark wheel, never another one of `$SPARK_HOME`."""
    return Path(pyspark.__file__).parent


def spark_env() -> dict[str, str]:
    """The environment of every JVM: this Python for the workers, this Spark."""
    return {
        **os.environ,
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

    Whoever catches the error has all of it.
    """
    from pyspark.logger import PySparkLogger

    for name in ("DataFrameQueryContextLogger", "SQLQueryContextLogger"):
        PySparkLogger.getLogger(name).setLevel(logging.CRITICAL + 1)


def popen_kwargs(home: Path, lock_fd: int | None) -> dict[str, object]:
    """Arguments of Popen for a JVM whose output belongs in the log and which shares the lock.

    The lock belongs to the open file, so a JVM that inherits it keeps it until it has ended: when
    its Python is killed, nobody else may write while it still finishes a commit.
    """
    return {
        "stdout": open_log(home),
        "stderr": subprocess.STDOUT,
        "pass_fds": () if lock_fd is None else (lock_fd,),
    }


def open_log(home: Path) -> int:
    """A file descriptor that appends to `<home>/logs/spark.log`."""
    log = log_path(home)
    log.parent.mkdir(parents=True, exist_ok=True)
    if log.exists() and log.stat().st_size > _LOG_LIMIT:
        log.replace(log.with_name("spark.log.1"))
    return os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)


def log_path(home: Path) -> Path:
    return home / "logs" / "spark.log"


def submit_arguments(conf: Mapping[str, str]) -> list[str]:
    """`--conf key=value` for each setting."""
    return [part for key, value in conf.items() for part in ("--conf", f"{key}={value}")]
