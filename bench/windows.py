"""`python -m bench.windows`: windows beside plain Spark and DuckDB, by their keys and length.

Each key has an event every three minutes on average, at random: 30 minutes have about ten of its
events. 5,000,000 events of 10,000 keys are 500 of each key in 25 hours. None is late, and no two
are of one time. They are made by a formula, so that they are the same on every machine.

By hand the events are taken as they are, and nothing can be added to what was made. Neither engine
has a window of the highest values: in Spark it is a loop in Python over the events of each key, in
DuckDB it is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    warm_up_option,
)
from rich.console import Console

if TYPE_CHECKING:
    from pandas import DataFrame
    from pyspark.sql import SparkSession

LAST, HIGHEST = 100, 5  # rows of the sliding and of the ranked window
# From a time to microseconds, and back.
MICROS = {"spark": ("unix_micros", "timestamp_micros"), "duckdb": ("epoch_us", "make_timestamp")}
_NAMES = 50  # of each key
START = 1_735_689_600 * 1_000_000  # 1 January 2025, in microseconds
_EVERY = 180 * 1_000_000  # microseconds between two events of a key, on average
_FILE = 1_250_000
COLUMNS = "arrival bigint, ts timestamp, key string, name string, qty bigint, price decimal(10,2)"
console = Console()
KINDS = ("sliding", "timed", "ranked")
STORES = {
    "sliding": f"store='last {LAST}'",
    "timed": (
        "store='last {} minutes', "
        "aggregates={{'n': 'count(qty)', 'total': 'sum(qty)', 'most': 'max(qty)'}}"
    ),
    "ranked": f"store='highest {HIGHEST} using qty', update_group=['name']",
}
NAMES = {
    "strandline": "Strandline",
    "spark": "plain Spark",
    "duckdb": "DuckDB, to Parquet",
}
STAYS = "key, arrival, unix_micros(cast({} as timestamp)), unix_micros(cast({} as timestamp))"
VERSIONS = STAYS.replace("arrival", "n, total, most")


@click.command(context_settings={"show_default": True})
@click.option(
    "--events", "numbers", type=click.IntRange(10_000), multiple=True, default=[5_000_000],
    help="Events; several are measured one after the other.",
)  # fmt: skip
@click.option(
    "--increments-over", "more", type=click.IntRange(10_000),
    help="Increments alone, after all else, over so many events.",
)  # fmt: skip
@click.option(
    "--keys", "all_keys", type=click.IntRange(1, 1_000_000), multiple=True, default=[10_000],
    help="Keys, each heard every three minutes; several are measured one after the other.",
)  # fmt: skip
@click.option(
    "--window", "kinds", type=click.Choice(KINDS), multiple=True, default=KINDS,
    help="The last 100 rows; aggregates of the last minutes; the highest 5 rows.",
)  # fmt: skip
@click.option(
    "--minutes", "lengths", type=click.IntRange(1), multiple=True, default=[30],
    help="Length of the timed window; each is a window of its own.",
)  # fmt: skip
@click.option(
    "--growth", is_flag=True,
    help="Instead: the timed window of 10, 30, 100 minutes, of 1,000, 10,000, 100,000 keys.",
)  # fmt: skip
@warm_up_option("events")
@measuring("events")
def main(
    numbers: tuple[int, ...], more: int | None, all_keys: tuple[int, ...], kinds: tuple[str, ...],
    lengths: tuple[int, ...], growth: bool, warm_up_on: int | None, rounds: int, new: int,
    repeat: int, memory: str, json_file: Path | None, home: Path | None,
) -> None:  # fmt: skip
    """Windows of many keys, one after the other, engine after engine.

    A first round of each window warms up; with --growth only one of the first size does. After it
    the rows are compared, both ways.
    """
    on = occasion()
    if growth:
        all_keys, kinds, lengths = (1_000, 10_000, 100_000), ("timed",), (10, 30, 100)
    windows = [
        Window(kind, minutes)
        for kind in kinds
        for minutes in (lengths if kind == "timed" else (None,))
    ]
    files = {f"models/{window.model}.sql": model(window.kind, window.minutes) for window in windows}
    found: list[Result] = []
    with workplace(home) as folder:
        sizes = list(product((*numbers, *([more] if more else [])), all_keys))
        small = [(warm_up_on, all_keys[0])] if warm_up_on else []
        for nth, (number, keys) in enumerate(small + sizes):
            counts = not small or nth > 0
            schema = f"events_{number}_{keys}"
            project = DbtProject(
                folder / schema / "project", folder / "home", schema, memory, "events", files
            )
            measured = measure(
                project, folder / schema, windows, number, keys, rounds if counts else 0, new,
                repeat if counts else 0, console.print, peers=number != more,
                warm_up=not nth or not (small or growth),
            )  # fmt: skip
            if not counts:
                continue
            for one in measured:
                show(one)
                found += results_of(one, on, new, growth)
            if json_file is not None:
                save(json_file, beside_fewer(found, min(numbers)))


def model(kind: str, minutes: int | None) -> str:
    """The text of a window's model."""
    return (
        "{{ strandline.window_table(source=source('feed', 'events'), ts='ts', keys=['key'], "
        f"{STORES[kind].format(minutes)}) }}}}\n"
    )


def show(measured: dict) -> None:
    """One table of one screen."""
    if "seconds" in measured:
        title = f"{words(measured)}, {measured['rows']:,} rows; seconds"
        show_refreshes(console, title, NAMES, measured["seconds"], measured["heap"])
    show_increments(console, measured["increments"])


def name_of(measured: dict[str, Any]) -> str:
    """A window as a reader knows it."""
    if measured["window"] == "sliding":
        return f"`last {LAST}`"
    if measured["window"] == "ranked":
        return f"`highest {HIGHEST}` with an update group"
    return f"`last {measured['minutes']} minutes` with count, sum and max"


def words(measured: dict[str, Any]) -> str:
    """The window, its events and its keys."""
    events, keys = in_words(measured["events"]), in_words(measured["keys"])
    return f"{name_of(measured)}, {events} events of {keys} keys"


def results_of(measured: dict[str, Any], on: Occasion, new: int, growth: bool) -> list[Result]:
    """A full refresh if one was measured, and the increments; or the points of growth series."""
    number = measured["events"]
    found = []
    if "seconds" in measured:
        found = [full_refresh("windows", f"full refresh, {words(measured)}", measured, on, number)]
    if growth:
        series = f"length, {in_words(measured['keys'])} keys"
        return [replace(one, series=series, x=measured["minutes"]) for one in found]
    return found + increments("windows", name_of(measured), measured["increments"], on, number, new)


def events_sql(first: int, count: int, keys: int) -> str:
    """`count` events from the `first` on."""
    return f"""
        select
            id + 1 as arrival,
            timestamp_micros({START} + id * {_EVERY // keys}L) as ts,
            concat('key_', lpad(pmod(xxhash64(id, 'key'), {keys}), 6, '0')) as key,
            concat('name_', lpad(pmod(xxhash64(id, 'name'), {_NAMES}), 2, '0')) as name,
            pmod(xxhash64(id, 'qty'), 1000) + 1 as qty,
            cast(pmod(xxhash64(id, 'price'), 100000) / 100 as decimal(10,2)) as price
        from range({first}, {first + count}, 1, {max(1, round(count / _FILE))})
    """


def sliding_sql(source: str) -> str:
    """Each event of `source`, and when it leaves."""
    return f"""
        select
            *, ts as entered, lead(ts, {LAST}) over (partition by key order by arrival) as expelled
        from {source}
    """


def timed_sql(source: str, minutes: int, engine: str) -> str:
    """A row for each change of the count, the sum and the greatest `qty` of a key."""
    to_micros, to_time = MICROS[engine]
    length = minutes * 60_000_000
    return f"""
        with events as (select key, {to_micros}(ts) as instant, qty from {source}),
        moves as (
            select * from events
            union all
            select key, instant + {length}, null from events
            where instant + {length} <= (select max(instant) from events)
        ),
        contents as (
            select
                key, instant, count(qty) over inside as n,
                cast(sum(qty) over inside as bigint) as total, max(qty) over inside as most
            from moves
            window inside as (
                partition by key order by instant
                range between {length - 1} preceding and current row
            )
        ),
        compared as (
            select
                *, lag(n) over in_order as n_before, lag(total) over in_order as total_before,
                lag(most) over in_order as most_before
            from contents
            window in_order as (partition by key order by instant)
        ),
        changes as (
            select *, lead(instant) over (partition by key order by instant) as until
            from compared
            where n is distinct from n_before or total is distinct from total_before
                or most is distinct from most_before
        )
        select key, n, total, most, {to_time}(instant) as entered, {to_time}(until) as expelled
        from changes
        where n > 0
    """


def ranked(rows: DataFrame) -> DataFrame:
    """The events of one key that enter, and when they leave."""
    rows = rows.sort_values("arrival", ignore_index=True)
    entered, expelled = [], [None] * len(rows)
    inside: dict[str, tuple[int, int]] = {}  # by name: value and place
    for place, (ts, name, qty) in enumerate(
        zip(rows["ts"], rows["name"], rows["qty"], strict=True)
    ):
        was_full = len(inside) == HIGHEST
        previous = inside.pop(name, None)
        if previous is not None:
            expelled[previous[1]] = ts
        if was_full:
            worst = min(inside, key=inside.__getitem__)
            if qty < inside[worst][0]:
                continue
            if previous is None:
                expelled[inside.pop(worst)[1]] = ts
        inside[name] = (qty, place)
        entered.append(place)
    return rows.assign(entered=rows["ts"], expelled=expelled).loc[entered]


def spark_ranked(spark: SparkSession, source: str, table: str) -> None:
    """The highest of each key as a Delta table in `by_hand`."""
    spark.sql(f"create schema if not exists {BY_HAND_SCHEMA}")
    events = spark.table(source)
    columns = ", ".join(f"{name} {kind}" for name, kind in events.dtypes)
    events.groupBy("key").applyInPandas(
        ranked, f"{columns}, entered timestamp, expelled timestamp"
    ).write.format("delta").mode("overwrite").saveAsTable(f"{BY_HAND_SCHEMA}.{table}")


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
            spark_ranked(spark, source, self.model)
        else:
            spark_query(spark, self._sql(source, "spark"), f"{BY_HAND_SCHEMA}.{self.model}")

    def duckdb(self, events: Path, file: Path) -> None:
        duckdb_query(self._sql(f"'{events}/*.parquet'", "duckdb"), file)

    def _sql(self, source: str, engine: str) -> str:
        if self.minutes is None:
            return sliding_sql(source)
        return timed_sql(source, self.minutes, engine)


def measure(
    project: DbtProject, folder: Path, windows: list[Window], number: int, keys: int, rounds: int,
    new: int, repeat: int, report: Callable[[str], None], peers: bool = True,
    warm_up: bool = True,
) -> list[dict[str, Any]]:  # fmt: skip
    """For each window the seconds of each round, and of each increment.

    Without `peers` nothing is compared: each window is built once, for its increments.
    """
    project.deps()
    spark = project.session()
    source, parquet = f"{project.schema}.events", folder / "events"
    make_source(spark, source, COLUMNS, events_sql(0, number, keys))
    measured = [
        {"window": window.kind, "minutes": window.minutes, "events": number, "keys": keys}
        for window in windows
    ]
    if peers:
        export(spark, source, parquet)
        measured = [
            one | refreshes(spark, project, folder, window, rounds, report, warm_up)
            for one, window in zip(measured, windows, strict=True)
        ]
    else:
        project.select(" ".join(window.model for window in windows), len(windows), True)
    found = measure_increments(
        spark, project, {window.model: [window.model] for window in windows},
        lambda run: append(spark, source, events_sql(number + run * new, new, keys)), repeat,
        report,
    )  # fmt: skip
    return [
        one | {"increments": found[window.model]}
        for one, window in zip(measured, windows, strict=True)
    ]


def refreshes(
    spark: SparkSession, project: DbtProject, folder: Path, window: Window, rounds: int,
    report: Callable[[str], None], warm_up: bool,
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
    return measure_refreshes(spark, window.model, actions, rounds, check_rows, report, warm_up)


def check(spark: SparkSession, schema: str, window: Window, file: Path | None) -> int:
    """Compares the rows of all engines with Strandline's, both ways; gives their number."""
    columns = STAYS if window.minutes is None else VERSIONS
    ours = (
        f"select {columns.format('entered.at', 'expelled.at')} from {schema}.{window.model} "
        "where row_kind = 'row'"
    )
    others = {"spark": f"{BY_HAND_SCHEMA}.{window.model}"}
    if file is not None:
        others["duckdb"] = f"parquet.`{file}`"
    for name, other in others.items():
        sql = f"select {columns.format('entered', 'expelled')} from {other}"
        assert_same_rows(spark, f"{name}, {window.model}", ours, sql)
    return spark.sql(ours).count()


if __name__ == "__main__":
    main()
