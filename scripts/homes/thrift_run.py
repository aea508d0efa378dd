"""Lands a month of the demo, builds, lands their last day, builds again: SQL models by Thrift.

What needs a session (Python models, a window whose rule is sequential) is built by a session of
its own before, while no server runs. Through Thrift it must be refused, with our message.

Called by `scripts.homes.thrift` in the environment of a home, with the folder of all files.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scripts.homes.thrift_server import thrift_server

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


def main(folder: Path) -> None:
    from strandline.cli.project import settings_of_run
    from strandline_demo.year import Year

    shutil.rmtree(folder, ignore_errors=True)
    counts: Counter[str] = Counter()
    for days in Year(MONTHS).landings():
        with settings_of_run(days.as_of):
            print(f"== {days.name}: landing, and what needs a session", flush=True)
            landed(days)
            own = dbt(Path("profiles"), "run", "--target", "local", "--select",
                      *(f"+{name}" for name in NEEDS_SESSION))  # fmt: skip
            expect(own, set(), "session")
            close()
            print(f"== {days.name}: SQL models by Thrift", flush=True)
            with thrift_server(Path(os.environ["STRANDLINE_HOME"])) as port:
                profiles = written(folder / "profiles", port)
                by_thrift = dbt(profiles, "build", "--target", "spark", "--exclude",
                                *NEEDS_SESSION, "resource_type:unit_test")  # fmt: skip
                counts += counted(by_thrift)
                if "refused" not in counts:
                    counts["refused"] = refused(profiles)
    counts["failed"] += len(REFUSALS) - counts.pop("refused")
    result = {name: counts[name] for name in ("passed", "failed", "skipped")}
    (folder / "counts.json").write_text(json.dumps(result))


def landed(days: Any) -> None:
    from strandline.spark import close_session, session_for
    from strandline_demo.landings import Landings

    spark = session_for(".", "local", "profiles")
    print(Landings(spark, Path(os.environ["STRANDLINE_HOME"])).land(days))
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


def refused(profiles: Path) -> int:
    """How many of `REFUSALS` our adapter answers without a session."""
    results = dbt(profiles, "run", "--target", "strandline", "--full-refresh",
                  "--select", *REFUSALS)  # fmt: skip
    return sum(REFUSALS[each.node.name] in str(each.message) for each in results)


def expect(results: Sequence[Any], failed: set[str], where: str) -> None:
    found = {each.node.name for each in results if str(each.status) != "success"}
    if found != failed:
        sys.exit(f"{where}: failed are {sorted(found)}, expected {sorted(failed)}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
