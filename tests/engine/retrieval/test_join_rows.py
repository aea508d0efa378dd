"""`aggregation_join` over all six tables against a plain loop: no row is lost by skipping partitions.

The zones are those whose clocks are hard on dates: Havana goes back at midnight, St John's one minute
after it, Apia leapt over a whole day.
"""

from __future__ import annotations

import random
import shutil

import pytest
from tests.unit.jinja_macros import macros

SEED = 7
DURATIONS = ["seconds", "minutes", "hours", "days", "months", "years"]
CHANGES = {  # Unix seconds, around which the buckets are
    "UTC": 1356998400,
    "America/Havana": 1289106000,
    "America/St_Johns": 1289097060,
    "Pacific/Apia": 1325239200,
}


class Relation:
    """A replacement of ref('requests')."""

    identifier = "join_requests"

    def __str__(self) -> str:
        return self.identifier


def aggregation(zone: str, every: str = "sec...year") -> dict:
    return macros().aggregation(
        name="join_aggregation", source=Relation(), select={"total": "sum(quantity)"},
        keys=["symbol"], ts="ts", time_zone=zone, every=every,
    )  # fmt: skip


def rows_of(chance: random.Random, change: int) -> dict[str, list[tuple]]:
    """Instants (Unix seconds) and symbols of each table's rows; that they are no true starts does not matter."""
    wide = {"seconds": 9e4, "minutes": 9e5, "hours": 9e5, "days": 9e6, "months": 9e7, "years": 9e8}
    return {
        duration: [
            (change + int(chance.triangular(-wide[duration], wide[duration], 0)), chance.choice(["A", "B", None]), number)
            for number in range(150)
        ]
        for duration in DURATIONS
    }  # fmt: skip


def requests_of(chance: random.Random, rows: dict[str, list[tuple]]) -> list[tuple]:
    """Some begin or end exactly at a row; some ranges end before they begin, and are invalid."""
    found = []
    for number in range(120):
        duration = chance.choice(DURATIONS)
        one, other = (
            chance.choice(rows[duration])[0] + chance.choice([0, 0, 1, -1, 3600]) for _ in range(2)
        )
        start, end = (other, one) if chance.random() < 0.1 else sorted([one, other])
        found.append((number, chance.choice(["A", "B", None]), start * 1000, end * 1000, duration))
    return found  # fmt: skip


@pytest.mark.parametrize("zone", CHANGES)
def test_every_row_of_every_request_is_found(spark, zone):
    chance = random.Random(SEED)  # noqa: S311
    rows = rows_of(chance, CHANGES[zone])
    requests = requests_of(chance, rows)
    definition = aggregation(zone)
    [output] = definition["outputs"]
    for duration in DURATIONS:
        unit = macros()._duration(duration)["partition"]
        partition = macros()._partition_of("agg_timestamp", unit, zone)
        spark.createDataFrame(rows[duration], "at bigint, symbol string, total bigint").selectExpr(
            "timestamp_seconds(at) as agg_timestamp", "symbol", f"'{zone}' as agg_timezone",
            f"total as {output['columns']['sum']}",
        ).selectExpr("*", f"{partition} as agg_partition") \
            .createOrReplaceTempView(f"join_aggregation_{duration}")  # fmt: skip
    spark.createDataFrame(
        requests, "id int, symbol string, since bigint, until bigint, per string"
    ).createOrReplaceTempView("join_requests")

    query = macros().aggregation_join(
        definition, requests=Relation(), on="a.symbol <=> b.symbol", within=["b.since", "b.until"], per="b.per",
        select=["b.id", "unix_millis(a.agg_timestamp) as at", "a.total"],
    )  # fmt: skip
    answers = spark.sql(query).collect()
    found = sorted((row.id, row.at, row.total) for row in answers if row.request_error is None)
    bad = sorted(row.id for row in answers if row.request_error is not None)

    expected = sorted(
        (number, at * 1000, total)
        for number, symbol, since, until, per in requests
        for at, own, total in rows[per]
        if own == symbol and since <= at * 1000 < until
    )
    assert found == expected
    assert len(expected) > 500
    assert bad == [number for number, _, since, until, _ in requests if since >= until] != []


def test_files_outside_of_every_request_are_not_read(spark, tmp_path):
    spark.sql(f"""
        create table delta.`{tmp_path}/days` using delta partitioned by (agg_partition) as
        select timestamp_seconds(id * 86400) as agg_timestamp, 'UTC' as agg_timezone, 'A' as symbol,
            id as agg_sum_quantity, trunc(date_from_unix_date(cast(id as int)), 'week') as agg_partition
        from range(1000)
    """)
    # Of wider partitions one could begin with the year: no week after the request, and none of the
    # years before it.
    first, last = "1970-12-24", "1971-06-11"
    folders = list((tmp_path / "days").glob("agg_partition=*"))
    outside = [each for each in folders if not first <= each.name.split("=")[1] <= last]
    assert (len(folders), len(outside)) == (144, 120)
    for folder in outside:
        shutil.rmtree(folder)
    spark.read.format("delta").load(f"{tmp_path}/days").createOrReplaceTempView(
        "join_aggregation_days"
    )
    spark.sql("""
        select '1971-06-02 00:00:00' as since, '1971-06-08 00:00:00' as until
        union all select '1960-01-01 00:00:00', '1950-01-01 00:00:00'
    """).createOrReplaceTempView("join_requests")

    query = macros().aggregation_join(
        aggregation("UTC", every="days"), requests=Relation(), within=["b.since", "b.until"], per="days",
        select=["date_format(a.agg_timestamp, 'MM-dd') as day", "a.total"],
    )  # fmt: skip
    assert sorted(row.day for row in spark.sql(query).collect() if not row.request_error) == [
        "06-02", "06-03", "06-04", "06-05", "06-06", "06-07",
    ]  # fmt: skip
