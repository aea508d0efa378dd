"""`python -m bench.aggregation`: six tables of an aggregation beside plain Spark and DuckDB.

The events come at a constant rate, ten million a year, and end on a Thursday at noon in the middle
of August 2025, whatever their number: what comes next always falls into the same week and month.
They are made by a formula, so that they are the same on every machine.

Full refreshes are compared with the same six tables by hand: cascaded as Strandline's are, each
table from that of the next shorter duration, with the same parts. They do what one would write for
a single full computation: no late run can be added to them. Runs that add events are compared with
merges.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from bench.project import (
    BY_HAND_SCHEMA,
    CORES,
    DbtProject,
    Run,
    append,
    export,
    make_source,
    workplace,
)
from bench.results import (
    BY_HAND,
    INCREMENT,
    NOTHING,
    Occasion,
    Result,
    Runs,
    in_words,
    occasion,
    save,
)
from bench.rounds import (
    Memory,
    full_refresh,
    jobs,
    measure_refreshes,
    measuring,
    median,
    show_refreshes,
    table_of,
    timed,
    version,
    warm_up_option,
    work_note,
)
from rich.console import Console

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

console = Console()
DURATIONS = ("seconds", "minutes", "hours", "days", "months", "years")
# The definitions by name, and what they say beside the common arguments.
TRADES, BUFFERED = "trades", "buffered"
DEFINITIONS = {TRADES: "", BUFFERED: ", buffer_size=5"}

MACRO = """
{{% macro {name}_aggregation() %}}
    {{{{ return(strandline.aggregation(
        name='{name}', source=source('feed', 'events'),
        select={{'avg_price': 'avg(price)', 'total': 'sum(quantity)', 'low': 'min(price)',
                'high': 'max(price)', 'events': 'count(*)'}},
        keys=['symbol'], ts='ts', every='sec...year'{more})) }}}}
{{% endmacro %}}
"""
KEYS = 1_000
LATE_SHARE = 0.05
LATE_BY = 3 * 86_400 * 1_000_000  # at most, in microseconds
SPACING = 365 * 86_400 * 1_000_000 // 10_000_000
END = int(datetime(2025, 8, 14, 12, tzinfo=timezone.utc).timestamp()) * 1_000_000
_FILE = 1_250_000  # events in one file of the source
COLUMNS = "arrival bigint, symbol string, ts timestamp, price double, quantity bigint"
NAMES = {
    "strandline": "Strandline",
    "buffered": "Strandline, buffer_size=5",
    "spark": "plain Spark",
    "duckdb": "DuckDB, to Parquet",
}
# What of the new events is late, by up to three days; none: there are no new events.
LATE: dict[str, float | None] = {
    INCREMENT: LATE_SHARE,
    "increment, all on time": 0.0,
    "increment, all late": 1.0,
    NOTHING: None,
}
_BY_HAND_EVERY = 4  # runs that warm up
_EXACT = ("agg_count_price", "agg_sum_quantity", "agg_min_price", "agg_max_price", "agg_count")
_ROUNDED = "agg_sum_price"  # a sum of doubles depends on its order
_TOLERANCE = 1e-9
MERGED_SCHEMA = "merged"  # of the tables that are merged by hand
_SUMS = ("agg_sum_price", "agg_count_price", "agg_sum_quantity", "agg_count")
_COLUMNS = (
    "agg_timestamp", "symbol", "agg_sum_price", "agg_count_price", "agg_sum_quantity",
    "agg_min_price", "agg_max_price", "agg_count", "agg_partition",
)  # fmt: skip


@dataclass(frozen=True)
class Series:
    """A series of events, of which `number` are before `END`.

    With `skew`, one key has half of all events, and the others share the rest.
    """

    number: int
    keys: int = KEYS
    skew: bool = False

    @property
    def schema(self) -> str:
        return f"events_{self.number}_{self.keys}{'_skew' if self.skew else ''}"

    @property
    def key(self) -> str:
        """The number of an event's key."""
        even = f"pmod(xxhash64(id, 'key'), {self.keys})"
        return f"if(pmod(xxhash64(id, 'skew'), 2) = 0, 0, {even})" if self.skew else even


# What grows, and the series by which it does, from the smallest to the greatest.
GROWTH = {
    "events": [Series(1_000_000), Series(10_000_000), Series(30_000_000)],
    "keys": [Series(1_000_000, 10**power) for power in range(1, 7)],
    "skew": [Series(1_000_000), Series(1_000_000, skew=True)],
}


@click.command(context_settings={"show_default": True})
@click.option(
    "--events", "numbers", type=click.IntRange(1_000), multiple=True, default=(10_000_000,),
    help="Events in the source, at ten million a year; several times for several sizes.",
)  # fmt: skip
@click.option("--keys", type=click.IntRange(1, 1_000_000), default=KEYS, help="Keys of them.")
@click.option("--skew", is_flag=True, help="One key has half of all events.")
@click.option(
    "--growth", type=click.Choice(list(GROWTH)),
    help="Instead: 1, 10, 30 million events; 10 to 1,000,000 keys; one key with half of them."
    " Only the first of them is warmed up.",
)  # fmt: skip
@warm_up_option("events")
@click.option("--warm-up", type=click.IntRange(0), default=3, help="Increments before that.")
@click.option(
    "--kind", "kinds", type=click.Choice(list(LATE)), multiple=True,
    default=list(LATE), help="Kinds of increments.",
)  # fmt: skip
@click.option("--buffer", is_flag=True, help="Refresh a definition with buffer_size=5 as well.")
@measuring("events")
def main(
    numbers: tuple[int, ...], keys: int, skew: bool, growth: str | None, warm_up_on: int | None,
    warm_up: int, kinds: tuple[str, ...], buffer: bool, rounds: int, new: int, repeat: int,
    memory: str, json_file: Path | None, home: Path | None,
) -> None:  # fmt: skip
    """Strandline beside plain Spark and DuckDB, on the same events, in one process.

    Six tables, seconds to years: first full refreshes, interleaved, then runs with a few new
    events, beside merges by hand. The tables are compared row by row before anything counts.
    """
    on = occasion()
    all_series = GROWTH[growth] if growth else [Series(number, keys, skew) for number in numbers]
    small = Series(warm_up_on, keys, skew) if warm_up_on else None
    found: list[Result] = []
    with workplace(home) as folder:
        for series in [small, *all_series] if small else all_series:
            names = (TRADES, BUFFERED) if buffer else (TRADES,)
            place = folder / series.schema
            project = Project(place / "project", folder / "home", series.schema, names, memory)
            spark = _prepare(project, series, place)
            is_cold = series is small or not (small or (growth and series is not all_series[0]))
            full = measure_builds(
                spark, project, place / "events", 0 if series is small else rounds, buffer,
                is_cold, console.print,
            )  # fmt: skip
            if series is small:
                continue
            more = None
            if repeat:
                more = measure_runs(
                    spark, project, series, new, repeat, warm_up, kinds, console.print
                )
            size = Size(series, new, full, more)
            show(console, size)
            found += [_grown(one, growth, series) for one in results_of(size, on)]
            if json_file is not None:
                save(json_file, found)


def _prepare(project: Project, series: Series, folder: Path) -> SparkSession:
    console.print(f"making {series.number:,} events")
    project.deps()
    spark = project.session()
    source = f"{project.schema}.events"
    make_source(spark, source, COLUMNS, events_sql(series, 0, series.number))
    export(spark, source, folder / "events")
    return spark


def _grown(result: Result, growth: str | None, series: Series) -> Result:
    """As a point of a growth series, if one is measured."""
    if growth is None:
        return result
    x = {"events": series.number, "keys": series.keys, "skew": int(series.skew)}[growth]
    return replace(result, series=growth, x=x)


@dataclass(frozen=True)
class Size:
    """All that was measured on one series of events; `increments` none when left out."""

    series: Series
    new: int
    refreshes: dict[str, Any]
    increments: AllIncrements | None

    @property
    def words(self) -> str:
        """`10 million events of 1,000 keys`."""
        skew = ", one with half of them" if self.series.skew else ""
        return f"{in_words(self.series.number)} events of {in_words(self.series.keys)} keys{skew}"


def results_of(size: Size, on: Occasion) -> list[Result]:
    """The full refresh, with the buffer as one more, and the increments."""
    number, measured = size.series.number, size.refreshes
    what = f"full refresh of six tables, {size.words}"
    found = [full_refresh("aggregation", what, measured, on, number)]
    if "buffered" in measured["seconds"]:
        own = Runs.of(measured["seconds"]["buffered"], measured["heap"]["buffered"])
        peers = {"without buffer": found[0].ours}
        kind = "full refresh, buffered"
        found.append(Result("aggregation", kind, f"{what}, buffer_size=5", own, on, peers, number))
    for each in size.increments.kinds if size.increments else ():
        events = NOTHING if each.kind == NOTHING else f"{size.new:,} new events"
        late = {INCREMENT: ", 5 % of them late", NOTHING: ""}
        more = late.get(each.kind, each.kind.removeprefix(INCREMENT))
        jobs, commits = _range(each.jobs), _range(each.commits)
        found.append(
            Result(
                "aggregation", each.kind, f"{events}{more}, into six tables of {size.words}",
                Runs.of((run.wall for run in each.runs), size.increments.heap), on,
                {BY_HAND: Runs.of(each.by_hand)}, number,
                note=f"{work_note(each.runs)}, {jobs} Spark jobs, {commits} commits",
            )
        )  # fmt: skip
    return found


def show(console: Console, size: Size) -> None:
    """Two tables of one screen: full refreshes and increments."""
    title = f"{size.words}; full refresh of six tables, seconds"
    show_refreshes(console, title, NAMES, size.refreshes["seconds"], size.refreshes["heap"])
    if size.increments is None:
        return
    table = table_of(
        f"{size.new:,} new events; medians, seconds", "run", "wall", "models", "by hand", "of full",
        "jobs", "commits",
    )  # fmt: skip
    full = median(size.refreshes["seconds"]["strandline"])
    for each in size.increments.kinds:
        wall = median(run.wall for run in each.runs)
        work = median(run.work for run in each.runs)
        table.add_row(
            each.kind, f"{wall:.2f}", f"{work:.2f}", f"{median(each.by_hand):.2f}",
            f"{wall / full:.1%}", _range(each.jobs), _range(each.commits),
        )  # fmt: skip
    console.print(table)


def _range(values: list[int]) -> str:
    """`24`, or `24 to 26` where the runs differ."""
    low, high = min(values), max(values)
    return str(low) if low == high else f"{low} to {high}"


class Project(DbtProject):
    """Six models for each of these definitions, over the source `events`."""

    def __init__(
        self, folder: Path, home: Path, schema: str, names: Iterable[str], memory: str
    ) -> None:
        files = {}
        for name in names:
            more = DEFINITIONS[name]
            files[f"macros/{name}_aggregation.sql"] = MACRO.format(name=name, more=more)
            for duration in DURATIONS:
                body = f"strandline.aggregation_table({name}_aggregation(), '{duration}')"
                files[f"models/{name}_{duration}.sql"] = f"{{{{ {body} }}}}\n"
        super().__init__(folder, home, schema, memory, "events", files)

    def run(self, name: str = TRADES, full_refresh: bool = False) -> Run:
        """Runs the six models of one definition."""
        return self.select(f"{name}_*", len(DURATIONS), full_refresh)


def events_sql(series: Series, first: int, count: int, late_share: float = LATE_SHARE) -> str:
    """`count` events of a series from the `first` on."""
    late = f"pmod(xxhash64(id, 'late'), 10000) < {round(late_share * 10_000)}"
    return f"""
        select
            id + 1 as arrival,
            concat('key_', lpad({series.key}, 7, '0')) as symbol,
            timestamp_micros(
                {END} - ({series.number} - id) * {SPACING}
                - if({late}, 1 + pmod(xxhash64(id, 'by'), {LATE_BY}), 0)
            ) as ts,
            pmod(xxhash64(id, 'price'), 1000000) / 1000.0D as price,
            1 + pmod(xxhash64(id, 'quantity'), 1000) as quantity
        from range({first}, {first + count}, 1, {max(1, round(count / _FILE))})
    """


def measure_builds(
    spark: SparkSession, project: Project, events: Path, rounds: int, buffer: bool, warm_up: bool,
    report: Callable[[str], None],
) -> dict[str, Any]:  # fmt: skip
    """The rounds of all engines, interleaved; their tables are compared after the first one."""
    source, tables = f"{project.schema}.events", events.with_name("duckdb")
    actions: dict[str, Callable[[], object]] = {
        "strandline": lambda: project.run(TRADES, full_refresh=True),
        "spark": lambda: spark_by_hand(spark, source),
        "duckdb": lambda: duckdb_by_hand(events, tables),
    }
    if buffer:
        actions["buffered"] = lambda: project.run(BUFFERED, full_refresh=True)
    check_rows = lambda: check(spark, project, tables, buffer)  # noqa: E731
    return measure_refreshes(spark, "six tables", actions, rounds, check_rows, report, warm_up)


def check(spark: SparkSession, project: Project, parquet: Path, buffer: bool) -> int:
    """All engines made the same rows; with a buffer, no event was lost.

    Gives the rows of the six tables together. Raises DifferentTables.
    """
    rows = 0
    for duration in DURATIONS:
        own = f"{project.schema}.{TRADES}_{duration}"
        rows += same(spark, own, f"{BY_HAND_SCHEMA}.trades_{duration}")
        same(spark, own, f"parquet.`{parquet / duration}.parquet`")
    if buffer:
        moved = [f"{project.schema}.{BUFFERED}_{duration}" for duration in DURATIONS]
        complete(spark, f"{project.schema}.events", moved)
    return rows


class DifferentTables(Exception):
    """Two tables that had to be the same are not."""


def same(spark: SparkSession, one: str, other: str) -> int:
    """Compares two relations both ways; gives their rows. Raises DifferentTables."""
    differs = " or ".join(f"not (one.{column} <=> other.{column})" for column in _EXACT)
    near = (
        f"abs(one.{_ROUNDED} - other.{_ROUNDED})"
        f" <= {_TOLERANCE}D * greatest(abs(one.{_ROUNDED}), abs(other.{_ROUNDED}))"
    )
    [(rows, different)] = spark.sql(f"""
        select count(*), count_if({differs} or not coalesce({near}, false))
        from {one} as one
        full outer join {other} as other
            on one.agg_timestamp = cast(other.agg_timestamp as timestamp)
                and one.symbol = other.symbol
    """).collect()
    if different or not rows:
        raise DifferentTables(f"{different} of {rows} rows differ between {one} and {other}")
    return rows


def totals(spark: SparkSession, table: str) -> tuple[int, int]:
    """The events and the quantity in a table, whatever its duration."""
    [row] = spark.sql(f"select sum(agg_count), sum(agg_sum_quantity) from {table}").collect()
    return tuple(row)


def complete(spark: SparkSession, source: str, tables: list[str]) -> None:
    """Each of the tables has every event of the source. Raises DifferentTables."""
    [row] = spark.sql(f"select count(*), sum(quantity) from {source}").collect()
    for table in tables:
        if totals(spark, table) != tuple(row):
            raise DifferentTables(
                f"{table} has {totals(spark, table)} (events, quantity), {source} {tuple(row)}"
            )


@dataclass
class Increments:
    """What the counted runs of one kind took; `by_hand` are seconds."""

    kind: str
    runs: list[Run] = field(default_factory=list)
    jobs: list[int] = field(default_factory=list)
    commits: list[int] = field(default_factory=list)
    by_hand: list[float] = field(default_factory=list)


@dataclass(frozen=True)
class AllIncrements:
    """All kinds, and the driver's peak of heap over their runs, in MiB."""

    kinds: list[Increments]
    heap: float


def measure_runs(
    spark: SparkSession, project: Project, series: Series, new: int, repeat: int, warm_up: int,
    kinds: Sequence[str], report: Callable[[str], None],
) -> AllIncrements:  # fmt: skip
    """`warm_up` runs that follow one another, then `repeat` rounds of every kind, which count.

    Before each counted run with new events all tables are put back to what the full refresh left:
    what it finds is always the same, and so is what it has to leave behind. A run without any
    follows one with.
    """
    source = f"{project.schema}.events"
    own = [f"{project.schema}.{TRADES}_{duration}" for duration in DURATIONS]
    create_merged(spark, project.schema)
    widths = {
        duration: width_of(spark, table) for duration, table in zip(DURATIONS, own, strict=True)
    }
    before = {table: version(spark, table) for table in (source, *own, *merged_tables())}
    merge = partial(merge_by_hand, spark, source, widths)
    for count in range(warm_up):
        first = series.number + count * new
        append(spark, source, events_sql(series, first, new))
        run = project.run()
        report(f"warm-up {count + 1} of {warm_up}: {run.wall:.1f} s")
        if not count % _BY_HAND_EVERY:
            merge(first)

    def arrive(late: float | None) -> None:
        if late is None:  # after the run of another kind: a restore would be something new
            return
        for table, at in before.items():
            spark.sql(f"restore table {table} to version as of {at}")
            if table != source:
                # A run finds what a run leaves: a commit that follows from the one before it, which
                # a restore does not, and a log that the table which comes next has read.
                spark.sql(f"alter table {table} set tblproperties ('bench.restored' = 'true')")
                spark.sql(f"select count(*) from {table} where agg_partition is not null").collect()
        append(spark, source, events_sql(series, series.number, new, late))

    memory = Memory(spark)
    memory.reset()
    measured = {kind: Increments(kind) for kind in kinds}
    for turn in range(repeat):
        for kind, each in measured.items():
            after = series.number + (new if LATE[kind] is None else 0)
            arrive(LATE[kind])
            versions, started = {table: version(spark, table) for table in own}, jobs(spark)
            each.runs.append(project.run())
            each.jobs.append(jobs(spark) - started)
            each.commits.append(sum(version(spark, table) - at for table, at in versions.items()))
            each.by_hand.append(timed(partial(merge, after)))
            report(
                f"{kind}, {turn + 1} of {repeat}: {each.runs[-1].wall:.1f} s, "
                f"by hand {each.by_hand[-1]:.1f} s"
            )
            if not turn:
                complete(spark, source, own)
    heap = memory.heap()
    if any(LATE[kind] is not None for kind in kinds):  # not all runs that warm up are merged
        report("are the tables the same?")
        for table, hand in zip(own, merged_tables(), strict=True):
            same(spark, table, hand)
    return AllIncrements(list(measured.values()), heap)


def merged_tables() -> list[str]:
    return [f"{MERGED_SCHEMA}.{TRADES}_{duration}" for duration in DURATIONS]


def create_merged(spark: SparkSession, schema: str) -> None:
    """The six tables, as Strandline's in `schema` are now."""
    spark.sql(f"create schema if not exists {MERGED_SCHEMA}")
    for table in merged_tables():
        own = f"{schema}.{table.partition('.')[2]}"
        spark.sql(f"""
            create or replace table {table} using delta partitioned by (agg_partition) as
            select {", ".join(_COLUMNS)} from {own}
        """)


def width_of(spark: SparkSession, table: str) -> str:
    """The calendar unit by which a table is partitioned."""
    [row] = spark.sql(f"show tblproperties {table} ('strandline.partition')").collect()
    return str(json.loads(row["value"])["width"])


def merge_by_hand(spark: SparkSession, source: str, widths: Mapping[str, str], after: int) -> None:
    """The same increment by hand: six `merge into`, one for each table, of the new events' buckets.

    The tables have the rows and the partitions of Strandline's. New events are those that arrived
    after a number which the caller keeps. Run twice, it would count them twice; stopped between two
    tables, it leaves them different. Strandline's run excludes both.
    """
    for duration, table in zip(DURATIONS, merged_tables(), strict=True):
        buckets = _buckets_sql(source, after, duration, widths[duration])
        # With literal partitions Delta opens their files alone.
        found = spark.sql(f"select distinct agg_partition from ({buckets})").collect()
        partitions = ", ".join(f"'{row[0]}'" for row in found)
        if not partitions:
            continue
        sums = ", ".join(f"kept.{column} = kept.{column} + new.{column}" for column in _SUMS)
        spark.sql(f"""
            merge into {table} as kept using ({buckets}) as new
            on kept.agg_partition in ({partitions})
                and kept.agg_timestamp = new.agg_timestamp and kept.symbol = new.symbol
            when matched then update set
                {sums},
                kept.agg_min_price = least(kept.agg_min_price, new.agg_min_price),
                kept.agg_max_price = greatest(kept.agg_max_price, new.agg_max_price)
            when not matched then insert *
        """)


def _buckets_sql(source: str, after: int, duration: str, width: str) -> str:
    """The buckets of one duration that the new events fall into, in partitions of this width."""
    unit = duration.removesuffix("s")
    kind = "timestamp" if width == "hour" else "date"
    return f"""
        select
            date_trunc('{unit}', ts) as agg_timestamp,
            symbol,
            sum(price) as agg_sum_price,
            count(price) as agg_count_price,
            sum(quantity) as agg_sum_quantity,
            min(price) as agg_min_price,
            max(price) as agg_max_price,
            count(*) as agg_count,
            cast(date_trunc('{width}', first(ts)) as {kind}) as agg_partition
        from {source}
        where arrival > {after}
        group by 1, 2
    """


def spark_by_hand(spark: SparkSession, source: str) -> None:
    """The six tables as `by_hand.trades_<duration>`."""
    from pyspark.sql import functions as f

    spark.sql(f"create schema if not exists {BY_HAND_SCHEMA}")
    upstream, at = spark.table(source), "ts"
    parts = [
        f.sum("price").alias("agg_sum_price"),
        f.count("price").alias("agg_count_price"),
        f.sum("quantity").alias("agg_sum_quantity"),
        f.min("price").alias("agg_min_price"),
        f.max("price").alias("agg_max_price"),
        f.count("*").alias("agg_count"),
    ]
    for duration in DURATIONS:
        bucket = f.date_trunc(duration.removesuffix("s"), at).alias("agg_timestamp")
        rows = upstream.groupBy(bucket, "symbol").agg(*parts)
        name = f"{BY_HAND_SCHEMA}.trades_{duration}"
        rows.write.format("delta").mode("overwrite").saveAsTable(name)
        upstream, at = spark.table(name), "agg_timestamp"
        parts = [
            f.sum("agg_sum_price").alias("agg_sum_price"),
            f.sum("agg_count_price").alias("agg_count_price"),
            f.sum("agg_sum_quantity").alias("agg_sum_quantity"),
            f.min("agg_min_price").alias("agg_min_price"),
            f.max("agg_max_price").alias("agg_max_price"),
            f.sum("agg_count").alias("agg_count"),
        ]


_FROM_EVENTS = """
    sum(price) as agg_sum_price,
    count(price) as agg_count_price,
    cast(sum(quantity) as bigint) as agg_sum_quantity,
    min(price) as agg_min_price,
    max(price) as agg_max_price,
    count(*) as agg_count
"""
_FROM_PARTS = """
    sum(agg_sum_price) as agg_sum_price,
    cast(sum(agg_count_price) as bigint) as agg_count_price,
    cast(sum(agg_sum_quantity) as bigint) as agg_sum_quantity,
    min(agg_min_price) as agg_min_price,
    max(agg_max_price) as agg_max_price,
    cast(sum(agg_count) as bigint) as agg_count
"""


def duckdb_by_hand(events: Path, folder: Path) -> None:
    """The six tables as `<folder>/<duration>.parquet`."""
    import duckdb

    folder.mkdir(parents=True, exist_ok=True)
    upstream, at, parts = events / "*.parquet", "ts", _FROM_EVENTS
    with duckdb.connect(config={"threads": CORES}) as database:
        for duration in DURATIONS:
            table = folder / f"{duration}.parquet"
            database.execute(f"""
                copy (
                    select
                        cast(date_trunc('{duration.removesuffix("s")}', {at}) as timestamp)
                            as agg_timestamp,
                        symbol,
                        {parts}
                    from '{upstream}'
                    group by all
                ) to '{table}' (format parquet)
            """)
            upstream, at, parts = table, "agg_timestamp", _FROM_PARTS


if __name__ == "__main__":
    main()
