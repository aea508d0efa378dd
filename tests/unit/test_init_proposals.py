"""What `strandline init` proposes for files as people have them: series, measures and steps."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from strandline.cli.main import cli
from strandline.starter.columns import Sample, sample_of
from strandline.starter.rhythm import DAYS, HOURS, Rhythm, rhythm_of

START = datetime(2026, 1, 5)
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def write(folder: Path, header: str, rows: list[list[object]]) -> Path:
    file = folder / "rows.csv"
    file.write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n")
    return file


def sample(folder: Path, header: str, rows: list[list[object]]) -> Sample:
    return sample_of(write(folder, header, rows))


def test_one_series_with_equal_steps_has_no_key(tmp_path: Path) -> None:
    """The wind turns: the hours of a direction have gaps."""
    rows = [[START + n * HOUR, "NSEW"[n * n % 7 % 4], n] for n in range(100)]
    assert sample(tmp_path, "ts,wind,v", rows).series == []


def test_machines_in_turn_are_series(tmp_path: Path) -> None:
    rows = [[START + n * MINUTE, f"m{n % 4}", n] for n in range(100)]
    assert sample(tmp_path, "ts,machine,v", rows).series == ["machine"]


def test_a_state_is_no_series(tmp_path: Path) -> None:
    rows = [[START + n * MINUTE, "fault" if n % 50 == 7 else "ok", n] for n in range(100)]
    assert sample(tmp_path, "ts,state,v", rows).series == []


def test_of_many_columns_those_with_which_a_time_comes_once(tmp_path: Path) -> None:
    rows = [
        [START + n * HOUR, f"s{n % 3}", f"t{n % 2}", f"u{n % 5}", machine, f"name of {machine}", n]
        for n in range(30)
        for machine in "abc"
    ]
    found = sample(tmp_path, "ts,shift,team,user,machine,label,v", rows)
    assert found.categories == ["shift", "team", "user", "machine", "label"]
    assert found.series == ["machine"]


def test_of_many_columns_of_events_none(tmp_path: Path) -> None:
    """Calls come at any time; what they are about tells no series apart."""
    rows = [
        [START + n * n * MINUTE, f"a{n % 2}", f"b{n % 3}", f"c{n % 7}", f"d{n % 20}"]
        for n in range(100)
    ]
    assert sample(tmp_path, "ts,agency,borough,kind,street", rows).series == []


def test_places_and_numbers_of_rows_are_no_measures(tmp_path: Path) -> None:
    rows = [[n + 1, START + n * HOUR, 40.5 + n, -73.25, 2026, n * n, 7] for n in range(30)]
    found = sample(tmp_path, "row,ts,Latitude,start_lon,year,x_coordinate_plane,v", rows)
    assert (found.numbers, found.ids) == (["v"], ["row"])


@pytest.mark.parametrize(
    ("step", "rows", "rhythm"),
    [
        (HOUR, 10, Rhythm(HOURS, is_whole=True)),
        (MINUTE, 10, Rhythm(HOURS, is_whole=False)),
        (DAY, 10, Rhythm(DAYS, is_whole=True)),
        (7 * DAY, 10, Rhythm(DAYS, is_whole=True)),
        (DAY, 3, Rhythm(HOURS, is_whole=False)),  # too few to tell
    ],
)
def test_the_rhythm_of_a_series(tmp_path: Path, step: timedelta, rows: int, rhythm: Rhythm) -> None:
    found = sample(tmp_path, "ts,key,v", [[START + n * step, "a", n] for n in range(rows)])
    assert rhythm_of(found, "ts", ("key",), None) == rhythm


def test_two_rows_of_an_hour_do_not_make_it_complete(tmp_path: Path) -> None:
    rows = [[START + n // 2 * HOUR, "a", n] for n in range(20)]
    assert rhythm_of(sample(tmp_path, "ts,key,v", rows), "ts", (), None) == Rhythm(HOURS)


def test_days_of_a_zone(tmp_path: Path) -> None:
    """Midnight in Berlin is the day before in UTC, and a day of March has 23 hours."""
    rows = [[f"{2026 + n // 400}-{1 + n // 28 % 12:02}-{1 + n % 28:02}", n] for n in range(100)]
    found = sample(tmp_path, "ts,v", rows)
    assert rhythm_of(found, "ts", (), "Europe/Berlin") == Rhythm(DAYS, is_whole=True)


def test_a_project_of_daily_rows(tmp_path: Path) -> None:
    rows = [[f"{START + n * DAY:%Y-%m-%d}", 100 + n % 7 * 10] for n in range(120)]
    file, folder = write(tmp_path, "day,riders", rows), tmp_path / "metro"
    folder.mkdir()
    command = ["init", "--yes", "--csv", str(file), "--project-dir", str(folder)]
    done = CliRunner().invoke(cli, [*command, "--time-zone", "America/New_York"])
    assert "detect  days that are far from the median of the same day of the week" in done.output
    models = folder / "models" / "rows"
    assert "per='days'" in (models / "rows_daily.sql").read_text()
    assert (models / "rows_unusual.sql").read_text().split("-#}\n")[1] == (
        "{{ strandline.median_detector(ref('rows_daily'), detector='unusual',\n"
        "    keys=[], ts='agg_timestamp', value='avg_riders', granularity='P1D',\n"
        "    lookback='P56D', seasonality='P7D', deviations=8, min_change=15,\n"
        "    time_zone='America/New_York') }}\n"
    )
    anomalies = (models / "rows_anomalies.sql").read_text()
    assert "granularity='PT1H', mutability_period='P7D'" in anomalies  # its grid is that of UTC
    assert "clock='(select max(day) + interval 1 day from '" in anomalies
    macro = (folder / "macros" / "rows_aggregation.sql").read_text()
    assert "every='minute...day',\n        time_zone='America/New_York'))" in macro
    assert "--storm 5 --time-zone America/New_York" in (folder / "run.sh").read_text()
    assert "strandline report --open --time-zone America/New_York" in done.output


def test_of_events_that_are_counted_an_hour_without_one_is_zero(tmp_path: Path) -> None:
    rows = [[START + n * n * MINUTE, f"caller {n}"] for n in range(300)]
    file, folder = write(tmp_path, "ts,caller", rows), tmp_path / "calls"
    folder.mkdir()
    command = ["init", "--yes", "--csv", str(file), "--project-dir", str(folder), "--per", "days"]
    assert CliRunner().invoke(cli, command).exit_code == 0
    detector = (folder / "models" / "rows" / "rows_unusual.sql").read_text()
    assert "granularity='P1D'" in detector
    assert ",\n    missing='zero') }}" in detector
    anomalies = (folder / "models" / "rows" / "rows_anomalies.sql").read_text()
    assert "granularity='P1D', mutability_period='P7D'" in anomalies
    assert "(select max(ts) from" in anomalies  # more rows of the day can come


def test_what_could_be_taken_instead_is_said(tmp_path: Path) -> None:
    rows = [[START + n * HOUR, "NSEW"[n * n % 7 % 4], n, n / 2, 2 * n] for n in range(100)]
    file, folder = write(tmp_path, "ts,wind,a,b,c", rows), tmp_path / "air"
    folder.mkdir()
    done = CliRunner().invoke(
        cli, ["init", "--yes", "--csv", str(file), "--project-dir", str(folder)]
    )
    assert (
        "time    ts, read as UTC (--time-zone NAME, if it is local)\n"
        "series  one; or wind: --keys\n"
        "average b (DOUBLE); or c: --value NAME\n"
    ) in done.output
