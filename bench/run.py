"""One step of the plan after the other, each in a process of its own; what it gave is kept."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bench.occasion import QUICK
from bench.plan import Step
from bench.project import ROOT
from bench.results import Result, load
from rich.console import Console
from rich.markup import escape

from strandline.cli.progress import Line, Steps

LOGS = ROOT / "target" / "bench"
_LOOK = 0.5  # seconds between two looks at a log


class FailedError(Exception):
    """A benchmark ended with an error; its log has more."""


def run_all(
    steps: Sequence[Step], quick: bool, console: Console, keep: Callable[[list[Result]], None]
) -> list[str]:
    """Runs the steps and hands the results of each to `keep`; gives a line for each that failed."""
    failed = []
    progress, began = Steps(console, of=len(steps)), time.monotonic()
    for nth, step in enumerate(steps):
        left = sum(each.minutes for each in steps[nth:])
        gone = (time.monotonic() - began) / 60
        title = f"{step.name} ({gone:.0f} min gone, about {left:.0f} left)"
        try:
            with progress.step(title) as line:
                results = run(step, quick, line)
                keep(results)
                line.report(f"{len(results)} figures")
        except FailedError as error:
            failed.append(str(error))
    return failed


def run(step: Step, quick: bool, line: Line) -> list[Result]:
    """The results of one step. Raises FailedError."""
    LOGS.mkdir(parents=True, exist_ok=True)
    log = LOGS / f"{step.name.replace(', ', '_')}.log"
    with tempfile.TemporaryDirectory(prefix="strandline-bench-") as folder:
        file = Path(folder) / "results.json"
        command = [sys.executable, "-m", f"bench.{step.benchmark}", *step.args, "--json", str(file)]
        env = os.environ | {"PYTHONUNBUFFERED": "1", "COLUMNS": "120"}
        env |= {QUICK: "1"} if quick else {}
        with log.open("w") as out:
            child = subprocess.Popen(
                command, cwd=ROOT, env=env, stdout=out, stderr=subprocess.STDOUT
            )
            try:
                while child.poll() is None:
                    line.report(escape(last_line(log)))
                    time.sleep(_LOOK)
            finally:
                if child.poll() is None:  # interrupted: let it close Spark and remove its folder
                    child.terminate()
                    child.wait()
        if child.returncode:
            raise FailedError(
                f"{step.name} ended with {child.returncode}: {last_line(log)}"
                f"\n  its log: {log.relative_to(ROOT)}"
            )
        return load(file)


def last_line(log: Path) -> str:
    """The last line of text in a log."""
    lines = [each.strip() for each in log.read_text(errors="replace").splitlines()]
    return next((each for each in reversed(lines) if each), "")
