"""Builds the demo's SQL models through a Spark Thrift server on loopback, with dbt-spark alone.

    make thrift

A month of the demo is landed and built, then its last day. What needs a session (Python models, a
window whose rule is sequential) is built by a session of its own before, while no server runs.
Through Thrift it must be refused, with our message. All files are in target/thrift.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

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

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "target" / "thrift"
PACKAGES = ROOT / "target" / "thrift-packages"  # what speaks to a Thrift server
CLASS = "org.apache.spark.sql.hive.thriftserver.HiveThriftServer2"
START_SECONDS = 180
MONTHS = 1
NEEDS_SESSION = ("flight_detections", "weather_detections", "late_destinations")
# What a target without a session answers, for a Python model and for a folded window.
REFUSALS = {
    "flight_detections": "which takes SQL only. Take a target of `type: strandline`",
    "late_destinations": "the connection is not of type strandline with method session",
}
TARGET = """
    {name}:
      type: {name}
      method: thrift
      schema: strandline
      host: 127.0.0.1
      port: {port}
      user: dbt
      auth: NONE
      poll_interval: 1
      connect_retries: 3
      threads: 2
"""


def main() -> int:
    install_packages()
    from strandline.cli.project import settings_of_run
    from strandline_demo.year import Year

    shutil.rmtree(FOLDER, ignore_errors=True)
    home = FOLDER / "home"
    os.environ |= {"STRANDLINE_HOME": str(home), "DBT_SEND_ANONYMOUS_USAGE_STATS": "false"}
    counts: Counter[str] = Counter()
    missing: list[str] | None = None
    for days in Year(MONTHS).landings():
        with settings_of_run(days.as_of):
            print(f"== {days.name}: landing, and what needs a session", flush=True)
            land(days, home)
            own = dbt(Path("profiles"), "run", "--target", "local", "--select",
                      *(f"+{name}" for name in NEEDS_SESSION))  # fmt: skip
            if failed := [each.node.name for each in own if str(each.status) != "success"]:
                sys.exit(f"by a session {', '.join(failed)} failed")
            close()
            print(f"== {days.name}: SQL models by Thrift", flush=True)
            with thrift_server(home) as port:
                profiles = written(FOLDER / "profiles", port)
                counts += counted(dbt(profiles, "build", "--target", "spark", "--exclude",
                                      *NEEDS_SESSION, "resource_type:unit_test"))  # fmt: skip
                if missing is None:
                    missing = not_refused(profiles)
    for name in missing or ():
        print(f"{name} is not refused as it must be")
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    return 0 if counts["passed"] and not counts["failed"] and not missing else 1


def install_packages() -> None:
    """Beside the environment: nothing else needs them. They are imported with dbt-spark."""
    if not PACKAGES.is_dir():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-input", "--no-deps"]
        command += ["--no-build-isolation", "--require-hashes", "--target", str(PACKAGES)]
        requirements = ROOT / "requirements" / "thrift.txt"
        if subprocess.run([*command, "-r", str(requirements)]).returncode:
            sys.exit("What speaks to a Thrift server could not be installed.")
    sys.path.insert(0, str(PACKAGES))


def land(days: Any, home: Path) -> None:
    from strandline.spark import close_session, session_for
    from strandline_demo.landings import Landings

    spark = session_for(".", "local", "profiles")
    print(Landings(spark, home).land(days))
    close_session(spark)


def close() -> None:
    from strandline.spark import close as close_driver

    close_driver()


def written(folder: Path, port: int) -> Path:
    """The profile whose targets are the server: plain dbt-spark, and our adapter."""
    targets = "".join(TARGET.format(name=name, port=port) for name in ("spark", "strandline"))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "profiles.yml").write_text(f"strandline_demo:\n  target: spark\n  outputs:{targets}")
    return folder


def dbt(profiles: Path, *arguments: str) -> Sequence[Any]:
    """The results of a run of dbt in this process."""
    from dbt.cli.main import dbtRunner

    done = dbtRunner().invoke([*arguments, "--profiles-dir", str(profiles), "--no-use-colors"])
    if done.exception:
        raise done.exception
    return done.result.results


def counted(results: Sequence[Any]) -> Counter[str]:
    kinds = {"success": "passed", "pass": "passed", "skipped": "skipped", "no-op": "skipped"}
    return Counter(kinds.get(str(each.status), "failed") for each in results)


def not_refused(profiles: Path) -> list[str]:
    """Those of `REFUSALS` to which our adapter has another answer without a session."""
    results = dbt(profiles, "run", "--target", "strandline", "--full-refresh",
                  "--select", *REFUSALS)  # fmt: skip
    said = {each.node.name: str(each.message) for each in results}
    return [name for name, words in REFUSALS.items() if words not in said.get(name, "")]


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


if __name__ == "__main__":
    sys.exit(main())
