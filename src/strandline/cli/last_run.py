"""What the last runs of dbt in a project did, by dbt's own record of the last one.

The record has one run. Of each that `strandline` makes or sees a line is kept beside it.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from strandline.cli.build import FAILED, TESTS

# Commands that run something; others replace the record, too.
RUNS = ("build", "retry", "run", "seed", "snapshot", "test")
MESSAGE, QUERY = 300, 4_000  # characters
HISTORY = "strandline_runs.jsonl"
MOST = 1_000  # runs that are kept


@dataclass(frozen=True)
class Result:
    """What became of one model, test or other node.

    Attributes:
        message: dbt's text in one line.
        query: the compiled SQL of a test.
    """

    kind: str
    name: str
    status: str
    message: str = ""
    query: str = ""

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

    @property
    def tests(self) -> list[Result]:
        return [each for each in self.results if each.is_test]

    def failed(self, *, tests: bool) -> list[Result]:
        return [each for each in self.results if each.is_test == tests and each.failed]

    @property
    def warned(self) -> list[Result]:
        return [each for each in self.results if each.is_test and each.status == "warn"]


@dataclass(frozen=True)
class Run:
    """One run in few words: counts, and the names of what failed or warned.

    Attributes:
        at: when it ended, in ISO 8601.
    """

    at: str
    command: str
    seconds: float
    models: int
    failed: tuple[str, ...]
    tests: int
    failed_tests: tuple[str, ...]
    warned: tuple[str, ...]


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
    query = (record.get("compiled_code") or "").strip()[:QUERY] if kind in TESTS else ""
    return Result(kind, ".".join(rest[1:2]), str(record["status"]), message[:MESSAGE], query)


def note_run(project: Path) -> None:
    """Adds the last run of a project to those before, if it is not among them.

    What cannot be written is not kept: a run does not fail for it.
    """
    run = last_run(project)
    if run is None:
        return
    line = in_few_words(run)
    before = runs(project, MOST)
    if line.at in {each.at for each in before}:
        return
    lines = [json.dumps(asdict(each)) for each in [*before[1 - MOST :], line]]
    file = _target(project) / HISTORY
    new = file.with_suffix(f".{os.getpid()}")
    with suppress(OSError):
        new.write_text("\n".join(lines) + "\n", encoding="utf-8")
        new.replace(file)


def runs(project: Path, most: int) -> list[Run]:
    """The newest runs that are known, the oldest first; a damaged line is left out."""
    try:
        text = (_target(project) / HISTORY).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return []
    from pydantic import TypeAdapter, ValidationError

    known, found = TypeAdapter(Run), []
    for line in text.splitlines()[-most:]:
        with suppress(ValidationError):
            found.append(known.validate_json(line))
    return found


def in_few_words(run: LastRun) -> Run:
    def names(results: list[Result]) -> tuple[str, ...]:
        return tuple(each.name for each in results)

    return Run(
        at=run.ended_at.isoformat(),
        command=f"dbt {run.command}",
        seconds=round(run.seconds, 1),
        models=len(run.results) - len(run.tests),
        failed=names(run.failed(tests=False)),
        tests=len(run.tests),
        failed_tests=names(run.failed(tests=True)),
        warned=names(run.warned),
    )


def _target(project: Path) -> Path:
    """Where dbt writes: an environment variable, or dbt_project.yml, or `target`."""
    import yaml

    given = yaml.safe_load((project / "dbt_project.yml").read_text(encoding="utf-8")) or {}
    return project / (os.environ.get("DBT_TARGET_PATH") or given.get("target-path") or "target")
