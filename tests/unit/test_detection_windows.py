"""Durations, and where the first window begins: every cell of the source's tables."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from strandline.detection.alignment import alignment_size, first_window_start
from strandline.detection.check import DetectionError, check
from strandline.lengths import units_of

# From the source, as printed: the steps of a row, first and last, and its alignment size.
SHORT = """
    0~2          2
    3            3
    4~5          5
    6~10        10
    11~15       15
    16~20       20
    21~30       30
"""
FINE = """
    0~2          2
    3~5          5
    6~10        10
    11~20       20
    21~25       25
    26~50       50
    51~100     100
    101~200    200
    201~250    250
    251~500    500
"""
MILLISECONDS = (
    FINE
    + """
    501~1000     1000
    1001~2000    2000
    2001~3000    3000
    3001~5000    5000
    5001~10000   10000
    10001~15000  15000
    15001~20000  20000
    20001~30000  30000
"""
)
SIXTIES = (
    SHORT
    + """
    31~60        60
    60~120       120
    121~180      180
    181~300      300
    301~600      600
    601~900      900
    901~1200     1200
    1201~1800    1800
    >1800        3600
"""
)
TABLES = {
    ("minute", False): SHORT + ">30 60",
    ("minute", True): SIXTIES,
    ("second", False): SHORT + ">30 60",
    ("second", True): SIXTIES,
    ("ms", False): MILLISECONDS + ">30000 60000",
    ("ms", True): MILLISECONDS + """
        30001~60000      60000
        60001~120000     120000
        120001~300000    300000
        300001~600000    600000
        600001~900000    900000
        900001~1200000   1200000
        1200001~1800000  1800000
        >1800000         3600000
    """,
    ("ns", False): FINE + ">500 1000",
    ("ns", True): FINE + """
        501~999                  1000
        1000~1000000             1000000
        1000000~10000000         10000000
        10000000~100000000       100000000
        100000000~1000000000     1000000000
        1000000000~2000000000    2000000000
        2000000000~3000000000    3000000000
        3000000000~5000000000    5000000000
        5000000000~10000000000   10000000000
        10000000000~15000000000  15000000000
        15000000000~20000000000  20000000000
        20000000000~30000000000  30000000000
        >30000000000             60000000000
    """,  # the first row is the source's >500ns, below the 1000ns where its own table begins
}  # fmt: skip


def cells():
    """Precision, round_time, a step and its alignment size: both ends and a middle of each row.

    Where two rows have one step (60 minutes, 1 ms), the first one applies.
    """
    for (precision, round_time), table in TABLES.items():
        last = 0
        for row in table.split("\n"):
            if not row.strip():
                continue
            steps, size = row.split()
            if steps.startswith(">"):
                first, end = int(steps[1:]) + 1, 10 * int(steps[1:])
            else:
                bounds = steps.split("~")
                first, end = max(int(bounds[0]), last + 1), int(bounds[-1])
            assert first == last + 1
            for step in sorted({first, (first + end) // 2, end}):
                yield precision, round_time, step, int(size)
            last = end


def test_every_cell_of_the_alignment_tables():
    found = [(p, r, step, alignment_size(step, p, r)) for p, r, step, _ in cells()]
    assert found == list(cells())
    assert len(found) > 200


def test_days_are_not_aligned_and_months_by_the_year():
    assert {alignment_size(step, "day", True) for step in (1, 7, 5_000)} == {1}
    assert {alignment_size(step, "month", True) for step in (1, 7, 5_000)} == {12}


@pytest.mark.parametrize(
    ("step", "precision", "message"),
    [
        (0, "ms", "a step is 1 or more, not 0"),
        (-1, "ms", "a step is 1 or more, not -1"),
        (1, "us", "a precision is one of month, day, minute, second, ms, ns, not 'us'"),
    ],
)
def test_no_alignment(step, precision, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        alignment_size(step, precision)


def ms(text):
    return round(datetime.fromisoformat(text).replace(tzinfo=timezone.utc).timestamp() * 1_000)


def test_the_sources_worked_date_by_its_formula():
    first = ms("2018-10-08T01:01:01.365")
    assert first_window_start(first, 120_000, 60_000, "ms") == ms("2018-10-08T01:00:00.000")


def test_the_sources_first_example():
    first = ms("2018-10-08T01:01:01.002")
    assert first_window_start(first, 6, 3, "ms") == ms("2018-10-08T01:01:00.997")


@pytest.mark.parametrize(
    ("first", "window_size", "step", "precision", "start"),
    [
        (12 * 48 + 4, 3, 3, "month", 12 * 48),  # May 2018: January 2018
        (12 * 48 + 4, 12, 3, "month", 12 * 48 - 9),
        (-8, 3, 3, "month", -12),  # May 1969: January 1969
        (17_812, 7, 7, "day", 17_812),
        (17_812, 7, 1, "day", 17_806),
        (125, 10, 10, "minute", 120),
        (125, 10, 5, "minute", 120),
        (1_539_000_000_000_000_007, 10, 5, "ns", 1_539_000_000_000_000_000),
        (-65, 60, 60, "second", -60),
    ],
)
def test_first_windows(first, window_size, step, precision, start):
    assert first_window_start(first, window_size, step, precision) == start


@pytest.mark.parametrize(
    ("text", "precision", "units"),
    [
        ("6 ms", "ms", 6),
        ("3ms", "ms", 3),
        (" 1 hour ", "ms", 3_600_000),
        ("2 Hours", "second", 7_200),
        ("15 min", "minute", 15),
        ("30 s", "second", 30),
        ("1 week", "day", 7),
        ("1 day", "minute", 1_440),
        ("2000 us", "ms", 2),
        ("1 second", "ns", 1_000_000_000),
        ("PT1M30S", "second", 90),
        ("1 hour 30 min", "minute", 90),
        ("P1Y6M", "month", 18),
        ("1 quarter", "month", 3),
        ("2 years", "month", 24),
        ("100000 days", "ns", 8_640_000_000_000_000_000),
        ("90 secs 5 hrs", "second", 18_090),
        ("2 usecs", "ns", 2_000),
        ("3 timestamps", "ms", 3),
    ],
)
def test_durations(text, precision, units):
    assert units_of(text, "step", precision) == units


UNITS = "ns, us, ms, second, minute, hour, day, week, month, quarter, year"


@pytest.mark.parametrize(
    ("window_size", "precision", "message"),
    [
        (6, "ms", "`window_size` is 6; write a number and a unit, as '6 ms'"),
        (True, "ms", "`window_size` is True; write a number and a unit, as '6 ms'"),
        ("6", "ms", "`window_size` is '6'; write a whole number and a unit, as '6 ms'"),
        ("1.5 hours", "ms", "`window_size` is '1.5 hours'; write a whole number and a unit, as '6 ms'"),
        ("-6 ms", "ms", "`window_size` is '-6 ms'; write a whole number and a unit, as '6 ms'"),
        ("٦ ms", "ms", "`window_size` is '٦ ms'; write a whole number and a unit, as '6 ms'"),
        ("6 houre", "ms", f"`window_size` is '6 houre': its unit is one of {UNITS}; did you mean `hour`?"),
        ("0 ms", "ms", "`window_size` is '0 ms'; it must be longer than nothing"),
        ("1 us", "ms", "`window_size` is '1 us', which is no whole number of ms, the precision"),
        ("1 month", "day", "`window_size` is '1 month', but the precision is day: a month has no fixed length; write days"),
        ("31 days", "month", "`window_size` is '31 days', but the precision is month: write months"),
        ("9999999999 days", "ns", "`window_size` is '9999999999 days', which no time column can hold"),
        ("6 ms", "us", "`precision` is 'us'; it is one of month, day, minute, second, ms, ns"),
        ("6 ms", "minutos", "`precision` is 'minutos'; it is one of month, day, minute, second, ms, ns; did you mean `minute`?"),
    ],
)  # fmt: skip
def test_refused_durations(window_size, precision, message):
    with pytest.raises(DetectionError) as refused:
        check("e", ["x > 1"], {"x": "int"}, window_size=window_size, precision=precision)
    assert str(refused.value) == f"detect 'e':\n- {message}"


@pytest.mark.parametrize(
    ("window_size", "step", "message"),
    [("7 ms", "3 ms", "6 or 9 ms"), ("1 hour", "7 minutes", "3360000 or 3780000 ms"), ("1 ms", "3 ms", "3 ms")],
)  # fmt: skip
def test_a_window_is_a_multiple_of_its_step(window_size, step, message):
    with pytest.raises(DetectionError) as refused:
        check("e", ["x > 1"], {"x": "int"}, window_size=window_size, step=step)
    assert str(refused.value) == (
        f"detect 'e':\n- `window_size` {window_size!r} is no multiple of `step` {step!r}; write {message}"
    )


def test_windows_in_units_of_the_precision():
    rules = check("e", ["sum(x) > 1"], {"x": "int"}, window_size="1 hour", step="30 min", precision="Seconds")  # fmt: skip
    assert (rules.window_size, rules.step, rules.precision) == (3_600, 1_800, "second")
    assert (rules.has_windows, rules.texts.descriptions) == (True, ("sum(x) > 1",))
