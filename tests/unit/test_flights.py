"""The demo's events: the known totals, and single flights worked by hand."""

import itertools
from datetime import date
from pathlib import Path

import pandas as pd
import pytest

from strandline_demo.flights import (
    COLUMNS,
    FIRST,
    LAST,
    FlightsError,
    flight_events,
    flights_schema,
    read_flights,
    write_flights,
)
from strandline_demo.flights.clock import first_instant_at, minutes_of_day
from strandline_demo.flights.files import slices


@pytest.fixture(scope="module")
def flights() -> pd.DataFrame:
    return read_flights()


@pytest.fixture(scope="module")
def year(flights: pd.DataFrame) -> pd.DataFrame:
    return flight_events(FIRST, LAST, flights)


def test_totals(year: pd.DataFrame) -> None:
    counts = year["event"].value_counts().to_dict()
    assert counts == {"scheduled": 336_776, "departed": 336_776 - 8_255, "arrived": 328_063}
    assert year["event_id"].is_unique
    assert year["flight_id"].nunique() == 336_776


def test_events_are_in_the_order_in_which_they_happened(year: pd.DataFrame) -> None:
    order = year.sort_values(["event_at", "event_id"], kind="stable").index
    assert order.equals(year.index)


def test_delays_and_air_time_stand_only_on_their_event(year: pd.DataFrame) -> None:
    filled = year.groupby("event", observed=True)[
        ["departure_delay", "arrival_delay", "air_time"]
    ].count()
    assert filled.T.to_dict() == {
        "scheduled": {"departure_delay": 0, "arrival_delay": 0, "air_time": 0},
        "departed": {"departure_delay": 328_521, "arrival_delay": 0, "air_time": 0},
        "arrived": {"departure_delay": 0, "arrival_delay": 327_346, "air_time": 327_346},
    }


def test_a_departure_is_its_schedule_and_its_delay(year: pd.DataFrame) -> None:
    departed = year[year["event"] == "departed"]
    delay = pd.to_timedelta(departed["departure_delay"].astype("int64"), unit="min")
    assert (departed["event_at"] - departed["scheduled_at"] == delay).all()


def test_an_arrival_follows_its_departure_within_a_day(year: pd.DataFrame) -> None:
    at = year.pivot(index="flight_id", columns="event", values="event_at").dropna()
    elapsed = (at["arrived"] - at["departed"]).dt.total_seconds() / 60
    assert elapsed.between(1, 24 * 60 - 1).all()
    aloft = year[year["event"] == "arrived"].set_index("flight_id")["air_time"].dropna()
    taxi = elapsed[aloft.index] - aloft.astype("int64")
    assert (taxi.min(), taxi.max()) == (5, 235)


# Worked by hand: clocks of New York and of the destination, then UTC. EST is UTC-5, EDT UTC-4.
BY_HAND = [
    # 05:15 EST, left 05:17; Houston 08:30 CST (-6)
    (1, "01-01 10:15", "01-01 10:17", "01-01 14:30"),
    # 16:30 EST, cancelled
    (839, "01-01 21:30", None, None),
    # 19:30 EST, left 46 minutes late; no arrival known
    (755, "01-02 00:30", "01-02 01:16", None),
    # 19:28 EST, left in time; Charleston 00:19 EST, without a delay and a time in the air
    (2561, "01-04 00:28", "01-04 00:28", "01-04 05:19"),
    # 09:00 EST, left 1,301 minutes late, the next day; Honolulu 12:42 (-10)
    (7073, "01-09 14:00", "01-10 11:41", "01-10 22:42"),
    # 9 March 21:45 EST, left 23:06; Palm Beach 02:03, which the clocks skip: still EST
    (144508, "03-10 02:45", "03-10 04:06", "03-10 07:03"),
    # 9 March 23:15 EST, left 23:45; San Juan 04:06 (-4, no summer time, not among the airports)
    (144512, "03-10 04:15", "03-10 04:45", "03-10 08:06"),
    # 10 March 23:59, now EDT, left 00:06; Aguadilla 03:36 (-4)
    (144522, "03-11 03:59", "03-11 04:06", "03-11 07:36"),
    # 30 October 23:59 EDT, left at 24:00; Aguadilla 03:27 (-4)
    (54967, "10-31 03:59", "10-31 04:00", "10-31 07:27"),
    # 2 November 23:59 EDT, left 23:58, flew through the change; San Juan 03:50 (-4)
    (57561, "11-03 03:59", "11-03 03:58", "11-03 07:50"),
    # 3 November 05:20, now EST, left 05:19; Houston 07:51 CST (-6)
    (57569, "11-03 10:20", "11-03 10:19", "11-03 13:51"),
]


@pytest.mark.parametrize(("flight", "scheduled", "departed", "arrived"), BY_HAND)
def test_single_flights(
    year: pd.DataFrame, flight: int, scheduled: str, departed: str | None, arrived: str | None
) -> None:
    events = year[year["flight_id"] == flight]
    given = {
        str(event): at.strftime("%m-%d %H:%M")
        for event, at in zip(events["event"], events["event_at"], strict=True)
    }
    expected = {"scheduled": scheduled, "departed": departed, "arrived": arrived}
    assert given == {event: at for event, at in expected.items() if at}


def test_the_columns_of_an_event(year: pd.DataFrame) -> None:
    row = year[year["event_id"] == "000001-arrived"].iloc[0]
    assert [row[name] for name in ("carrier", "flight", "tailnum", "origin", "dest")] == [
        "UA",
        1545,
        "N14228",
        "EWR",
        "IAH",
    ]
    assert (row["distance"], row["arrival_delay"], row["air_time"]) == (1400, 11, 227)
    assert pd.isna(row["departure_delay"])


@pytest.mark.parametrize(
    ("earliest", "found"),
    [("2013-11-03 05:00", "2013-11-03 05:30"), ("2013-11-03 05:31", "2013-11-03 06:30")],
)
def test_a_clock_that_shows_a_time_twice(earliest: str, found: str) -> None:
    """01:30 in New York comes twice on 3 November: as EDT and, an hour later, as EST."""
    at = first_instant_at(
        pd.Series([90]), pd.Series([pd.Timestamp(earliest, tz="UTC")]), "America/New_York"
    )
    assert list(at) == [pd.Timestamp(found, tz="UTC")]


def test_clock_readings() -> None:
    assert list(minutes_of_day(pd.Series([0, 1, 517, 2359, 2400]))) == [0, 1, 317, 1439, 0]


def test_days_are_half_open_and_of_new_york(flights: pd.DataFrame, year: pd.DataFrame) -> None:
    days = [date(2013, 3, 9), date(2013, 3, 10), date(2013, 3, 11)]
    parts = [flight_events(a, b, flights) for a, b in itertools.pairwise(days)]
    inside = year[year["event_at"].between("2013-03-09T05:00Z", "2013-03-11T03:59Z")]
    assert list(pd.concat(parts)["event_id"]) == list(inside["event_id"])
    assert parts[1]["event_at"].min() >= pd.Timestamp("2013-03-10T05:00Z")


def test_files_are_months_and_the_last_day_of_the_year_alone() -> None:
    assert list(slices(date(2013, 11, 15), LAST)) == [
        (date(2013, 11, 15), date(2013, 12, 1)),
        (date(2013, 12, 1), date(2013, 12, 31)),
        (date(2013, 12, 31), LAST),
    ]


def test_files_have_the_same_bytes_and_times_whenever_they_are_written(tmp_path: Path) -> None:
    days = date(2013, 1, 31), date(2013, 2, 2)
    once, again = (write_flights(tmp_path / name, *days) for name in ("once", "again"))
    names = ["flights_2013-01-31_2013-02-01.csv", "flights_2013-02-01_2013-02-02.csv"]
    assert [path.name for path in once] == names
    assert sorted(path.name for path in (tmp_path / "once").iterdir()) == names
    assert [path.read_bytes() for path in once] == [path.read_bytes() for path in again]
    times = [path.stat().st_mtime for path in once]
    assert times == [path.stat().st_mtime for path in again] == sorted(set(times))


def test_a_file_holds_what_the_schema_says(tmp_path: Path) -> None:
    (path,) = write_flights(tmp_path, FIRST, date(2013, 1, 2))
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[:3] == [
        "event_id,event,event_at,flight_id,carrier,flight,tailnum,origin,dest,distance,"
        "departure_delay,arrival_delay,air_time,scheduled_at",
        "000001-scheduled,scheduled,2013-01-01 10:15:00Z,1,UA,1545,N14228,EWR,IAH,1400,,,,"
        "2013-01-01 10:15:00Z",
        "000001-departed,departed,2013-01-01 10:17:00Z,1,UA,1545,N14228,EWR,IAH,1400,2,,,"
        "2013-01-01 10:15:00Z",
    ]
    assert [column.split()[0] for column in flights_schema().split(", ")] == list(COLUMNS)


@pytest.mark.parametrize(
    ("first", "last"),
    [
        (date(2013, 2, 1), date(2013, 2, 1)),
        (date(2012, 12, 31), date(2013, 2, 1)),
        (date(2013, 2, 1), date(2014, 2, 1)),
    ],
)
def test_days_that_are_no_range_of_the_data(tmp_path: Path, first: date, last: date) -> None:
    with pytest.raises(FlightsError, match="allowed is 2013-01-01 <= first < last <= 2014-01-02"):
        write_flights(tmp_path, first, last)
