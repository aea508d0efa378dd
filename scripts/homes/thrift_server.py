"""A Spark Thrift server on loopback, on a home of Strandline; for the runs in other homes."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from strandline.spark.jars import delta_jars
from strandline.spark.jvm import (
    end_process,
    log_path,
    open_log,
    spark_env,
    spark_home,
    submit_arguments,
)
from strandline.spark.remote import listens
from strandline.spark.settings import SHORT_RUN_JAVA_OPTIONS, driver_settings

CLASS = "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2"
START_SECONDS = 180


@contextmanager
def thrift_server(home: Path) -> Iterator[int]:
    """Starts a server whose tables are those of `home`, gives its port, and stops it."""
    port = free_port()
    settings = driver_settings(home, "local[2]", delta_jars(), SHORT_RUN_JAVA_OPTIONS)
    output = open_log(home)
    with submit_arguments(home, settings) as arguments:
        command = [str(spark_home() / "bin" / "spark-submit"), "--class", CLASS, *arguments]
        command += ["spark-internal"]
        for name, value in {"port": port, "bind.host": "127.0.0.1"}.items():
            command += ["--hiveconf", f"hive.server2.thrift.{name}={value}"]
        server = subprocess.Popen(command, env=spark_env(), cwd=home, stdin=subprocess.DEVNULL,
                                  stdout=output, stderr=output)  # fmt: skip
        os.close(output)
        try:
            wait(server, port, home)
            yield port
        finally:
            server.terminate()
            end_process(server)


def wait(server: subprocess.Popen[bytes], port: int, home: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not listens(port):
        if server.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"The Thrift server did not start; its log is {log_path(home)}.")
        time.sleep(0.5)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
