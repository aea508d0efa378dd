"""What a report shows of a project, by the tasks of its models."""

from __future__ import annotations

from typing import Any

import pytest

from strandline.literals import length_text
from strandline.report.found import (
    Anomalies,
    Measure,
    Series,
    States,
    Table,
    Window,
    found_in,
    store_text,
)

LAST_HALF_HOUR = {
    "kind": "time", "count": None, "size": "1800000000", "max": None, "seed": None,
    "using": None, "by_key": None,
}  # fmt: skip


def aggregation(duration: str, position: int) -> tuple[str, dict[str, Any], dict[str, Any]]:
    task = {
        "kind": "aggregation", "aggregation": "trades", "duration": duration,
        "position": position, "keys": ["symbol"], "time_zone": "Europe/Berlin",
    }  # fmt: skip
    measure = {
        "name": "average",
        "text": "avg(price)",
        "sql": "s / n",
        "known": None,
        "own": "s / n",
    }
    return f"`s`.`trades_{duration}`", task, {"ends": "later", "measures": [measure]}


def test_the_tables_of_an_aggregation_are_one_series_the_longest_first() -> None:
    found = found_in([aggregation("minutes", 0), aggregation("days", 2), aggregation("hours", 1)])
    average = Measure("average", "avg(price)", "s / n", None, "s / n")
    assert found.series == (
        Series(
            "trades",
            ("symbol",),
            "Europe/Berlin",
            tuple(
                Table(f"`s`.`trades_{duration}`", duration, "later", (average,))
                for duration in ("days", "hours", "minutes")
            ),
        ),
    )
    [series] = found.series
    [built] = found.built(lambda name: "hours" not in name).series
    assert built.tables == (series.tables[0], series.tables[2])
    assert found.built(lambda _: False).series == ()


def test_points_windows_and_anomalies_have_the_names_of_their_relations() -> None:
    points = {"kind": "points", "keys": ["device"], "bucket": 900_000_000}
    weight = {"name": "temp", "text": "average of temp, locf", "sql": "a", "known": "k", "own": "o"}
    found = found_in(
        [
            ("`s`.`weights`", points, {"ends": "later", "measures": [weight]}),
            ("`s`.`modes`", points, {"states": "into"}),
            (
                "`s`.`recent`",
                {"kind": "window", "keys": [], "store": LAST_HALF_HOUR},
                {"inside": "(q)"},
            ),
            ("`s`.`alerts`", {"kind": "anomalies", "keys": ["detector"]}, None),
            ("`s`.`outcomes`", {"kind": "correlation"}, None),
        ]
    )
    table = Table("`s`.`weights`", "15 minutes", "later", (Measure(**weight),))
    assert found.series == (Series("weights", ("device",), "UTC", (table,)),)
    assert found.states == (States("modes", "`s`.`modes`", ("device",), 900_000_000, "into"),)
    assert found.windows == (Window("recent", "`s`.`recent`", (), "the last 30 minutes", "(q)"),)
    assert found.anomalies == (Anomalies("alerts", "`s`.`alerts`", ("detector",)),)


@pytest.mark.parametrize(
    ("micros", "text"),
    [
        (86_400_000_000, "1 day"),
        (5_400_000_000, "90 minutes"),
        (7_200_000_000, "2 hours"),
        (1_000_000, "1 second"),
        (500_000, "0.5 seconds"),
    ],
)
def test_a_length_has_the_unit_in_which_it_is_whole(micros: int, text: str) -> None:
    assert length_text(micros) == text


@pytest.mark.parametrize(
    ("store", "text"),
    [
        ({}, "the last 30 minutes"),
        ({"max": "1000"}, "the last 30 minutes, at most 1,000 rows"),
        ({"by_key": "(size_of(key))", "size": "…"}, "the last (size_of(key)) of time"),
        ({"kind": "sliding", "count": "100"}, "the last 100 rows"),
        ({"kind": "sliding", "by_key": "(n)", "count": "(n)"}, "the last (n) rows"),
        ({"kind": "tumbling", "count": "3"}, "the latest 3 rows, which enter together"),
        ({"kind": "random", "count": "10"}, "10 random rows"),
        ({"kind": "highest", "count": "5", "using": "total"}, "the 5 rows with the highest total"),
        ({"kind": "lowest", "count": "5", "using": "total"}, "the 5 rows with the lowest total"),
    ],
)
def test_a_store_is_written_in_words(store: dict[str, Any], text: str) -> None:
    assert store_text(LAST_HALF_HOUR | store) == text
