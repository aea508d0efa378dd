"""Which width a table's partitions get, and which rows a run computes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.unit.jinja_macros import macros

MIB = 2**20


@pytest.mark.parametrize(
    ("duration", "bytes_a_day", "width"),
    [
        # A full partition has at most 32 MiB.
        ("seconds", 0.05 * MIB, "year"),
        ("seconds", 1 * MIB, "month"),
        ("seconds", 4.5 * MIB, "week"),
        ("seconds", 30 * MIB, "day"),
        ("seconds", 1200 * MIB, "hour"),
        # No partition is narrower than a bucket, however large it is.
        ("seconds", 10_000 * MIB, "hour"),
        ("hours", 10_000 * MIB, "hour"),
        ("days", 10_000 * MIB, "day"),
        ("months", 10_000 * MIB, "month"),
        ("quarters", 10_000 * MIB, "year"),
        ("years", 10_000 * MIB, "year"),
    ],
)
def test_the_width_follows_the_density(duration: str, bytes_a_day: float, width: str) -> None:
    narrowest = macros()._narrowest_partition({"kind": "aggregation", "duration": duration})
    assert macros()._width_for(narrowest, bytes_a_day) == width


@pytest.mark.parametrize(
    ("seconds", "narrowest"),
    [(60, "hour"), (3_600, "hour"), (7_200, "day"), (86_400, "day"), (604_800, "week"), (2e6, "month")],
)  # fmt: skip
def test_a_table_of_points_is_no_narrower_than_its_buckets(seconds: float, narrowest: str) -> None:
    task = {"kind": "points", "bucket": int(seconds * 1_000_000), "partition": "week"}
    assert macros()._narrowest_partition(task) == narrowest


@pytest.mark.parametrize(
    ("text", "unit", "partitions"),
    [
        (None, "week", []),
        ("2013-02-04,2013-01-28", "week", ["2013-01-28", "2013-02-04"]),
        ("3600,-3600", "hour", ["1969-12-31T23:00:00Z", "1970-01-01T01:00:00Z"]),
    ],
)
def test_partitions_are_dates_or_hours(text: str | None, unit: str, partitions: list) -> None:
    assert macros()._partitions_in(text, unit) == partitions


@pytest.mark.parametrize(
    ("text", "unit", "spans"),
    [
        (None, "day", []),
        ("0", "hour", [[0, 300]]),
        # Adjacent slices are one span, in the order of time and not of text.
        ("10,9,8,-1", "day", [[-3_600, 0], [8 * 3_600, 11 * 3_600]]),
        ("0,2", "week", [[0, 21_600], [43_200, 64_800]]),
        (",".join(str(2 * n) for n in range(101)), "month", [[0, 201 * 86_400]]),
        # Of 101 the nearest two are joined.
        (
            ",".join(str(n) for n in [*range(0, 1_000, 10), 992]),
            "month",
            [
                *([n * 86_400, (n + 1) * 86_400] for n in range(0, 990, 10)),
                [990 * 86_400, 993 * 86_400],
            ],
        ),
    ],
)
def test_slices_are_few_spans(text: str | None, unit: str, spans: list[list[int]]) -> None:
    assert macros()._slices_in(text, unit) == spans


def test_a_span_is_a_literal_range() -> None:
    condition = macros()._in_spans([[0, 300], [600, 900]], "agg_timestamp", 60)
    assert condition == (
        "(agg_timestamp >= timestamp_seconds(0) and agg_timestamp < timestamp_seconds(360) or "
        "agg_timestamp >= timestamp_seconds(600) and agg_timestamp < timestamp_seconds(960))"
    )


@pytest.mark.parametrize(
    ("table", "needed"),
    [
        # A table of 0.1.0 does not say its width: by seconds it is a week.
        ({"width": None, "bytes_a_day": 1200 * MIB, "partitions": 1}, ("week", "hour")),
        ({"width": "day", "bytes_a_day": 1200 * MIB, "partitions": 9}, ("day", "hour")),
        # Up to twice of what a first build allows it stays.
        ({"width": "day", "bytes_a_day": 60 * MIB, "partitions": 9}, None),
        ({"width": "day", "bytes_a_day": 65 * MIB, "partitions": 9}, ("day", "hour")),
        # Few partitions that are too narrow stay, many become fewer.
        ({"width": "week", "bytes_a_day": 0.01 * MIB, "partitions": 15}, None),
        ({"width": "week", "bytes_a_day": 0.01 * MIB, "partitions": 16}, ("week", "year")),
        ({"width": "year", "bytes_a_day": 0.01 * MIB, "partitions": 16}, None),
    ],
)
def test_a_table_is_partitioned_again_if_it_has_outgrown_its_width(
    table: dict[str, Any], needed: tuple[str, str] | None
) -> None:
    task = {"kind": "aggregation", "duration": "seconds", "time_zone": "UTC"}
    [found] = json.loads(macros()._needed_widths([{"task": task, "rows_a_day": 1 / 3, **table}]))
    assert (found and (found["before"], found["after"])) == needed
    if needed:
        stored = json.loads(found["properties"]["strandline.partition"])
        assert stored == {"width": needed[1], "rows_a_day": 0.333}
    if needed and needed[1] == "year":
        assert found["partition"].startswith("trunc(date_from_unix_date(")
