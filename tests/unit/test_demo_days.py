"""Which days the demo lands: all of them, each once, the last one alone but for late files."""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from datetime import date
from pathlib import Path

import pandas as pd
import pytest
from click import ClickException
from click.testing import CliRunner

from strandline.cli.main import cli
from strandline.preflight import java_needed
from strandline.versions import installed_spark, minor_of
from strandline_demo.flights import CarrierDay, FlightsError, write_flights
from strandline_demo.flights.source import read_flights
from strandline_demo.landings import Landings, flight_files
from strandline_demo.results import Totals, check
from strandline_demo.year import Backfill, Days, Year

AMERICAN = CarrierDay("AA", date(2013, 2, 8))


def test_the_year_is_landed_up_to_its_eve_and_then_to_its_end() -> None:
    assert Year().landings() == (
        Days(
            "1 January to 30 December",
            date(2013, 1, 1),
            date(2013, 12, 31),
            run_at="2013-12-31 05:00:00",  # midnight in New York
            missing=AMERICAN,
        ),
        # The last flights of the year arrive on New Year's Day.
        Days(
            "31 December",
            date(2013, 12, 31),
            date(2014, 1, 2),
            run_at="2014-01-01 05:00:00",
            late=AMERICAN,
        ),
    )


def test_the_day_of_the_late_carrier_is_evaluated_an_hour_after_the_last_build() -> None:
    assert Year().backfill() == Backfill(
        "8 February",
        ("flight_anomalies+",),
        {
            "strandline_from": "2013-02-08 05:00:00",
            "strandline_to": "2013-02-09 05:00:00",
            "strandline_as_of": "2014-01-01 06:00:00",
        },
    )


@pytest.mark.parametrize(
    ("months", "last", "late"), [(1, date(2013, 1, 31), None), (2, date(2013, 2, 28), AMERICAN)]
)
def test_some_months_end_with_their_last_day(
    months: int, last: date, late: CarrierDay | None
) -> None:
    before, last_day = Year(months).landings()
    assert (before.first, before.end) == (date(2013, 1, 1), last)
    assert (last_day.first, last_day.end) == (last, date(2013, months + 1, 1))
    assert (before.missing, last_day.late) == (late, late)
    assert (Year(months).backfill() is None) == (late is None)


def test_a_carriers_day_is_landed_with_the_last_day_and_not_before(tmp_path: Path) -> None:
    """The files of both landings together are the flights of these days, each event once."""
    first = Days("", date(2013, 2, 7), date(2013, 2, 10), missing=AMERICAN)
    last = Days("", date(2013, 2, 10), date(2013, 2, 11), late=AMERICAN)
    written = {
        days: [path for files, a, b in flight_files(days) for path in files.write(tmp_path, a, b)]
        for days in (first, last)
    }
    assert [path.name for path in written[first]] == ["flights_2013-02-07_2013-02-10.csv"]
    assert [path.name for path in written[last]] == [
        "flights_AA_2013-02-08_2013-02-09.csv",
        "flights_2013-02-10_2013-02-11.csv",
    ]
    rest, late, last_day = (pd.read_csv(path) for path in (*written[first], *written[last]))
    assert late["event"].value_counts().to_dict() == {
        "scheduled": 93,
        "arrived": 66,
        "departed": 58,
    }
    assert set(late["carrier"]) == {"AA"}
    # Midnight in New York is 05:00 UTC.
    assert late["event_at"].between("2013-02-08 05:00", "2013-02-09 05:00").all()
    whole = pd.read_csv(write_flights(tmp_path / "whole", first.first, last.end)[0])
    assert sorted(pd.concat([rest, late, last_day])["event_id"]) == sorted(whole["event_id"])


def test_days_have_begun_as_soon_as_one_of_their_files_is_there(tmp_path: Path) -> None:
    """By this a demo that was killed knows whether its first build was done."""
    _, last = Year(2).landings()
    landings = Landings(spark=None, home=tmp_path)
    assert not landings.have_begun(last)
    AMERICAN.file().write(tmp_path / "flights", AMERICAN.day, AMERICAN.next_day)
    assert landings.have_begun(last)
    assert not landings.have_begun(replace(last, late=None))


def test_a_folder_with_the_flights_of_other_months_is_refused(tmp_path: Path) -> None:
    both, year = Year(2).landings(), Year(12).landings()
    (tmp_path / "flights").mkdir()
    Landings.refuse_others(tmp_path, both)
    (tmp_path / "flights" / "flights_2013-01-01_2013-02-01.csv").touch()
    (tmp_path / "flights" / "flights_2013-02-28_2013-03-01.csv").touch()
    Landings.refuse_others(tmp_path, both)
    with pytest.raises(FlightsError) as refused:
        Landings.refuse_others(tmp_path, year)
    assert str(refused.value) == (
        f"{tmp_path} holds flights of other days, such as flights_2013-02-28_2013-03-01.csv: a demo "
        f"of other months was there. Remove {tmp_path}, or name another folder: "
        "STRANDLINE_HOME=<folder>"
    )


def test_the_year_is_in_a_folder_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replayed = []

    def replay(_folder: Path, _target: str, year: Year) -> None:
        replayed.append((year.months, os.environ.get("STRANDLINE_HOME")))

    monkeypatch.setattr("strandline_demo.command.replay", replay)
    monkeypatch.setattr("strandline.preflight.problem", lambda: None)
    shutil.copy(Path(__file__).parents[2] / "dbt_project.yml", tmp_path)
    for arguments in ((), ("--year",)):
        monkeypatch.delenv("STRANDLINE_HOME", raising=False)
        done = CliRunner().invoke(cli, ["demo", *arguments, "--project-dir", str(tmp_path)])
        assert done.exit_code == 0, done.output
    monkeypatch.setenv("STRANDLINE_HOME", "elsewhere")
    CliRunner().invoke(cli, ["demo", "--year", "--project-dir", str(tmp_path)])
    assert replayed == [(2, None), (12, ".strandline-year"), (12, "elsewhere")]


@pytest.mark.parametrize("months", [1, 2, 12])
def test_the_known_flights_are_those_of_the_source(months: int) -> None:
    flights = read_flights()
    some = flights[flights["month"] <= months]
    check(Totals(len(some), int(some["dep_delay"].isna().sum()), []), Year(months))


def test_other_flights_than_the_months_had_are_an_error() -> None:
    with pytest.raises(ClickException) as failed:
        check(Totals(51_954, 1_782, []), Year(2))
    assert failed.value.message == (
        "The tables hold 51,954 flights, 1,782 without a departure; these months had 51,955 and "
        "1,782."
    )


def test_outside_of_a_clone_the_demo_says_where_it_runs(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["demo", "--project-dir", str(tmp_path)])
    assert result.exit_code == 2
    assert result.output.endswith(
        f"Error: {tmp_path} holds no dbt_project.yml: run the demo in a clone of Strandline, "
        "or name one with --project-dir.\n"
    )


def test_without_java_the_demo_says_so_and_makes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(Path(__file__).parents[2] / "dbt_project.yml", tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    result = CliRunner().invoke(cli, ["demo", "--project-dir", str(tmp_path)])
    assert result.exit_code == 1
    needed = java_needed(minor_of(installed_spark() or ""))
    assert result.output.startswith(f"Error: {needed}, none is on PATH: install one")
    assert [path.name for path in tmp_path.iterdir()] == ["dbt_project.yml"]
