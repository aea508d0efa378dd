"""What a benchmark measured: figures beside their peers and goals, in memory and as JSON.

A benchmark makes a `Result` for each figure and writes them with `save`. `python -m bench` merges
these files into docs/performance/results.json:

    {"results": [{
        "benchmark": "aggregation", "kind": "full refresh",
        "what": "full refresh of six tables, 10 million events", "rows": 10000000, "unit": "s",
        "ours": {"runs": [56.1, 57.0, 56.7], "median": 56.7, "min": 56.1, "max": 57.0,
                 "heap": 2579},
        "peers": {"plain Spark": {"runs": …}}, "ratios": {"plain Spark": 0.93},
        "goals": [{"text": "at most 1.15 × plain Spark", "most": 1.15, "peer": "plain Spark",
                   "value": 0.93, "held": true}],
        "note": "", "series": "", "x": null, "on": {"date": …, "commit": …, "machine": …}
    }]}

Medians, ratios and goals are derived: they are written for readers and computed again when read.
"""

from __future__ import annotations

import json
import os
import platform
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timezone
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "docs" / "performance" / "results.json"
QUICK_VARIABLE = "STRANDLINE_BENCH_QUICK"  # set by `python -m bench --quick` for what it runs
_SECONDS = 2.0  # of looking at the other work of the machine
# In the order in which they run and stand on the page.
BENCHMARKS = (
    "tick", "aggregation", "time_weight", "detection", "windows", "correlation", "anomalies",
)  # fmt: skip
# Names of peers, as results and goals write them.
SPARK, DUCKDB, POLARS, BY_HAND = "plain Spark", "DuckDB", "Polars", "merge by hand"
# What an increment over many events is compared with: the same over a million.
MILLION = "over 1 million"
# Kinds of figures.
FULL, INCREMENT, NOTHING = "full refresh", "increment", "nothing new"


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
        quick: measured by a quick run, on which no goal is checked.
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


@dataclass(frozen=True)
class Runs:
    """What the counted runs of one engine took, in the unit of the result.

    `heap` is the peak of the driver's Java heap in MiB, none where no JVM of ours works.
    """

    runs: tuple[float, ...]
    heap: float | None = None

    @classmethod
    def of(cls, runs: Iterable[float], heap: float | None = None) -> Runs:
        return cls(tuple(runs), heap)

    @property
    def median(self) -> float:
        return median(self.runs)

    @property
    def low(self) -> float:
        return min(self.runs)

    @property
    def high(self) -> float:
        return max(self.runs)

    def as_json(self) -> dict[str, Any]:
        spread = {"median": self.median, "min": self.low, "max": self.high}
        shown = {"runs": list(self.runs)} | spread | ({"heap": self.heap} if self.heap else {})
        return {key: _rounded(value) for key, value in shown.items()}


@dataclass(frozen=True)
class Result:
    """One figure, beside its peers.

    Attributes:
        benchmark: the module of bench/.
        kind: which figure; goals and plots find it by this.
        what: the figure in words, with the size: "full refresh of six tables, 10 million events".
        ours: our runs.
        on: when, where and at which commit it was measured.
        peers: the runs of the others, measured in turn with ours, by their names above.
        rows: rows in the source; none where that means nothing.
        unit: of all figures, seconds unless stated.
        note: what a reader must know beside the figure: memory, Spark jobs, what a peer cannot do.
        series: for growth, what grows ("events", "keys", …); empty else.
        x: for growth, the value of what grows.
    """

    benchmark: str
    kind: str
    what: str
    ours: Runs
    on: Occasion
    peers: Mapping[str, Runs] = field(default_factory=dict)
    rows: int | None = None
    unit: str = "s"
    note: str = ""
    series: str = ""
    x: float | None = None

    @cached_property
    def ratios(self) -> dict[str, float]:
        """Our median as a multiple of each peer's."""
        return {
            name: self.ours.median / peer.median
            for name, peer in self.peers.items()
            if peer.median > 0
        }

    def as_json(self) -> dict[str, Any]:
        """With everything that is derived."""
        return {
            "benchmark": self.benchmark, "kind": self.kind, "what": self.what, "rows": self.rows,
            "unit": self.unit, "ours": self.ours.as_json(),
            "peers": {name: peer.as_json() for name, peer in self.peers.items()},
            "ratios": {name: _rounded(ratio) for name, ratio in self.ratios.items()},
            "goals": [asdict(goal) | {"value": _rounded(goal.value)} for goal in outcomes(self)],
            "note": self.note, "series": self.series, "x": self.x, "on": asdict(self.on),
        }  # fmt: skip

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> Result:
        """What `as_json` gave; what is derived is computed again."""
        return cls(
            ours=_runs(stored["ours"]), on=Occasion(**stored["on"]),
            peers={name: _runs(peer) for name, peer in stored["peers"].items()},
            **{
                key: stored[key]
                for key in ("benchmark", "kind", "what", "rows", "unit", "note", "series", "x")
            },
        )  # fmt: skip


@dataclass(frozen=True)
class Goal:
    """A bound of one kind of figure of one benchmark.

    Attributes:
        benchmark: the module of bench/.
        kind: which of its figures.
        most: at most so many times the peer's median, or so many seconds if there is no peer.
        peer: a name in the result's `peers`, or none.
        rows: the goal is not checked on fewer rows in the source.
    """

    benchmark: str
    kind: str
    most: float
    peer: str | None = None
    rows: int = 0

    @property
    def text(self) -> str:
        """`at most 1.15 × plain Spark`, or `at most 5 s`."""
        return f"at most {self.most:g} {f'× {self.peer}' if self.peer else 's'}"


GOALS = (
    Goal("aggregation", FULL, 1.15, SPARK, 10_000_000),
    Goal("aggregation", INCREMENT, 5, None, 10_000_000),
    Goal("time_weight", FULL, 0.7, SPARK, 9_000_000),
    Goal("time_weight", FULL, 2, DUCKDB, 9_000_000),
    Goal("detection", FULL, 0.25, SPARK, 10_000_000),
    Goal("detection", FULL, 4, DUCKDB, 10_000_000),
    Goal("windows", FULL, 1.2, SPARK, 1_000_000),
    Goal("windows", FULL, 5, DUCKDB, 1_000_000),
    Goal("windows", INCREMENT, 1.25, MILLION, 5_000_000),
    Goal("correlation", INCREMENT, 1.25, MILLION, 5_000_000),
    Goal("tick", "nothing new, connect", 5),
    Goal("tick", "nothing new, local", 14),
    Goal("tick", "a model, connect", 0.1),
    Goal("tick", "a model, local", 0.1),
    Goal("tick", "second demo", 30),
)


@dataclass(frozen=True)
class Outcome:
    """Whether one goal is met: `value` is a multiple of the peer, or seconds."""

    text: str
    most: float
    peer: str | None
    value: float
    held: bool | None


def outcomes(result: Result) -> tuple[Outcome, ...]:
    """The goals of a result. `held` is none if the source is too small, or it was a quick run.

    A goal beside a peer that was not measured is left out; so are goals of growth series.
    """
    goals = [
        goal
        for goal in GOALS
        if (goal.benchmark, goal.kind) == (result.benchmark, result.kind) and not result.series
    ]
    return tuple(
        Outcome(goal.text, goal.most, goal.peer, value, _held(goal, result, value))
        for goal in goals
        if (value := _value(goal.peer, result.ours.median, result.ratios)) is not None
    )


def _value(peer: str | None, median: float, ratios: Mapping[str, float]) -> float | None:
    return ratios.get(peer) if peer else median


def _held(goal: Goal, result: Result, value: float) -> bool | None:
    if result.on.quick or (result.rows or 0) < goal.rows:
        return None
    return value <= goal.most


def load(path: Path) -> list[Result]:
    """The results of a file; none if there is no such file."""
    if not path.exists():
        return []
    return [Result.from_json(one) for one in json.loads(path.read_text())["results"]]


def save(path: Path, results: Iterable[Result]) -> None:
    """Writes the results, whole or not at all."""
    text = json.dumps({"results": [one.as_json() for one in results]}, indent=1, ensure_ascii=False)
    new = path.with_name(f".{path.name}.new")
    new.write_text(text + "\n")
    new.replace(path)


def merged(old: Iterable[Result], new: Iterable[Result]) -> list[Result]:
    """The old results, and the new ones in the place of those of the same benchmark and series.

    What was measured earlier of other benchmarks stays. The order is that of the names.
    """
    new = list(new)
    replaced = {(one.benchmark, one.series) for one in new}
    kept = [one for one in old if (one.benchmark, one.series) not in replaced]
    return sorted(kept + new, key=lambda one: (one.benchmark, one.series))


def _runs(stored: Mapping[str, Any]) -> Runs:
    return Runs.of(stored["runs"], stored.get("heap"))


def _rounded(value: Any) -> Any:
    """To the millisecond: no clock here is better."""
    if isinstance(value, list):
        return [_rounded(each) for each in value]
    return round(value, 3)


def in_words(number: float) -> str:
    """`10 million`, `9.2 million`, `100,000`."""
    return f"{round(number / 1e6, 1):g} million" if number >= 1e6 else f"{number:,.0f}"


def is_quick() -> bool:
    """Whether this is part of a quick run: nothing is warmed up, since no goal is checked."""
    return bool(os.environ.get(QUICK_VARIABLE))


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
    files = (":!docs/performance.md", ":!docs/performance")
    changed = _git("status", "--porcelain", "--untracked-files=no", "--", ".", *files)
    return f"{commit}+" if changed else commit


def _git(*args: str) -> str:
    done = subprocess.run(["git", *args], cwd=ROOT, capture_output=True, text=True, check=False)
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
