"""The goals of the benchmarks, in one table, and whether a figure reaches its goals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bench.results import Result

# Names of peers, as results and goals write them.
SPARK, DUCKDB, POLARS, BY_HAND = "plain Spark", "DuckDB", "Polars", "merge by hand"
# What an increment over many events is compared with: the same over a million.
MILLION = "over 1 million"
# Kinds of figures.
FULL, INCREMENT, NOTHING = "full refresh", "increment", "nothing new"


@dataclass(frozen=True)
class Goal:
    """A bound of one kind of figure of one benchmark.

    Attributes:
        benchmark: the folder below bench/.
        kind: which of its figures.
        most: at most so many times the peer's median, or so many seconds if there is no peer.
        peer: a name in the result's `peers`, or none.
        rows: the goal is not judged on fewer rows in the source.
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
    """What became of one goal: `value` is a multiple of the peer, or seconds."""

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
