"""`python -m bench.anomalies`: a run on a day of a year of anomalies, beside a merge by hand.

The detections are made by a formula, so that they are the same on every machine. Two a day of each
sensor, all below their baseline; the second one of one day in five begins where the first one ends,
so that the two have a parent. Three in a hundred mutate: they are other ones in each version of the
data, by their value or by not being there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timezone
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from bench.project import DbtProject, append, workplace
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
    assert_same_rows,
    median,
    memory_option,
    processor,
    table_of,
    timed,
    version,
)
from rich.console import Console

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

console = Console()
FILES = {
    "models/anomalies.sql": (
        "{{ strandline.anomalies(detections=[source('feed', 'detections')], "
        "keys=['detector', 'sensor'], granularity='PT15M', mutability_period='P2D', "
        "re_notify_percentage_threshold=20, re_notify_absolute_threshold=5) }}\n"
    )
}
NAMES = {
    "first": "first build",
    "changed": "a day, 3 % changed",
    "unchanged": "that day again",
    "new": "a new day",
    "empty": "nothing new",
}
KINDS = {"new": INCREMENT, "empty": NOTHING}  # of figures; the others are named as they are
SENSORS = 137
A_DAY = 2 * SENSORS
START = 1_735_689_600  # 1 January 2025
_DAY, _QUARTER = 86_400, 900
_COLUMNS = """
    detector string, sensor string, starts_at timestamp, ends_at timestamp,
    current_value double, baseline_value double
"""
FIRST, CHANGED, UNCHANGED, NEW, EMPTY = "first", "changed", "unchanged", "new", "empty"
# What a run that changes rows commits: the rows, then its watermark and its counts.
COMMITS = {CHANGED: 2, UNCHANGED: 0, NEW: 2, EMPTY: 0}


@click.command(context_settings={"show_default": True})
@click.option(
    "--anomalies", type=click.IntRange(1_000), multiple=True, default=[1_000, 10_000, 100_000],
    help="Anomalies, 274 a day; several are measured in turn.",
)  # fmt: skip
@click.option("--rounds", type=click.IntRange(1), default=5, help="Rounds that count.")
@memory_option("2g")
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path))
def main(anomalies: tuple[int, ...], rounds: int, memory: str, json_file: Path | None) -> None:
    """Runs on a day of a history of anomalies, and a merge by hand of the same day, in turn.

    One round warms up. The commits of each run are counted, and in the end what is active is
    compared with what is so by hand.
    """
    on = occasion()
    with workplace() as folder:

        def project_of(schema: str) -> DbtProject:
            return DbtProject(folder / schema, folder / "home", schema, memory, "detections", FILES)

        measured = measure(project_of, anomalies, rounds, console.print)
        show(measured)
        if json_file is not None:
            found = [results_of(number, history, on) for number, history in measured.items()]
            save(json_file, chain.from_iterable(found))


def results_of(number: int, history: dict, on: Occasion) -> list[Result]:
    """Each kind of run on a history of so many anomalies, beside its merge by hand."""

    def note(took: list[dict[str, float]]) -> str:
        work, own, hand = (
            median(one[each] for one in took) for each in ("work", "processor", "processor by hand")
        )
        return f"models alone {work:.1f} s; processor {own:.1f} s, by hand {hand:.1f} s"

    return [
        Result(
            "anomalies", KINDS.get(kind, name), f"{name}, {in_words(number)} anomalies",
            Runs.of((one["wall"] for one in took), max(one["heap"] for one in took)), on,
            {BY_HAND: Runs.of(one["by hand"] for one in took)}, number, note=note(took),
        )
        for kind, name in NAMES.items()
        if (took := history["took"].get(kind))
    ]  # fmt: skip


def show(measured: dict) -> None:
    """One table of one screen: medians of seconds, on the clock and of the driver's processor.

    A day in the middle is run by hand, the newest one as a schedule does; by hand is a merge of
    the same day. The peak of the heap is the greatest one.
    """
    table = table_of(
        "seconds of a run, medians; heap in MiB", "run", "anomalies", "work", "wall", "CPU",
        "by hand", "CPU", "heap",
    )  # fmt: skip
    table.columns[0].no_wrap = True
    for kind, name in NAMES.items():
        for number, history in measured.items():
            took = history["took"][kind]
            seconds = [
                f"{median(one[each] for one in took):.2f}"
                for each in ("work", "wall", "processor", "by hand", "processor by hand")
            ]
            heap = f"{max(one['heap'] for one in took):,.0f}"
            table.add_row(name, f"{number:,}", *seconds, heap)
    console.print(table)


@dataclass
class History:
    """A project over so many days of detections, with the same table by hand beside its own."""

    days: int
    project: DbtProject
    spark: SparkSession
    mutations: int = 0
    grown: int = 0
    took: dict[str, list[dict[str, float]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        schema = self.project.schema
        self.source, self.table = f"{schema}.detections", f"{schema}.anomalies"
        self.by_hand = f"{schema}.by_hand"
        self.project.deps()
        make_detections(self.spark, self.source, self.days)

    def build(self) -> None:
        self._measure(FIRST, lambda: self._run(full_refresh=True), self._create)

    def round(self) -> None:
        """A day in the middle, changed and as it was; the newest day; nothing at all."""
        self.mutations += 1
        middle = self.days // 2
        mutate(self.spark, self.source, middle, self.mutations)
        day = (middle, middle + 1)
        start, end = map(midnight, day)
        backfill = {"strandline_from": start, "strandline_to": end}
        for kind in (CHANGED, UNCHANGED):
            self._measure(kind, lambda: self._run(backfill), lambda: self._merge(*day))
        append(self.spark, self.source, days_sql(self.days + self.grown, 1, 0))
        self.grown += 1
        last = self.days + self.grown
        for kind in (NEW, EMPTY):
            self._measure(kind, self._run, lambda: self._merge(last - 2, last))

    def _run(self, variables: dict | None = None, full_refresh: bool = False) -> dict[str, float]:
        run = self.project.select("anomalies", 1, full_refresh, variables)
        return {"work": run.work, "wall": run.wall}

    def _create(self) -> None:
        create_by_hand(self.spark, self.by_hand, self.source)

    def _merge(self, start: int, end: int) -> None:
        merge_by_hand(self.spark, self.by_hand, self.source, start, end)

    def _measure(self, kind: str, run: Callable, hand: Callable[[], None]) -> None:
        memory = Memory(self.spark)
        before = version(self.spark, self.table) if kind in COMMITS else 0
        memory.reset()
        began = processor(self.spark)
        one = run()
        one["heap"], one["processor"] = memory.heap(), processor(self.spark) - began
        if kind in COMMITS:
            commits = version(self.spark, self.table) - before
            if commits != COMMITS[kind]:
                raise RuntimeError(f"{kind}: {commits} commits, {COMMITS[kind]} were meant")
        began = processor(self.spark)
        one["by hand"] = timed(hand)
        one["processor by hand"] = processor(self.spark) - began
        self.took.setdefault(kind, []).append(one)

    def check(self) -> int:
        """Compares what is active with what is so by hand, both ways; gives the table's rows."""
        columns = "detector, sensor, starts_at, ends_at, current_value, baseline_value"
        ours = f"select {columns} from {self.table} where status <> 'outdated' and not is_parent"
        theirs = f"select {columns} from {self.by_hand} where status <> 'outdated'"
        assert_same_rows(self.spark, f"{self.days} days", ours, theirs)
        return self.spark.table(self.table).count()


def measure(
    project_of: Callable[[str], DbtProject], numbers: tuple[int, ...], rounds: int,
    report: Callable[[str], None],
) -> dict[str, Any]:  # fmt: skip
    """What each round of each history took, after one to warm up, and its rows."""
    histories: dict[int, History] = {}
    for number in numbers:
        project = project_of(f"anomalies_{number}")
        days = max(3, round(number / A_DAY))
        histories[number] = History(days, project, project.session())
        report(f"{number:,} anomalies: {days} days")
        histories[number].build()
        histories[number].build()
    for count in range(rounds + 1):
        report(f"round {count} of {rounds}" if count else "warm-up")
        for history in histories.values():
            history.round()
    return {
        number: {
            "days": history.days, "rows": history.check(),
            "took": {kind: took[1:] for kind, took in history.took.items()},
        }
        for number, history in histories.items()
    }  # fmt: skip


def midnight(day: int) -> str:
    """Midnight before a day, counted from 0, as text in UTC."""
    at = datetime.fromtimestamp(START + day * _DAY, tz=timezone.utc)
    return at.strftime("%Y-%m-%d %H:%M:%S")


def make_detections(spark: SparkSession, table: str, days: int) -> None:
    """The table of so many days, as its first version has them."""
    spark.sql(f"create schema if not exists {table.split('.')[0]}")
    spark.sql(f"drop table if exists {table}")
    spark.sql(f"create table {table} ({_COLUMNS}) using delta")
    append(spark, table, days_sql(0, days, 0))


def mutate(spark: SparkSession, table: str, day: int, version: int) -> None:
    """Puts another version of a day in its place, in one commit."""
    spark.sql(f"""
        insert into {table} replace where {within(day, day + 1)}
        {days_sql(day, 1, version)}
    """)


def within(start: int, end: int) -> str:
    """The condition that a row ends in the days from `start` to before `end`."""
    first, last = f"timestamp'{midnight(start)}Z'", f"timestamp'{midnight(end)}Z'"
    return f"ends_at > {first} and ends_at <= {last}"


def days_sql(day: int, days: int, version: int) -> str:
    """Days from `day` on, in one version of what mutates.

    None ends at a midnight or spans one: a day's rows are those that end in it.
    """
    first, last = day * A_DAY, (day + days) * A_DAY
    return f"""
        select
            'low' as detector, sensor, timestamp_seconds(begins) as starts_at,
            timestamp_seconds(begins + quarters * {_QUARTER}) as ends_at,
            case mutates
                when 1 then 10 + pmod(xxhash64(id, {version}), 60)
                when 2 then 10 + pmod(xxhash64(id), 60) + {version} / 1000
                else 10 + pmod(xxhash64(id), 60)
            end as current_value,
            100.0D as baseline_value
        from (
            select
                *,
                {START} + day * {_DAY} + {_QUARTER} * case
                    when not is_second then at
                    when pmod(xxhash64(sensor, day, 'touches'), 5) = 0 then at + length
                    else 48 + at
                end as begins,
                if(is_second, pmod(xxhash64(id, 'length'), 4) + 1, length) as quarters,
                pmod(xxhash64(id, 'mutates'), 100) as mutates
            from (
                select
                    *,
                    pmod(xxhash64(sensor, day, 'at'), 40) as at,
                    pmod(xxhash64(sensor, day, 'length'), 4) + 1 as length
                from (
                    select
                        id, id div {A_DAY} as day, pmod(id, 2) = 1 as is_second,
                        concat('s', lpad(pmod(id div 2, {SENSORS}), 3, '0')) as sensor
                    from range({first}, {last}, 1, {max(1, days // 20)})
                )
            )
        )
        where mutates > 0 or pmod(xxhash64(id, {version}, 'there'), 2) = 0
    """


def create_by_hand(spark: SparkSession, table: str, source: str) -> None:
    spark.sql(f"""
        create or replace table {table} using delta as
        select *, 'new' as status, current_timestamp() as changed_run_at from {source}
    """)


def merge_by_hand(spark: SparkSession, table: str, source: str, start: int, end: int) -> None:
    """Brings the days from `start` to before `end` to what is found in them now: one `merge into`.

    It knows new, updated and outdated, by key, start and end. It has no parents, no generations, no
    outbox and no watermark.
    """
    analysed = within(start, end)
    kept_analysed = analysed.replace("ends_at", "kept.ends_at")
    columns = "detector, sensor, starts_at, ends_at, current_value, baseline_value"
    spark.sql(f"""
        merge into {table} as kept
        using (select * from {source} where {analysed}) as found
        on kept.detector = found.detector and kept.sensor = found.sensor
            and kept.starts_at = found.starts_at and kept.ends_at = found.ends_at
            and {kept_analysed}
        when matched and (
            kept.status = 'outdated' or kept.current_value <> found.current_value
            or kept.baseline_value <> found.baseline_value
        ) then update set
            current_value = found.current_value, baseline_value = found.baseline_value,
            status = 'updated', changed_run_at = current_timestamp()
        when not matched then insert ({columns}, status, changed_run_at)
            values ({columns}, 'new', current_timestamp())
        when not matched by source and kept.status <> 'outdated' and {kept_analysed}
            then update set status = 'outdated', changed_run_at = current_timestamp()
    """)


if __name__ == "__main__":
    main()
