"""A Spark Thrift server on loopback, for `make thrift` and for the tests."""

from __future__ import annotations

import os
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
from strandline.spark.remote import any_port, listens
from strandline.spark.settings import SHORT_RUN_JAVA_OPTIONS, driver_settings

CLASS = "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2"
START_SECONDS = 180
# What a target without a session answers, for a Python model and for a folded window of the demo.
REFUSALS = {
    "flight_detections": (
        "Python model flight_detections: it runs in a Spark session, and this target has "
        "`method: thrift`, which takes SQL only. Take a target of `type: strandline` with "
        "`method: session` or `method: connect`, or leave the model out: "
        "`dbt build --exclude flight_detections+` (docs/profiles.md)."
    ),
    "late_destinations": (
        "window_table of late_destinations:\n    - this `store` is computed row after row in the "
        "driver's session, and the connection is not of type strandline with method session or "
        "connect; take such a profile (docs/windows.md)"
    ),
}
TARGET = """
    {name}:
      type: {name}
      method: thrift
      schema: {schema}
      host: 127.0.0.1
      port: {port}
      user: dbt
      auth: NONE
      poll_interval: 1
      connect_retries: 3
      threads: 2
"""


@contextmanager
def thrift_server(home: Path) -> Iterator[int]:
    """Starts a server whose tables are those of `home`, gives its port, and stops it."""
    port = any_port()
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
            _wait(server, port, home)
            yield port
        finally:
            server.terminate()
            end_process(server)


def _wait(server: subprocess.Popen[bytes], port: int, home: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not listens(port):
        if server.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"The Thrift server did not start; its log is {log_path(home)}.")
        time.sleep(0.5)


def written_profile(folder: Path, port: int, schema: str, more: str = "") -> Path:
    """The demo's profile with the server as target: by plain dbt-spark, and by our adapter.

    `more` has other targets.
    """
    targets = "".join(
        TARGET.format(name=name, port=port, schema=schema) for name in ("spark", "strandline")
    )
    folder.mkdir(parents=True, exist_ok=True)
    text = f"strandline_demo:\n  target: spark\n  outputs:{targets}{more}"
    (folder / "profiles.yml").write_text(text)
    return folder
