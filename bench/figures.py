"""Results from what the rounds of a benchmark gave."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bench.goals import DUCKDB, FULL, INCREMENT, NOTHING, POLARS, SPARK
from bench.measure import median
from bench.results import Result, Runs

if TYPE_CHECKING:
    from bench.occasion import Occasion
    from bench.project import Run

# Engines, as rounds name them, that others know by these names.
PEERS = {"spark": SPARK, "duckdb": DUCKDB, "polars": POLARS}
_WITHOUT_JVM = ("duckdb", "polars")


def count(number: int) -> str:
    """`10 million`, `9.2 million`, `100,000`."""
    if number < 1_000_000:
        return f"{number:,}"
    return f"{round(number / 1e6, 1):g} million"


def full_refresh(
    benchmark: str, what: str, told: Mapping[str, Any], on: Occasion, rows: int,
    ours: str = "strandline", note: str = "",
) -> Result:  # fmt: skip
    """The result of `rounds.refreshes`; `ours` is the name of our engine in it."""

    def runs(engine: str) -> Runs:
        heap = None if engine in _WITHOUT_JVM else told["heap"].get(engine)
        return Runs.of(told["seconds"][engine], heap)

    peers = {name: runs(engine) for engine, name in PEERS.items() if engine in told["seconds"]}
    return Result(benchmark, FULL, what, runs(ours), on, peers, rows, note=note)


def increments(
    benchmark: str, of: str, took: Mapping[str, Sequence[Run]], on: Occasion, rows: int, new: int,
    thing: str = "events",
) -> list[Result]:  # fmt: skip
    """The results of one group of `rounds.increments`; `of` names its models."""
    words = {INCREMENT: f"{new:,} new {thing}", NOTHING: NOTHING}
    return [
        Result(
            benchmark, kind, f"{words[kind]} over {count(rows)}, {of}",
            Runs.of(run.wall for run in runs), on, rows=rows, note=work_note(runs),
        )
        for kind, runs in took.items()
        if runs
    ]  # fmt: skip


def work_note(runs: Iterable[Run]) -> str:
    return f"models alone {median(run.work for run in runs):.1f} s"


def beside_fewer(results: Sequence[Result], fewest: int) -> list[Result]:
    """Increments over more rows get those over the fewest as a peer: `over 1 million`.

    Results of the same models follow one another in the same order for each number of rows.
    """
    by_rows: dict[tuple[int | None, str], list[Result]] = {}
    for one in results:
        by_rows.setdefault((one.rows, one.kind), []).append(one)
    paired = []
    for (_, kind), more in by_rows.items():
        small = by_rows.get((fewest, kind), [])
        for nth, one in enumerate(more):
            if kind == INCREMENT and one.rows != fewest and nth < len(small):
                one = replace(one, peers={f"over {count(fewest)}": small[nth].ours})
            paired.append(one)
    return paired
