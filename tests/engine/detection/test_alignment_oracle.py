"""The oracle's alignment against the tables as the source prints them, both ends of every range."""

from __future__ import annotations

import re
from datetime import datetime

import pytest
from tests.engine.detection.oracle_alignment import alignment_size, first_window_start, tables

SHORT = """
0~2 2 | 3 3 | 4~5 5 | 6~10 10 | 11~15 15 | 16~20 20 | 21~30 30"""
SHORT_MS = """
0~2 2 | 3~5 5 | 6~10 10 | 11~20 20 | 21~25 25 | 26~50 50 | 51~100 100 | 101~200 200 | 201~250 250 | 251~500 500 |
501~1000 1000 | 1001~2000 2000 | 2001~3000 3000 | 3001~5000 5000 | 5001~10000 10000 | 10001~15000 15000 |
15001~20000 20000 | 20001~30000 30000"""
SHORT_NS = """
0~2ns 2ns | 3ns~5ns 5ns | 6ns~10ns 10ns | 11ns~20ns 20ns | 21ns~25ns 25ns | 26ns~50ns 50ns | 51ns~100ns 100ns |
101ns~200ns 200ns | 201ns~250ns 250ns | 251ns~500ns 500ns"""
LONG = """
| 121~180 180 | 181~300 300 | 301~600 600 | 601~900 900 | 901~1200 1200 | 1201~1800 1800 | >1800 3600"""
LONG_MS = """
| 30001~60000 60000 | 60001~120000 120000 | 120001~300000 300000 | 300001~600000 600000 | 600001~900000 900000 |
900001~1200000 1200000 | 1200001~1800000 1800000 | >1800000 3600000"""
LONG_NS = """
| 1000ns~1ms 1ms | 1ms~10ms 10ms | 10ms~100ms 100ms | 100ms~1s 1s | 1s~2s 2s | 2s~3s 3s | 3s~5s 5s | 5s~10s 10s |
10s~15s 15s | 15s~20s 20s | 20s~30s 30s | >30s 1min"""

PRINTED = {
    ("m", False): SHORT + "| >30 60",
    ("m", True): SHORT + "| 31~60 60 | 60~120 120" + LONG,
    ("s", False): SHORT + "| >30 60",
    ("s", True): SHORT + "| 31~60 60 | 61~120 120" + LONG,
    ("ms", False): SHORT_MS + "| >30000 60000",
    ("ms", True): SHORT_MS + LONG_MS,
    ("ns", False): SHORT_NS + "| >500ns 1000ns",
    # 501~999 is not printed: "same as above table", as the other precisions say in words.
    ("ns", True): SHORT_NS + "| 501~999 1000" + LONG_NS,
}
UNITS = {"": 1, "ns": 1, "ms": 10**6, "s": 10**9, "min": 60 * 10**9}


def number(text: str) -> int:
    digits, unit = re.fullmatch(r"(\d+)(\D*)", text).groups()
    return int(digits) * UNITS[unit]


def read(cell: str) -> tuple[int, int | None, int]:
    steps, alignment = cell.split()
    if steps.startswith(">"):
        return number(steps[1:]) + 1, None, number(alignment)
    first, _, last = steps.partition("~")
    return number(first), number(last or first), number(alignment)


CELLS = [
    pytest.param(*table, *read(cell), id=f"{table[0]}-{table[1]}-{cell.strip()}")
    for table, printed in PRINTED.items()
    for cell in printed.split("|")
]
# The lower end of these is the upper end of the printed range before it, which applies.
SHARED = {("m", 60, 120), *((("ns", 10**n, 10 ** (n + 1))) for n in (6, 7, 8))} | {
    ("ns", first * 10**9, last * 10**9)
    for first, last in [(1, 2), (2, 3), (3, 5), (5, 10), (10, 15), (15, 20), (20, 30)]
}


@pytest.mark.parametrize(("precision", "round_time", "first", "last", "alignment"), CELLS)
def test_a_cell_of_the_source(
    precision: str, round_time: bool, first: int, last: int | None, alignment: int
) -> None:
    first += (precision, first, last) in SHARED
    steps = [first, first + 1, 10**15] if last is None else [first, (first + last) // 2, last]

    assert [alignment_size(precision, round_time, step) for step in steps] == [alignment] * 3


def test_the_golden_file_holds_the_printed_cells_and_no_others() -> None:
    printed = {table: [read(cell) for cell in text.split("|")] for table, text in PRINTED.items()}

    assert tables() == printed


@pytest.mark.parametrize(
    ("precision", "step", "alignment"),
    [
        ("m", 60, 60),
        ("ns", 999, 1000),
        ("ns", 1000, 10**6),
        ("ns", 10**6, 10**6),
        ("ns", 2 * 10**9, 2 * 10**9),
        ("ns", 30 * 10**9, 30 * 10**9),
    ],
)
def test_ends_that_two_printed_ranges_share(precision: str, step: int, alignment: int) -> None:
    assert alignment_size(precision, True, step) == alignment


def test_the_worked_date() -> None:
    """The source prints 01:01:00.000 here; its own formula gives a minute before."""
    x = milliseconds(datetime(2018, 10, 8, 1, 1, 1, 365_000))

    start = first_window_start(x, window_size=120_000, step=60_000)

    assert start == milliseconds(datetime(2018, 10, 8, 1, 0, 0))


@pytest.mark.parametrize(
    ("x", "size", "step", "precision", "start"),
    [
        (2, 6, 3, "ms", -3),  # aligned to 0 by 5: [-3, 3) is the first that contains 2
        (4, 6, 3, "ms", -3),  # the first that is made, though it is over before 4
        (1_234, 90, 90, "m", 1_200),  # by 120
        (-7, 6, 3, "ms", -8),  # to -5, towards zero
        (17_812, 6, 3, "DATE", 17_809),  # not adjusted
        ((2018 - 1970) * 12 + 9, 6, 3, "MONTH", (2018 - 1970) * 12 - 3),  # October 2018
        (-1, 3, 3, "MONTH", -12),  # December 1969 is of the year that begins at -12
    ],
)
def test_the_start_of_the_first_window(
    x: int, size: int, step: int, precision: str, start: int
) -> None:
    assert first_window_start(x, size, step, precision=precision) == start


def test_no_rounding_above_a_minute_without_round_time() -> None:
    """A step of 90 s: to two minutes with it, to the minute without."""
    assert first_window_start(239, 90, 90, round_time=True, precision="s") == 120
    assert first_window_start(239, 90, 90, round_time=False, precision="s") == 180


@pytest.mark.parametrize("precision", ["us", "H"])
def test_precisions_that_the_source_does_not_know(precision: str) -> None:
    with pytest.raises(ValueError, match="no alignment table"):
        first_window_start(100, 6, 3, precision=precision)
    assert first_window_start(108, 6, 3, precision=precision, alignment=10) == 97


def milliseconds(at: datetime) -> int:
    return round((at - datetime(1970, 1, 1)).total_seconds() * 1000)
