"""Runs a cross-section of the suite in another home, and writes one line of what came of it.

    make homes                                           this Python, this Java, the locked Spark
    make homes ARGS="--python python3.12"                another Python
    make homes ARGS="--java /usr/lib/jvm/java-21"        another Java, also one that is refused
    make homes ARGS="--spark 4.1"                        another Spark, with pins of its own
    make homes ARGS="--thrift"                           the demo's SQL models by a Thrift server
    make homes ARGS="tests/unit"                         other tests than the cross-section

Each home has an environment of its own in target/homes, made from the lock files. The line is
added to target/homes/outcomes.tsv; the output of the tests is in target/homes/<name>.log.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from pathlib import Path

from scripts.homes import thrift
from scripts.homes.home import SPARKS, Home, made
from scripts.homes.outcome import FOLDER, Counts, Outcome, of_junit, record

# What is most likely to differ between homes: types and times of Python, the JVM's start and end,
# workers in Python, Arrow, the planner, Delta's commits. About six minutes on two cores.
CROSS_SECTION = (
    "tests/unit",
    "tests/e2e/adapter/test_sessions.py",
    "tests/e2e/adapter/test_python_models.py",
    "tests/e2e/adapter/test_seeds.py",
    "tests/e2e/adapter/test_errors.py",
    "tests/e2e/consumer/test_readme_example.py",
    "tests/engine/landing/test_exactly_once.py",
    "tests/engine/aggregation/test_event_times.py",
    "tests/engine/time_weight/test_golden_on_spark.py",
    "tests/engine/detection/test_contract.py",
    "tests/engine/anomalies/test_cases.py",
    "tests/engine/windows/test_sequential.py",
    "tests/engine/correlation/test_examples_on_spark.py",
)
# A server for Spark Connect and a cluster of Spark's own: processes of their own.
SERVERS = ("tests/e2e/adapter/test_serve.py", "tests/e2e/adapter/test_cluster.py")


def main() -> int:
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser("make homes ARGS=", description=__doc__, formatter_class=raw)
    parser.add_argument("--python", default=sys.executable, help="the Python of the home")
    parser.add_argument("--java", type=Path, help="its JAVA_HOME (default: the environment's)")
    parser.add_argument("--spark", choices=sorted(SPARKS), help="its Spark (default: the locked)")
    parser.add_argument("--thrift", action="store_true", help="build through a Thrift server")
    parser.add_argument("--servers", action="store_true", help="test Connect and a cluster instead")
    parser.add_argument("tests", nargs="*", help="what to run instead of the cross-section")
    given, options = parser.parse_known_args()
    home = made(given.python, given.java, given.spark)
    print(f"{home.name}: {'the Thrift server' if given.thrift else 'testing'} …", flush=True)
    began = time.monotonic()
    if given.thrift:
        what, counts = "thrift", thrift.built(home)
    else:
        tests = given.tests or (SERVERS if given.servers else CROSS_SECTION)
        chosen = "chosen" if given.tests else "servers" if given.servers else "cross-section"
        what, counts = chosen, tested(home, [*tests, *options])
    outcome = Outcome(home.versions(), what, counts, round(time.monotonic() - began))
    record(outcome)
    print(outcome.line())
    return 0 if counts.passed and not counts.failed else 1


def tested(home: Home, arguments: list[str]) -> Counts:
    """Runs pytest in one process; what it counted. Its output goes to the log of the home."""
    report = home.clone / FOLDER / f"{home.name}.xml"
    report.parent.mkdir(parents=True, exist_ok=True)
    report.unlink(missing_ok=True)
    (FOLDER / f"{home.name}.log").unlink(missing_ok=True)
    has_servers = any(each in SERVERS for each in arguments)
    marks = "not browser" if has_servers else "not browser and not soak"
    command = [home.python, "-m", "pytest", "-p", "no:cacheprovider", f"--junitxml={report}"]
    home.run([*command, "-m", marks, *arguments], log=f"{home.name}.log")
    return of_junit(report)


if __name__ == "__main__":
    os.chdir(Path(__file__).parents[2])
    # A shell that starts it in the background has Ctrl-C ignored, and the tests send it.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.exit(main())
