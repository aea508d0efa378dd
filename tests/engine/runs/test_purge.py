"""Purge and hand-made reruns on real tables: the example of docs/retention.md, word by word."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from datetime import datetime
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner
from tests.conftest import ROOT, Dbt, drop_schema, profile, said
from tests.engine.runs.kill import meanwhile
from tests.unit.jinja_macros import macros

from strandline import retention
from strandline.cli.main import cli
from strandline.retention.aggregations import SummaryTable, horizon_of

PAGE = (ROOT / "docs" / "retention.md").read_text(encoding="utf-8")
COLUMNS = "arrival bigint, symbol string, ts timestamp, quantity int"
SECONDS, MINUTES, HOURS = (f"shop.trade_aggregation_{name}" for name in ("seconds", "minutes", "hours"))  # fmt: skip


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def trades() -> list[tuple]:
    """The page's table of trades."""
    lines = re.findall(r"^\| (\d) \| (\w+) \| (\S+ \S+) \| (\d+) \|$", PAGE, re.MULTILINE)
    return [(int(n), who, datetime.fromisoformat(ts), int(q)) for n, who, ts, q in lines]


def commands(block: int) -> list[list[str]]:
    return [shlex.split(line)[1:] for line in blocks("sh")[block].splitlines()]


@pytest.fixture
def shop(spark, tmp_path: Path, write_files: Callable):
    """A shop that has read the page's trades in two runs."""
    durations = ("seconds", "minutes", "hours")
    folder = write_files(
        tmp_path / "shop",
        {
            "dbt_project.yml": 'name: shop\nversion: "1.0"\nprofile: shop\nmodels: {strandline: {+enabled: false}}\n',
            "profiles/profiles.yml": profile("shop", more="threads: 2"),
            "packages.yml": f"packages:\n  - local: {ROOT}\n",
            "models/_sources.yml": "sources: [{name: shop, schema: shop, tables: [{name: trades}]}]",
            "macros/trade_aggregation.sql": blocks("jinja")[0],
            "models/trade_aggregation_late.sql": "{{ strandline.aggregation_late(trade_aggregation()) }}",
            **{
                f"models/trade_aggregation_{name}.sql": f"{{{{ strandline.aggregation_table(trade_aggregation(), '{name}') }}}}"
                for name in durations
            },
        },
    )
    dbt = Dbt(tmp_path / "work", profiles_dir=folder / "profiles")
    dbt("deps", project_dir=folder)
    spark.sql("create schema shop")
    spark.sql(f"create table shop.trades ({COLUMNS}) using delta")

    def land(*events: tuple) -> None:
        spark.createDataFrame(list(events), COLUMNS).coalesce(1).writeTo("shop.trades").append()

    def rows(table: str) -> list[tuple]:
        query = f"select date_format(agg_timestamp, 'HH:mm:ss'), symbol, agg_sum_quantity from {table} order by 1, 2"
        return [tuple(row) for row in spark.sql(query).collect()]

    def strandline(*arguments: str):
        at = ("--project-dir", str(folder), "--profiles-dir", str(folder / "profiles"))
        return CliRunner(env={"COLUMNS": "120"}).invoke(cli, [*arguments, *at])

    def versions() -> list[int]:
        tables = (SECONDS, MINUTES, HOURS)
        return [spark.sql(f"describe history {t} limit 1").collect()[0]["version"] for t in tables]

    land(*trades()[:4])
    dbt("run", project_dir=folder)
    land(*trades()[4:])
    dbt("run", project_dir=folder)
    yield SimpleNamespace(
        run=lambda *a: [said(r.message) for r in dbt("run", *a, project_dir=folder)],
        land=land, rows=rows, strandline=strandline, versions=versions, spark=spark,
    )  # fmt: skip
    drop_schema(spark, "shop")


def properties(shop, table: str) -> dict[str, str]:
    rows = shop.spark.sql(f"show tblproperties {table}").collect()
    return {row["key"].removeprefix("strandline."): row["value"] for row in rows}


def at(time: str) -> datetime:
    return datetime.fromisoformat(f"2014-02-15 {time}")


@pytest.mark.soak  # a minute and more
def test_the_pages_example(shop):
    first, second = commands(0)
    before = shop.versions()
    dry = shop.strandline(*first)
    assert dry.exit_code == 0, dry.output
    assert re.search(rf"^{SECONDS} .* 4 +2 *$", dry.output, re.MULTILINE)
    assert shop.versions() == before

    done = shop.strandline(*second)
    assert done.exit_code == 0, done.output
    shown = [
        line.rstrip() for line in done.output.splitlines() if line.startswith(("table", "shop."))
    ]
    assert shown == blocks("text")[0].splitlines()
    assert shop.rows(SECONDS) == [("12:01:05", "IBM", 32), ("12:03:20", "IBM", 16)]
    assert shop.rows(MINUTES) == [
        ("11:59:00", "IBM", 2),
        ("12:00:00", "IBM", 4),
        ("12:00:00", "WSO2", 8),
        ("12:01:00", "IBM", 32),
        ("12:03:00", "IBM", 16),
    ]
    assert shop.rows(HOURS) == [
        ("10:00:00", "IBM", 1),
        ("11:00:00", "IBM", 2),
        ("12:00:00", "IBM", 52),
        ("12:00:00", "WSO2", 8),
    ]
    assert properties(shop, SECONDS)["purged_before"] == "2014-02-15T12:01:00Z"
    assert properties(shop, MINUTES)["upstream_purged_before"] == "2014-02-15T12:01:00Z"
    assert properties(shop, MINUTES)["purged_before"] == "2014-02-15T11:00:00Z"

    # Again: nothing goes, nothing is written; nor has a run anything to do.
    before = shop.versions()
    again = shop.strandline(*second)
    assert re.findall(r" (\d+) +\d+ *$", again.output, re.MULTILINE) == ["0", "0", "0"]
    assert set(shop.run("--select", "trade_aggregation_*")) == {"nothing new"}
    assert shop.versions() == before

    # An event for a purged second is not counted; one for a second that is kept is, everywhere.
    shop.land((7, "IBM", at("12:00:59"), 64), (8, "IBM", at("12:01:00"), 128))
    shop.run()
    assert ("12:01:00", "IBM", 128) in shop.rows(SECONDS)
    assert len(shop.rows(SECONDS)) == 3
    assert shop.rows(MINUTES)[1:4] == [
        ("12:00:00", "IBM", 4),
        ("12:00:00", "WSO2", 8),
        ("12:01:00", "IBM", 32 + 128),
    ]
    assert shop.rows(HOURS)[2] == ("12:00:00", "IBM", 52 + 128)
    late = shop.spark.sql("select arrival, late_reason from shop.trade_aggregation_late").collect()
    assert [tuple(row) for row in late] == [(7, "late: its bucket is older than what is kept")]


@pytest.mark.soak
def test_a_purge_while_a_roll_up_is_computed(shop, monkeypatch):
    """Its buckets are computed from the rows that were there before the purge."""
    minutes, planned = shop.rows(MINUTES), []
    shop.land((7, "IBM", at("12:03:21"), 64))  # of the day of all others
    shop.run("--exclude", "trade_aggregation_minutes", "trade_aggregation_hours")
    with monkeypatch.context() as patch:
        patch.setattr(retention, "purge", lambda _, *given: planned.append(given) or given[1])
        shop.strandline("purge")
    with meanwhile(MINUTES, lambda: retention.purge(shop.spark, *planned[0])):
        shop.run()
    assert shop.rows(SECONDS) == [
        ("12:01:05", "IBM", 32),
        ("12:03:20", "IBM", 16),
        ("12:03:21", "IBM", 64),
    ]
    assert shop.rows(MINUTES) == [*minutes[:-1], ("12:03:00", "IBM", 16 + 64)]


@pytest.mark.soak
def test_a_table_that_is_rebuilt_while_it_is_purged(shop, monkeypatch):
    purge = import_module("strandline.retention.purge")
    real, calls = purge._advance, []

    def rebuilds(*given):
        calls.append(real(*given))
        if len(calls) == 3:  # the horizons of all tables
            shop.run("--full-refresh", "--select", "trade_aggregation_seconds")

    monkeypatch.setattr(purge, "_advance", rebuilds)
    refused = shop.strandline("purge")
    assert refused.exit_code == 1
    assert (
        f"{SECONDS} was rebuilt by another run while it was purged; rebuild it again: "
        "dbt build --full-refresh --select trade_aggregation_seconds+"
        in said(refused.output).replace("`", "")
    )


@pytest.mark.soak
def test_a_purge_that_is_killed_after_its_first_commit(shop, monkeypatch):
    """Only the base has the horizon: what is late for it is a late row, too."""
    purge = import_module("strandline.retention.purge")
    real, calls = purge._advance, []

    def stops(*given):
        if calls:
            raise RuntimeError("killed")
        calls.append(real(*given))

    monkeypatch.setattr(purge, "_advance", stops)
    assert shop.strandline("purge").exit_code == 1
    monkeypatch.setattr(purge, "_advance", real)
    assert properties(shop, SECONDS)["purged_before"] == "2014-02-15T12:01:00Z"
    assert "upstream_purged_before" not in properties(shop, MINUTES)
    minutes = shop.rows(MINUTES)

    shop.land((7, "IBM", at("12:00:59"), 64))
    shop.run()
    late = "select arrival, late_reason from shop.trade_aggregation_late"
    assert [tuple(row) for row in shop.spark.sql(late).collect()] == [
        (7, "late: its bucket is older than what is kept")
    ]
    assert shop.rows(MINUTES) == minutes
    assert shop.strandline("purge").exit_code == 0
    assert shop.rows(SECONDS) == [("12:01:05", "IBM", 32), ("12:03:20", "IBM", 16)]

    # The commit that gave the roll-up its horizon is lost: that of the base table applies.
    shop.spark.sql(
        f"alter table {MINUTES} unset tblproperties ('strandline.upstream_purged_before')"
    )
    kept = shop.rows(MINUTES)
    shop.land((8, "IBM", at("12:03:21"), 128))
    shop.run()
    assert shop.rows(MINUTES) == [*kept[:-1], ("12:03:00", "IBM", 16 + 128)]


@pytest.mark.soak
def test_only_what_is_read_goes_and_the_watermark_stays(shop, monkeypatch):
    # The latest arrival is an old event, and only the base table has read it.
    shop.land((7, "IBM", at("10:58:40"), 64))
    shop.run("--select", "trade_aggregation_seconds")
    before = shop.versions()
    refused = shop.strandline("purge")
    assert refused.exit_code == 1
    said = refused.output.replace("`", "")
    assert "Error: purge of trade_aggregation:" in said
    assert f"- {MINUTES} has not read 1 rows of {SECONDS} that are too old to stay; run dbt build first" in said  # fmt: skip
    assert "- shop.trade_aggregation_late has not read all events that were counted; run dbt build first" in said  # fmt: skip
    assert shop.versions() == before

    shop.run()
    assert shop.strandline("purge", "--vacuum").exit_code == 0
    assert shop.rows(SECONDS) == [
        ("10:58:40", "IBM", 64),
        ("12:01:05", "IBM", 32),
        ("12:03:20", "IBM", 16),
    ]
    assert shop.rows(MINUTES)[0] == ("10:58:00", "IBM", 65)
    assert set(shop.run()) == {"nothing new"}

    # What is left behind the horizon stays, also when its range is recomputed.
    at_ten = ("--from", "2014-02-15 10:00:00", "--to", "2014-02-15 11:00:00")
    assert shop.strandline("run", *at_ten).exit_code == 0
    assert shop.rows(SECONDS)[0] == ("10:58:40", "IBM", 64)
    assert shop.rows(MINUTES)[0] == ("10:58:00", "IBM", 65)
    assert set(shop.run()) == {"nothing new"}

    # With the next arrival another row has the greatest arrival, and the old rows go as well.
    shop.land((8, "IBM", at("12:03:21"), 128))
    shop.run()
    assert shop.strandline("purge").exit_code == 0
    assert [row[0] for row in shop.rows(SECONDS)] == ["12:01:05", "12:03:20", "12:03:21"]
    assert shop.rows(HOURS)[0] == ("10:00:00", "IBM", 65)

    # Small files are joined; no later run counts anything again.
    monkeypatch.setattr("strandline.retention.compaction.MANY", 2)
    every = (SECONDS, MINUTES, HOURS, "shop.trade_aggregation_late")
    rows = [sorted(map(str, shop.spark.table(table).collect())) for table in every]
    planned = shop.strandline("purge", "--compact", "--dry-run")
    assert re.search(rf"^{MINUTES} +2 +- +1 +- +- *$", planned.output, re.MULTILINE)
    [with_files] = commands(1)
    joined = shop.strandline(*with_files)
    assert joined.exit_code == 0, joined.output
    assert re.search(rf"^{MINUTES} +2 +1 +1 ", joined.output, re.MULTILINE)
    assert set(shop.run()) <= {"nothing new", "unchanged"}
    assert rows == [sorted(map(str, shop.spark.table(table).collect())) for table in every]

    unknown = shop.strandline("purge", "--select", "trades")
    assert unknown.exit_code == 2
    assert "--select trades is no aggregation of" in unknown.output
    assert "it has trade_aggregation." in unknown.output


@pytest.mark.soak
def test_a_backfill_range_is_recomputed(shop):
    shop.spark.sql("update shop.trades set quantity = 5 where arrival = 3")
    shop.spark.sql("delete from shop.trades where arrival in (4, 2)")
    plain = shop.strandline("run")
    assert len(re.findall(r"^trade\w+ +nothing new", plain.output, re.MULTILINE)) == 4

    an_hour, in_india, a_day = commands(2)
    corrected = [("10:00:00", "IBM", 1), ("12:00:00", "IBM", 5 + 16 + 32)]
    for arguments, hours in (
        (an_hour, [*corrected, ("11:00:00", "IBM", 2)]),
        (in_india, [*corrected, ("11:00:00", "IBM", 2)]),
        (a_day, corrected),
    ):
        # A commit without effect: the same range over the same commits would be skipped.
        shop.spark.sql("update shop.trades set quantity = 5 where arrival = 3")
        done = shop.strandline(*arguments)
        assert done.exit_code == 0, done.output
        assert "rewrote 1 partition" in done.output
        assert shop.rows(HOURS) == sorted(hours)


HOUR, DAY = 3_600, 86_400
HORIZONS = [
    # zone, newest, kept, aligned to the begin of, horizon
    ("UTC", "2014-02-15T12:03:20+00:00", 120, "minutes", "2014-02-15T12:01:00+00:00"),
    ("UTC", "2014-02-15T12:03:00+00:00", 180, "minutes", "2014-02-15T12:00:00+00:00"),
    ("UTC", "2014-02-15T12:03:20+00:00", 120, "seconds", "2014-02-15T12:01:20+00:00"),
    ("UTC", "1969-12-31T23:59:59+00:00", 120, "minutes", "1969-12-31T23:57:00+00:00"),
    ("UTC", "2012-03-01T00:00:00+00:00", 31 * DAY, "months", "2012-01-01T00:00:00+00:00"),
    ("UTC", "2013-03-01T00:00:00+00:00", 366 * DAY, "years", "2012-01-01T00:00:00+00:00"),
    # Kolkata's hours and days begin half an hour off.
    ("Asia/Kolkata", "2014-02-15T12:03:20+05:30", HOUR, "hours", "2014-02-15T11:00:00+05:30"),
    ("Asia/Kolkata", "2014-02-15T12:03:20+05:30", 25 * HOUR, "days", "2014-02-14T00:00:00+05:30"),
    # Spring in New York: the day of 10 March has 23 hours, two o'clock is three o'clock.
    ("America/New_York", "2013-03-11T00:30:00-04:00", HOUR, "days", "2013-03-10T00:00:00-05:00"),
    ("America/New_York", "2013-03-10T03:10:00-04:00", HOUR, "hours", "2013-03-10T01:00:00-05:00"),
    ("America/New_York", "2013-04-10T00:00:00-04:00", 31 * DAY, "days", "2013-03-09T00:00:00-05:00"),
    # Autumn: one o'clock comes twice, 25 hours are one day.
    ("America/New_York", "2013-11-03T01:10:00-05:00", 60, "hours", "2013-11-03T01:00:00-05:00"),
    ("America/New_York", "2013-11-03T01:10:00-05:00", HOUR, "hours", "2013-11-03T01:00:00-04:00"),
    ("America/New_York", "2013-11-04T00:00:00-05:00", 25 * HOUR, "days", "2013-11-03T00:00:00-04:00"),
    # Lord Howe goes back by half an hour: what passes twice (until 15:30Z) is an hour of its own.
    ("Australia/Lord_Howe", "2013-04-06T15:10:00+00:00", 60, "hours", "2013-04-06T15:00:00+00:00"),
    # Havana's clock changes at midnight: this day begins at one o'clock.
    ("America/Havana", "2013-03-10T12:00:00-04:00", HOUR, "days", "2013-03-10T01:00:00-04:00"),
]  # fmt: skip


def test_the_horizon_begins_a_bucket_of_the_next_longer_duration(spark):
    def unix(text: str) -> int:
        return int(datetime.fromisoformat(text).timestamp())

    for zone, newest, kept, aligned_to, horizon in HORIZONS:
        start = macros().bucket_start("strandline_instant", aligned_to, zone)
        table = SummaryTable("t", "seconds", kept, 0, start)
        assert horizon_of(spark, table, unix(newest)) == unix(horizon), (zone, newest, aligned_to)
    before_the_year_1 = SummaryTable("t", "seconds", 3_000 * 366 * DAY, 0, start)
    assert horizon_of(spark, before_the_year_1, unix("2014-02-15T00:00:00+00:00")) is None
