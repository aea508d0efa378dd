"""The alignment sizes: Python, the macro and the seed say of every cell what the source prints."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from tests.unit.jinja_macros import Refused, macros

from strandline.detection.alignment import alignment_size
from strandline.generated import ALIGNMENT_SIZES

ROOT = Path(__file__).parents[2]
SEED = ROOT / "seeds" / "alignment_sizes.csv"
GOLDEN = ROOT / "tests" / "engine" / "detection" / "golden" / "alignment_sizes.csv"
PRECISIONS = {"m": "minute", "s": "second", "ms": "ms", "ns": "ns"}  # as the source has them


def read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def seed_rows(precision: str, round_time: bool) -> list[tuple[int | None, int]]:
    message = (precision, str(round_time).lower())
    return [
        (int(row["largest_step"]) if row["largest_step"] else None, int(row["alignment_size"]))
        for row in read(SEED)
        if (row["precision"], row["round_time"]) == message
    ]


def from_seed(step: int, precision: str, round_time: bool) -> int:
    """As a query reads the seed: the row with the least `largest_step` that is not exceeded."""
    rows = [
        (10**20 if largest is None else largest, size)
        for largest, size in seed_rows(precision, round_time)
        if largest is None or step <= largest
    ]
    return min(rows)[1]


CELLS = [
    pytest.param(
        PRECISIONS[row["precision"]],
        row["round_time"] == "true",
        int(row["step_from"]),
        int(row["step_to"]) if row["step_to"] else None,
        int(row["alignment"]),
        id=f"{row['precision']}-{row['round_time']}-{row['step_from']}",
    )
    for row in read(GOLDEN)
]
# The lower end of these is the upper end of the range before it, which applies.
SHARED = {("minute", 60, 120), *(("ns", 10**n, 10 ** (n + 1)) for n in (6, 7, 8))} | {
    ("ns", first * 10**9, last * 10**9)
    for first, last in [(1, 2), (2, 3), (3, 5), (5, 10), (10, 15), (15, 20), (20, 30)]
}


@pytest.mark.parametrize(("precision", "round_time", "first", "last", "size"), CELLS)
def test_every_cell_of_the_source_is_the_same_everywhere(precision, round_time, first, last, size):
    first = max(first, 1) + ((precision, first, last) in SHARED)
    for step in (first, first + 1, 10**15) if last is None else (first, (first + last) // 2, last):
        assert alignment_size(step, precision, round_time) == size
        assert macros().alignment_size(step, round_time, precision) == size
        assert from_seed(step, precision, round_time) == size


def test_the_seed_holds_the_tables_and_nothing_else():
    for (precision, round_time), rows in ALIGNMENT_SIZES.items():
        assert seed_rows(precision, round_time) == list(rows)
    for precision, size in {("day", 1), ("month", 12)}:
        for round_time in (False, True):
            assert seed_rows(precision, round_time) == [(None, size)]
            assert macros().alignment_size(5, round_time, precision) == size
            assert alignment_size(5, precision, round_time) == size
    assert len(read(SEED)) == sum(map(len, ALIGNMENT_SIZES.values()))


@pytest.mark.parametrize(
    ("step", "precision", "size"),
    [
        ("3 ms", "ms", 5),
        (" 90 Seconds ", "second", 120),
        ("1 hour", "minute", 60),
        ("1 hour", "ms", 3_600_000),
        ("2 weeks", "date", 1),
        ("1 quarter", "Months", 12),
        ("1 us", "nanoseconds", 1_000_000),
        ("1 s", "ms", 1_000),
        ("PT1M30S", "second", 120),
        ("1 min 30 s", "second", 120),
        ("90 secs", "second", 120),
        ("3 millis", "ms", 5),
        ("2 years", "month", 12),
        ("4 Dates", "day", 1),
    ],
)
def test_a_step_may_be_written_with_its_unit(step, precision, size):
    assert macros().alignment_size(step, precision=precision) == size


def test_by_default_long_milliseconds_are_rounded():
    assert macros().alignment_size("90 s") == 120_000
    assert macros().alignment_size("90 s", round_time=False) == 60_000


@pytest.mark.parametrize(
    ("arguments", "sql"),
    [
        (("t", "6 ms", "3 ms"), "((t) div 5L * 5L - 3L)"),
        (("a + b", 12, 3, False, "second"), "((a + b) div 3L * 3L - 9L)"),
        (("t", 7, 7, True, "day"), "((t) div 1L * 1L - 0L)"),
        (("a + b", "2 quarters", "3 months", True, "month"), "((a + b) - pmod(a + b, 12L) - 3L)"),
    ],
)
def test_the_sql_of_the_start_of_the_first_window(arguments, sql):
    assert macros().window_start(*arguments).strip() == sql


UNITS = "month, day, minute, second, ms, ns"
REFUSED = [
    ({"step": 0}, "`step` is 0; it must be 1 or more, and no more than a bigint holds"),
    ({"step": -3}, "`step` is -3; it must be 1 or more, and no more than a bigint holds"),
    ({"step": "0 ms"}, "`step` is '0 ms'; it must be 1 or more, and no more than a bigint holds"),
    ({"step": 2**63}, f"`step` is {2**63}; it must be 1 or more, and no more than a bigint holds"),
    *[
        (
            {"step": step},
            f"`step` is {message}; write a whole number of units of the precision, or one with its unit: '6 ms'",
        )
        for step, message in [("3", "'3'"), ("-3 ms", "'-3 ms'"), (1.5, "1.5"), (True, "True"), (None, "None")]
    ],
    (
        {"step": "3 hous"},
        f"`step` is '3 hous': its unit must be one of {UNITS}, us, hour, week, quarter, year; did you mean 'hour'?",
    ),
    (
        {"step": "3 fortnights"},
        f"`step` is '3 fortnights': its unit must be one of {UNITS}, us, hour, week, quarter, year",
    ),
    (
        {"step": "1 month"},
        "`step` is '1 month', but the precision is ms: a month has no fixed length; write days",
    ),
    (
        {"step": "1 day", "precision": "month"},
        "`step` is '1 day', but the precision is month: write months",
    ),
    ({"step": "1 us"}, "`step` is '1 us', which is no whole number of ms, the precision"),
    (
        {"precision": "sceond"},
        f"`precision` is 'sceond'; it must be one of {UNITS}; did you mean 'second'?",
    ),
    ({"precision": "us"}, f"`precision` is 'us'; it must be one of {UNITS}"),
    ({"precision": None}, f"`precision` is 'None'; it must be one of {UNITS}"),
    ({"round_time": "yes"}, "`round_time` is 'yes'; write true or false"),
]  # fmt: skip


@pytest.mark.parametrize(("wrong", "message"), REFUSED)
def test_what_alignment_size_refuses(wrong, message):
    with pytest.raises(Refused) as refused:
        macros().alignment_size(**{"step": 3, **wrong})
    assert str(refused.value) == f"alignment_size:\n  - {message}"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        *REFUSED,
        (
            {"window_size": 10},
            "`window_size` is 10 and `step` 3 of ms; it must be a multiple of the step, such as 12",
        ),
        (
            {"window_size": "2 ms"},
            "`window_size` is 2 and `step` 3 of ms; it must be a multiple of the step, such as 3",
        ),
        (
            {"window_size": 0},
            "`window_size` is 0; it must be 1 or more, and no more than a bigint holds",
        ),
        *[
            (
                {"first": first},
                f"`first` is '{first}'; write a SQL expression of the first row's time, a bigint of units of the precision",
            )
            for first in (" ", 5)
        ],
    ],
)
def test_what_window_start_refuses(wrong, message):
    with pytest.raises(Refused) as refused:
        macros().window_start(**{"first": "t", "window_size": "6 ms", "step": 3, **wrong})
    assert str(refused.value) == f"window_start:\n  - {message}"


def test_every_fault_is_named_at_once():
    with pytest.raises(Refused) as refused:
        macros().window_start("", 10, 3, round_time=2, precision="mintue")
    assert str(refused.value).count("\n  - ") == 3
