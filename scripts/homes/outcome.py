"""One line for each run in another home."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from xml.etree import ElementTree

FOLDER = Path("target", "homes")
COLUMNS = (
    "date", "python", "java", "spark", "delta", "what", "passed", "failed", "skipped", "seconds",
)  # fmt: skip


@dataclass(frozen=True)
class Counts:
    """How many tests or models ended how; errors count as failed."""

    passed: int
    failed: int
    skipped: int


@dataclass(frozen=True)
class Outcome:
    """What a run in a home came to."""

    versions: Mapping[str, str]
    what: str
    counts: Counts
    seconds: int

    def row(self) -> dict[str, str]:
        now = datetime.now(timezone.utc)
        counts = {name: str(value) for name, value in vars(self.counts).items()}
        return {
            "date": f"{now:%Y-%m-%d}", **self.versions, "what": self.what, **counts,
            "seconds": str(self.seconds),
        }  # fmt: skip

    def line(self) -> str:
        return "  ".join(f"{name} {value}" for name, value in self.row().items())


def record(outcome: Outcome) -> None:
    """Adds the line to the table of all runs."""
    path = FOLDER / "outcomes.tsv"
    is_new = not path.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, delimiter="\t", lineterminator="\n")
        if is_new:
            writer.writeheader()
        writer.writerow(outcome.row())


def of_junit(report: Path) -> Counts:
    """The counts of pytest's report; one failure if it wrote none."""
    if not report.is_file():
        return Counts(0, 1, 0)
    suite = next(ElementTree.parse(report).getroot().iter("testsuite"))  # noqa: S314 - our own
    all_, failures, errors, skipped = (
        int(suite.attrib[name]) for name in ("tests", "failures", "errors", "skipped")
    )
    return Counts(all_ - failures - errors - skipped, failures + errors, skipped)
