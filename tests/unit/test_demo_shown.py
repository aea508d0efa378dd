"""The closing page of the demo is read again only when a table or a view has changed."""

from __future__ import annotations

from pathlib import Path

import pytest

from strandline_demo.results import Alerts, LateDay, Totals, Windows
from strandline_demo.shown import Shown, kept
from strandline_demo.year import Year

YEAR = Year(12)
SHOWN = Shown(
    Totals(336_776, 8_255, [("Jan", 10.0), ("Feb", 10.8)]),
    Alerts(1_322, [LateDay(44, 90)], 12, 3, 4),
    Windows([("EWR", 20, 41)], [("ATL", 9_000)], 7, 9, {"fine": 327_346}),
    {"landing.weather_quarantine": 0},
)
OTHER = Shown(SHOWN.totals, SHOWN.alerts, SHOWN.windows, {})


class Reader:
    """Gives the figures of the tables as they are; counts how often it was called."""

    def __init__(self, folder: Path) -> None:
        self.calls, self.shown = 0, SHOWN
        self.report = folder / "report.html"

    def __call__(self) -> Shown:
        self.calls += 1
        self.report.touch()
        return self.shown


def test_the_same_state_is_read_once(tmp_path: Path) -> None:
    read, file = Reader(tmp_path), tmp_path / "page.json"
    assert [kept(file, "a", YEAR, read.report, read) for _ in range(3)] == [SHOWN] * 3
    assert read.calls == 1
    read.shown = OTHER
    assert [kept(file, state, YEAR, read.report, read) for state in ("b", "b", "a")] == [OTHER] * 3
    assert read.calls == 3
    kept(file, "a", Year(2), read.report, read)
    assert read.calls == 4


def test_an_unknown_state_is_always_read(tmp_path: Path) -> None:
    read, file = Reader(tmp_path), tmp_path / "page.json"
    assert [kept(file, None, YEAR, read.report, read) for _ in range(2)] == [SHOWN] * 2
    assert (read.calls, file.exists()) == (2, False)


@pytest.mark.parametrize("text", ["", "[]", '{"state": "a"}', '{"state": "a", "shown": {}}'])
def test_a_damaged_file_is_replaced(tmp_path: Path, text: str) -> None:
    read, file = Reader(tmp_path), tmp_path / "page.json"
    file.write_text(text)
    assert [kept(file, "a", YEAR, read.report, read) for _ in range(2)] == [SHOWN] * 2
    assert read.calls == 1


def test_a_report_that_is_gone_is_written_again(tmp_path: Path) -> None:
    read, file = Reader(tmp_path), tmp_path / "page.json"
    kept(file, "a", YEAR, read.report, read)
    read.report.unlink()
    kept(file, "a", YEAR, read.report, read)
    assert (read.calls, read.report.exists()) == (2, True)
