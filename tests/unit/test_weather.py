"""The demo's weather: single hours by hand, the clock changes, and files that are landed exactly."""

from __future__ import annotations

import itertools
from datetime import date
from pathlib import Path

import pandas as pd
import pytest

from strandline_demo.flights import (
    FIRST,
    LAST,
    FlightsError,
    read_weather,
    weather_reports,
    weather_schema,
    write_weather,
)
from strandline_demo.flights.source import data_folder
from strandline_demo.flights.weather import COLUMNS


@pytest.fixture(scope="module")
def weather() -> pd.DataFrame:
    return read_weather()


@pytest.fixture(scope="module")
def year(weather: pd.DataFrame) -> pd.DataFrame:
    return weather_reports(FIRST, LAST, weather)


def test_every_report_of_the_year_is_there_once(year: pd.DataFrame) -> None:
    assert year["origin"].value_counts().to_dict() == {"JFK": 8_706, "LGA": 8_706, "EWR": 8_703}
    assert not year.duplicated(["origin", "observed_at"]).any()
    assert year.sort_values(["observed_at", "origin"], kind="stable").index.equals(year.index)
    assert [str(year["observed_at"].agg(end)) for end in ("min", "max")] == [
        "2013-01-01 06:00:00+00:00",
        "2013-12-30 23:00:00+00:00",
    ]


def test_what_was_not_measured_is_empty(year: pd.DataFrame) -> None:
    assert year.isna().sum().loc[lambda count: count > 0].to_dict() == {
        "temp": 1,
        "dewp": 1,
        "humid": 1,
        "wind_speed": 4,
        "wind_gust": 20_778,
        "pressure": 2_729,
    }


def test_the_sources_clock_is_that_of_new_york() -> None:
    """In every row, also where an hour is skipped and where one comes twice."""
    source = pd.read_csv(data_folder() / "weather.csv")
    clock = pd.to_datetime(source[["year", "month", "day", "hour"]])
    instants = pd.to_datetime(source["time_hour"], utc=True)
    assert (instants.dt.tz_convert("America/New_York").dt.tz_localize(None) == clock).all()

    shown = clock[source["origin"] == "EWR"].dt.strftime("%m-%d %H")
    assert list(shown[shown.between("03-10 00", "03-10 04")].str[-2:]) == ["00", "01", "03", "04"]
    assert list(shown[shown.between("11-03 00", "11-03 03")].str[-2:]) == ["01", "01", "02", "03"]


@pytest.mark.parametrize(("change", "warmest"), [("03-10 07:00Z", 19), ("11-03 06:00Z", 18)])
def test_the_sun_does_not_change_its_clock(year: pd.DataFrame, change: str, warmest: int) -> None:
    """It is warmest two hours after noon: the same hour of UTC before and after each change."""
    at, days = pd.Timestamp(f"2013-{change}"), pd.Timedelta(days=28)
    for start, end in ((at - days, at), (at, at + days)):
        weeks = year[(year["observed_at"] >= start) & (year["observed_at"] < end)]
        by_hour = weeks.groupby(weeks["observed_at"].dt.hour)["temp"].mean()
        assert by_hour.idxmax() == warmest


def test_days_are_half_open_and_of_new_york(weather: pd.DataFrame, year: pd.DataFrame) -> None:
    days = [date(2013, 3, 10), date(2013, 3, 11), date(2013, 3, 12)]
    short, whole = (weather_reports(a, b, weather) for a, b in itertools.pairwise(days))
    assert (len(short), len(whole)) == (3 * 23, 3 * 24)
    assert short["observed_at"].min() == pd.Timestamp("2013-03-10 05:00Z")
    assert whole["observed_at"].min() == pd.Timestamp("2013-03-11 04:00Z")
    inside = year[year["observed_at"].between("2013-03-10 05:00Z", "2013-03-12 03:00Z")]
    pd.testing.assert_frame_equal(
        pd.concat([short, whole], ignore_index=True), inside.reset_index(drop=True)
    )


def test_files_have_the_same_bytes_and_times_whenever_they_are_written(tmp_path: Path) -> None:
    days = date(2013, 1, 31), date(2013, 2, 2)
    once, again = (write_weather(tmp_path / name, *days) for name in ("once", "again"))
    names = ["weather_2013-01-31_2013-02-01.csv", "weather_2013-02-01_2013-02-02.csv"]
    assert sorted(path.name for path in (tmp_path / "once").iterdir()) == names
    assert [path.read_bytes() for path in once] == [path.read_bytes() for path in again]
    times = [path.stat().st_mtime for path in once]
    assert times == [path.stat().st_mtime for path in again] == sorted(set(times))


def test_files_hold_every_value_to_the_last_digit(tmp_path: Path, year: pd.DataFrame) -> None:
    *months, last = write_weather(tmp_path)
    header = "origin,observed_at,temp,dewp,humid,wind_speed,wind_gust,precip,pressure,visib"
    assert months[0].read_text().splitlines()[:2] == [
        header,
        "EWR,2013-01-01 06:00:00Z,39.02,26.06,59.37,10.357019999999999,,0,1012,10",
    ]
    # The source ends on 30 December.
    assert (last.name, last.read_text()) == ("weather_2013-12-31_2014-01-02.csv", header + "\n")
    read = [pd.read_csv(path, float_precision="round_trip") for path in months]
    reports = pd.concat(read, ignore_index=True)
    reports["observed_at"] = pd.to_datetime(reports["observed_at"], utc=True)
    pd.testing.assert_frame_equal(reports, year, check_exact=True, check_dtype=False)
    assert [column.split()[0] for column in weather_schema().split(", ")] == list(COLUMNS)


def test_days_that_are_no_range_are_refused(tmp_path: Path) -> None:
    with pytest.raises(FlightsError) as refused:
        write_weather(tmp_path, date(2013, 2, 1), date(2014, 2, 1))
    assert str(refused.value) == (
        "weather: first=2013-02-01 and last=2014-02-01 were given; "
        "allowed is 2013-01-01 <= first < last <= 2014-01-02 (last is exclusive)"
    )
    with pytest.raises(FlightsError) as refused:
        weather_reports(date(2013, 2, 1), date(2013, 2, 1))
    assert str(refused.value) == "weather: first (2013-02-01) must be before last (2013-02-01)"
