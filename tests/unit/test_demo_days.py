"""Which days the demo lands: all of them, each once, the last one alone."""

from __future__ import annotations

import shutil
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner

from strandline.cli.demo import Days, Year
from strandline.cli.main import cli


def test_the_year_is_landed_up_to_its_eve_and_then_to_its_end() -> None:
    assert Year().landings() == [
        Days("1 January to 30 December", date(2013, 1, 1), date(2013, 12, 31), is_last=False),
        # The last flights of the year arrive on New Year's Day.
        Days("31 December", date(2013, 12, 31), date(2014, 1, 2), is_last=True),
    ]


@pytest.mark.parametrize(("months", "last"), [(1, date(2013, 1, 31)), (2, date(2013, 2, 28))])
def test_some_months_end_with_their_last_day(months: int, last: date) -> None:
    before, news = Year(months).landings()
    assert (before.first, before.end) == (date(2013, 1, 1), last)
    assert (news.first, news.end) == (last, date(2013, months + 1, 1))
    assert news.is_last


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
    assert result.output.startswith("Error: Java 17 or 21 is needed, none is on PATH: install one")
    assert [path.name for path in tmp_path.iterdir()] == ["dbt_project.yml"]
