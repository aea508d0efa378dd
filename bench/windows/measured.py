"""Full refreshes of each window, interleaved with the same by hand, and runs that add events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from bench import rounds as rounds_of
from bench.project import DbtProject
from bench.queries import duckdb_query, spark_query
from bench.source import export
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
            spark_query(spark, self._sql(source, "spark"), f"{engines.SCHEMA}.{self.model}")

    def duckdb(self, events: Path, file: Path) -> None:
        duckdb_query(self._sql(f"'{events}/*.parquet'", "duckdb"), file)

    def _sql(self, source: str, engine: str) -> str:
        if self.minutes is None:
            return engines.sliding_sql(source)
        return engines.timed_sql(source, self.minutes, engine)


def measure(
    project: DbtProject, folder: Path, windows: list[Window], number: int, keys: int, rounds: int,
    new: int, repeat: int, tell: Callable[[str], None], peers: bool = True,
) -> list[dict[str, Any]]:  # fmt: skip
    """For each window the seconds of each round, after one to warm up, and of each increment.

    Without `peers` nothing is compared: each window is built once, for its increments.
    """
    project.deps()
    spark = project.session()
    source, parquet = f"{project.schema}.events", folder / "events"
    made.make(spark, source, number, keys)
    told = [
        {"window": window.kind, "minutes": window.minutes, "events": number, "keys": keys}
        for window in windows
    ]
    if peers:
        export(spark, source, parquet)
        told = [
            one | refreshes(spark, project, folder, window, rounds, tell)
            for one, window in zip(told, windows, strict=True)
        ]
    else:
        project.select(" ".join(window.model for window in windows), len(windows), True)
    found = rounds_of.increments(
        spark, project, {window.model: [window.model] for window in windows},
        lambda run: made.append(spark, source, number + run * new, new, keys), repeat, tell,
    )  # fmt: skip
    return [
        one | {"increments": found[window.model]} for one, window in zip(told, windows, strict=True)
    ]


def refreshes(
    spark: SparkSession, project: DbtProject, folder: Path, window: Window, rounds: int,
    tell: Callable[[str], None],
) -> dict[str, Any]:  # fmt: skip
    """The rows of one window, and the seconds and the heap of each engine."""
    file = folder / f"{window.model}.parquet"
    actions: dict[str, Callable[[], object]] = {
        "strandline": lambda: project.select(window.model, 1, full_refresh=True),
        "spark": lambda: window.spark(spark, f"{project.schema}.events"),
    }
    if window.kind != "ranked":
        actions["duckdb"] = lambda: window.duckdb(folder / "events", file)
    compared = file if "duckdb" in actions else None
    check_rows = lambda: check(spark, project.schema, window, compared)  # noqa: E731
    return rounds_of.refreshes(spark, window.model, actions, rounds, check_rows, tell)


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
        rounds_of.assert_same_rows(spark, f"{name}, {window.model}", told, sql)
    return spark.sql(told).count()
