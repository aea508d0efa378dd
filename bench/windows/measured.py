"""Full refreshes of each window, interleaved with the same by hand, and runs that add events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench.measure import Memory, timed, version
from bench.project import DbtProject
from bench.windows import engines
from bench.windows import events as made

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

STAYS = "key, arrival, unix_micros(cast({} as timestamp)), unix_micros(cast({} as timestamp))"
VERSIONS = STAYS.replace("arrival", "n, total, most")


@dataclass(frozen=True)
class Window:
    """A window: its model, and how it is made by hand. `minutes` is None unless it has a length."""

    kind: str
    minutes: int | None = None

    @property
    def model(self) -> str:
        return self.kind if self.minutes is None else f"{self.kind}_{self.minutes}"

    def spark(self, spark: SparkSession, source: str) -> None:
        if self.kind == "ranked":
            engines.spark_ranked(spark, source, self.model)
        else:
            engines.spark_query(spark, self._sql(source, "spark"), self.model)

    def duckdb(self, events: Path, file: Path) -> None:
        engines.duckdb_query(self._sql(f"'{events}/*.parquet'", "duckdb"), file)

    def _sql(self, source: str, engine: str) -> str:
        if self.minutes is None:
            return engines.sliding_sql(source)
        return engines.timed_sql(source, self.minutes, engine)


def measure(
    project: DbtProject, folder: Path, windows: list[Window], number: int, keys: int, rounds: int,
    new: int, repeat: int, tell: Callable[[str], None],
) -> list[dict[str, Any]]:  # fmt: skip
    """For each window the seconds of each round, after one to warm up, and of each increment."""
    project.deps()
    spark = project.session()
    source, parquet = f"{project.schema}.events", folder / "events"
    made.make(spark, source, number, keys)
    made.export(spark, source, parquet)
    told = [
        {"window": window.kind, "minutes": window.minutes, "events": number, "keys": keys}
        | refreshes(spark, project, folder, window, rounds, tell)
        for window in windows
    ]
    found = increments(spark, project, windows, number, keys, new, repeat, tell)
    return [one | {"increments": found[window]} for one, window in zip(told, windows, strict=True)]


def refreshes(
    spark: SparkSession, project: DbtProject, folder: Path, window: Window, rounds: int,
    tell: Callable[[str], None],
) -> dict[str, Any]:  # fmt: skip
    """The rows of one window, and the seconds and the heap of each engine."""
    memory = Memory(spark)
    file = folder / f"{window.model}.parquet"
    actions: dict[str, Callable[[], object]] = {
        "strandline": lambda: project.select(window.model, 1, full_refresh=True),
        "spark": lambda: window.spark(spark, f"{project.schema}.events"),
    }
    if window.kind != "ranked":
        actions["duckdb"] = lambda: window.duckdb(folder / "events", file)
    seconds: dict[str, list[float]] = {engine: [] for engine in actions}
    heap: dict[str, float] = {}
    for count in range(rounds + 1):
        for engine, action in actions.items():
            memory.reset()
            took = timed(action)
            heap[engine] = memory.heap()
            done = f"{count} of {rounds}" if count else "warm-up"
            tell(f"{window.model}, {engine}, {done}: {took:.1f} s")
            if count:
                seconds[engine].append(took)
        if not count:
            rows = check(spark, project.schema, window, file if "duckdb" in actions else None)
    return {"rows": rows, "seconds": seconds, "heap": heap}


def increments(
    spark: SparkSession, project: DbtProject, windows: list[Window], number: int, keys: int,
    new: int, repeat: int, tell: Callable[[str], None],
) -> dict[Window, dict[str, list[float]]]:  # fmt: skip
    """Runs with new events and with none, each after the one before; three warm up."""
    kinds = (f"{new:,} new events", "nothing new")
    took: dict[Window, dict[str, list[float]]] = {
        one: {kind: [] for kind in kinds} for one in windows
    }
    tables = [f"{project.schema}.{window.model}" for window in windows]
    starts = [version(spark, table) for table in tables]
    warm_up = 3 if repeat else 0
    for count in range(repeat + warm_up):
        made.append(spark, f"{project.schema}.events", number + count * new, new, keys)
        for window in windows:
            runs = [project.select(window.model, 1).work for _ in kinds]
            tell(
                f"{window.model}, increments, {count + 1} of {repeat + warm_up}: "
                f"{runs[0]:.1f} and {runs[1]:.1f} s"
            )
            if count >= warm_up:
                for kind, one in zip(kinds, runs, strict=True):
                    took[window][kind].append(one)
    for table, start in zip(tables, starts, strict=True):
        if version(spark, table) != start + repeat + warm_up:
            raise RuntimeError(f"an increment of {table} did not make one commit")
    return took


def check(spark: SparkSession, schema: str, window: Window, file: Path | None) -> int:
    """Compares the rows of all engines with Strandline's, both ways; gives their number."""
    columns = STAYS if window.minutes is None else VERSIONS
    told = (
        f"select {columns.format('entered.at', 'expelled.at')} from {schema}.{window.model} "
        "where row_kind = 'row'"
    )
    others = {"spark": f"{engines.SCHEMA}.{window.model}"}
    if file is not None:
        others["duckdb"] = f"parquet.`{file}`"
    for name, other in others.items():
        sql = f"select {columns.format('entered', 'expelled')} from {other}"
        for one, two in ((told, sql), (sql, told)):
            different = spark.sql(f"({one}) except all ({two})").count()
            if different:
                raise RuntimeError(f"{name}: {different} rows of {window.model} differ")
    return spark.sql(told).count()
