"""Builds the demo's SQL models through a Spark Thrift server on loopback, with dbt-spark alone.

    make thrift

A month of the demo is landed and built, then its last day. What needs a session (Python models, a
window whose rule is sequential) is built by a session of its own before, while no server runs.
Through Thrift it must be refused, with our message. All files are in target/thrift.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scripts.thrift_server import REFUSALS, thrift_server, written_profile

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "target" / "thrift"
MONTHS = 1
NEEDS_SESSION = ("flight_detections", "weather_detections", "late_destinations")


def main() -> int:
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
                profiles = written_profile(FOLDER / "profiles", port, "strandline")
                counts += counted(dbt(profiles, "build", "--target", "spark", "--exclude",
                                      *NEEDS_SESSION, "resource_type:unit_test"))  # fmt: skip
                if missing is None:
                    missing = not_refused(profiles)
    for name in missing or ():
        print(f"{name} is not refused as it must be")
    print(", ".join(f"{count} {kind}" for kind, count in sorted(counts.items())))
    return 0 if counts["passed"] and not counts["failed"] and not missing else 1


def land(days: Any, home: Path) -> None:
    from strandline.spark import close_session, session_for
    from strandline_demo.landings import Landings

    spark = session_for(".", "local", "profiles")
    print(Landings(spark, home).land(days))
    close_session(spark)


def close() -> None:
    from strandline.spark import close as close_driver

    close_driver()


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


if __name__ == "__main__":
    sys.exit(main())
