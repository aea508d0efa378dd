"""The page that ends the demo, word for word: a first run, a second one, one with a new day."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from strandline.cli.build import Build, Node
from strandline.landing import LandingResult
from strandline_demo.landings import Landed
from strandline_demo.results import Alerts, LateDay, Totals, Windows
from strandline_demo.states import State
from strandline_demo.summary import (
    Outcome,
    backfill_words,
    build_words,
    changed,
    landing_words,
    show,
    standing_words,
)

EVENTS = "landing.flight_events"
DAYS, MART = "flights.flight_aggregation_days", "flights.mart_carrier_delays"
TOTALS = Totals(flights=336_776, never_departed=8_255, delays=[("Jan", 10.0), ("Sep", 5.0)])
# As they are in January, without the carrier that arrives late.
FEW = Alerts(notified=12, late_day=[], departed=0, late_carriers=0, cancelling_carriers=0)
WHOLE = Alerts(
    notified=482,
    late_day=[LateDay(0, 92), LateDay(58, 92)],
    departed=1,
    late_carriers=2,
    cancelling_carriers=55,
)
WINDOWS = Windows(
    departures=[("EWR", 0, 26), ("JFK", 3, 28), ("LGA", 1, 1_000)],
    destinations=[("ATL", 28_664), ("LAX", 950)],
    planes=333,
    changes=1_807,
    outcomes={"fine": 327_997, "cancelled": 8_220},
)
INSIDE = [
    "Departed in the last 30 minutes (most): EWR 0 (26), JFK 3 (28), LGA 1 (1,000).",
    "Hours of delay in 30 days: ATL 478, LAX 16.",
    "333 planes left two airports within six hours, 1,807 times.",
    "Outcomes of the flights: 327,997 fine, 8,220 cancelled, 0 diverted or lost.",
]
ALERTS = [
    "482 notifications. 1 is outdated: flights that waited at midnight left.",
    "2 of hours in which a carrier was over three hours late, 55 in which it cancelled flights.",
    "8 February, American: its file was missing, 0 departures of 92 were notified.",
    "It came late: outdated by the run on that day, which notifies what stays, 58.",
]


def table(relation: str, seconds: float, stored_as: str = "incremental") -> Node:
    name = relation.split(".")[1]
    return Node(name, "model", stored_as, relation, "success", seconds, "OK")


def a_test(name: str) -> Node:
    return Node(name, "test", "", "", "pass", 0.2, "")


def build(days: float, mart: float) -> Build:
    nodes = (table(DAYS, days), a_test("unique"), table(MART, mart), a_test("not_null"))
    return Build(nodes, seconds=days + mart)


def printed(outcome: Outcome) -> list[str]:
    out = StringIO()
    show(Console(file=out, width=100), outcome)
    return [line.rstrip() for line in out.getvalue().strip("\n").splitlines()]


BELOW = (
    """
Mean departure delay in minutes, by month
Jan  ██████████████████████████████  10.0
Sep  ███████████████                  5.0

look   target/strandline_report.html, in a browser: series, anomalies, alerts, windows
query  .venv/bin/dbt show --profiles-dir profiles --limit 9 --inline \
"select * from {{ ref('mart_carrier_delays') }} where carrier = 'UA'"
read   docs/demo.md, what all of it is; docs/tutorial.md, from a file of yours to an alert
""".replace("\\\n", "")
    .strip()
    .splitlines()
)


def test_the_first_run_shows_both_builds() -> None:
    outcome = Outcome(
        before={},
        after={EVENTS: State(13, 991_000), DAYS: State(1, 12_345), MART: State(1, 185)},
        builds=[build(9.53, 4.0), build(2.2, 3.14)],
        events=991_000,
        reports=26_115,
        totals=TOTALS,
        alerts=WHOLE,
        windows=WINDOWS,
        seconds=74.6,
    )
    assert printed(outcome) == [
        "table                       rows  version  1st build  2nd build",
        "landing.flight_events    991,000       13          -          -",
        "flight_aggregation_days   12,345        1      9.5 s      2.2 s",
        "mart_carrier_delays          185        1      4.0 s      3.1 s",
        "",
        "336,776 flights, 8,255 of them never departed. All in 75 s.",
        "991,000 events and 26,115 weather reports landed in two runs.",
        "The second build was incremental. Run it again: nothing will be written.",
        "No event is late, no row is in quarantine.",
        "",
        *ALERTS,
        "",
        *INSIDE,
        "",
        *BELOW,
    ]


def test_a_run_without_new_events_says_so_and_shows_the_versions() -> None:
    tables = {EVENTS: State(13, 991_000), DAYS: State(1, 12_345), MART: State(1, 185)}
    outcome = Outcome(
        {EVENTS: 13, DAYS: 1, MART: 1},
        tables,
        [build(0.5, 0.31)],
        0,
        0,
        totals=TOTALS,
        alerts=FEW,
        windows=WINDOWS,
        seconds=33.2,
    )
    assert printed(outcome) == [
        "table                       rows  version  build",
        "landing.flight_events    991,000       13      -",
        "flight_aggregation_days   12,345        1  0.5 s",
        "mart_carrier_delays          185        1  0.3 s",
        "",
        "336,776 flights, 8,255 of them never departed. All in 33 s.",
        "Incremental: nothing new. All 3 tables are up to date and nothing was written:",
        "each still has the version that it had before.",
        "No event is late, no row is in quarantine.",
        "",
        "12 notifications.",
        "",
        *INSIDE,
        "",
        *BELOW,
    ]


def test_a_run_with_a_new_day_counts_the_tables_that_changed() -> None:
    before = {EVENTS: 12, DAYS: 0, MART: 1}
    after = {EVENTS: State(13, 991_000), DAYS: State(1, 12_345), MART: State(1, 185)}
    outcome = Outcome(
        before, after, [build(0.5, 0.31)], 4_000, 72, totals=TOTALS, alerts=FEW, windows=WINDOWS, seconds=33.2,
        unusable={f"{EVENTS}_quarantine": 2, "flights.flight_aggregation_late": 1_200, "f.g_late": 0},
    )  # fmt: skip
    assert printed(outcome)[:6] == [
        "table                       rows  version  build",
        "landing.flight_events    991,000  12 → 13      -",
        "flight_aggregation_days   12,345    0 → 1  0.5 s",
        "mart_carrier_delays          185        1  0.3 s",
        "",
        "336,776 flights, 8,255 of them never departed. All in 33 s.",
    ]
    assert printed(outcome)[6:10] == [
        "Incremental: 4,000 new events and 72 weather reports.",
        "2 of 3 tables got a new version.",
        "Rows that could not be used: 2 in landing.flight_events_quarantine, 1,200 in",
        "flights.flight_aggregation_late",
    ]


def test_a_folder_of_its_own_is_named_in_the_command() -> None:
    outcome = Outcome(
        {},
        {DAYS: State(1, 12_345), MART: State(1, 185)},
        [build(0.5, 0.31)],
        0,
        0,
        TOTALS,
        FEW,
        WINDOWS,
        33.2,
        home="my year",
    )
    [query] = [line for line in printed(outcome) if line.startswith("query")]
    assert query.startswith("query  STRANDLINE_HOME='my year' .venv/bin/dbt show")


def test_a_commit_that_changes_no_row_count_is_still_a_change() -> None:
    before, after = {DAYS: 3, MART: 1}, {DAYS: State(4, 10), MART: State(1, 5)}
    assert changed(before, after) == [DAYS]
    assert changed({}, after) == [DAYS, MART]
    assert changed({DAYS: 4, MART: 1}, after) == []


@pytest.mark.parametrize(
    ("flights", "weather", "said"),
    [
        ((0, 0), (0, 0), "nothing new to land"),
        ((1_234, 0), (24, 0), "1,234 events, 24 weather reports"),
        ((1_234, 2), (24, 1), "1,234 events, 24 weather reports, 3 in quarantine"),
        ((0, 0), (24, 0), "0 events, 24 weather reports"),
        ((0, 2), (0, 0), "0 events, 0 weather reports, 2 in quarantine"),
    ],
)
def test_a_landing_in_words(flights: tuple, weather: tuple, said: str) -> None:
    results = (LandingResult(rows, bad, 1, None, None) for rows, bad in (flights, weather))
    assert landing_words(Landed(*results)) == said


def test_what_is_there_before_the_run_in_words() -> None:
    assert standing_words(7, 0) == "7 tables to be made"
    assert standing_words(7, 3) == "3 of 7 tables are there from an earlier run"


def test_a_build_in_words_counts_tables_and_tests_but_no_views() -> None:
    view = table("flights.stg_flight_events", 1.0, stored_as="view")
    nodes = (view, table(DAYS, 1.0), a_test("unique"), table(MART, 1.0), a_test("not_null"))
    assert build_words(Build(nodes, seconds=3.0)) == "2 tables, 2 tests passed"
    assert build_words(Build((nodes[1], nodes[3]), seconds=3.0)) == "2 tables"


def test_a_backfill_in_words_is_what_it_wrote_to_the_anomalies() -> None:
    nodes = (
        table("flights.stg_flights", 0.1, stored_as="view"),
        table("flights.flight_anomalies", 2.0),
    )
    assert backfill_words(Build(nodes, seconds=3.0)) == "OK"
