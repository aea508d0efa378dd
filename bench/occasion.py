"""When, where and at which commit something is measured, and how quiet the machine is."""

from __future__ import annotations

import os
import platform
import re
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass
from datetime import datetime, timezone
from importlib.metadata import version
from pathlib import Path

QUICK = "STRANDLINE_BENCH_QUICK"  # set by `python -m bench --quick` for what it runs
_SECONDS = 2.0  # of looking at the other work of the machine
_ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Occasion:
    """The circumstances of a measurement.

    Attributes:
        date: the day in UTC, yyyy-MM-dd.
        commit: the short hash, with `+` if files were changed since.
        machine: cores, processor and memory. No name of the host.
        versions: of Python, Spark and dbt.
        busy: cores that others kept busy just before it began: 0 is a quiet machine.
        load: load average of one minute before it began; our own earlier benchmarks are in it.
        quick: measured by a quick run, on which no goal is judged.
        command: what was run, without the places of files.
    """

    date: str
    commit: str
    machine: str
    versions: str
    busy: float
    load: float
    quick: bool = False
    command: str = ""


def is_quick() -> bool:
    """Whether this is part of a quick run: nothing is warmed up, since no goal is judged."""
    return bool(os.environ.get(QUICK))


def occasion() -> Occasion:
    """The circumstances now. Takes two seconds: call it before a benchmark starts its work."""
    return Occasion(
        date=datetime.now(timezone.utc).date().isoformat(),
        commit=_commit(),
        machine=_machine(),
        versions=(
            f"Python {platform.python_version()}, Spark {version('pyspark')}, "
            f"dbt {version('dbt-core')}, DuckDB {version('duckdb')}"
        ),
        busy=round(_busy_cores(), 2),
        load=round(os.getloadavg()[0], 2),
        quick=is_quick(),
        command=_command(sys.argv[1:]),
    )


def _command(args: list[str]) -> str:
    """`python -m bench.tick --rounds 5`."""
    spec = sys.modules["__main__"].__spec__
    module = spec.name.removesuffix(".__main__") if spec else "bench"
    kept = [
        each
        for before, each in zip(["", *args], args, strict=False)
        if not {before, each} & {"--json", "--home"}
    ]
    return shlex.join(["python", "-m", module, *kept])


def _commit() -> str:
    """Changes of the results and of the page themselves do not count."""
    commit = _git("rev-parse", "--short=10", "HEAD")
    files = (":!bench/results.json", ":!docs/performance.md", ":!docs/performance")
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", ".", *files)
    return f"{commit}+" if changed else commit


def _git(*args: str) -> str:
    done = subprocess.run(["git", *args], cwd=_ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() or ("unknown" if args[0] == "rev-parse" else "")


def _machine() -> str:
    names = re.findall(r"^model name\s*:\s*(.+)$", Path("/proc/cpuinfo").read_text(), re.M)
    gib = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    cores = len(os.sched_getaffinity(0))
    processor = names[0].strip() if names else platform.machine()
    return f"{cores} cores, {processor}, {gib:.0f} GiB"


def _busy_cores() -> float:
    """The processor time per second that is neither idle nor waiting for a disk."""
    before, began = _busy_ticks(), time.monotonic()
    time.sleep(_SECONDS)
    ticks = _busy_ticks() - before
    return ticks / os.sysconf("SC_CLK_TCK") / (time.monotonic() - began)


def _busy_ticks() -> int:
    """user, nice, system, irq, softirq and steal of all cores (man 5 proc)."""
    line = Path("/proc/stat").read_text().splitlines()[0]
    fields = [int(each) for each in line.split()[1:9]]
    return sum(fields) - fields[3] - fields[4]
