"""What the report reads of detectors on Spark: all that they have evaluated, and forecasts."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from tests.engine.detectors.conftest import load, query, series
from tests.unit.jinja_macros import macros_with

from strandline.report.evaluations import read_evaluation
from strandline.report.found import Evaluation

FIRST = "2024-01-01"  # a Monday
HOUR = timedelta(hours=1)
DAY = 86_400_000
START = 1_704_067_200_000


def evaluated(macro: str, **call: Any) -> str:
    """The query of a detector as the report compiles it, over the view `buckets`."""
    shared = {
        "source": "(select * from buckets)", "keys": ["carrier"], "ts": "ts", "value": "value", "granularity": "P1D",
    }  # fmt: skip
    return getattr(macros_with(_is_evaluation=lambda: True), macro)(**shared | call)


def shown(spark: Any, text: str, numbers: int = 10_000, forecast: str | None = None) -> list[Any]:
    return read_evaluation(
        spark, Evaluation("falls", "`s`.`falls`", "detector", text, forecast), numbers
    )


def test_all_values_are_shown_with_their_bounds_and_what_was_found(spark: Any) -> None:
    load(spark, series(FIRST, AA="4 5 11", UA="6 - 7"))
    [one] = shown(spark, evaluated("threshold_detector", min=5, max=10, detector="few"))
    [table] = one.pop("tables")
    assert one == {
        "name": "few", "model": "falls", "kind": "detector", "zone": "UTC", "number_of_keys": 2,
    }  # fmt: skip
    assert table == {
        "duration": "P1D",
        "total": 5,
        "keys": [{"carrier": "AA"}, {"carrier": "UA"}],
        "key": [0, 1, 0, 0, 1],
        "t": [START, START, START + DAY, START + 2 * DAY, START + 2 * DAY],
        "measures": [
            {
                "name": "value",
                "text": "what the detector evaluates",
                "v": [4, 6, 5, 11, 7],
                "known": None,
                "base": [5, 10, 10, 10, 10],
                "lower": [5] * 5,
                "upper": [10] * 5,
                "found": [0, 3],
            }
        ],
        "forecast": None,
    }


WEEKS = " ".join(["100 101 99 100 100 100 102"] * 3)
CALLS = {
    "percentage_change_detector": {"offset": "P7D", "percentage": 20},
    "absolute_change_detector": {"offset": "P1D", "change": 8, "min_duration": "P2D"},
    "mean_variance_detector": {"lookback": "P14D", "deviations": 3},
    "median_detector": {"lookback": "P14D"},
    "quantile_detector": {"lookback": "P14D", "lower": 0.01, "upper": 0.99},
    "peer_detector": {"min_peers": 2, "deviations": 0.5},
    "flat_line_detector": {"duration": "P3D"},
    "missing_data_detector": {"sla": "P2D", "value": None},
}


@pytest.mark.parametrize("macro", CALLS)
def test_what_is_found_among_all_values_is_what_the_view_finds(spark: Any, macro: str) -> None:
    load(spark, series(FIRST, AA=f"{WEEKS} 100 40 30 - - - 100", UA=f"{WEEKS} 100 100 100 100"))
    of = "detection_id, carrier, starts_at, ends_at, current_value, baseline_value, lower_bound, upper_bound"
    own = spark.sql(f"select {of} from ({query(macro, **CALLS[macro])})").collect()
    every = spark.sql(f"select {of} from ({evaluated(macro, **CALLS[macro])})").collect()
    assert own
    assert sorted(map(str, own)) == sorted(str(row) for row in every if row["detection_id"])
    assert len(every) > len(own) or macro == "missing_data_detector"


def test_the_keys_in_which_something_was_found_last_come_first(spark: Any) -> None:
    load(spark, series(FIRST, AA="1 9 9", BB="9 9 9", CC="1 9 1", DD="1 1 9"))
    [one] = shown(spark, evaluated("threshold_detector", min=5))
    assert [key["carrier"] for key in one["tables"][0]["keys"]] == ["CC", "DD", "AA", "BB"]


def test_of_many_buckets_the_newest_are_shown(spark: Any) -> None:
    load(spark, series(FIRST, HOUR, AA=" ".join(map(str, range(1_000)))))
    [one] = shown(spark, evaluated("threshold_detector", max=997, granularity="PT1H"), numbers=60)
    [table] = one["tables"]
    assert table["total"] == 1_000
    assert table["measures"][0]["v"] == [*range(990, 1_000)]
    assert table["measures"][0]["found"] == [8, 9]


def test_a_model_may_restrict_and_combine_detectors(spark: Any) -> None:
    load(spark, series(FIRST, AA="4 5 11", UA="6 7 8"))
    low = evaluated("threshold_detector", min=5, detector="low")
    high = evaluated("threshold_detector", max=10, detector="high", time_zone="Asia/Tokyo")
    both = f"select *, 'x' as origin from ({low}) where carrier = 'AA' union all select *, 'x' from ({high})"
    high_one, low_one = shown(spark, both)
    assert (low_one["name"], low_one["number_of_keys"]) == ("low", 1)
    assert low_one["tables"][0]["measures"][0]["found"] == [0]
    assert (high_one["name"], high_one["zone"]) == ("high", "Asia/Tokyo")


def test_a_model_without_the_columns_of_detections_is_not_shown(spark: Any) -> None:
    load(spark, series(FIRST, AA="4"))
    text = f"select starts_at, detector from ({evaluated('threshold_detector', min=5)})"
    assert shown(spark, text) == []


def test_a_text_of_its_own_is_no_settings(spark: Any) -> None:
    load(spark, series(FIRST, AA="4"))
    found = evaluated("threshold_detector", min=5)
    text = f"select * except (description), 'late' as description from ({found})"
    [one] = shown(spark, text)
    assert (one["zone"], one["tables"][0]["duration"]) == ("UTC", "")


def test_a_forecast_is_that_of_the_shown_keys(spark: Any) -> None:
    load(spark, series(FIRST, AA="4 5", BB="4 5"))
    spark.sql("""
        create or replace temp view ahead as
        select carrier, timestamp_seconds(1704240000 + 86400 * day) as starts_at,
            timestamp_seconds(1704326400 + 86400 * day) as ends_at, day + 1 as ahead,
            double(6 + day) as expected, double(5) as lower_bound, double(8) as upper_bound
        from (select explode(sequence(0, 1)) as day) cross join values ('AA'), ('CC') as t(carrier)
    """)
    [one] = shown(spark, evaluated("threshold_detector", min=1), forecast="ahead")
    assert one["tables"][0]["forecast"] == {
        "key": [0, 0],
        "t": [START + 2 * DAY, START + 3 * DAY],
        "base": [6, 7],
        "lower": [5, 5],
        "upper": [8, 8],
    }


def test_the_settings_say_what_the_values_are() -> None:
    text = evaluated("missing_data_detector", sla="P2D", value=None, time_zone="Asia/Tokyo")
    settings = {"value": "days without data", "granularity": "P1D", "time_zone": "Asia/Tokyo"}
    assert json.dumps(settings) in text
    assert '"value": "movement of value"' in evaluated("flat_line_detector", duration="P2D")


def test_a_seasonal_table_is_shown_with_two_deviations(spark: Any) -> None:
    spark.sql(f"""
        create or replace temp view expected_flights as
        select 'AA' as carrier, timestamp'{datetime(2024, 1, 1)}Z' as agg_timestamp,
            double(8) as flights, double(10) as expected, double(1.5) as deviation
    """)
    task = {
        "keys": ["carrier"], "value": "flights", "granularity": {"text": "P1D"}, "time_zone": "UTC",
    }  # fmt: skip
    m = macros_with()

    class Relation(str):
        identifier = "expected_flights"

    text = m._season_report(task, Relation("expected_flights"))
    [one] = read_evaluation(spark, Evaluation("e", "e", "season", text), 100)
    [measure] = one["tables"][0]["measures"]
    assert (one["name"], measure["name"]) == ("expected_flights", "flights")
    assert (measure["v"], measure["base"]) == ([8], [10])
    assert (measure["lower"], measure["upper"], measure["found"]) == ([7], [13], [])
