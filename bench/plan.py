"""What `python -m bench` runs: each step is one benchmark in a process of its own.

The minutes are estimates for two quiet cores, of the figures in docs/performance.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

PEERS_ALONE = "--without expression --without spark-as-is --without duckdb-as-is"
BASE = ("--kind", "increment", "--kind", "nothing new")


@dataclass(frozen=True)
class Step:
    """A benchmark with its arguments; `series` is what grows, if that is what it measures."""

    benchmark: str
    args: tuple[str, ...]
    minutes: float
    series: str = ""

    @property
    def name(self) -> str:
        return f"{self.benchmark}, {self.series}" if self.series else self.benchmark


def _step(benchmark: str, args: str, minutes: float, series: str = "") -> Step:
    return Step(benchmark, tuple(args.split()), minutes, series)


# Three rounds where one takes a minute or more, else five; in a round every engine has its turn.
DEFAULT = (
    Step(
        "aggregation",
        ("--events", "10000000", "--rounds", "3", "--warm-up", "20", "--repeat", "5", *BASE),
        17,
    ),
    _step("time_weight", f"--rounds 3 --repeat 5 {PEERS_ALONE}", 6),
    _step("detection", "--readings 10000000 --rounds 3 --repeat 5", 10),
    _step(
        "windows", "--events 1000000 --increments-over 5000000 --rounds 3 --repeat 5",
        10,
    ),
    _step("correlation", "--events 1000000 --events 6000000 --rounds 1 --repeat 5", 6),
    _step("anomalies", "--anomalies 1000 --anomalies 100000 --rounds 3", 6),
    _step("tick", "--rounds 5", 7),
)  # fmt: skip
QUICK = (
    Step(
        "aggregation",
        ("--events", "300000", "--rounds", "1", "--warm-up", "3", "--repeat", "2", *BASE),
        1.5,
    ),
    _step("time_weight", "--points 300000 --rounds 1 --repeat 2", 0.8),
    _step("detection", "--readings 200000 --rounds 1 --repeat 2", 1),
    _step("windows", "--events 100000 --increments-over 300000 --rounds 1 --repeat 2", 1.7),
    _step("correlation", "--events 100000 --events 300000 --rounds 1 --repeat 2", 1.7),
    _step("anomalies", "--anomalies 1000 --rounds 1", 1),
    _step("tick", "--rounds 2 --warm-up 1 --months 1", 3),
)
GROWTH = (
    Step(
        "aggregation",
        ("--growth", "events", "--rounds", "1", "--warm-up", "3", "--repeat", "2", *BASE),
        16, "events",
    ),
    _step("aggregation", "--growth keys --rounds 1 --repeat 0", 4, "keys"),
    _step("aggregation", "--growth skew --rounds 1 --repeat 0", 2, "skew"),
    _step("time_weight", f"--growth --rounds 1 --repeat 0 {PEERS_ALONE}", 3, "keys"),
    _step("detection", "--growth --readings 1000000 --rounds 1 --repeat 0", 9, "ratio"),
    _step("windows", "--growth --events 1000000 --rounds 1 --repeat 0", 8, "length"),
)  # fmt: skip


def chosen(quick: bool, growth: bool, only: Iterable[str]) -> list[Step]:
    """The steps of one form of the run; of `only` these benchmarks, if any are named."""
    only = set(only)
    steps = GROWTH if growth else QUICK if quick else DEFAULT
    return [step for step in steps if not only or step.benchmark in only]


def steps_of(benchmark: str) -> list[Step]:
    """What measures a benchmark in the default form."""
    return [step for step in DEFAULT if step.benchmark == benchmark]


def names() -> list[str]:
    """The benchmarks, in their order."""
    return list(dict.fromkeys(step.benchmark for step in (*DEFAULT, *QUICK, *GROWTH)))
