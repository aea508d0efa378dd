"""Detectors on Spark: what is given, the call, and every row that is found."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from tests.engine.detectors.conftest import load, query, series

HOUR = timedelta(hours=1)
FIRST = "2024-01-01"
# From Monday, 1 January, to Tuesday, 9 January.
WEEK = "100 100 100 100 100 100 100"


# Threshold


def test_only_what_is_beyond_a_bound_is_found(found):
    given = series(FIRST, AA="4 5 7 10 11", UA="null nan inf -inf 6")
    assert found("threshold_detector", given, min=5, max=10) == [
        "AA 01-01 00:00 to 01-02 00:00: 4, not 5 (5 to 10)",
        "AA 01-05 00:00 to 01-06 00:00: 11, not 10 (5 to 10)",
        "UA 01-03 00:00 to 01-04 00:00: inf, not 10 (5 to 10)",
        "UA 01-04 00:00 to 01-05 00:00: -inf, not 5 (5 to 10)",
    ]


def test_a_value_that_equals_a_bound_is_found_by_choice(found):
    given = series(FIRST, AA="4 5 7 10 11", UA="null nan 5 7 10")
    assert found("threshold_detector", given, min=5, max=10, inclusive=True) == [
        "AA 01-01 00:00 to 01-02 00:00: 4, not 5 (5 to 10)",
        "AA 01-02 00:00 to 01-03 00:00: 5, not 5 (5 to 10)",
        "AA 01-04 00:00 to 01-05 00:00: 10, not 10 (5 to 10)",
        "AA 01-05 00:00 to 01-06 00:00: 11, not 10 (5 to 10)",
        "UA 01-03 00:00 to 01-04 00:00: 5, not 5 (5 to 10)",
        "UA 01-05 00:00 to 01-06 00:00: 10, not 10 (5 to 10)",
    ]
    # One bound alone, of buckets that are missing: 0 is its own bound.
    given = series(FIRST, AA="1 - 1")
    assert found("threshold_detector", given, min=0, missing="zero", inclusive=True) == [
        "AA 01-02 00:00 to 01-03 00:00: 0, not 0 (0 to .)",
    ]


def test_each_bound_is_inclusive_by_itself(found):
    """As in ThirdEye; an argument of a bound goes before `inclusive`."""
    given = series(FIRST, AA="5 7 10")
    at_min = ["AA 01-01 00:00 to 01-02 00:00: 5, not 5 (5 to 10)"]
    at_max = ["AA 01-03 00:00 to 01-04 00:00: 10, not 10 (5 to 10)"]
    call = {"min": 5, "max": 10}
    assert found("threshold_detector", given, **call, min_inclusive=True) == at_min
    assert found("threshold_detector", given, **call, max_inclusive=True) == at_max
    both = {"min_inclusive": False, "inclusive": True}
    assert found("threshold_detector", given, **call, **both) == at_max


def test_the_text_says_which_bound_is_inclusive(spark):
    load(spark, series(FIRST, AA="5 11"))
    rows = spark.sql(query("threshold_detector", min=5, max=10, min_inclusive=True)).collect()
    assert sorted(row.description for row in rows) == [
        "value is 11, above 10",
        "value is 5, at or below 5",
    ]


def test_a_bound_of_several_deviations(found):
    """The scale of `sensitivity` ends at 1.5; of 1 to 9 the mean is 5 and the deviation 2.74."""
    given = series(FIRST, AA="1 2 3 4 5 6 7 8 9 13 20")
    call = {"lookback": "P9D", "min_values": 9}
    three = found("mean_variance_detector", given, **call, deviations=3)
    assert [line[:8] for line in three] == ["AA 01-11"]
    assert found("mean_variance_detector", given, **call, deviations=6) == []
    assert len(found("mean_variance_detector", given, **call, sensitivity=0)) == 2
    same = [
        found("mean_variance_detector", given, **call, **each)
        for each in ({}, {"sensitivity": 5}, {"deviations": 1})
    ]
    assert same[0] == same[1] == same[2] != []


def test_one_bound_is_enough_and_zero_is_one(found):
    given = series(FIRST, AA="-1 0 1")
    assert found("threshold_detector", given, min=0) == [
        "AA 01-01 00:00 to 01-02 00:00: -1, not 0 (0 to .)"
    ]
    assert found("threshold_detector", given, max=0) == [
        "AA 01-03 00:00 to 01-04 00:00: 1, not 0 (. to 0)"
    ]


def test_a_missing_bucket_is_zero_by_choice(found):
    # UA begins on the 2nd, and has nothing on the 4th, the newest day of all.
    given = series(FIRST, AA="7 - 7 7", UA="- 7 7 -")
    assert found("threshold_detector", given, min=5) == []
    assert found("threshold_detector", given, min=5, missing="zero") == [
        "AA 01-02 00:00 to 01-03 00:00: 0, not 5 (5 to .)",
        "UA 01-04 00:00 to 01-05 00:00: 0, not 5 (5 to .)",
    ]


def test_the_buckets_end_where_until_says(found):
    given = series(FIRST, AA="7 7 2")
    # The 3rd is not over at six o'clock.
    assert found("threshold_detector", given, min=5, until="timestamp'2024-01-03 06:00:00'") == []
    noon_of_the_5th = "(select timestamp'2024-01-05 12:00:00')"
    assert found("threshold_detector", given, min=5, missing="zero", until=noon_of_the_5th) == [
        "AA 01-03 00:00 to 01-04 00:00: 2, not 5 (5 to .)",
        "AA 01-04 00:00 to 01-05 00:00: 0, not 5 (5 to .)",
    ]


def test_a_threshold_evaluates_each_row_by_itself(spark):
    load(spark, [*series(FIRST, AA="1"), *series(FIRST, AA="2")])
    rows = spark.sql(query("threshold_detector", min=5)).collect()
    assert sorted(row.current_value for row in rows) == [1, 2]


# Changes


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("up_or_down", ["AA 01-09 00:00 to 01-10 00:00: 151, not 100 (50 to 150)",
                        "UA 01-09 00:00 to 01-10 00:00: 49, not 100 (50 to 150)"]),
        ("up", ["AA 01-09 00:00 to 01-10 00:00: 151, not 100 (. to 150)"]),
        ("down", ["UA 01-09 00:00 to 01-10 00:00: 49, not 100 (50 to .)"]),
    ],
)  # fmt: skip
def test_a_change_since_the_week_before(found, pattern, expected):
    # The 8th has changed by exactly half, which is not more than half.
    given = series(FIRST, AA=f"{WEEK} 150 151", UA=f"{WEEK} 50 49")
    call = {"offset": "P7D", "pattern": pattern}
    assert found("percentage_change_detector", given, percentage=50, **call) == expected
    assert found("absolute_change_detector", given, change=50, **call) == expected


def test_from_zero_to_anything_is_above_any_percentage(found):
    given = series(FIRST, AA="0 0 0.001 0 -5")
    assert found("percentage_change_detector", given, offset="P1D", percentage=1000) == [
        "AA 01-03 00:00 to 01-04 00:00: 0.001, not 0 (0 to 0)",
        "AA 01-05 00:00 to 01-06 00:00: -5, not 0 (0 to 0)",
    ]


def test_the_magnitude_of_the_baseline_counts(found):
    given = series(FIRST, AA="-100 -150 -100", UA="-100 -151 -75")
    assert found("percentage_change_detector", given, offset="P1D", percentage=50) == [
        "UA 01-02 00:00 to 01-03 00:00: -151, not -100 (-150 to -50)",
        "UA 01-03 00:00 to 01-04 00:00: -75, not -151 (-226.5 to -75.5)",
    ]


def test_no_tolerance_is_any_change(found):
    given = series(FIRST, AA="1 1 1.001")
    expected = ["AA 01-03 00:00 to 01-04 00:00: 1.001, not 1 (1 to 1)"]
    assert found("percentage_change_detector", given, offset="P1D", percentage=0) == expected
    assert found("absolute_change_detector", given, offset="P1D", change=0) == expected


def test_what_is_no_number_is_neither_evaluated_nor_a_baseline(found):
    given = series(FIRST, AA="1 null 9 nan 1 inf 9 -inf 1")
    assert found("absolute_change_detector", given, offset="P1D", change=1) == [
        "AA 01-06 00:00 to 01-07 00:00: inf, not 1 (0 to 2)",
        "AA 01-08 00:00 to 01-09 00:00: -inf, not 9 (8 to 10)",
    ]


def test_a_missing_bucket_is_no_baseline_or_a_baseline_of_zero(found):
    given = series(FIRST, AA="100 - 100 100")
    call = {"offset": "P1D", "percentage": 50}
    assert found("percentage_change_detector", given, **call) == []
    assert found("percentage_change_detector", given, missing="zero", **call) == [
        "AA 01-02 00:00 to 01-03 00:00: 0, not 100 (50 to 150)",
        "AA 01-03 00:00 to 01-04 00:00: 100, not 0 (0 to 0)",
    ]


def test_a_day_without_any_row_is_found_with_until(found):
    given = series(FIRST, AA=WEEK, UA=WEEK)
    call = {"offset": "P7D", "percentage": 50, "missing": "zero"}
    assert found("percentage_change_detector", given, **call) == []
    until = "timestamp'2024-01-09 00:00:00'"
    assert found("percentage_change_detector", given, until=until, **call) == [
        "AA 01-08 00:00 to 01-09 00:00: 0, not 100 (50 to 150)",
        "UA 01-08 00:00 to 01-09 00:00: 0, not 100 (50 to 150)",
    ]


# Mean and variance


@pytest.mark.parametrize(
    ("sensitivity", "expected"),
    [
        (0, ["AA 01-04 00:00 to 01-05 00:00: 36, not 20 (5 to 35)"]),
        (5, ["AA 01-04 00:00 to 01-05 00:00: 36, not 20 (10 to 30)",
             "UA 01-04 00:00 to 01-05 00:00: 9, not 20 (10 to 30)"]),
        (10, ["AA 01-04 00:00 to 01-05 00:00: 36, not 20 (15 to 25)",
              "UA 01-04 00:00 to 01-05 00:00: 9, not 20 (15 to 25)",
              "WN 01-04 00:00 to 01-05 00:00: 26, not 20 (15 to 25)"]),
    ],
)  # fmt: skip
def test_sensitivity_is_how_many_deviations_are_allowed(found, sensitivity, expected):
    # 10, 20 and 30 have the mean 20 and the deviation 10; 1.5, 1 or 0.5 of them are allowed.
    given = series(FIRST, AA="10 20 30 36", UA="10 20 30 9", WN="10 20 30 26")
    call = {"lookback": "P3D", "sensitivity": sensitivity, "min_values": 3}
    assert found("mean_variance_detector", given, **call) == expected


@pytest.mark.parametrize(("pattern", "expected"), [
    ("up", ["AA 01-04 00:00 to 01-05 00:00: 36, not 20 (. to 30)"]),
    ("down", ["UA 01-04 00:00 to 01-05 00:00: 4, not 20 (10 to .)"]),
])  # fmt: skip
def test_only_one_side_of_the_mean(found, pattern, expected):
    given = series(FIRST, AA="10 20 30 36", UA="10 20 30 4")
    call = {"lookback": "P3D", "pattern": pattern, "min_values": 3}
    assert found("mean_variance_detector", given, **call) == expected


def test_beside_equal_values_any_other_is_found(found):
    # The mean of three times 0.1 is rounded, but 0.1 is not found.
    given = series(FIRST, AA="0.1 0.1 0.1 0.1 0.1 0.2")
    assert found("mean_variance_detector", given, lookback="P9D", sensitivity=0) == [
        "AA 01-06 00:00 to 01-07 00:00: 0.2, not 0.1 (0.1 to 0.1)"
    ]


def test_only_the_values_of_the_look_back_count_and_not_the_bucket_itself(found):
    given = series(FIRST, AA="1000 10 20 15 1000 null inf 10")
    assert found("mean_variance_detector", given, lookback="P3D", sensitivity=0) == [
        "AA 01-05 00:00 to 01-06 00:00: 1000, not 15 (7.5 to 22.5)",
        "AA 01-07 00:00 to 01-08 00:00: inf, not 507.5 (-537.25 to 1552.25)",
    ]


def test_too_few_values_give_nothing(found):
    given = series(FIRST, AA="1 - 1 - - 1 9")
    call = {"lookback": "P5D", "sensitivity": 0}
    assert found("mean_variance_detector", given, min_values=3, **call) == []
    # The missing days are zeros by choice.
    assert found("mean_variance_detector", given, min_values=3, missing="zero", **call) == [
        "AA 01-07 00:00 to 01-08 00:00: 9, not 0.4 (-0.421584 to 1.22158)"
    ]


def test_a_season_compares_sundays_with_sundays(found):
    # Two full weeks, then a Sunday as on a weekday.
    weeks = "100 101 99 100 101 40 20 101 99 100 99 100 41 21 100 101 99 100 101 40"
    given = series(FIRST, AA=f"{weeks} 100")
    call = {"lookback": "P14D", "sensitivity": 0, "min_values": 2}
    assert found("mean_variance_detector", given, seasonality="P7D", **call)[-1] == (
        "AA 01-21 00:00 to 01-22 00:00: 100, not 20.5 (19.4393 to 21.5607)"
    )
    without = found("mean_variance_detector", given, **call)
    assert not [line for line in without if line.startswith("AA 01-21")]
    assert [line for line in without if line.startswith("AA 01-14")]


# A least duration


def test_only_the_third_day_in_a_row_and_those_after_it_are_found(found):
    given = series(FIRST, AA="9 9 9 9 1 9 9 - 9 9 9")
    assert found("threshold_detector", given, max=5, min_duration="P3D") == [
        "AA 01-03 00:00 to 01-04 00:00: 9, not 5 (. to 5)",
        "AA 01-04 00:00 to 01-05 00:00: 9, not 5 (. to 5)",
        "AA 01-11 00:00 to 01-12 00:00: 9, not 5 (. to 5)",
    ]


def test_a_row_is_beyond_one_bound(found):
    given = series(FIRST, AA="9 1 9 9", UA="1 1 null 1")
    assert found("threshold_detector", given, min=3, max=5, min_duration="P2D") == [
        "AA 01-04 00:00 to 01-05 00:00: 9, not 5 (3 to 5)",
        "UA 01-02 00:00 to 01-03 00:00: 1, not 3 (3 to 5)",
    ]
    equal = series(FIRST, AA="5 5 3 3")
    assert found(
        "threshold_detector", equal, min=3, max=5, max_inclusive=True, min_duration="P2D"
    ) == ["AA 01-02 00:00 to 01-03 00:00: 5, not 5 (3 to 5)"]


def test_hours_in_a_row_go_on_where_the_clock_changes(found):
    # In New York there are two hours from one o'clock on, and the second one is the third in a row.
    given = series("2013-11-03 04:00", HOUR, AA="9 9 9 9")
    call = {
        "granularity": "PT1H",
        "time_zone": "America/New_York",
        "max": 5,
        "min_duration": "PT3H",
    }
    assert found("threshold_detector", given, **call) == [
        "AA 11-03 06:00 to 11-03 07:00: 9, not 5 (. to 5)",
        "AA 11-03 07:00 to 11-03 08:00: 9, not 5 (. to 5)",
    ]


def test_a_change_that_lasts(found):
    given = series(FIRST, AA="10 10 10 99 99 99 99")
    call = {"offset": "P3D", "change": 50, "min_duration": "P2D"}
    assert found("absolute_change_detector", given, **call) == [
        "AA 01-05 00:00 to 01-06 00:00: 99, not 10 (-40 to 60)",
        "AA 01-06 00:00 to 01-07 00:00: 99, not 10 (-40 to 60)",
    ]


# The median and the median absolute deviation


def test_one_extreme_value_does_not_hide_the_next(found):
    # The median of 10 20 30 40 is 25, and that of the distances 15 5 5 15 is 10; of 10 20 30 40 1000 they are 30 and 10.
    given = series(FIRST, AA="10 20 30 40 1000 900")
    assert found("median_detector", given, lookback="P9D") == [
        "AA 01-05 00:00 to 01-06 00:00: 1000, not 25 (-55 to 105)",
        "AA 01-06 00:00 to 01-07 00:00: 900, not 30 (-50 to 110)",
    ]
    assert found("mean_variance_detector", given, lookback="P9D", deviations=4)[1:] == []


def test_a_value_at_the_bound_is_not_found(found):
    given = series(FIRST, AA="10 20 30 40 105", UA="10 20 30 40 106", WN="10 20 30 40 -56")
    assert found("median_detector", given, lookback="P9D") == [
        "UA 01-05 00:00 to 01-06 00:00: 106, not 25 (-55 to 105)",
        "WN 01-05 00:00 to 01-06 00:00: -56, not 25 (-55 to 105)",
    ]
    assert found("median_detector", given, lookback="P9D", pattern="down") == [
        "WN 01-05 00:00 to 01-06 00:00: -56, not 25 (-55 to .)"
    ]
    assert found("median_detector", given, lookback="P9D", deviations=8.2) == []


def test_values_that_are_mostly_equal_need_a_least_change(found):
    given = series(FIRST, AA="0 0 0 0 1 0 0 7")
    assert found("median_detector", given, lookback="P9D") == [
        "AA 01-05 00:00 to 01-06 00:00: 1, not 0 (0 to 0)",
        "AA 01-08 00:00 to 01-09 00:00: 7, not 0 (0 to 0)",
    ]
    assert found("median_detector", given, lookback="P9D", min_change=5) == [
        "AA 01-08 00:00 to 01-09 00:00: 7, not 0 (-5 to 5)"
    ]


def test_a_median_of_a_season(found):
    # Three Sundays of twenty, among days of a hundred.
    weeks = "100 101 99 100 101 40 20 101 99 100 99 100 41 21 100 101 99 100 101 40 22 99 100 101 99 100 41"
    given = series(FIRST, AA=f"{weeks} 100")
    call = {"lookback": "P21D", "min_values": 3}
    assert found("median_detector", given, seasonality="P7D", **call)[-1] == (
        "AA 01-28 00:00 to 01-29 00:00: 100, not 21 (13 to 29)"
    )
    assert not [
        line for line in found("median_detector", given, **call) if line.startswith("AA 01-28")
    ]


def test_null_and_infinite_values_are_no_part_of_a_median(found):
    given = series(FIRST, AA="10 null 20 inf 30 40 200")
    assert found("median_detector", given, lookback="P9D")[-1] == (
        "AA 01-07 00:00 to 01-08 00:00: 200, not 25 (-55 to 105)"
    )
    assert found("median_detector", given, lookback="P9D", min_values=5) == []


# Ranges that are no part of a baseline


RANGES = (
    "(select 'AA' as carrier, timestamp'2024-01-05' as starts_at, timestamp'2024-01-06' as ends_at)"
)


def test_an_outage_that_is_known_is_no_part_of_the_mean(spark):
    load(spark, series(FIRST, AA="10 11 9 10 99 10 20", UA="10 11 9 10 99 10 20"))
    call = {"lookback": "P7D", "deviations": 3, "min_values": 4}
    for exclude_keys, carriers in (["carrier"], ["AA"]), ([], ["AA", "UA"]):
        excluded = {"exclude": RANGES, "exclude_keys": exclude_keys}
        found = spark.sql(query("mean_variance_detector", **call, **excluded))
        assert [row.carrier for row in found.where("starts_at = '2024-01-07'").collect()] == carriers  # fmt: skip
    # The excluded day itself is found.
    assert found.where("starts_at = '2024-01-05'").count() == 2


def test_nothing_is_compared_with_an_excluded_day(spark):
    load(spark, series(FIRST, AA="10 10 10 10 99 10 10"))
    call = {"offset": "P1D", "change": 5}
    days = "select dayofmonth(starts_at) as day from ({}) order by 1"
    for exclude, found in (None, [5, 6]), (RANGES, [5]):
        frame = spark.sql(days.format(query("absolute_change_detector", **call, exclude=exclude)))
        assert [row.day for row in frame.collect()] == found


def test_a_range_without_an_end_fails_the_query(spark):
    load(spark, series(FIRST, AA="1 2"))
    ranges = "(select timestamp'2024-01-05' as starts_at, cast(null as timestamp) as ends_at)"
    with pytest.raises(Exception, match="median_detector: there is a range from 2024-01-05 00:00:00 to null; a range has a start and an end that is not before it"):  # fmt: skip
        spark.sql(query("median_detector", lookback="P7D", exclude=ranges)).collect()


# Peers


def test_one_of_five_machines_is_off(found):
    given = series(FIRST, A="50 51", B="52 50", C="49 52", D="51 49", E="50 80")
    assert found("peer_detector", given) == ["E 01-02 00:00 to 01-03 00:00: 80, not 51 (43 to 59)"]
    assert found("peer_detector", given, min_change=40) == []
    assert found("peer_detector", given, min_peers=6) == []


def test_peers_of_one_site(spark):
    """The machines of the hot site are no peers of those of the cold one."""
    rows = [(site, f"{site}{k}", value) for site, values in (("cold", (1, 2, 3, 2, 30)), ("hot", (30, 31, 32, 31, 30)))
            for k, value in enumerate(values)]  # fmt: skip
    frame = spark.createDataFrame(rows, "site string, machine string, value int")
    frame.selectExpr("*", "timestamp'2024-01-01' as ts").createOrReplaceTempView("machines")
    call = {"source": "(select * from machines)", "keys": ["site", "machine"]}

    def machines(**more) -> list[str]:
        return sorted(
            row.machine for row in spark.sql(query("peer_detector", **call, **more)).collect()
        )

    assert machines(group=["site"]) == ["cold4"]
    # Among all ten, whose median is 30, the cold ones are far off.
    assert machines() == ["cold0", "cold1", "cold2", "cold3"]


# Quantiles


def test_values_beyond_quantiles(found):
    # Of 1 to 10 a tenth is below 1.9, and a tenth above 9.1.
    given = series(
        FIRST,
        AA="1 2 3 4 5 6 7 8 9 10 9.2",
        UA="1 2 3 4 5 6 7 8 9 10 1.8",
        WN="1 2 3 4 5 6 7 8 9 10 9.1",
    )
    call = {"lookback": "P30D", "lower": 0.1, "upper": 0.9, "min_values": 10}
    assert found("quantile_detector", given, **call) == [
        "AA 01-11 00:00 to 01-12 00:00: 9.2, not 5.5 (1.9 to 9.1)",
        "UA 01-11 00:00 to 01-12 00:00: 1.8, not 5.5 (1.9 to 9.1)",
    ]
    assert found("quantile_detector", given, **call | {"upper": None, "min_change": 0.05}) == [
        "UA 01-11 00:00 to 01-12 00:00: 1.8, not 5.5 (1.85 to .)"
    ]
    # The greatest value before it.
    assert found("quantile_detector", given, **call | {"lower": None, "upper": 1}) == []


# Clocks


def new_york(*starts: str, values: str) -> list[tuple]:
    return [
        ("AA", datetime.fromisoformat(at), float(value))
        for at, value in zip(starts, values.split(), strict=True)
    ]


def test_days_are_as_long_as_they_are(found):
    # New York, 2013: 10 March has 23 hours, 3 November has 25.
    given = new_york("2013-03-09 05:00", "2013-03-10 05:00", "2013-03-11 04:00",
                     "2013-11-03 04:00", "2013-11-04 05:00", values="10 20 30 10 20")  # fmt: skip
    call = {"time_zone": "America/New_York", "offset": "P1D", "change": 5}
    assert found("absolute_change_detector", given, **call) == [
        "AA 03-10 05:00 to 03-11 04:00: 20, not 10 (5 to 15)",
        "AA 03-11 04:00 to 03-12 04:00: 30, not 20 (15 to 25)",
        "AA 11-04 05:00 to 11-05 05:00: 20, not 10 (5 to 15)",
    ]
    missing = new_york("2013-11-02 04:00", "2013-11-05 05:00", values="10 10")
    assert found("absolute_change_detector", missing, missing="zero", **call) == [
        "AA 11-03 04:00 to 11-04 05:00: 0, not 10 (5 to 15)",
        "AA 11-05 05:00 to 11-06 05:00: 10, not 0 (-5 to 5)",
    ]


def test_eight_o_clock_meets_eight_o_clock_when_the_clock_goes_forward(found):
    # 08:00 in New York is 13:00 before 10 March 2013, and 12:00 after.
    given = new_york("2013-03-09 12:00", "2013-03-09 13:00", "2013-03-10 12:00", values="70 80 90")
    call = {"granularity": "PT1H", "time_zone": "America/New_York", "change": 5}
    assert found("absolute_change_detector", given, offset="P1D", **call) == [
        "AA 03-10 12:00 to 03-10 13:00: 90, not 80 (75 to 85)"
    ]
    # 24 hours are 24 hours.
    assert found("absolute_change_detector", given, offset="PT24H", **call) == [
        "AA 03-10 12:00 to 03-10 13:00: 90, not 70 (65 to 75)"
    ]


def test_an_hour_that_the_clock_skips_is_not_missing(found):
    # 02:00 of 10 March did not exist; on the day before and after it did (07:00 and 06:00 in UTC).
    hours = [datetime(2013, 3, 9, 6) + k * HOUR for k in range(50)]
    given = [("AA", at, 10.0) for at in hours]
    call = {"granularity": "PT1H", "time_zone": "America/New_York", "missing": "zero"}
    assert found("threshold_detector", given, min=1, **call) == []
    given = [(carrier, at, 20.0 if at.day == 11 else value) for carrier, at, value in given]
    detected = found("absolute_change_detector", given, offset="P1D", change=5, **call)
    assert [line[3:14] for line in detected] == [
        f"03-11 {hour:02}:00" for hour in range(8) if hour != 6
    ]


def test_both_passes_of_a_repeated_hour_are_judged_and_the_first_is_the_baseline(found):
    # 01:00 in New York: 05:00 on 2 November, 05:00 and 06:00 on the 3rd, 06:00 on the 4th.
    given = new_york("2013-11-02 05:00", "2013-11-03 05:00", "2013-11-03 06:00", "2013-11-04 06:00",
                     values="10 20 30 40")  # fmt: skip
    call = {"granularity": "PT1H", "time_zone": "America/New_York"}
    assert found("absolute_change_detector", given, offset="P1D", change=5, **call) == [
        "AA 11-03 05:00 to 11-03 06:00: 20, not 10 (5 to 15)",
        "AA 11-03 06:00 to 11-03 07:00: 30, not 10 (5 to 15)",
        "AA 11-04 06:00 to 11-04 07:00: 40, not 20 (15 to 25)",
    ]
    # For a mean both count.
    call |= {"lookback": "P1D", "seasonality": "PT1H", "min_values": 2}
    assert found("mean_variance_detector", given, **call) == [
        "AA 11-04 06:00 to 11-04 07:00: 40, not 25 (17.9289 to 32.0711)"
    ]


def test_months_and_years(found):
    # Months of New York begin at 05:00 or, in summer, 04:00.
    given = [
        ("AA", datetime(year, month, 1, 4 if 4 <= month <= 10 else 5), value)
        for year in (2023, 2024) for month, value in zip((1, 2, 3, 4), (31.0, 28.0, 31.0, 30.0), strict=True)
    ]  # fmt: skip
    given[-1] = (*given[-1][:2], 10.0)
    call = {"granularity": "P1M", "time_zone": "America/New_York", "percentage": 50}
    fallen = "AA 04-01 04:00 to 05-01 04:00: 10, not"
    assert found("percentage_change_detector", given, offset="P1Y", **call) == [
        f"{fallen} 30 (15 to 45)"
    ]
    assert found("percentage_change_detector", given, offset="P1M", **call) == [
        f"{fallen} 31 (15.5 to 46.5)"
    ]


def test_missing_months_are_as_long_as_they_are(found):
    given = [("AA", datetime(2023, 12, 1), 9.0), ("AA", datetime(2024, 4, 1), 9.0)]
    call = {"granularity": "P1M", "missing": "zero"}
    assert found("threshold_detector", given, min=1, **call) == [
        "AA 01-01 00:00 to 02-01 00:00: 0, not 1 (1 to .)",
        "AA 02-01 00:00 to 03-01 00:00: 0, not 1 (1 to .)",
        "AA 03-01 00:00 to 04-01 00:00: 0, not 1 (1 to .)",
    ]


def test_weeks_may_begin_on_any_day(found):
    given = series("2023-12-31", timedelta(days=7), AA="10 20", UA="10 10")  # Sundays
    assert found("absolute_change_detector", given, granularity="P1W", offset="P1W", change=5) == [
        "AA 01-07 00:00 to 01-14 00:00: 20, not 10 (5 to 15)"
    ]


# Keys


def test_null_is_a_key(found):
    given = [(None, *row[1:]) for row in series(FIRST, AA="10 20")] + series(FIRST, AA="10 10")
    assert found("absolute_change_detector", given, offset="P1D", change=5) == [
        "None 01-02 00:00 to 01-03 00:00: 20, not 10 (5 to 15)"
    ]


def test_one_series_without_a_key(found):
    given = series(FIRST, AA="10 20 - 20")
    assert found("absolute_change_detector", given, keys=[], offset="P1D", change=15, missing="zero") == [
        "01-03 00:00 to 01-04 00:00: 0, not 20 (5 to 35)", "01-04 00:00 to 01-05 00:00: 20, not 0 (-15 to 15)"
    ]  # fmt: skip


def test_several_key_columns_and_a_name_of_its_own(spark):
    load(spark, series(FIRST, AA="1 9"))
    relation = "(select *, length(carrier) as size from buckets)"
    sql = query(
        "threshold_detector", source=relation, keys=["Carrier", "SIZE"], min=5, detector="Ann's"
    )
    assert [tuple(row[1:4]) for row in spark.sql(sql).collect()] == [("Ann's", "AA", 2)]
    assert spark.sql(query("threshold_detector", min=5)).first().detector == "threshold"
    assert spark.sql(query("absolute_change_detector", offset="P1D", change=5)).first().detector == "absolute_change"  # fmt: skip


def test_nothing_gives_nothing(spark):
    load(spark, series(FIRST, AA="1"))
    empty = "(select * from buckets where false)"
    for macro, call in [("threshold_detector", {"min": 5}), ("absolute_change_detector", {"offset": "P1D", "change": 1}),
                        ("mean_variance_detector", {"lookback": "P2D"}), ("median_detector", {"lookback": "P9D"}),
                        ("peer_detector", {}), ("quantile_detector", {"lookback": "P30D", "upper": 1})]:  # fmt: skip
        for missing in ("null", "zero"):
            assert spark.sql(query(macro, source=empty, missing=missing, **call)).count() == 0
