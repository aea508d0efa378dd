"""Lengths of time and durations: one table, one parser, for every argument of every macro."""

import random

import pytest
from tests.unit.jinja_macros import macros

from strandline.lengths import parts_of

NO_LENGTH = (0, 0, 0, None)


@pytest.mark.parametrize(
    ("text", "months", "days", "micros", "fixed"),
    [
        ("15 minutes", 0, 0, 900_000_000, 900_000_000),
        ("PT15M", 0, 0, 900_000_000, 900_000_000),
        ("1 hour 30 min", 0, 0, 5_400_000_000, 5_400_000_000),
        ("PT1H30M", 0, 0, 5_400_000_000, 5_400_000_000),
        ("250 Milliseconds", 0, 0, 250_000, 250_000),
        ("2 weeks 3 days", 0, 17, 0, 1_468_800_000_000),
        (" P2W3D ", 0, 17, 0, 1_468_800_000_000),
        ("P1DT2H3M4S", 0, 1, 7_384_000_000, 93_784_000_000),
        ("1 year 2 months", 14, 0, 0, None),
        ("P1Y2M", 14, 0, 0, None),
        ("2 quarters", 6, 0, 0, None),
        ("1 y 3 millis", 12, 0, 3_000, None),
        ("P1MT1M", 1, 0, 60_000_000, None),
        ("PT0S", 0, 0, 0, 0),
        ("0 s", 0, 0, 0, 0),
        *[(text, *NO_LENGTH) for text in ("P", "PT", "p1d", "-P1D", "P1DT0.5S", "1.5 days")],
        # No timestamp has nanoseconds; names of types are no units.
        *[(text, *NO_LENGTH) for text in ("5 ns", "1 s 5 nanoseconds", "2 dates", "2 timestamps")],
        *[(text, *NO_LENGTH) for text in ("", "15", 15, "a day", "3 moons", None, "٦ days")],
    ],
)
def test_a_length_of_time(text, months, days, micros, fixed):
    assert macros()._period(text) == {
        "months": months, "days": days, "micros": micros, "fixed": fixed,
    }  # fmt: skip


PIECES = ["P", "T", "1Y", "2M", "03W", "4D", "5H", "6S", "1234567S", "7 ms", "8weeks ", " 9 Hours", "10", "x", " ", "-", "1.5 d",
    "\n", "٦ d"]  # fmt: skip


def test_python_reads_the_parts_that_the_macros_read():
    chance = random.Random(53)  # noqa: S311
    texts = ["".join(chance.choices(PIECES, k=chance.randint(1, 4))) for _ in range(3_000)]
    isos = ["P" + "".join(p for p in ("1Y", "02M", "3W", "4D", "T", "5H", "6M", "0S") if chance.random() < 0.6) for _ in range(300)]  # fmt: skip
    read = {text: parts_of(text) for text in {*texts, *isos}}
    assert read == {
        text: [(int(number), unit) for number, unit in macros()._length_parts(text)]
        for text in read
    }
    # Not all are refused, and not all are accepted, of either form.
    kinds = {(text.strip().startswith("P"), bool(parts)) for text, parts in read.items()}
    assert len(kinds) == 4


@pytest.mark.parametrize(
    ("every", "durations"),
    [
        ("sec...year", "seconds minutes hours days months years"),  # quarters only where named
        ("day, month, quarter, year", "days months quarters years"),
        ("month, quarter", "months quarters"),
        ("day...quarter", "days months quarters"),
        ("quarter...year", "quarters years"),
    ],
)
def test_quarters_stand_where_they_are_named(every, durations):
    faults = []
    assert macros()._duration_range(every, faults) == durations.split()
    assert faults == []


def test_a_list_without_a_duration_between_is_refused():
    faults = []
    macros()._duration_range("day, quarter", faults)
    assert faults == [
        "`every` is 'day, quarter', which skips or repeats a duration; each table is computed from the next "
        "shorter one: write 'days, months, quarters'"
    ]
