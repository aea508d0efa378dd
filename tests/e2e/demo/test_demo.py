"""`strandline demo`, run, run again, and killed, and what its alerts notified.

It is on the flights of January and February 2013. Its totals are checked by the demo itself, as those
of the whole year are by `strandline demo --year`.
"""

from __future__ import annotations

import json
import re
from datetime import date
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
from tests.conftest import ROOT
from tests.e2e.demo.alerts import Alerts, Expression, Table, expected
from tests.e2e.demo.outcomes import Outcomes
from tests.e2e.demo.reported import Reported
from tests.e2e.demo.windows import Flown
from tests.pages import cells, examples
from tests.tables import assert_same_rows
from tests.unit.jinja_macros import macros

from strandline_demo.landings import FLIGHTS, WEATHER

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from tests.e2e.demo.conftest import Clone, Demonstrated

pytestmark = pytest.mark.first

HOURS, YEARS = "strandline.flight_aggregation_hours", "strandline.flight_aggregation_years"
STATES = "strandline.weather_states"
SIGN = re.compile(r"    \d+ s(?:  |$)")  # what a log gets while a step works
DETECTIONS = {
    "strandline.flight_detections",
    "strandline.flight_delays_state",
    "strandline.weather_detections",
    "strandline.pressure_falls_state",
}


def stored(spark: SparkSession, clone: Clone, table: str) -> DataFrame:
    return spark.read.format("delta").load(str(clone.log_of(table).parent))


def rows(spark: SparkSession, clone: Clone, table: str) -> DataFrame:
    """All of a table but the path of the file that a row came from, which names the clone.

    Of the state of an engine of detection the rows from which the next run continues: the rest is
    about the last run, when it was and what it found.
    """
    whole = stored(spark, clone, table).drop("landed_from")
    return (
        whole.where("kind in ('row', 'key')")
        if table in DETECTIONS and table.endswith("_state")
        else whole
    )


def test_the_first_demo_lands_twice_builds_twice_and_shows_what_there_is(
    unbroken: Demonstrated,
) -> None:
    said = unbroken.said
    assert re.search(r"\d+ tables to be made", said)
    assert re.search(
        r"✓ 2/8 landing flights and weather of 1 January to 27 February .* 149,088 events, 4,164 weather reports",
        said,
    )
    assert re.search(
        r"✓ 5/8 landing flights and weather of 28 February .* 3,114 events, 72 weather reports",
        said,
    )
    assert re.search(r"✓ 3/8 dbt build with 1 January .* \d+ tables$", said, re.MULTILINE)
    assert re.search(r"✓ 6/8 dbt build with 28 February .* \d+ tables, \d+ tests passed", said)
    assert re.search(r"✓ 7/8 strandline run on 8 February .* wrote 39 rows", said)
    assert re.search(r"^51,955 flights, 1,782 of them never departed", said, re.MULTILINE)
    assert "152,202 events and 4,236 weather reports landed in two runs." in said
    assert re.search(r"^Jan +█+ +10\.0$", said, re.MULTILINE)


def test_it_shows_both_alerts(unbroken: Demonstrated) -> None:
    said = " ".join(unbroken.said.split())
    assert (
        "124 notifications. 1 is outdated: flights that waited at midnight left. "
        "1 of hours in which a carrier was over three hours late, 31 in which it cancelled flights. "
        "8 February, American: its file was missing, 0 departures of 92 were notified. "
        "It came late: outdated by the run on that day, which notifies what stays, 58."
    ) in said


@pytest.fixture(scope="module")
def flown() -> Flown:
    return Flown(date(2013, 3, 1), as_of=SECOND)


def test_it_shows_the_rows_of_the_windows(unbroken: Demonstrated, flown: Flown) -> None:
    said = " ".join(unbroken.said.split())
    assert flown.page() in said
    assert "JFK 3 (27)" in said
    assert "93 planes left two airports within six hours, 132 times." in said


def test_the_windows_have_the_rows_that_follow_from_all_flights(
    unbroken: Demonstrated, flown: Flown, spark: SparkSession
) -> None:
    departures, delays = (
        macros().row_status(
            Table(str(unbroken.clone.log_of(f"strandline.{name}").parent), name), "not dead"
        )
        for name in ("recent_departures", "late_destinations")
    )
    found = spark.sql(f"select origin, departures, total_departures from {departures}").collect()
    assert {row[0]: tuple(row[1:]) for row in found} == {
        origin: (now, all_of_them) for origin, (now, _, all_of_them) in flown.by_airport().items()
    }
    assert sum(row.total_departures for row in found) == 51_955 - 1_782 - 58
    rows = spark.sql(
        f"select dest, late_flights, total_delay from {delays} order by total_delay desc limit 5"
    ).collect()
    assert [tuple(row) for row in rows] == flown.most_delayed()
    # American's arrivals of 8 February come late, and are younger than 30 days.
    assert rows[0] == ("ORD", 296, 17_472)


def test_the_report_shows_what_the_tables_hold(unbroken: Demonstrated, spark: SparkSession) -> None:
    report = Reported(unbroken.clone.folder / "target" / "strandline_report.html")
    assert report.megabytes < 5
    assert list(report.named("series")) == ["flight_aggregation", "weather_aggregation"]
    durations = [one["duration"] for one in report.named("series")["flight_aggregation"]["tables"]]
    assert durations == ["years", "months", "days", "hours", "minutes", "seconds"]
    days = rows(spark, unbroken.clone, "strandline.flight_aggregation_days").select(
        "carrier", "origin", "agg_timestamp", "agg_count_scheduled_distance"
    )
    flights = {
        (carrier, origin, int(at.timestamp() * 1_000)): number
        for carrier, origin, at, number in days.collect()
    }
    shown = report.rows("flight_aggregation", "days", "flights")
    assert len({key[:2] for key in shown}) == 12
    assert shown == {key: n for key, n in flights.items() if key[:2] in {it[:2] for it in shown}}
    known = report.named("series")["weather_aggregation"]["tables"][-1]["measures"][0]["known"]
    assert 0 < min(known) < max(known) <= 1

    alerts = rows(spark, unbroken.clone, "strandline.flight_anomalies").where("not is_parent")
    counts = {row["status"]: row["count"] for row in alerts.groupBy("status").count().collect()}
    assert report.named("anomalies")["flight_anomalies"]["counts"] == counts
    assert report.named("notifications")["strandline.notifications"]["total"] == 124
    evaluations = report.named("evaluations")
    assert list(evaluations) == ["cancelled_flights", "carrier_day", "quarter_hour"]
    [falls] = evaluations["carrier_day"]["tables"]
    [departures] = falls["measures"]
    assert (departures["name"], evaluations["carrier_day"]["zone"]) == (
        "departures",
        "America/New_York",
    )
    assert report.data["unread"] == []
    found = [
        row for row in report.named("anomalies")["flight_anomalies"]["rows"]
        if row["key"]["detector"] == "carrier_day" and row["status"] != "outdated"
    ]  # fmt: skip
    assert len(departures["found"]) == len(found)
    assert report.data["run"]["command"] == "dbt build"
    assert report.data["run"]["errors"] == report.data["run"]["failed"] == []
    assert set(report.named("windows")) >= {"recent_departures", "late_destinations"}
    assert report.named("windows")["late_destinations"]["total"] == 10
    assert {one["status"] for one in report.data["engines"]} == {"OK"}
    assert [one["table"] for one in report.data["rejected"] if one["rows"]] == [
        "strandline.flight_detections_late"
    ]


@pytest.fixture(scope="module")
def outcomes() -> Outcomes:
    return Outcomes(date(2013, 3, 1), as_of=SECOND)


def test_it_shows_the_outcomes_of_the_flights(unbroken: Demonstrated, outcomes: Outcomes) -> None:
    said = " ".join(unbroken.said.split())
    assert outcomes.page() in said
    assert "50,008 fine, 1,712 cancelled, 53 diverted or lost." in said


def test_cancelled_flights_are_known_when_36_hours_are_over(
    unbroken: Demonstrated, outcomes: Outcomes, spark: SparkSession
) -> None:
    table = unbroken.clone.log_of("strandline.flight_outcomes").parent
    found = spark.sql(f"""
        select flight_id, entered.at from delta.`{table}`
        where row_kind = 'row' and comment = 'cancelled'
    """).collect()
    assert len(found) == 1_712
    assert {row[0]: pd.Timestamp(row[1], tz="UTC") for row in found} == outcomes.cancelled()
    # All of American's events of 8 February are too late for 36 hours.
    for window, event in (
        ("scheduled_flights", "scheduled"),
        ("departed_flights", "departed"),
        ("arrived_flights", "arrived"),
    ):
        table = unbroken.clone.log_of(f"strandline.{window}").parent
        [[late]] = spark.sql(
            f"select count(*) from delta.`{table}` where row_kind = 'late'"
        ).collect()
        assert late == outcomes.late[event]


def test_every_column_of_every_table_is_described(
    unbroken: Demonstrated, spark: SparkSession
) -> None:
    manifest = json.loads((unbroken.clone.folder / "target" / "manifest.json").read_text())
    described = {
        f"{node['schema']}.{node.get('alias', node['name'])}": {
            name for name, column in node["columns"].items() if column["description"]
        }
        for node in (*manifest["nodes"].values(), *manifest["sources"].values())
        if node["resource_type"] in ("model", "seed", "snapshot", "source")
    }
    built = unbroken.clone.tables() & described.keys()
    columns = {table: set(stored(spark, unbroken.clone, table).columns) for table in built}
    assert len(columns) > 20
    assert {table: described[table] for table in built} == columns


@pytest.mark.soak
def test_the_unit_tests_of_its_models_pass(unbroken: Demonstrated) -> None:
    assert "PASS=2 " in unbroken.clone.dbt("test", "--select", "test_type:unit")


def test_nothing_but_the_steps_and_the_summary_reaches_the_terminal(unbroken: Demonstrated) -> None:
    noise = re.compile(r"WARN|ERROR|INFO|SLF4J|log4j|Picked up|:: loading|Deprecat|Traceback")
    assert [line for line in unbroken.said.splitlines() if noise.search(line)] == []
    # What a terminal keeps: there the line of a step's beginning becomes the one of its end.
    kept = [line for line in unbroken.said.splitlines() if not line.endswith("…")]
    kept = [line for line in kept if not SIGN.match(line)]
    assert len(kept) < 60


def test_a_log_has_a_line_every_few_seconds_with_the_model_and_the_progress(
    unbroken: Demonstrated,
) -> None:
    building = re.findall(r"^    \d+ s  (\d+) of (\d+)  (\w+)", unbroken.said, re.MULTILINE)
    assert len(building) > 3
    assert {model for _, _, model in building} & {
        "flight_outcomes",
        "flight_detections",
        "flight_anomalies",
        "recent_departures",
    }


def test_the_report_is_named_as_soon_as_the_first_build_has_ended(unbroken: Demonstrated) -> None:
    ended = [line for line in unbroken.said.splitlines() if line.startswith("✓")]
    assert [line.split("  ")[0] for line in ended[2:4]] == [
        "✓ 3/8 dbt build with 1 January to 27 February",
        "✓ 4/8 a first report",
    ]
    assert ended[3].endswith("look at target/strandline_report.html")


@pytest.mark.soak
def test_a_second_demo_writes_nothing_and_says_so(unbroken: Demonstrated) -> None:
    clone, before = unbroken.clone, unbroken.clone.commits()
    assert clone.commit(YEARS, 1).exists()

    said = clone.demo()

    assert clone.commits() == before
    assert said.count("nothing new to land") == 2
    assert re.search(
        r"✓ 7/8 strandline run on 8 February .* unchanged: nothing that it reads", said
    )
    assert re.search(r"nothing new. All \d+ tables are up to date and nothing was written", said)


@pytest.mark.soak
def test_a_demo_killed_in_either_build_ends_with_the_same_tables(
    unbroken: Demonstrated, another_clone: Clone, spark: SparkSession
) -> None:
    another_clone.demo_killed_when(another_clone.commit(HOURS, 0))
    assert not another_clone.commit(YEARS, 0).exists(), "killed after the first build was done"

    another_clone.demo_killed_when(another_clone.commit(HOURS, 1))
    assert not another_clone.commit(YEARS, 1).exists(), "killed after the second build was done"

    said = another_clone.demo()
    assert re.search(r"\d of \d+ tables are there from an earlier run", said)

    assert another_clone.tables() == unbroken.clone.tables()
    assert {HOURS, YEARS, STATES, FLIGHTS, WEATHER, *DETECTIONS} <= unbroken.clone.tables()
    for table in sorted(unbroken.clone.tables()):
        whole, healed = rows(spark, unbroken.clone, table), rows(spark, another_clone, table)
        assert_same_rows(healed, whole, table)


# The alerts: who was notified of what, when, and what is still active. American's flights of 8 February arrive
# with the 28th; at midnight, when the first build is, some flights of the 27th are waiting.

# The two builds at midnight, and the backfill; in UTC, as all times of a run.
FIRST, SECOND, BACKFILL = "2013-02-28 05:00:00", "2013-03-01 05:00:00", "2013-03-01 06:00:00"
AMERICAN = "carrier = 'AA' and detector = 'carrier_day'"
JETBLUE = "carrier = 'B6' and detector = 'carrier_day'"
LATE_EVENING = "origin = 'JFK' and starts_at = timestamp'2013-02-28 03:45:00'"  # 22:45 of the 27th


@pytest.fixture(scope="module")
def alerts(spark: SparkSession, unbroken: Demonstrated) -> Alerts:
    return Alerts(spark, unbroken)


# Use case 1: a carrier's day is missing, and is loaded again.


def test_the_false_alarm_is_outdated_and_what_stays_is_notified(alerts: Alerts) -> None:
    """On the 9th American flew 24 of 76, so the two days are one incident, notified by its worst day."""
    assert alerts.notified(AMERICAN) == [
        f"{FIRST} 8 Feb 00:00+ 0 92 outdated",
        f"{BACKFILL} 8 Feb 00:00+ 24 76 new",
    ]
    assert alerts.stored(AMERICAN) == [
        "8 Feb 00:00 0 0 outdated",
        "8 Feb 00:00 1 58 new",
        "8 Feb 00:00+ 0 0 outdated",
        "8 Feb 00:00+ 0 24 new",
        "9 Feb 00:00 0 24 new",
    ]


@pytest.mark.parametrize(
    ("at", "as_of"),
    [
        ("2013-02-28 04:59:59", []),
        (FIRST, ["8 Feb 00:00 0 0 new", "8 Feb 00:00+ 0 0 new", "9 Feb 00:00 0 24 new"]),
        # The second build looks two days back.
        (SECOND, ["8 Feb 00:00 0 0 new", "8 Feb 00:00+ 0 0 new", "9 Feb 00:00 0 24 new"]),
        (
            BACKFILL,
            [
                "8 Feb 00:00 0 0 outdated",
                "8 Feb 00:00 1 58 new",
                "8 Feb 00:00+ 0 0 outdated",
                "8 Feb 00:00+ 0 24 new",
                "9 Feb 00:00 0 24 new",
            ],
        ),
    ],
)
def test_the_anomalies_of_american_as_of_each_run(
    alerts: Alerts, at: str, as_of: list[str]
) -> None:
    assert alerts.as_of(at, AMERICAN) == as_of


def test_only_current_anomalies_are_active_with_their_notes(alerts: Alerts) -> None:
    assert alerts.active(AMERICAN) == [
        "8 Feb 00:00 58 new",
        "8 Feb 00:00+ 24 new",
        "9 Feb 00:00 24 new",
    ]
    assert alerts.active(JETBLUE) == [
        "8 Feb 00:00 93 new desk, operations",
        "8 Feb 00:00+ 56 new",
        "9 Feb 00:00 56 new",
    ]


def test_notes_of_an_outdated_anomaly_wait_until_it_is_found_again(alerts: Alerts) -> None:
    found_again = f"(select * except (status), 'updated' as status from {alerts.anomalies})"
    assert "8 Feb 00:00 0 updated desk, loading" in alerts.active(
        AMERICAN, anomalies=Expression(found_again)
    )


# Use case 2: rows that change up to two days back, P2D.


def test_flights_that_left_after_the_build_are_not_stranded(alerts: Alerts) -> None:
    assert alerts.notified(LATE_EVENING) == [f"{FIRST} 27 Feb 22:45 3 2 outdated"]
    assert alerts.as_of(FIRST, LATE_EVENING) == ["27 Feb 22:45 0 3 new"]
    assert alerts.as_of(SECOND, LATE_EVENING) == ["27 Feb 22:45 0 3 outdated"]
    assert alerts.active(LATE_EVENING) == []


# Use case 3: overlapping windows of `detect` are one incident.


def test_windows_of_one_evening_are_one_incident(alerts: Alerts) -> None:
    assert alerts.stored("detector = 'late_carrier'") == [
        "11 Feb 18:00 0 191.846 new",
        "11 Feb 18:00+ 0 218.4 new",
        "11 Feb 19:00 0 197.667 new",
        "11 Feb 20:00 0 207.091 new",
        "11 Feb 21:00 0 218.4 new",
    ]
    assert alerts.notified("detector = 'late_carrier'") == [f"{FIRST} 11 Feb 18:00+ 218.4 180 new"]


def test_the_page_of_the_alerts_shows_what_the_demo_has_built(unbroken: Demonstrated) -> None:
    page = (ROOT / "docs" / "flight_alerts.md").read_text()
    shown = examples(page)
    assert len(shown) == page.count("```sql") == 10
    found = unbroken.clone.query([query for query, _ in shown])
    for answer, (query, table) in zip(found, shown, strict=True):
        assert answer == cells(table), query


# What people read of all three.

NUMBER = r"\d[\d,.]*"
DAY = r"\d+ (?:Jan|Feb)"
TITLE = re.compile(
    rf"(?:[A-Z\d]{{2}}: {NUMBER} departures(?: at worst)?, expected {NUMBER} \(carrier_day"
    rf"|[A-Z\d]{{2}}, (?:EWR|JFK|LGA): {NUMBER} minutes of delay(?: at worst)?, expected 180 \(late_carrier"
    rf"|[A-Z\d]{{2}}, (?:EWR|JFK|LGA): {NUMBER} cancelled flights(?: at worst)?, expected 4 \(cancelled_flights"
    rf"|(?:EWR|JFK|LGA): {NUMBER} flights waiting(?: at worst)?, expected 2 \(quarter_hour), "
    rf"(?:{DAY} to |\d+ to )?{DAY}(?: \d\d:\d\d to (?:{DAY} )?\d\d:\d\d)? EST"
    rf"(?:, {NUMBER} anomalies merged)?\)"
)


ENDEAVOR = "9E, JFK: 218.4 minutes of delay at worst, expected 180 (late_carrier, 11 Feb 18:00 to 12 Feb 03:00 EST, 4 anomalies merged)"

# ExpressJet's at Newark in February: the blizzard, and an hour of the 11th.
NEWARK = [
    "EV, EWR: 11 cancelled flights at worst, expected 4 (cancelled_flights, 8 Feb 14:00 to 18:00 EST, 4 anomalies merged)",
    "EV, EWR: 12 cancelled flights at worst, expected 4 (cancelled_flights, 8 Feb 19:00 to 22:00 EST, 3 anomalies merged)",
    "EV, EWR: 9 cancelled flights at worst, expected 4 (cancelled_flights, 9 Feb 06:00 to 09:00 EST, 3 anomalies merged)",
    "EV, EWR: 6 cancelled flights, expected 4 (cancelled_flights, 11 Feb 16:00 to 17:00 EST)",
]


def test_the_titles_say_what_where_when_and_the_deviation(
    alerts: Alerts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_PROXY", "*")
    titles = alerts.titles(ZoneInfo("America/New_York"))

    assert len(titles) == 124
    assert [title for title in titles if not TITLE.fullmatch(title)] == []
    # Of the first nothing is left to be merged.
    assert [title for title in titles if title.startswith("AA: ")] == [
        "AA: 0 departures, expected 92 (carrier_day, 8 to 9 Feb EST)",
        "AA: 24 departures at worst, expected 76 (carrier_day, 8 to 9 Feb EST, 2 anomalies merged)",
    ]
    waiting = "JFK: 3 flights waiting, expected 2 (quarter_hour, 27 Feb 22:45 to 23:00 EST)"
    assert titles.count(waiting) == 1
    assert [title for title in titles if "late_carrier" in title] == [ENDEAVOR]
    cancelled = [title for title in titles if "cancelled_flights" in title]
    assert len(cancelled) == 31
    assert sorted(
        title for title in cancelled if title.startswith("EV") and " Feb" in title
    ) == sorted(NEWARK)


# Both: in the end the table has what one look at all flights finds.


def test_the_active_anomalies_follow_from_all_flights(alerts: Alerts, outcomes: Outcomes) -> None:
    days, quarters = expected()
    leaves = "not is_parent and detector = '{}'"
    active = macros().anomalies_active(alerts.anomalies)
    found = {
        detector: {
            (row[0], row[1]): row[2]
            for row in alerts.spark.sql(
                f"select {key}, {start}, int(current_value) from ({active}) where {leaves.format(detector)}"
            ).collect()
        }
        for detector, key, start in (
            (
                "carrier_day",
                "carrier",
                "string(date(from_utc_timestamp(starts_at, 'America/New_York')))",
            ),
            ("quarter_hour", "origin", "unix_seconds(starts_at)"),
        )
    }
    assert found == {"carrier_day": days, "quarter_hour": quarters}
    hours = alerts.spark.sql(f"""
        select carrier, origin, unix_seconds(starts_at), int(current_value) from ({active})
        where {leaves.format("cancelled_flights")}
    """).collect()
    assert {tuple(row[:3]): row[3] for row in hours} == outcomes.cancelling()
    assert len(hours) == 55
    assert (len(days), len(quarters)) == (21, 164)
