"""The whole of 2013, landed and built in two steps: each table against one plain GROUP BY."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.conftest import ROOT, drop_schema

from strandline.flights import FIRST, LAST, flights_schema, write_flights
from strandline.landing import land

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from tests.conftest import Dbt

UNITS = {
    "seconds": "second",
    "minutes": "minute",
    "hours": "hour",
    "days": "day",
    "months": "month",
    "years": "year",
}

GROUP_BY = """
    select
        date_trunc('{unit}', event_at) as agg_timestamp,
        carrier,
        origin,
        count(case when event = 'scheduled' then distance end) as flights,
        count(departure_delay) as departures,
        sum(departure_delay) as sum_departure_delay,
        max(departure_delay) as max_departure_delay,
        count(arrival_delay) as arrivals,
        sum(arrival_delay) as sum_arrival_delay,
        min(arrival_delay) as min_arrival_delay,
        sum(case when event = 'scheduled' then distance end) as total_distance
    from events
    group by 1, 2, 3
"""

STORED = """
    select
        agg_timestamp, carrier, origin, agg_count_scheduled_distance, agg_count_departure_delay,
        agg_sum_departure_delay, agg_max_departure_delay, agg_count_arrival_delay,
        agg_sum_arrival_delay, agg_min_arrival_delay, agg_sum_scheduled_distance
    from strandline.flight_aggregation_{duration}
"""


@pytest.fixture(scope="module")
def files(
    spark: SparkSession, dbt: Dbt, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Path]:
    """The year's files, landed and built in two steps."""
    folder = tmp_path_factory.mktemp("flights")
    checkpoint = tmp_path_factory.mktemp("checkpoint")
    for first, last in ((FIRST, date(2013, 12, 31)), (date(2013, 12, 31), LAST)):
        write_flights(folder, first, last)
        land(spark, folder, "landing.flight_events", flights_schema(), "csv", checkpoint)
        dbt("run")
    yield folder
    drop_schema(spark, "strandline")
    drop_schema(spark, "landing")


@pytest.fixture(scope="module")
def in_new_york(spark: SparkSession, files: Path) -> Iterator[SparkSession]:
    """A session that lives by New York's clock and reads the files as they are, nothing of ours."""
    session = spark.newSession()
    session.conf.set("spark.sql.session.timeZone", "America/New_York")
    events = session.read.csv(str(files), schema=flights_schema(), header=True).persist()
    events.createOrReplaceTempView("events")
    yield session
    events.unpersist()


@pytest.mark.parametrize("duration", UNITS)
def test_each_table_equals_one_plain_group_by_over_all_flights(in_new_york, duration):
    stored = in_new_york.sql(STORED.format(duration=duration))
    plain = in_new_york.sql(GROUP_BY.format(unit=UNITS[duration])).persist()
    # exceptAll counts duplicates and takes null as equal to null.
    assert stored.exceptAll(plain).limit(5).collect() == []
    assert plain.exceptAll(stored).limit(5).collect() == []
    assert stored.count() == plain.count() > 0
    plain.unpersist()


def test_the_year_has_its_known_totals(in_new_york):
    assert in_new_york.sql("""
        select sum(agg_count_scheduled_distance), sum(agg_count_departure_delay)
        from strandline.flight_aggregation_years
    """).first() == (336_776, 336_776 - 8_255)
    # Three of New Year's Eve departed in the new year, which the mart of 2013 leaves out.
    assert in_new_york.sql("""
        select sum(flights), sum(departures) from strandline.mart_carrier_delays
    """).first() == (336_776, 336_776 - 8_255 - 3)
    assert in_new_york.table("landing.flight_events_quarantine").count() == 0
    assert in_new_york.table("strandline.flight_aggregation_late").count() == 0


@pytest.mark.usefixtures("files")
def test_the_example_of_the_docs_runs(dbt):
    page = (ROOT / "docs" / "aggregation.md").read_text()
    [example] = re.findall(r"```sql\n(.*?)```", page, re.DOTALL)
    [shown] = dbt("show", "--inline", example, "--limit", "100").results
    # 28 days of JetBlue at three airports.
    assert len(shown.agate_table.rows) == 28 * 3
    assert {"agg_timestamp", "carrier", "avg_departure_delay"} <= set(
        shown.agate_table.column_names
    )
