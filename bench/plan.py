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


# Five rounds, in which every engine has its turn: one of full refreshes takes up to two minutes.
DEFAULT = (
    _step("tick", "--rounds 5", 6),
    Step(
        "aggregation",
        ("--events", "10000000", "--warm-up-on", "1000000", "--rounds", "5", "--warm-up", "20",
         "--repeat", "5", *BASE),
        20,
    ),
    _step("time_weight", f"--warm-up-on 1000000 --rounds 5 --repeat 5 {PEERS_ALONE}", 8),
    _step("detection", "--readings 10000000 --warm-up-on 1000000 --rounds 5 --repeat 5", 14),
    _step(
        "windows", "--events 1000000 --increments-over 5000000 --warm-up-on 100000 "
        "--rounds 5 --repeat 5", 14,
    ),
    _step("correlation", "--events 1000000 --events 6000000 --rounds 5 --repeat 5", 12),
    _step("anomalies", "--anomalies 1000 --anomalies 100000 --rounds 5", 8),
)  # fmt: skip
QUICK = (
    _step("tick", "--rounds 1 --warm-up 1 --months 1 --server-alone", 2.5),
    _step(
        "aggregation",
        "--events 100000 --rounds 1 --warm-up 0 --repeat 1 --kind increment",
        1.5,
    ),
    _step("time_weight", f"--points 200000 --rounds 1 --repeat 1 {PEERS_ALONE}", 0.7),
    _step("detection", "--readings 100000 --rounds 1 --repeat 1", 0.8),
    _step("windows", "--events 50000 --window timed --rounds 1 --repeat 1", 0.8),
    _step("correlation", "--events 50000 --rounds 1 --repeat 1", 0.8),
    _step("anomalies", "--anomalies 1000 --rounds 1", 1),
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
    _step("detection", "--growth --readings 1000000 --rounds 1 --repeat 0", 7, "ratio"),
    _step("windows", "--growth --events 1000000 --rounds 1 --repeat 0", 8, "length"),
)  # fmt: skip


def chosen(quick: bool, growth: bool, only: Iterable[str]) -> list[Step]:
    """The steps of one form of the run; of `only` these benchmarks, if any are named."""
    only = set(only)
    steps = GROWTH if growth else QUICK if quick else DEFAULT
    return [step for step in steps if not only or step.benchmark in only]


def names() -> list[str]:
    """The benchmarks, in their order."""
    return list(dict.fromkeys(step.benchmark for step in (*DEFAULT, *QUICK, *GROWTH)))
