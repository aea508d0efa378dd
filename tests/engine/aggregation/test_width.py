"""How wide partitions are, what a run computes of them, and how a purge makes them wider or narrower."""

from __future__ import annotations

import json
import shutil
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from strandline.cli.main import cli
from strandline.retention.width import Repartition, measured, plan_widths, repartition

COLUMNS = "arrival bigint, ts timestamp, s string, n int"
SUMS = "ts='ts', keys=['s'], select={'total': 'sum(n)'}"
AS_ROWS_WANT = ("--vars", '{"strandline_partition": null}')


def width_of(small: Any, table: str) -> str:
    [row] = small.spark.sql(f"show tblproperties small.{table} ('strandline.partition')").collect()
    return str(json.loads(row["value"])["width"])


def partitions(small: Any, table: str) -> list[str]:
    shown = small.rows(f"select distinct cast(agg_partition as string) from small.{table}")
    return sorted(name for (name,) in shown)


@pytest.mark.parametrize(
    ("rows_a_day", "widths"),
    [
        (10, {"seconds": "year", "minutes": "year", "hours": "year"}),
        (8_000, {"seconds": "month", "minutes": "year", "hours": "year"}),
        pytest.param(
            100_000, {"seconds": "week", "minutes": "year", "hours": "year"}, marks=pytest.mark.soak
        ),
    ],
)
def test_a_first_build_takes_the_width_that_the_rows_want(
    small: Any, rows_a_day: int, widths: dict[str, str]
) -> None:
    """Of seven days, and one event of another year, which has hardly a say."""
    small.define("dense", COLUMNS, list(widths), f"{SUMS}, every='sec...hour'")
    small.spark.sql(f"""
        insert into small.feed_dense
        select id, timestamp_seconds(1700006400 + id * 86400 div {rows_a_day}), string(id % 2), 1
        from range({7 * rows_a_day})
        union all select 0, timestamp'1999-01-01 00:00:00Z', 'A', 1
    """)
    small.run(*AS_ROWS_WANT)
    assert {duration: width_of(small, f"dense_{duration}") for duration in widths} == widths


@pytest.mark.soak
def test_hours_of_a_zone_are_partitions(small: Any) -> None:
    """In Kolkata an hour begins half an hour after that of UTC."""
    small.define(
        "dense", COLUMNS, ["seconds", "minutes"],
        f"{SUMS}, every='sec, min', time_zone='Asia/Kolkata'",
    )  # fmt: skip
    small.feed("dense",
               "1, timestamp'2024-03-06 10:20:00Z', 'A', 1",
               "2, timestamp'2024-03-06 10:40:00Z', 'A', 2")  # fmt: skip
    small.run("--vars", '{"strandline_partition": "hour"}')
    hours = ["2024-03-06 09:30:00", "2024-03-06 10:30:00"]
    assert [partitions(small, f"dense_{it}") for it in ("seconds", "minutes")] == [hours, hours]

    small.feed("dense",
               "3, timestamp'2024-03-06 10:29:59Z', 'A', 4",
               "4, timestamp'2024-03-06 10:40:30Z', 'A', 8")  # fmt: skip
    said = small.run()
    assert set(said.values()) == {"rewrote 2 partitions, from 2024-03-06T09:30:00Z"}
    assert small.read("dense", "agg_sum_n", "minutes") == [
        ("2024-03-06 10:20:00", 1), ("2024-03-06 10:29:00", 4), ("2024-03-06 10:40:00", 10),
    ]  # fmt: skip


@pytest.mark.parametrize("given", ["days", "1 day"])
def test_another_width_is_refused(small: Any, given: str) -> None:
    small.define("dense", COLUMNS, ["hours"], f"{SUMS}, every='hour'")
    said = small.fails("--vars", json.dumps({"strandline_partition": given}))
    assert (
        f"the var strandline_partition is '{given}'; write one of hour, day, week, month, year, or "
        "leave it out: then the width of partitions is chosen from the rows"
    ) in " ".join(said.split())


def test_a_roll_up_reads_the_rows_of_changed_slices_only(small: Any) -> None:
    """The hours of January are lost, and a run for June does not miss them."""
    small.define("dense", COLUMNS, ["hours", "days"], f"{SUMS}, every='hours, days'")
    small.feed("dense",
               "1, timestamp'2024-01-10 10:00:00Z', 'A', 1",
               "2, timestamp'2024-06-12 10:00:00Z', 'A', 2")  # fmt: skip
    small.run("--vars", '{"strandline_partition": "month"}', "--select", "dense_hours")
    small.run("--vars", '{"strandline_partition": "year"}', "--select", "dense_days")
    [detail] = small.spark.sql("describe detail small.dense_hours").collect()
    shutil.rmtree(Path(detail["location"].removeprefix("file:")) / "agg_partition=2024-01-01")

    small.feed("dense", "3, timestamp'2024-06-12 11:00:00Z', 'A', 4")
    assert small.run()["dense_days"] == "rewrote 1 partition, from 2024-01-01"
    assert small.read("dense", "agg_sum_n", "days") == [
        ("2024-01-10 00:00:00", 1), ("2024-06-12 00:00:00", 6),
    ]  # fmt: skip


@pytest.fixture
def weeks(small: Any) -> Any:
    """A table of 16 weeks with one event each."""
    small.define("dense", COLUMNS, ["hours"], f"{SUMS}, every='hour'")
    small.feed("dense", *(
        f"{week}, timestamp_seconds({1_704_067_200 + week * 604_800}), 'A', {week}"
        for week in range(16)
    ))  # fmt: skip
    small.run()
    assert len(partitions(small, "dense_hours")) == 16
    return small


@pytest.mark.soak
def test_a_purge_makes_many_narrow_partitions_one(weeks: Any, small_project: Any) -> None:
    before = weeks.read("dense", "agg_sum_n, agg_arrival", "hours")
    folder, _ = small_project
    command = [
        "purge",
        "--compact",
        "--project-dir",
        str(folder),
        "--profiles-dir",
        f"{folder}/profiles",
    ]
    dry, done = (
        CliRunner(env={"COLUMNS": "120"}).invoke(cli, [*command, *more])
        for more in (["--dry-run"], [])
    )
    for result in (dry, done):
        assert result.exit_code == 0, result.output
        assert "small.dense_hours week → year" in " ".join(result.output.split())
    assert partitions(weeks, "dense_hours") == ["2024-01-01"]
    assert width_of(weeks, "dense_hours") == "year"
    assert weeks.read("dense", "agg_sum_n, agg_arrival", "hours") == before

    assert weeks.run() == {"dense_hours": "nothing new"}
    weeks.feed("dense", "20, timestamp'2024-01-01 00:30:00Z', 'A', 100")
    assert weeks.run() == {"dense_hours": "rewrote 1 partition, from 2024-01-01"}
    assert weeks.read("dense", "agg_sum_n", "hours")[:2] == [
        ("2024-01-01 00:00:00", 100), ("2024-01-08 00:00:00", 1),
    ]  # fmt: skip


HOUR = "timestamp_seconds(unix_seconds(agg_timestamp) div 3600 * 3600)"


def to_hours(partition: str = HOUR) -> Repartition:
    says = {"strandline.partition": '{"width": "hour", "rows_a_day": 1}'}
    return Repartition("small.dense_hours", "week", "hour", partition, says)


def test_what_is_said_of_a_table_stays(weeks: Any) -> None:
    table = "small.dense_hours"
    weeks.spark.sql(f"comment on table {table} is 'The ''hours''.'")
    weeks.spark.sql(f"alter table {table} alter column agg_arrival comment 'The newest.'")
    weeks.spark.sql(
        f"alter table {table} set tblproperties ('my.token' = 'kept', 'delta.checkpointInterval' = '50')"
    )

    def described() -> tuple[dict[str, str], str, str]:
        [detail] = weeks.spark.sql(f"describe detail {table}").collect()
        properties = {k: v for k, v in detail["properties"].items() if k != "strandline.partition"}
        return properties, detail["description"], detail["location"]

    before = described()
    found = measured(weeks.spark, table)
    assert found is not None
    assert (found.rows_a_day, found.partitions, found.width) == (1, 16, "week")
    repartition(weeks.spark, to_hours())
    assert described() == before
    assert before[0]["my.token"] == "kept"
    assert weeks.spark.table(table).schema["agg_arrival"].metadata["comment"] == "The newest."
    assert width_of(weeks, "dense_hours") == "hour"
    weeks.feed("dense", "20, timestamp'2024-01-01 00:30:00Z', 'A', 100")
    assert weeks.run() == {"dense_hours": "rewrote 1 partition, from 2024-01-01T00:00:00Z"}


def test_columns_of_any_name_stay(small: Any) -> None:
    mapping = "spark.databricks.delta.properties.defaults.columnMapping.mode"
    small.spark.conf.set(mapping, "name")
    try:
        small.define(
            "dense", "arrival bigint, ts timestamp, `Größe in m` string, `agg.total` int", ["hours"],
            "ts='ts', keys=['Größe in m'], select={'total': 'sum(`agg.total`)'}, every='hour'",
        )  # fmt: skip
    finally:
        small.spark.conf.unset(mapping)
    small.feed("dense", "1, timestamp'2024-01-01 00:10:00Z', 'A', 1")
    small.run()
    repartition(small.spark, to_hours())
    small.feed("dense", "2, timestamp'2024-01-01 00:20:00Z', null, 2",
               "3, timestamp'2024-01-01 00:20:00Z', 'A', 4")  # fmt: skip
    assert small.run() == {"dense_hours": "rewrote 1 partition, from 2024-01-01T00:00:00Z"}
    total = next(it for it in small.spark.table("small.dense_hours").columns if "sum" in it)
    assert small.read("dense", f"`Größe in m`, `{total}`", "hours") == [
        ("2024-01-01 00:00:00", None, 2), ("2024-01-01 00:00:00", "A", 5),
    ]  # fmt: skip


def test_a_run_and_a_purge_at_the_same_time(weeks: Any, tmp_path: Path) -> None:
    """A run commits while the purge writes: Delta refuses the purge, and nothing is lost."""
    written = "date'2024-01-01'"
    committed = tmp_path / "committed"

    def write() -> None:
        weeks.spark.newSession().sql(f"""
            insert into small.dense_hours replace where agg_partition = {written}
            select * except (agg_sum_n, agg_partition), 100L, agg_partition
            from small.dense_hours where agg_partition = {written}
        """)
        committed.touch()

    def is_committed(n: int) -> bool:
        """Waits in one task, so that the other one is free for the write."""
        ends = time.monotonic() + 60
        while n == 15 and not committed.exists() and time.monotonic() < ends:
            time.sleep(0.1)
        return n != 15 or committed.exists()

    weeks.spark.udf.register("is_committed", is_committed, "boolean")
    slow = to_hours(f"if(is_committed(agg_sum_n), {HOUR}, null)")
    run = threading.Timer(1, write)
    run.start()
    with pytest.raises(Exception, match=r"DELTA_CONCURRENT_APPEND|DELTA_METADATA_CHANGED"):
        repartition(weeks.spark, slow)
    run.join()
    assert committed.exists()
    assert width_of(weeks, "dense_hours") == "week"
    assert weeks.read("dense", "agg_sum_n", "hours")[0] == ("2024-01-01 00:00:00", 100)


def test_other_tables_are_left(weeks: Any) -> None:
    weeks.spark.sql(
        "create table small.other using delta as select date'2024-01-01' as agg_partition"
    )
    names = ["small.other", "small.missing", "small.feed_dense", "small.dense_hours"]
    found = [each for name in names if (each := measured(weeks.spark, name))]
    assert [each.table for each in found] == ["small.dense_hours"]
    assert plan_widths(weeks.spark, found, lambda tables: [None] * len(tables)) == []
