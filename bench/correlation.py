"""`python -m bench.correlation`: a correlation beside joins in plain Spark and DuckDB.

An id begins every 10 milliseconds. Its second event comes 5 seconds after the first one, the third
after 12; some never come. No two events are of one time, and `arrival` follows the time. They are
made by a formula, so that they are the same on every machine. By hand they are taken as they are,
and nothing can be added to what was made.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from bench.project import (
    BY_HAND_SCHEMA,
    DbtProject,
    append,
    duckdb_query,
    export,
    make_source,
    spark_query,
    workplace,
)
from bench.results import Occasion, Result, in_words, occasion, save
from bench.rounds import (
    assert_same_rows,
    beside_fewer,
    full_refresh,
    increments,
    measure_increments,
    measure_refreshes,
    measuring,
    show_increments,
    show_refreshes,
)
from rich.console import Console

console = Console()
NAMES = {
    "windows": "three windows",
    "strandline": "correlation",
    "spark": "plain Spark, joins",
    "duckdb": "DuckDB, to Parquet",
    "both": "windows and correlation",
}
STREAMS = 3
COLUMNS = "arrival bigint, ts timestamp, stream int, id bigint, qty bigint"
_START = 1_735_689_600 * 1_000_000  # 1 January 2025, in microseconds
_EVERY = 10_000  # microseconds between two ids
_AFTER = (0, 500, 1_200)  # ids that begin between the first event of an id and this one
_COMES = (1_000, 970, 940)  # of 1,000 ids
_FILE = 400_000  # ids in a file
SECONDS = 30  # of each window
COMPLETE, INCOMPLETE = "one and two and three", "one and two and not three"
WINDOWS = ("one", "two", "three")
MATCHED = "matched"
ROWS = (
    "id, pattern, unix_micros(cast(first_at as timestamp)), "
    "unix_micros(cast(second_at as timestamp)), unix_micros(cast(third_at as timestamp)), "
    "qty, second_qty, unix_micros(cast({} as timestamp))"
)


@click.command(context_settings={"show_default": True})
@click.option(
    "--events", "numbers", type=click.IntRange(10_000), multiple=True, default=[6_000_000],
    help="Events of the three streams; several are measured one after the other.",
)  # fmt: skip
@measuring("events")
def main(
    numbers: tuple[int, ...], rounds: int, new: int, repeat: int, memory: str,
    json_file: Path | None, home: Path | None,
) -> None:  # fmt: skip
    """Two patterns over three streams, one of them with `not`, engine after engine.

    The first round of the first number warms up. After the first round of each the rows are
    compared, both ways.
    """
    on, found = occasion(), []
    with workplace(home) as folder:
        for nth, number in enumerate(numbers):
            schema = f"streams_{number}"
            place = folder / schema
            project = DbtProject(
                place / "project", folder / "home", schema, memory, "events", files()
            )
            measured = measure(
                project, place, number, rounds, new, repeat, console.print, warm_up=not nth
            )
            show(measured)
            found += results_of(measured, on, number, new)
            if json_file is not None:
                save(json_file, beside_fewer(found, min(numbers)))


def results_of(measured: dict, on: Occasion, number: int, new: int) -> list[Result]:
    """Both patterns with and without their windows, and the increments of each.

    `number` counts each id three times, those that never come included.
    """
    seconds, heap = measured["seconds"], measured["heap"]
    both = [sum(pair) for pair in zip(seconds["windows"], seconds["strandline"], strict=True)]
    whole = measured | {"seconds": seconds | {"both": both}}
    whole |= {"heap": heap | {"both": max(heap["windows"], heap["strandline"])}}
    of = f"{in_words(number)} events of three streams"
    found = [
        full_refresh("correlation", f"full refresh, {name}, {of}", whole, on, number, ours=engine)
        for engine, name in (("strandline", "two patterns"), ("both", "windows and patterns"))
    ]
    for name, took in measured["increments"].items():
        models = "three windows" if name == "windows" else "two patterns"
        found += increments("correlation", models, took, on, number, new)
    return found


def show(measured: dict) -> None:
    """One table of one screen."""
    title = f"{measured['events']:,} events of three streams, {measured['rows']:,} rows; seconds"
    windows, correlation = (measured["seconds"][engine] for engine in ("windows", "strandline"))
    both = {"both": [sum(pair) for pair in zip(windows, correlation, strict=True)]}
    show_refreshes(console, title, NAMES, measured["seconds"] | both, measured["heap"])
    for name, took in measured["increments"].items():
        show_increments(console, took, of=f"{name}, ")


def events_sql(first: int, count: int) -> str:
    """The events of `count` moments from the `first` on, three at most in each."""
    after = ", ".join(f"{each}L" for each in _AFTER)
    comes = ", ".join(map(str, _COMES))
    return f"""
        select
            moment * {STREAMS} + stream + 1 as arrival,
            timestamp_micros({_START} + moment * {_EVERY}L + stream * 1000L) as ts,
            int(stream + 1) as stream,
            begun as id,
            pmod(xxhash64(moment, stream), 1000) + 1 as qty
        from (
            select id as moment, stream, id - after as begun, comes
            from range({first}, {first + count}, 1, {max(1, round(count / _FILE))})
            lateral view posexplode(arrays_zip(array({after}), array({comes}))) as stream, each
            lateral view inline(array(each)) as after, comes
        )
        where begun >= 0 and pmod(xxhash64(begun, stream), 1000) < comes
    """


def matched_sql(source: str) -> str:
    """The ids of `source` that are complete, and those without the third event, with their time."""
    within = f"interval {SECONDS} seconds"
    return f"""
        with one as (select * from {source} where stream = 1),
        two as (select * from {source} where stream = 2),
        three as (select * from {source} where stream = 3),
        pairs as (
            select one.id, one.ts as first_at, two.ts as second_at, one.qty, two.qty as second_qty
            from one inner join two on one.id = two.id and two.ts < one.ts + {within}
        )
        select
            pairs.id, '{COMPLETE}' as pattern, first_at, second_at, three.ts as third_at,
            pairs.qty, second_qty, three.ts as fired_at
        from pairs inner join three on pairs.id = three.id and three.ts < first_at + {within}
        union all
        select
            pairs.id, '{INCOMPLETE}' as pattern, first_at, second_at, null as third_at,
            qty, second_qty, first_at + {within} as fired_at
        from pairs
        left anti join three on pairs.id = three.id and three.ts < first_at + {within}
        where first_at + {within} <= (select max(ts) from {source})
    """


def for_duckdb(sql: str) -> str:
    """DuckDB's word for an anti-join."""
    return sql.replace("left anti join", "anti join")


def files() -> dict[str, str]:
    """The models: three windows over one source, and the correlation of them."""
    models = {
        f"models/{name}.sql": (
            "{{ strandline.window_table(source=source('feed', 'events'), ts='ts', "
            f"store='last {SECONDS} seconds', where='stream = {number}') }}}}\n"
        )
        for number, name in enumerate(WINDOWS, start=1)
    }
    streams = ", ".join(f"'{it}': {{'window': ref('{it}'), 'on': 'id'}}" for it in WINDOWS)
    models[f"models/{MATCHED}.sql"] = (
        f"{{{{ strandline.correlation_table(streams={{{streams}}}, "
        f"when=['{COMPLETE}', '{INCOMPLETE}'], "
        "select={'id': 'one.id', 'first_at': 'one.ts', 'second_at': 'two.ts', "
        "'third_at': 'three.ts', 'qty': 'one.qty', 'second_qty': 'two.qty'}) }}\n"
    )
    return models


def measure(
    project: DbtProject, folder: Path, number: int, rounds: int, new: int, repeat: int,
    report: Callable[[str], None], warm_up: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """The seconds of each engine in each round and of each increment."""
    project.deps()
    spark = project.session()
    source, parquet = f"{project.schema}.events", folder / "events"
    moments, more = number // STREAMS, new // STREAMS
    make_source(spark, source, COLUMNS, events_sql(0, moments))
    export(spark, source, parquet)
    by_hand, file = f"{BY_HAND_SCHEMA}.{MATCHED}", folder / f"{MATCHED}.parquet"
    actions: dict[str, Callable[[], object]] = {
        "windows": lambda: project.select(" ".join(WINDOWS), len(WINDOWS), full_refresh=True),
        "strandline": lambda: project.select(MATCHED, 1, full_refresh=True),
        "spark": lambda: spark_query(spark, matched_sql(source), by_hand),
        "duckdb": lambda: duckdb_query(for_duckdb(matched_sql(f"'{parquet}/*.parquet'")), file),
    }

    def check() -> int:
        """All engines have found the same; gives how much."""
        table = f"{project.schema}.{MATCHED}"
        ours = f"select {ROWS.format('entered.at')} from {table} where row_kind = 'row'"
        for name, other in {"spark": by_hand, "duckdb": f"parquet.`{file}`"}.items():
            assert_same_rows(spark, name, ours, f"select {ROWS.format('fired_at')} from {other}")
        return spark.sql(ours).count()

    events = spark.table(source).count()
    ours = measure_refreshes(spark, MATCHED, actions, rounds, check, report, warm_up)
    found = measure_increments(
        spark, project, {"windows": WINDOWS, MATCHED: [MATCHED]},
        lambda run: append(spark, source, events_sql(moments + run * more, more)), repeat, report,
    )  # fmt: skip
    return {"events": events} | ours | {"increments": found}


if __name__ == "__main__":
    main()
