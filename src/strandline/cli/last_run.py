"""What dbt's last run of a project did, by dbt's own record of it."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from strandline.cli.build import FAILED, TESTS

# Commands that run something; others replace the record, too.
RUNS = ("build", "retry", "run", "seed", "snapshot", "test")
MESSAGE = 300  # characters


@dataclass(frozen=True)
class Result:
    """What became of one model, test or other node; `message` is one line of dbt's text."""

    kind: str
    name: str
    status: str
    message: str = ""

    @property
    def is_test(self) -> bool:
        return self.kind in TESTS

    @property
    def failed(self) -> bool:
        return self.status in (*FAILED, "partial success")


@dataclass(frozen=True)
class LastRun:
    """The last run: its command, when it ended, how long it took, and what became of each node."""

    command: str
    ended_at: datetime
    seconds: float
    results: tuple[Result, ...]


def last_run(project: Path) -> LastRun | None:
    """By the record in the target folder of a project.

    Gives None if it is of a command that runs nothing, or cannot be read.
    """
    try:
        record = json.loads((_target(project) / "run_results.json").read_text(encoding="utf-8"))
        command = str(record["args"]["which"])
        if command not in RUNS:
            return None
        return LastRun(
            command,
            datetime.fromisoformat(record["metadata"]["generated_at"]),
            float(record["elapsed_time"]),
            tuple(_result(each) for each in record["results"]),
        )
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _result(record: dict[str, str | None]) -> Result:
    """A node is called `<kind>.<project>.<name>`; behind the name of a test follows a hash."""
    kind, *rest = str(record.get("unique_id") or "").split(".")
    message = " ".join((record.get("message") or "").split())
    return Result(kind, ".".join(rest[1:2]), str(record["status"]), message[:MESSAGE])


def _target(project: Path) -> Path:
    """Where dbt writes: an environment variable, or dbt_project.yml, or `target`."""
    import yaml

    given = yaml.safe_load((project / "dbt_project.yml").read_text(encoding="utf-8")) or {}
    return project / (os.environ.get("DBT_TARGET_PATH") or given.get("target-path") or "target")
