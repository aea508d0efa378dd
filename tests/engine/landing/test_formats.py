"""Formats and their options; what Spark makes of the patterns that are allowed."""

from datetime import datetime

import pytest
from pyspark.sql import functions as F

from strandline.landing.formats import FileFormat, parse_format
from strandline.landing.patterns import CLOCK, DATE, OFFSET, WEEK, ZONE, pattern_faults


def test_options_are_read() -> None:
    faults: list[str] = []
    given = {"sep": r"\t", "header": "False", "null_value": "NA", "date_format": "dd.MM.yyyy"}
    assert parse_format("csv", given, faults) == FileFormat(
        "csv", sep="\t", header=False, is_positional=True, null_value="NA", date_format="dd.MM.yyyy"
    )
    assert parse_format("csv", {"header": "skip"}, faults) == FileFormat("csv", is_positional=True)
    assert faults == []


@pytest.mark.parametrize(
    ("name", "options", "faults"),
    [
        ("xml", {}, ["format 'xml' is unknown; allowed: csv, json, parquet"]),
        (
            "json",
            {"sep": ";"},
            [
                "option 'sep' is unknown for json; allowed: glob, rest, unknown, timestamp_format, date_format, time_zone"
            ],
        ),
        (
            "parquet",
            {"header": "true"},
            ["option 'header' is unknown for parquet; allowed: glob, unknown"],
        ),
        (
            "csv",
            {"header": "yes", "sep": "||", "glob": ""},
            [
                "option header='yes' must be true, false or skip",
                r"option sep='||' must be one character (\t is a tab)",
                "option glob is empty; leave it out, or give a value",
            ],
        ),
        (
            "json",
            {"timestamp_format": "yyyy-MM-dd HH:mm z", "date_format": "MMMMM d"},
            [
                f"option timestamp_format='yyyy-MM-dd HH:mm z': z: {ZONE}",
                "option date_format='MMMMM d': MMMMM: at most MMMM: one letter is no name of a month",
                "option date_format='MMMMM d': it has no year (y), so that each time would be in 1970",
            ],
        ),
        (
            "csv",
            {"time_zone": "CET+1", "timestamp_format": "yyyy-MM-dd HH:mm XXX"},
            [
                "option time_zone='CET+1' is no IANA name, such as 'Europe/Berlin'",
                "option time_zone is for times without an offset, and timestamp_format has one",
            ],
        ),
        (
            "csv",
            {"rest": "more", "unknown": "keep", "header": "false"},
            [
                "option unknown='keep' must be refuse or ignore",
                "options rest and unknown are both given; rest keeps what unknown is about",
                "option rest needs the names of the columns; say header=true, or leave it out",
            ],
        ),
        ("csv", {"sep": '"'}, ["options sep and quote are the same character"]),
    ],
)
def test_every_fault_is_named(name: str, options: dict[str, str], faults: list[str]) -> None:
    found: list[str] = []
    assert parse_format(name, options, found) is None
    assert found == faults


@pytest.mark.parametrize(
    ("pattern", "fault"),
    [
        *((f"yyyy-MM-dd HH:mm {zone}", f"{zone}: {ZONE}") for zone in ("z", "zzzz", "VV", "v", "O")),
        *((f"yyyy {week}", f"{week}: {WEEK}") for week in ("EEE", "ww", "e", "YYYY", "u", "q")),
        ("yyyy-MM-ddTHH", "T: stands for nothing; write text in quotes, as in 'T'"),
        ("yyyy-MM-dd 'T", "a quote is opened and not closed; a quote itself is ''"),
        ("yyyy#", "#: is reserved; write it in quotes"),
        ("yyyy LLL", "LLL: is the name of a month that stands alone; write M"),
        ("yyyy A", "A: counts parts of a day; write H, m, s and S"),
        ("yyyy B", "B: is a part of the day in words; write H, or h with a"),
        ("HH:mm", "it has no year (y), so that each time would be in 1970"),
        ("yyyy hh:mm", "h and K count 12 hours, and need a (AM or PM); H counts 24"),
        ("yyyy HHH", "HHH: at most HH"),
        ("yyyy SSSSSSSSS", "SSSSSSSSS: at most SSSSSS: a TIMESTAMP has microseconds, and more would "
         "be cut; land a STRING and cut it in SQL"),
        ("yyyy ZZZZ", "ZZZZ: at most ZZZ: more of them are the name of a zone, or another letter: "
         "XXX reads +02:00 and Z"),
    ],
)  # fmt: skip
def test_a_pattern_that_depends_on_java_or_guesses(pattern: str, fault: str) -> None:
    assert pattern_faults("timestamp_format", pattern) == [
        f"option timestamp_format='{pattern}': {fault}"
    ]


def test_a_pattern_of_dates_has_no_times() -> None:
    assert pattern_faults("date_format", "dd.MM.yyyy HH") == [
        "option date_format='dd.MM.yyyy HH': HH: a DATE has no time of day, and it would be cut; "
        "land a TIMESTAMP"
    ]
    assert pattern_faults("date_format", "d MMM yyyy '' 'Z'") == []


def test_spark_reads_what_is_allowed(spark) -> None:
    """Each letter, as often as it may stand; offsets are exact in the hour that is repeated."""
    patterns = [
        f"yyyy {letter * count}"
        for letter, most in {**DATE, **CLOCK, **OFFSET}.items()
        for count in range(1, most + 1)
        if letter not in "yhK"
    ]
    patterns += ["yyyy hh a", "yyyy KK a", "yyyyyy"]
    assert [each for each in patterns if pattern_faults("timestamp_format", each)] == []
    read = [F.try_to_timestamp(F.lit("no time"), F.lit(each)) for each in patterns]
    texts = {
        "2026-10-25 02:30 +02:00": "yyyy-MM-dd HH:mm XXX",
        "2026-10-25 02:30 +0100": "yyyy-MM-dd HH:mm Z",
        "3 sep 2026 12:05 am": "d MMM yyyy h:mm a",
        "2026-02-30 02:30": "yyyy-MM-dd HH:mm",
    }
    read += [F.try_to_timestamp(F.lit(text), F.lit(each)) for text, each in texts.items()]
    (found,) = spark.range(1).select(*(each.cast("timestamp_ntz") for each in read)).collect()
    assert list(found) == [
        *(None for _ in patterns),
        datetime(2026, 10, 25, 0, 30),
        datetime(2026, 10, 25, 1, 30),
        datetime(2026, 9, 3, 0, 5),
        None,
    ]
