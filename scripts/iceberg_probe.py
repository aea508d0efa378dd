"""Tries on Iceberg what a run needs of the format of its tables, and prints what holds.

    make homes ARGS="--spark 4.1 tests/unit/test_file_format.py"    makes the environment
    target/homes/spark4.1/venv/bin/python -m scripts.iceberg_probe  a minute

Each need is a function with the statement that was tried. The answers are read in
docs/decisions/adr-0031-iceberg.md. Tables are in target/iceberg_probe, which is made new.
"""

from __future__ import annotations

import itertools
import shutil
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pyspark.sql import SparkSession

from strandline.spark.installed import spark_minor
from strandline.spark.jars import cache_dir, delta_jars
from strandline.spark.jars_fetch import JarSet
from strandline.spark.jvm import spark_env

# Another Spark or another Iceberg needs another line: its version, and the sha256 of its runtime.
RUNTIMES = {"4.1": ("1.12.0", "3123c3798af642dd537230923548e013ef41cc28b6626e5225808cf5670a0f82")}
FOLDER = Path(__file__).resolve().parents[1] / "target" / "iceberg_probe"
CONFLICT = "Found conflicting files"  # the words of Iceberg's check before a commit
WEEKS = "(date'2024-01-01', 5, 3), (date'2024-01-08', 7, 3), (date'2024-01-15', 9, 3)"


@dataclass
class Answer:
    """What came of a need.

    Attributes:
        holds: whether a run has what it needs.
        found: what was seen, in one line.
    """

    holds: bool
    found: str


@dataclass
class Probe:
    """The sessions of two runs in one Spark, and names of tables that are not taken yet.

    Attributes:
        run, other: two sessions; each has a catalog of its own, as two drivers have.
    """

    run: SparkSession
    other: SparkSession
    numbers: itertools.count[int] = field(default_factory=itertools.count)

    def table(self, rows: str = WEEKS) -> str:
        """A table as that of an aggregation: three weeks with a sum and the last arrival."""
        name = f"ice.probe.sums_{next(self.numbers)}"
        self.run.sql(
            f"create or replace table {name} using iceberg partitioned by (week)"
            f" as select * from values {rows} as t(week, total, arrival)"
        )
        return name

    def rows(self, table: str) -> list[tuple[Any, ...]]:
        found = self.run.sql(f"select week, total, arrival from {table} order by 1, 2")
        return [(str(week), total, arrival) for week, total, arrival in found.collect()]

    def snapshot(self, table: str) -> int:
        """The version of a table: the newest entry of its history."""
        query = f"select snapshot_id from {table}.history order by made_current_at desc limit 1"
        return int(self.run.sql(query).collect()[0][0])

    def snapshots(self, table: str) -> int:
        return int(self.run.sql(f"select count(*) from {table}.snapshots").collect()[0][0])

    def overlapped(self, statement: str, between: str) -> str:
        """Runs a statement, and another one after the first has read and before it commits.

        The statement has `wait(0)` in its rows. Returns the error of the first, or nothing.
        """
        started, may_go = FOLDER / "started", FOLDER / "may_go"
        for path in (started, may_go):
            path.unlink(missing_ok=True)

        def wait(value: int) -> int:
            started.touch()
            while not may_go.exists():
                time.sleep(0.05)
            return value

        self.run.udf.register("wait", wait, "int")
        errors: list[str] = []

        def write() -> None:
            try:
                self.run.sql(statement)
            except Exception as error:
                errors.append(first_line(error))

        thread = threading.Thread(target=write)
        thread.start()
        try:
            while thread.is_alive() and not started.exists():
                time.sleep(0.05)
            self.other.sql(between)
        finally:
            may_go.touch()
            thread.join()
        return errors[0] if errors else ""


NEEDS: dict[str, Callable[[Probe], Answer]] = {}


def need(name: str) -> Callable[[Callable[[Probe], Answer]], Callable[[Probe], Answer]]:
    def add(function: Callable[[Probe], Answer]) -> Callable[[Probe], Answer]:
        NEEDS[name] = function
        return function

    return add


def first_line(error: Exception) -> str:
    """What an error says: the words of Java's first cause, without its stack and its files."""
    java: Any = getattr(error, "java_exception", None)
    while java is not None and java.getCause() is not None:
        java = java.getCause()
    text = str(java.getMessage() or java.toString()) if java is not None else str(error)
    return " ".join(text.strip().split("\n")[:2]).partition(": [")[0][:200]


def refusal(spark: SparkSession, statement: str) -> str:
    """The error of a statement, or nothing."""
    try:
        spark.sql(statement).collect()
    except Exception as error:
        return first_line(error)
    return ""


# What a run of an aggregation needs.


@need("`create or replace table … as` in one commit, with properties")
def create(probe: Probe) -> Answer:
    table = probe.table()
    probe.run.sql(f"""
        create or replace table {table} using iceberg
        tblproperties ('strandline.task' = '{{"a": 1}}') partitioned by (week)
        as select week, total + 1 as total, arrival from {table}""")
    shown = {row[0]: row[1] for row in probe.run.sql(f"show tblproperties {table}").collect()}
    totals = [row[1] for row in probe.rows(table)]
    holds = totals == [6, 8, 10] and shown.get("strandline.task") == '{"a": 1}'
    return Answer(holds, f"replaced while it is read; {probe.snapshots(table)} snapshots are kept")


@need("a replacement that fails leaves the table")
def failed_create(probe: Probe) -> Answer:
    table = probe.table()
    before = probe.snapshot(table), probe.rows(table)
    error = refusal(
        probe.run,
        f"create or replace table {table} using iceberg"
        f" as select week, cast(raise_error('no') as int) as total from {table}",
    )
    after = probe.snapshot(table), probe.rows(table)
    return Answer(bool(error) and before == after, "the same snapshot as before")


@need("`insert … replace where` of partitions, from the table itself, in one commit")
def replace_where(probe: Probe) -> Answer:
    table = probe.table()
    probe.run.sql(f"""
        insert into {table} replace where week in (date'2024-01-08', date'2024-01-15')
        select week, total + 100, 4 from {table} where week = date'2024-01-08'""")
    holds = probe.rows(table) == [("2024-01-01", 5, 3), ("2024-01-08", 107, 4)]
    return Answer(holds and probe.snapshots(table) == 2, "one snapshot; an empty week is removed")


@need("the partition of October 1582")
def october_1582(probe: Probe) -> Answer:
    table = probe.table("(date'1582-10-11', 1, 1)")
    probe.run.sql(f"""
        insert into {table} replace where week = date'1582-10-11'
        select week, total + 1, 2 from {table}""")
    return Answer(probe.rows(table) == [("1582-10-11", 2, 2)], "by its own date")


@need("a statement that fails if another run has written rows (subquery with `raise_error`)")
def assertion(probe: Probe) -> Answer:
    table = probe.table()
    error = refusal(
        probe.run,
        f"""insert into {table} replace where week in (date'2024-01-08')
        select date'2024-01-08', 0, 4 where coalesce((
            select cast(raise_error('another run') as boolean) from {table}
            where arrival > 2 limit 1), true)""",
    )
    return Answer("another run" in error and probe.snapshots(table) == 1, error)


@need("another session reads what was committed just now (catalog as it is by default)")
def stale(probe: Probe) -> Answer:
    table = probe.table().replace("ice.", "cached.")
    count = f"select count(*) from {table}"
    before = probe.other.sql(count).collect()[0][0]
    probe.run.sql(f"insert into {table} values (date'2024-01-22', 1, 4)")
    after = probe.other.sql(count).collect()[0][0]
    return Answer(after == before + 1, f"{before} rows before the commit, {after} after it")


@need("the same with `cache-enabled = false`")
def fresh(probe: Probe) -> Answer:
    table = probe.table()
    count = f"select count(*) from {table}"
    before = probe.other.sql(count).collect()[0][0]
    probe.run.sql(f"insert into {table} values (date'2024-01-22', 1, 4)")
    after = probe.other.sql(count).collect()[0][0]
    return Answer(after == before + 1, f"{before} rows before the commit, {after} after it")


def _replacement(table: str, options: str = "") -> str:
    return f"""insert into {table} {options} replace where week in (date'2024-01-08')
        select week, total + 100 + wait(0), 4 from {table} where week = date'2024-01-08'"""


def _from(snapshot: int) -> str:
    return f"with ('isolation-level' = 'serializable', 'validate-from-snapshot-id' = '{snapshot}')"


BETWEEN = "insert into {} values (date'2024-01-08', 1, 4)"


@need("no lost update: a commit between the read and the write of `replace where`")
def overlap(probe: Probe) -> Answer:
    table = probe.table()
    error = probe.overlapped(_replacement(table), BETWEEN.format(table))
    kept = ("2024-01-08", 1, 4) in probe.rows(table)
    return Answer(bool(error) or kept, error or "no error, and the other run's row is lost")


@need("the same with `insert into t with (…)` and the snapshot that was read")
def overlap_from_snapshot(probe: Probe) -> Answer:
    table = probe.table()
    options = _from(probe.snapshot(table))
    error = probe.overlapped(_replacement(table, options), BETWEEN.format(table))
    return Answer(CONFLICT in error and ("2024-01-08", 1, 4) in probe.rows(table), error)


@need("the same: the other run has replaced the partition, too")
def overlap_of_replacements(probe: Probe) -> Answer:
    table = probe.table()
    options = _from(probe.snapshot(table))
    other = f"""insert into {table} {options} replace where week in (date'2024-01-08')
        select date'2024-01-08', 50, 4"""
    error = probe.overlapped(_replacement(table, options), other)
    return Answer(bool(error) and ("2024-01-08", 50, 4) in probe.rows(table), error)


@need("the same: a full refresh has replaced the table")
def overlap_of_refresh(probe: Probe) -> Answer:
    table = probe.table()
    options = _from(probe.snapshot(table))
    other = f"""create or replace table {table} using iceberg partitioned by (week)
        as select date'2024-01-01' as week, 1 as total, 1 as arrival"""
    error = probe.overlapped(_replacement(table, options), other)
    return Answer(bool(error) and probe.rows(table) == [("2024-01-01", 1, 1)], error)


@need("a repeated write is refused: the same statement from the same snapshot, twice")
def repeated(probe: Probe) -> Answer:
    table = probe.table()
    statement = f"""insert into {table} {_from(probe.snapshot(table))}
        replace where week in (date'2024-01-08') select date'2024-01-08', 50, 4"""
    probe.run.sql(statement)
    error = refusal(probe.run, statement)
    return Answer(bool(error) and probe.snapshots(table) == 2, error or "was written twice")


@need("an append that another append overtakes fails (late rows, the ledger)")
def append(probe: Probe) -> Answer:
    table = probe.table()
    options = _from(probe.snapshot(table))
    statement = f"""insert into {table} {options}
        select date'2024-01-22', wait(0), 4 where not exists
            (select * from {table} where arrival > 3)"""
    error = probe.overlapped(statement, BETWEEN.format(table))
    return Answer(bool(error), error or "no error: both were appended")


@need("the same as `replace where arrival > <the last read>`, which removes nothing")
def append_by_replacement(probe: Probe) -> Answer:
    table = probe.table()
    options = _from(probe.snapshot(table))
    statement = f"""insert into {table} {options} replace where arrival > 3
        select date'2024-01-22', wait(0), 4"""
    error = probe.overlapped(statement, BETWEEN.format(table))
    return Answer(CONFLICT in error and len(probe.rows(table)) == 4, error)


@need("a full refresh on a condition: it fails if another run has written meanwhile")
def refresh(probe: Probe) -> Answer:
    table = probe.table()
    statement = f"""create or replace table {table} using iceberg partitioned by (week)
        as select week, total + wait(0) as total, arrival from {table}"""
    error = probe.overlapped(statement, BETWEEN.format(table))
    kept = ("2024-01-08", 1, 4) in probe.rows(table)
    return Answer(bool(error) or kept, error or "no error, and the other run's row is lost")


@need("`merge` that changes rows and is overtaken fails (anomalies)")
def merge(probe: Probe) -> Answer:
    table = probe.table()
    statement = f"""merge into {table} t
        using (select date'2024-01-08' as week, wait(0) + 8 as total) s on t.week = s.week
        when matched then update set total = s.total
        when not matched then insert (week, total, arrival) values (s.week, s.total, 4)"""
    error = probe.overlapped(statement, BETWEEN.format(table))
    return Answer(bool(error), error or "no error")


@need("`merge` that only inserts and is overtaken fails")
def merge_insert(probe: Probe) -> Answer:
    table = probe.table()
    statement = f"""merge into {table} t
        using (select date'2024-01-22' as week, wait(0) as total) s on t.week = s.week
        when not matched then insert (week, total, arrival) values (s.week, s.total, 4)"""
    other = f"insert into {table} values (date'2024-01-22', 1, 4)"
    error = probe.overlapped(statement, other)
    return Answer(bool(error), error or "no error: the key is there twice")


@need("our own commit is found: a property of the commit, written with the rows")
def own_commit(probe: Probe) -> Answer:
    table = probe.table()
    probe.run.sql(f"""insert into {table} with ('snapshot-property.strandline.run' = 'r1')
        replace where week in (date'2024-01-08') select date'2024-01-08', 50, 4""")
    found = probe.run.sql(f"""select snapshot_id, summary['added-records']
        from {table}.snapshots where summary['strandline.run'] = 'r1'""").collect()
    holds = [row[0] for row in found] == [probe.snapshot(table)]
    return Answer(holds, f"in `{{t}}.snapshots`, with figures ({found[0][1]} row added)")


@need("the same through `set` of the session")
def own_commit_by_session(probe: Probe) -> Answer:
    table = probe.table()
    name = "spark.sql.iceberg.snapshot-property.strandline.run"
    probe.run.sql(f"set `{name}` = r2")
    probe.run.sql(f"insert into {table} values (date'2024-01-22', 1, 4)")
    probe.run.sql(f"reset `{name}`")
    found = probe.run.sql(
        f"select count(*) from {table}.snapshots where summary['strandline.run'] = 'r2'"
    ).collect()[0][0]
    return Answer(found == 1, "in the summary of the snapshot" if found else "ignored")


@need("table properties are set without a snapshot, and read")
def properties(probe: Probe) -> Answer:
    table = probe.table()
    probe.run.sql(f"alter table {table} set tblproperties ('strandline.watermark' = '7')")
    shown = {row[0]: row[1] for row in probe.run.sql(f"show tblproperties {table}").collect()}
    holds = shown.get("strandline.watermark") == "7" and probe.snapshots(table) == 1
    return Answer(holds, f"beside them {', '.join(sorted(set(shown) - {'strandline.watermark'}))}")


@need("the watermark (`max`) from statistics, without a scan")
def watermark(probe: Probe) -> Answer:
    table = probe.table()
    query = f"select max(arrival) from {table}"
    plan = probe.run.sql(f"explain {query}").collect()[0][0]
    holds = "BatchScan" not in plan and probe.run.sql(query).collect()[0][0] == 3
    return Answer(holds, "LocalTableScan" if "LocalTableScan" in plan else plan[:160])


@need("the same after rows were deleted by `delete`")
def watermark_after_delete(probe: Probe) -> Answer:
    table = probe.table("(date'2024-01-08', 1, 3), (date'2024-01-08', 2, 4)")
    probe.run.sql(f"delete from {table} where arrival = 4")
    found = probe.run.sql(f"select max(arrival) from {table}").collect()[0][0]
    return Answer(found == 3, f"{found}")


@need("files without the rows of a condition are skipped")
def pruning(probe: Probe) -> Answer:
    table = probe.table()
    for row in probe.run.sql(f"""select file_path from {table}.files
            where partition.week <> date'2024-01-15'""").collect():
        Path(row[0].removeprefix("file:")).unlink()
    error = refusal(probe.run, f"select * from {table} where total > 8")
    return Answer(not error, error or "two of three files are gone, and the query gives its row")


@need("any name of a column, and nested types")
def names(probe: Probe) -> Answer:
    table = probe.table()
    probe.run.sql(f"""create or replace table {table} using iceberg as
        select 1 as `a b,;{{}}()=.`, array(named_struct('x', 1.5d, 'y z', cast('a' as binary)))
            as points""")
    error = refusal(probe.run, f"select `a b,;{{}}()=.`, points[0].`y z` from {table}")
    return Answer(not error, error or "by column ids; `rename column` is there, too")


@need("the types of columns stay as they are")
def types(probe: Probe) -> Answer:
    kept = {"smallint": "smallint", "tinyint": "tinyint", "timestamp_ntz": "timestamp_ntz"}
    found = {}
    for name in kept:
        table = probe.table()
        value = "'2024-01-01'" if name == "timestamp_ntz" else "1"
        probe.run.sql(
            f"create or replace table {table} using iceberg as select cast({value} as {name}) as a"
        )
        found[name] = probe.run.table(table).schema[0].dataType.simpleString()
    changed = [f"{name} becomes {now}" for name, now in found.items() if now != name]
    return Answer(not changed, ", ".join(changed) or "all")


# What landing, purge and status need.


@need("`version as of` a number")
def as_of(probe: Probe) -> Answer:
    table = probe.table()
    before = probe.snapshot(table)
    probe.run.sql(f"delete from {table}")
    found = probe.run.sql(f"select count(*) from {table} version as of {before}").collect()[0][0]
    return Answer(found == 3, "the number is an id without an order, not a count")


@need("`describe history`")
def history(probe: Probe) -> Answer:
    error = refusal(probe.run, f"describe history {probe.table()}")
    return Answer(not error, error)


@need("the history with its figures, as a table")
def history_table(probe: Probe) -> Answer:
    table = probe.table()
    found = probe.run.sql(f"""select committed_at, snapshot_id, parent_id, operation,
        summary['added-records'] from {table}.snapshots""").collect()
    return Answer(len(found) == 1 and found[0][4] == "3", "`{t}.snapshots`")


@need("rows added between two versions (`landing` of a table)")
def appended(probe: Probe) -> Answer:
    table = probe.table()
    first = probe.snapshot(table)
    probe.run.sql(f"insert into {table} values (date'2024-01-22', 1, 4)")
    found = probe.run.sql(f"""select total from {table} with
        ('start-snapshot-id' = '{first}', 'end-snapshot-id' = '{probe.snapshot(table)}')""")
    return Answer([row[0] for row in found.collect()] == [1], "`select … from t with (…)`")


@need("the same over a commit that replaces rows: refused, not left out")
def appended_over_replacement(probe: Probe) -> Answer:
    table = probe.table()
    first = probe.snapshot(table)
    probe.run.sql(f"""insert into {table} replace where week in (date'2024-01-08')
        select date'2024-01-08', 50, 4""")
    query = f"""select total from {table} with
        ('start-snapshot-id' = '{first}', 'end-snapshot-id' = '{probe.snapshot(table)}')"""
    error = refusal(probe.run, query)
    return Answer(bool(error), error or f"{probe.run.sql(query).count()} rows, without an error")


@need("rows changed between two versions, with updates and deletes")
def changed(probe: Probe) -> Answer:
    table = probe.table()
    first = probe.snapshot(table)
    probe.run.sql(f"update {table} set total = 8 where week = date'2024-01-08'")
    probe.run.sql(f"""call ice.system.create_changelog_view(table => '{table[4:]}',
        options => map('start-snapshot-id', '{first}'), changelog_view => 'changes',
        identifier_columns => array('week'))""")
    found = sorted(row[0] for row in probe.run.sql("select _change_type from changes").collect())
    holds = found == ["UPDATE_AFTER", "UPDATE_BEFORE"]
    return Answer(holds, f"procedure `create_changelog_view`: {', '.join(found)}")


@need("`optimize`, `vacuum`")
def optimize(probe: Probe) -> Answer:
    table = probe.table()
    errors = [refusal(probe.run, f"{verb} {table}") for verb in ("optimize", "vacuum")]
    return Answer(not any(errors), next(filter(None, errors), ""))


@need("files joined and old ones removed, by procedures")
def maintenance(probe: Probe) -> Answer:
    table = probe.table()
    for total in range(6):
        probe.run.sql(f"insert into {table} values (date'2024-01-22', {total}, 4)")
    short = table[4:]
    joined = probe.run.sql(f"""call ice.system.rewrite_data_files(table => '{short}',
        options => map('min-input-files', '2'))""").collect()[0]
    gone = probe.run.sql(f"""call ice.system.expire_snapshots(table => '{short}',
        older_than => timestamp'2999-01-01', retain_last => 1)""").collect()[0]
    holds = joined[0] == 6 and gone[0] == 6 and len(probe.rows(table)) == 9
    return Answer(holds, f"{joined[0]} files became {joined[1]}; {gone[0]} old ones were removed")


@need("`check` constraints")
def constraints(probe: Probe) -> Answer:
    error = refusal(
        probe.run, f"alter table {probe.table()} add constraint positive check (total > 0)"
    )
    return Answer(not error, error)


# Where the tables are.


@need("Iceberg and Delta tables in one schema, with Delta's `spark_catalog`")
def one_catalog(probe: Probe) -> Answer:
    error = refusal(probe.run, "create table default.sums (a int) using iceberg")
    return Answer(not error, error)


@need("the same with Iceberg's `spark_catalog`: an Iceberg table")
def iceberg_in_session_catalog(probe: Probe) -> Answer:
    spark = _session_of_iceberg(probe)
    error = refusal(spark, "create or replace table default.ours using iceberg as select 1 as a")
    return Answer(not error, error or "is made")


@need("the same: a Delta table")
def delta_in_session_catalog(probe: Probe) -> Answer:
    spark = _session_of_iceberg(probe)
    error = refusal(spark, "create or replace table default.theirs using delta as select 1 as a")
    return Answer(not error, error or "is made")


def _session_of_iceberg(probe: Probe) -> SparkSession:
    spark = probe.run.newSession()
    own = "spark.sql.catalog.spark_catalog"
    spark.conf.set(own, "org.apache.iceberg.spark.SparkSessionCatalog")
    spark.conf.set(f"{own}.type", "hadoop")
    spark.conf.set(f"{own}.warehouse", str(FOLDER / "session"))
    return spark


@need("dbt-spark lists the tables of a schema (`show table extended`)")
def listing(probe: Probe) -> Answer:
    error = refusal(probe.run, "show table extended in ice.probe like '*'")
    return Answer(not error, error)


@need("dbt-spark names a table of another catalog")
def relation(_: Probe) -> Answer:
    from dbt.adapters.spark.relation import SparkRelation

    try:
        made = SparkRelation.create(database="ice", schema="probe", identifier="sums")
    except Exception as error:
        return Answer(False, first_line(error))
    return Answer(True, str(made))


@need("an Iceberg table from a Delta table of the same session, by a third name")
def from_delta(probe: Probe) -> Answer:
    probe.run.sql("create or replace table default.trades using delta as select 1 as a")
    table = probe.table()
    probe.run.sql(f"create or replace table {table} using iceberg as select * from default.trades")
    return Answer(probe.run.table(table).count() == 1, "`ice.schema.table`")


def runtime(spark: str) -> Path:
    """Iceberg's runtime for a minor version of Spark: fetched once, checked."""
    if spark not in RUNTIMES:
        raise SystemExit(
            f"Iceberg's runtime is pinned for Spark {', '.join(RUNTIMES)}, and this is Spark"
            f" {spark}: run the Python of target/homes/spark{next(iter(RUNTIMES))}"
        )
    version, digest = RUNTIMES[spark]
    name = f"iceberg-spark-runtime-{spark}_2.13"
    [jar] = JarSet(
        what="jar of Iceberg",
        coordinates=f"org.apache.iceberg:{name}:{version}",
        excluded="",
        folder=cache_dir() / f"iceberg-{version}-spark-{spark}",
        sums={f"org.apache.iceberg_{name}-{version}.jar": digest},
        lock="RUNTIMES in scripts/iceberg_probe.py",
    ).paths()
    return jar


def session() -> SparkSession:
    """A local Spark with Delta in `spark_catalog`, and two catalogs of one folder for Iceberg."""
    import os

    jars = [runtime(spark_minor()), *delta_jars()]
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    os.environ.update(spark_env())
    config = {
        "spark.jars": ",".join(map(str, jars)),
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension,"
        "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.sql.warehouse.dir": str(FOLDER / "spark"),
        "spark.sql.shuffle.partitions": "2",
        "spark.ui.enabled": "false",
    }
    for catalog, cached in (("ice", "false"), ("cached", "true")):
        own = f"spark.sql.catalog.{catalog}"
        config |= {
            own: "org.apache.iceberg.spark.SparkCatalog",
            f"{own}.type": "hadoop",
            f"{own}.warehouse": str(FOLDER / "ice"),
            f"{own}.cache-enabled": cached,
        }
    builder = SparkSession.builder.master("local[2]").appName("iceberg_probe")
    for key, value in config.items():
        builder = builder.config(key, value)
    spark: SparkSession = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    return spark


def main() -> None:
    spark = session()
    probe = Probe(spark, spark.newSession())
    probe.run.sql("create namespace ice.probe")
    print(f"Spark {spark.version}, Iceberg {RUNTIMES[spark_minor()][0]}\n")
    print("| what a run needs | | what was seen |\n| --- | --- | --- |")
    for name, function in NEEDS.items():
        try:
            answer = function(probe)
        except Exception as error:
            answer = Answer(False, f"fails: {first_line(error)}")
        print(f"| {name} | {'yes' if answer.holds else '**no**'} | {answer.found} |", flush=True)
    spark.stop()


if __name__ == "__main__":
    main()
