"""Full refreshes of a correlation, interleaved with the same by hand, and runs that add events."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench import rounds as rounds_of
from bench.correlation import engines
from bench.correlation import events as made
from bench.project import DbtProject
from bench.queries import duckdb_query, spark_query
from bench.source import export

WINDOWS = ("one", "two", "three")
MATCHED = "matched"
ROWS = (
    "id, pattern, unix_micros(cast(first_at as timestamp)), "
    "unix_micros(cast(second_at as timestamp)), unix_micros(cast(third_at as timestamp)), "
    "qty, second_qty, unix_micros(cast({} as timestamp))"
)


def files() -> dict[str, str]:
    """The models: three windows over one source, and the correlation of them."""
    models = {
        f"models/{name}.sql": (
            "{{ strandline.window_table(source=source('feed', 'events'), ts='ts', "
            f"store='last {engines.SECONDS} seconds', where='stream = {number}') }}}}\n"
        )
        for number, name in enumerate(WINDOWS, start=1)
    }
    streams = ", ".join(f"'{it}': {{'window': ref('{it}'), 'on': 'id'}}" for it in WINDOWS)
    models[f"models/{MATCHED}.sql"] = (
        f"{{{{ strandline.correlation_table(streams={{{streams}}}, "
        f"when=['{engines.COMPLETE}', '{engines.INCOMPLETE}'], "
        "select={'id': 'one.id', 'first_at': 'one.ts', 'second_at': 'two.ts', "
        "'third_at': 'three.ts', 'qty': 'one.qty', 'second_qty': 'two.qty'}) }}\n"
    )
    return models


def measure(
    project: DbtProject, folder: Path, number: int, rounds: int, new: int, repeat: int,
    tell: Callable[[str], None],
) -> dict[str, Any]:  # fmt: skip
    """The seconds of each engine in each round, after one to warm up, and of each increment."""
    project.deps()
    spark = project.session()
    source, parquet = f"{project.schema}.events", folder / "events"
    moments, more = number // made.STREAMS, new // made.STREAMS
    made.make(spark, source, moments)
    export(spark, source, parquet)
    by_hand, file = f"{engines.SCHEMA}.{MATCHED}", folder / f"{MATCHED}.parquet"
    actions: dict[str, Callable[[], object]] = {
        "windows": lambda: project.select(" ".join(WINDOWS), len(WINDOWS), full_refresh=True),
        "strandline": lambda: project.select(MATCHED, 1, full_refresh=True),
        "spark": lambda: spark_query(spark, engines.matched_sql(source), by_hand),
        "duckdb": lambda: duckdb_query(
            engines.for_duckdb(engines.matched_sql(f"'{parquet}/*.parquet'")), file
        ),
    }

    def check() -> int:
        """All engines have found the same; gives how much."""
        table = f"{project.schema}.{MATCHED}"
        told = f"select {ROWS.format('entered.at')} from {table} where row_kind = 'row'"
        for name, other in {"spark": by_hand, "duckdb": f"parquet.`{file}`"}.items():
            rounds_of.assert_same_rows(
                spark, name, told, f"select {ROWS.format('fired_at')} from {other}"
            )
        return spark.sql(told).count()

    events = spark.table(source).count()
    told = rounds_of.refreshes(spark, MATCHED, actions, rounds, check, tell)
    found = rounds_of.increments(
        spark, project, {"windows": WINDOWS, MATCHED: [MATCHED]},
        lambda run: made.append(spark, source, moments + run * more, more), repeat, tell,
    )  # fmt: skip
    return {"events": events} | told | {"increments": found}
