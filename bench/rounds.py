"""Rounds of a benchmark: engines take turns, and runs that add events follow one another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from bench.goals import INCREMENT, NOTHING
from bench.measure import Memory, timed, version
from bench.occasion import is_quick

if TYPE_CHECKING:
    from bench.project import DbtProject, Run
    from pyspark.sql import SparkSession


def refreshes(
    spark: SparkSession, name: str, actions: Mapping[str, Callable[[], object]], rounds: int,
    check: Callable[[], int], tell: Callable[[str], None], warm_up: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """The seconds of each action in each round, and the greatest peak of the heap in MiB.

    A first round warms up, unless an earlier measurement of this process did, or it is a quick run.
    After the first round `check` compares what the engines made and gives the rows.
    """
    memory = Memory(spark)
    seconds: dict[str, list[float]] = {engine: [] for engine in actions}
    heap = dict.fromkeys(actions, 0.0)
    rows = 0
    first = 0 if warm_up and not is_quick() else 1
    for count in range(first, rounds + 1):
        for engine, action in actions.items():
            memory.reset()
            took = timed(action)
            done = f"{count} of {rounds}" if count else "warm-up"
            tell(f"{name}, {engine}, {done}: {took:.1f} s")
            if count:
                seconds[engine].append(took)
                heap[engine] = max(heap[engine], memory.heap())
        if count == first:
            rows = check()
    return {"rows": rows, "seconds": seconds, "heap": heap}


def increments(
    spark: SparkSession, project: DbtProject, groups: Mapping[str, Sequence[str]],
    append: Callable[[int], None], repeat: int, tell: Callable[[str], None],
    committed: Sequence[str] = (),
) -> dict[str, dict[str, list[Run]]]:  # fmt: skip
    """Runs with new events and with none, for each group of models.

    `append` adds the new events of a run, from its number on; the groups run one after the other.
    As many runs warm up, at most three, and none in a quick run. `committed` are the tables whose
    commits are counted, in place of the models'.

    Raises:
        RuntimeError: a run with new events did not make one commit, or one without made any.
    """
    took: dict[str, dict[str, list[Run]]] = {name: {INCREMENT: [], NOTHING: []} for name in groups}
    models = committed or [model for each in groups.values() for model in each]
    tables = [f"{project.schema}.{model}" for model in models]
    starts = [version(spark, table) for table in tables]
    warm_up = 0 if is_quick() else min(repeat, 3)
    for count in range(repeat + warm_up):
        append(count)
        for name, models in groups.items():
            runs = [project.select(" ".join(models), len(models)) for _ in took[name]]
            tell(
                f"{name}, increments, {count + 1} of {repeat + warm_up}: "
                f"{runs[0].wall:.1f} and {runs[1].wall:.1f} s"
            )
            if count >= warm_up:
                for kind, one in zip(took[name], runs, strict=True):
                    took[name][kind].append(one)
    for table, start in zip(tables, starts, strict=True):
        if version(spark, table) != start + repeat + warm_up:
            raise RuntimeError(f"an increment of {table} did not make one commit")
    return took


def assert_same_rows(spark: SparkSession, name: str, one: str, other: str) -> None:
    """Compares two queries, both ways, counts included. Raises RuntimeError if they differ."""
    for left, right in ((one, other), (other, one)):
        different = spark.sql(f"({left}) except all ({right})").count()
        if different:
            raise RuntimeError(f"{name}: {different} rows differ")
