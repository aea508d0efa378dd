"""The whole of 2013, landed and built in two steps: flights against one plain GROUP BY, weather
against a count in pandas, detections against both pandas and the oracle of tests/engine/detection, windows
against a count in plain Python.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd
import pytest
from tests.conftest import ROOT, drop_schema
from tests.e2e.demo import weather
from tests.e2e.demo.outcomes import Outcomes
from tests.e2e.demo.windows import Flown
from tests.engine.detection.catalogue import column, of
from tests.engine.detection.oracle import Engine
from tests.engine.detection.oracle_metrics import Metric, Row
from tests.unit.jinja_macros import macros

from strandline.cli.project import RUN
from strandline_demo.flights import LAST, flights_schema, read_flights
from strandline_demo.landings import Landings
from strandline_demo.year import Year

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from tests.conftest import Dbt

pytestmark = pytest.mark.soak  # ten minutes; the demo itself fails when a total of the year differs

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
    """The year's flights, landed and built in two steps as by the demo, and its weather."""
    year, landings = Year(), Landings(spark, tmp_path_factory.mktemp("demo"))
    dbt("seed")
    for days in year.landings():
        landings.land(days)
        dbt("build", *RUN, "--vars", json.dumps(days.as_of))
    by_hand = year.backfill()
    chosen = ("--select", *by_hand.select, "--vars", json.dumps(by_hand.variables))
    dbt("build", *RUN, *chosen)
    yield landings.home / "flights"
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
    assert in_new_york.table("landing.weather").count() == 26_115
    assert in_new_york.table("landing.flight_events_quarantine").count() == 0
    assert in_new_york.table("landing.weather_quarantine").count() == 0
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


# The weather.

READ = """
    {% for per in ['days', 'months', 'years'] %}
    select
        '{{ per }}' as per,
        origin,
        unix_seconds(agg_timestamp) as start,
        {{ strandline.elapsed_time('temperature') }} as temperature_elapsed,
        {{ strandline.num_gaps('temperature') }} as temperature_gaps,
        {{ strandline.average('temperature') }} as temperature_average,
        {{ strandline.elapsed_time('wind') }} as wind_elapsed,
        {{ strandline.num_gaps('wind') }} as wind_gaps,
        {{ strandline.average('wind') }} as wind_average,
        reports
    from {{ strandline.aggregation_within(
        strandline.weather_aggregation(), within=['2012-01-01 00:00:00', '2015-01-01 00:00:00'], per=per) }}
    {{ 'union all' if not loop.last }}
    {% endfor %}
"""


@pytest.fixture(scope="module")
def reports() -> pd.DataFrame:
    return weather.reports()


@pytest.fixture(scope="module")
def aggregated(in_new_york: SparkSession, dbt: Dbt) -> dict[tuple[str, str, int], tuple]:
    """What the aggregation says of each bucket, by duration, airport and start."""
    [compiled] = dbt("compile", "--inline", READ).results
    rows = in_new_york.sql(compiled.node.compiled_code).collect()
    assert len(rows) == len({row[:3] for row in rows})
    return {tuple(row[:3]): tuple(row[3:]) for row in rows}


@pytest.mark.parametrize("duration", weather.UNITS)
def test_gap_aware_averages_are_those_of_all_reports(aggregated, reports, duration):
    counted = weather.by_bucket(reports, duration)
    found = {key: row for key, row in aggregated.items() if key[0] == duration}
    assert found.keys() == counted.keys()
    for key, rows in counted.items():
        for part, (elapsed, gaps, average) in (
            (found[key][:3], weather.line(rows)),
            (found[key][3:6], weather.carried(rows)),
        ):
            assert part[:2] == (elapsed, gaps), key
            assert part[2] == (None if average is None else pytest.approx(average, abs=1e-9)), key
        assert found[key][6] == len(rows), key


def test_the_year_has_its_known_gaps(aggregated):
    hours = {key[1]: (row[0] / 3600, row[1], row[3] / 3600, row[4], row[6]) for key, row in aggregated.items() if key[0] == "years"}  # fmt: skip
    # 17, 14 and 14 gaps longer than 90 minutes; and where one report lacks the temperature or
    # the wind, another. A line counts nothing over them, a value that is carried 90 minutes.
    assert hours == {
        "EWR": (8_702 - 1 - 18, 18, 8_701 - 1 - 19 + 19 * 1.5, 19, 8_703),
        "JFK": (8_706 - 1 - 14, 14, 8_703 - 1 - 17 + 17 * 1.5, 17, 8_706),
        "LGA": (8_706 - 1 - 14, 14, 8_706 - 1 - 14 + 14 * 1.5, 14, 8_706),
    }


@pytest.mark.parametrize(
    ("start", "length", "reports_of_the_day"),
    # 3 November has 25 hours; nobody reported in its first.
    [("2013-03-10 05:00Z", 23, 23), ("2013-11-03 04:00Z", 25, 24)],
)
def test_the_days_on_which_clocks_change_are_whole(aggregated, start, length, reports_of_the_day):
    day = int(pd.Timestamp(start).timestamp())
    for airport in ("EWR", "JFK", "LGA"):
        elapsed, gaps, *_, count = aggregated["days", airport, day]
        assert (elapsed, gaps, count) == ((reports_of_the_day - 1) * 3600, 0, reports_of_the_day)
        assert ("days", airport, day + length * 3600) in aggregated


@pytest.mark.usefixtures("files")
def test_states_last_as_long_as_reports_say(spark, reports):
    m = macros()
    stored = spark.sql(
        f"select origin, unix_seconds(agg_timestamp), {m.into_values('summary')} from strandline.weather_states"
    ).collect()
    whole = spark.sql(
        f"select origin, -1, {m.into_values('states')} from (select origin, "
        f"{m.rollup('summary', of='state_agg')} as states from strandline.weather_states group by origin)"
    ).collect()
    found = {(row[0], row[1]): {each.state: each.duration for each in row[2]} for row in stored + whole}  # fmt: skip
    assert len(found) == len(stored + whole)

    days = reports.groupby(["origin", reports["at"].dt.normalize()])
    counted = {
        (origin, int(day.timestamp())): weather.durations(weather.periods(rows))
        for (origin, day), rows in days
    }
    for origin, rows in reports.groupby("origin"):
        counted[origin, -1] = weather.durations(weather.periods(rows))
    assert found == counted


@pytest.mark.usefixtures("files")
def test_the_mart_splits_states_where_new_yorks_months_begin(spark, reports):
    months = weather.by_bucket(reports, "months")
    periods = {origin: weather.periods(rows) for origin, rows in reports.groupby("origin")}
    counted = {}
    for (_, origin, start), rows in months.items():
        first = pd.Timestamp(start, unit="s", tz=weather.NEW_YORK)
        end = (first + pd.DateOffset(months=1)).timestamp()
        states = weather.durations(periods[origin], start, int(end))
        counted[origin, first.date()] = (
            *(len(rows), weather.line(rows)[0] / 3600, weather.line(rows)[1]),
            *(states.get(state, 0) / 3600 for state in ("rain", "snow", "dry")),
            *(pytest.approx(each(rows)[2], abs=0.0501) for each in (weather.line, weather.carried)),
        )
    columns = (
        "reports, hours_known, gaps, rain_hours, snow_hours, dry_hours, avg_temperature, avg_wind"
    )
    found = spark.sql(
        f"select origin, month_start, {columns} from strandline.mart_weather"
    ).collect()
    assert len(found) == len(counted) == 3 * 12
    assert {tuple(row[:2]): tuple(row[2:]) for row in found} == counted


# The detections.

KNOWN = {0: 3_892, 1: 18_710, 2: 56_641, 3: 103}


def test_each_departure_three_hours_late_is_found_once(in_new_york):
    found = in_new_york.sql("""
        select flight_id, departure_delay, current_value, baseline_value, found.carrier, found.departed_at = made.departed_at
        from strandline.flight_detections as found
        inner join strandline.stg_departures as made using (arrival)
        where anomaly_type = 0
    """).collect()
    flights = read_flights()
    # American's of 8 February arrived too late to be evaluated; one of them would be one.
    arrived_late = (flights["carrier"] == "AA") & (flights["month"] == 2) & (flights["day"] == 8)
    late = flights[(flights["dep_delay"] > 180) & ~arrived_late]
    expected = [
        (number + 1, delay, delay, 180, carrier, True)
        for number, delay, carrier in zip(
            late.index, late["dep_delay"], late["carrier"], strict=True
        )
    ]
    assert sorted(tuple(row) for row in found) == sorted(expected)
    assert len(expected) == 3_892


def _average_of_ten(window):
    return window.avg("departure_delay") if window.count("departure_delay") >= 10 else 0


def test_windows_of_one_carrier_are_those_of_the_oracle(in_new_york):
    """The grid is that of the first departure of all, so the oracle reads that one, too."""
    columns = "arrival, unix_seconds(departed_at) div 60 as time, carrier, origin, departure_delay"
    rows = in_new_york.sql(f"""
        select {columns} from strandline.stg_departures
        where (carrier, origin) = ('DL', 'LGA') or arrival = (select min(arrival) from strandline.stg_departures)
        order by arrival
    """).collect()
    delay = column("departure_delay")
    engine = Engine(
        [
            Metric("row", delay, ">", 180),
            Metric("window", of("avg", "departure_delay"), ">", 60),
            Metric("against", delay, ">", of("percentile", "departure_delay", 95)),
            Metric("window", _average_of_ten, ">", 180),
        ],
        window_size=360,
        step=60,
        precision="m",
    )
    expected = [
        (
            each.arrival,
            each.metric,
            each.time,
            each.window_start,
            each.window_end,
            pytest.approx(each.left, rel=1e-9),
            each.right,
        )
        for each in engine.run(
            Row(
                row.arrival,
                row.time,
                (row.carrier, row.origin),
                {"departure_delay": row.departure_delay},
            )
            for row in rows
        )
        if each.key == ("DL", "LGA")
    ]
    found = in_new_york.sql("""
        select
            arrival, anomaly_type, unix_seconds(departed_at) div 60, unix_seconds(window_start) div 60,
            unix_seconds(window_end) div 60, current_value, baseline_value
        from strandline.flight_detections
        where (carrier, origin) = ('DL', 'LGA')
        order by arrival, place
    """).collect()
    assert [tuple(row) for row in found] == expected
    assert {row[1] for row in expected} == {0, 1, 2, 3}


def test_detections_have_their_known_numbers_and_only_american_is_late(in_new_york):
    found = in_new_york.sql("""
        select anomaly_type, count(*) from strandline.flight_detections group by anomaly_type
    """).collect()
    assert dict(map(tuple, found)) == KNOWN
    assert in_new_york.sql("""
        select carrier, date(departed_at), count(*) from strandline.flight_detections_late group by all
    """).collect() == [("AA", date(2013, 2, 8), 58)]
    assert in_new_york.table("strandline.weather_detections_late").count() == 0
    [status] = in_new_york.table("strandline.flight_detections_status").collect()
    assert (status.status, status.rows, status.metric_count) == ("OK", 336_776 - 8_255, 4)


def test_each_fall_of_the_pressure_is_found_once(in_new_york, reports):
    fall = reports.groupby("origin")["pressure"].diff()
    expected = [
        (row.origin, int(row.at.timestamp()), change)
        for row, change in zip(reports.itertuples(), fall, strict=True)
        if change < -3
    ]
    found = in_new_york.sql("""
        select origin, unix_seconds(observed_at), current_value from strandline.weather_detections
    """).collect()
    assert sorted(tuple(row) for row in found) == sorted(expected)
    assert len(expected) == 9


# The windows.


@pytest.fixture(scope="module")
def flown() -> Flown:
    return Flown(LAST, as_of="2014-01-01 05:00:00")


def test_all_departures_but_those_of_american_are_counted_at_their_airport(in_new_york, flown):
    found = in_new_york.sql("""
        select origin, any_value(latest.departures), max(busiest.departures), any_value(total_departures)
        from strandline.departures_now as latest
        inner join strandline.busiest_half_hours as busiest using (origin)
        group by origin
    """).collect()
    assert {row[0]: tuple(row[1:]) for row in found} == flown.by_airport()
    assert sum(row[3] for row in found) == 336_776 - 8_255 - 58
    for window in ("recent_departures", "plane_departures"):
        assert in_new_york.sql(f"""
            select reason, count(*) from strandline.{window} where row_kind = 'late' group by reason
        """).collect() == [("late: the event is as old as the window or older", 58)]


def test_the_busiest_half_hours_of_the_year_are_known(in_new_york):
    found = in_new_york.sql("""
        select origin, max(departures), string(min_by(counted_at, struct(-departures, counted_at)))
        from strandline.busiest_half_hours
        group by origin
        order by origin
    """).collect()
    assert [tuple(row) for row in found] == [
        ("EWR", 26, "2013-08-16 06:36:00"),
        ("JFK", 28, "2013-09-09 08:23:00"),
        ("LGA", 22, "2013-03-15 15:05:00"),
    ]


def test_the_destinations_of_most_delay_are_those_of_all_arrivals(in_new_york, flown):
    found = in_new_york.sql("""
        select dest, late_flights, total_delay from strandline.late_destinations_now
        order by total_delay desc
    """).collect()
    assert [tuple(row) for row in found] == flown.most_delayed()
    assert [(row.dest, row.total_delay) for row in found] == [
        ("ATL", 28_664), ("LAX", 23_095), ("ORD", 23_058), ("FLL", 22_466), ("BOS", 19_862),
    ]  # fmt: skip


def test_planes_at_two_airports_are_those_of_a_plain_count(in_new_york, flown):
    found = in_new_york.sql("""
        select
            tailnum, first_origin, unix_seconds(first_departed_at), second_origin,
            unix_seconds(second_departed_at)
        from strandline.planes_at_two_airports
    """).collect()
    assert sorted(tuple(row) for row in found) == sorted(flown.meetings())
    assert (len(found), len({row.tailnum for row in found})) == (807, 333)


# The correlation.


@pytest.fixture(scope="module")
def outcomes() -> Outcomes:
    return Outcomes(LAST, as_of="2014-01-01 05:00:00")


def test_each_flight_has_the_outcome_of_a_plain_count_at_its_time(in_new_york, outcomes):
    found = in_new_york.sql("""
        select flight_id, comment, unix_micros(entered.at)
        from strandline.flight_outcomes where row_kind = 'row'
    """).collect()
    assert {row[0]: (row[1], row[2]) for row in found} == {
        flight: (outcome, at.value // 1_000) for flight, (outcome, at) in outcomes.known.items()
    }
    assert len(found) == len(outcomes.known)
    assert outcomes.counts() == {"fine": 327_997, "cancelled": 8_202, "diverted or lost": 466}


def test_every_flight_without_a_departure_is_found_late_or_not_yet_due(in_new_york):
    """8,255 in all: 35 of them are American's of 8 February, 18 are younger than 36 hours."""
    [late], [not_due] = (
        in_new_york.sql(f"""
            select count(*) from strandline.scheduled_flights
            left anti join events on
                events.event = 'departed' and events.flight_id = scheduled_flights.flight_id
            where {which}
        """).collect()
        for which in ("row_kind = 'late'", "row_kind = 'row' and expelled is null")
    )
    assert (late[0], not_due[0]) == (35, 18)
    assert 8_202 + 35 + 18 == 8_255


def test_hours_of_cancelled_flights_are_active_anomalies(in_new_york, outcomes):
    found = in_new_york.sql("""
        select carrier, origin, unix_seconds(starts_at), int(current_value)
        from strandline.anomalies_active where detector = 'cancelled_flights' and not is_parent
    """).collect()
    assert {tuple(row[:3]): row[3] for row in found} == outcomes.cancelling()
    assert len(found) == 178


# The alerts.


def test_every_late_carrier_is_an_active_anomaly(in_new_york):
    columns = "carrier, origin, starts_at, ends_at, current_value, baseline_value"
    found, active = (
        in_new_york.sql(
            f"select {columns} from strandline.{table} where detector = 'late_carrier' and {leaf}"
        )
        for table, leaf in (("late_carriers", "true"), ("anomalies_active", "not is_parent"))
    )
    assert found.exceptAll(active).collect() == active.exceptAll(found).collect() == []
    assert found.count() == KNOWN[3]
