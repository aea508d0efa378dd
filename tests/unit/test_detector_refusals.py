"""What is refused before any SQL is written: each argument with what was given and what is allowed."""

from __future__ import annotations

import pytest
from scripts.rendering.arguments import Relation
from tests.unit.jinja_macros import Refused, macros

GIVEN = {
    "source": "(select 1)", "keys": ["carrier"], "ts": "day_start", "value": "flights", "granularity": "P1D",
}  # fmt: skip
OWN = {
    "threshold_detector": {"min": 5},
    "percentage_change_detector": {"offset": "P7D", "percentage": 50},
    "absolute_change_detector": {"offset": "P7D", "change": 50},
    "mean_variance_detector": {"lookback": "P28D"},
    "median_detector": {"lookback": "P28D"},
    "peer_detector": {},
    "quantile_detector": {"lookback": "P28D", "upper": 0.99},
}
WITH_PATTERN = [name for name in OWN if name not in ("threshold_detector", "quantile_detector")]


def faults(macro: str, **given) -> list[str]:
    with pytest.raises(Refused) as refused:
        getattr(macros(), macro)(**GIVEN | OWN[macro] | given)
    who, *lines = str(refused.value).split("\n  - ")
    assert who == f"{macro}:"
    return lines


RELATION = "; write ref('{}'), source(...) or a query in parentheses, such as strandline.aggregation_within(...) gives"
COLUMN = "; write the name of a column (compute expressions in a staging model)"
RULE = "; a name has no line break and no ${, and does not begin with __"
START, VALUE = "; name the column of the bucket's start", "; name the column to evaluate"
KINDS = "; write how long a bucket is, in units of one kind: years to months ('1 month' or 'P1M'), weeks and days ('1 day' or 'P1D') or hours and shorter ('15 minutes' or 'PT15M')"


@pytest.mark.parametrize("macro", OWN)
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"source": "flight_days"}, "`source` is 'flight_days'" + RELATION.format("flight_days")),
        ({"source": None}, "`source` is none; write ref(…), source(...) or a query in parentheses, such as strandline.aggregation_within(...) gives"),
        ({"keys": "carrier"}, "`keys` is 'carrier'; list the columns that identify a series, such as ['carrier'], or [] for one series"),
        ({"keys": None}, "`keys` is none; list the columns that identify a series, such as ['carrier'], or [] for one series"),
        ({"keys": ["a", "A"]}, "`keys` names a column twice: a, A"),
        ({"keys": ["Detector"]}, "`keys` has the column 'Detector', which is also a column of the result; rename it in a staging model"),
        ({"keys": [" "]}, "`keys` has ' '" + COLUMN),
        ({"ts": 5}, "`ts` is '5'" + START),
        ({"value": "__value"}, "`value` is '__value'" + VALUE + RULE),
        ({"value": None}, "`value` is none" + VALUE),
        ({"granularity": "a day"}, "`granularity` is 'a day'" + KINDS),
        ({"granularity": "P0D"}, "`granularity` is 'P0D'" + KINDS),
        ({"granularity": "P1DT12H"}, "`granularity` is 'P1DT12H'" + KINDS),
        ({"granularity": "P1M1D"}, "`granularity` is 'P1M1D'" + KINDS),
        ({"granularity": None}, "`granularity` is 'None'" + KINDS),
        ({"detector": " "}, "`detector` is ' '; write a name, such as 'few_flights'"),
        ({"detector": 1}, "`detector` is '1'; write a name, such as 'few_flights'"),
        ({"missing": "none"}, "`missing` is 'none'; write 'null' (a missing bucket is not evaluated) or 'zero' (it counts as 0)"),
        ({"missing": None}, "`missing` is none; write 'null' (a missing bucket is not evaluated) or 'zero' (it counts as 0)"),
        ({"until": ""}, "`until` is ''; write a SQL expression of one TIMESTAMP, such as '(select max(ts) from ' ~ ref('flights') ~ ')'"),
        ({"until": 5}, "`until` is '5'; write a SQL expression of one TIMESTAMP, such as '(select max(ts) from ' ~ ref('flights') ~ ')'"),
        ({"arrival": ""}, "`arrival` is ''" + COLUMN),
        ({"severity": 3}, "`severity` is '3'; write a text, such as 'high', or leave it out"),
        ({"description": " "}, "`description` is ' '; write a text, such as 'fewer flights than usual', or leave it out"),
        ({"time_zone": "New York"}, "`time_zone` is 'New York'; write an IANA name such as 'UTC' or 'America/New_York'"),
    ],
)  # fmt: skip
def test_what_every_detector_refuses(macro, given, message):
    assert faults(macro, **given) == [message]


NUMBER = "; write a number, or leave it out"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"min": None}, ["`min` and `max` are both missing; write at least one of them"]),
        ({"min": "5"}, [f"`min` is '5'{NUMBER}"]),
        ({"max": True}, [f"`max` is 'True'{NUMBER}"]),
        ({"max": float("nan")}, [f"`max` is 'nan'{NUMBER}"]),
        ({"min": -float("inf")}, [f"`min` is '-inf'{NUMBER}"]),
        ({"max": 4}, ["`min` is '5' and `max` is '4'; min must not be above max"]),
        *(
            (
                {"inclusive": given},
                [
                    f"`inclusive` is {shown}; write true (a value that equals a bound is found) or false"
                ],
            )
            for given, shown in [("yes", "'yes'"), (None, "none"), (1, "'1'")]
        ),
        (
            {"min_inclusive": "yes"},
            ["`min_inclusive` is 'yes'; write true (a value that equals `min` is found), false, or leave it out (as `inclusive`)"],
        ),
        (
            {"max_inclusive": False},
            ["`max_inclusive` is given, and `max` is missing; write `max`, or leave it out"],
        ),
    ],
)  # fmt: skip
def test_bounds(given, message):
    assert faults("threshold_detector", **given) == message


def shown(value: object) -> str:
    return "none" if value is None else f"'{value}'"


@pytest.mark.parametrize("value", [-1, "50", None, True, float("nan"), float("inf")])
def test_tolerances(value):
    assert faults("percentage_change_detector", percentage=value) == [
        f"`percentage` is {shown(value)}; write a number from 0 up, in per cent (0 means any change)"
    ]
    assert faults("absolute_change_detector", change=value) == [
        f"`change` is {shown(value)}; write a number from 0 up (0 means any change)"
    ]


@pytest.mark.parametrize("value", [-1, "3", True, 101, float("nan")])
def test_deviations(value):
    assert faults("mean_variance_detector", deviations=value) == [
        f"`deviations` is '{value}'; write a number of standard deviations from 0 to 100, such as 3"
    ]


@pytest.mark.parametrize("macro", OWN)
def test_the_least_duration(macro):
    for text in ("PT3H", "P0D", "P1M", "three"):
        assert faults(macro, min_duration=text) == [
            whole("min_duration", text, "P1D", "weeks and days, such as '7 days' or 'P7D'")
        ]


@pytest.mark.parametrize("value", [-1, "3", True, 1001, float("nan"), None])
def test_median_deviations(value):
    assert faults("median_detector", deviations=value) == [
        f"`deviations` is {shown(value)}; write a number of median absolute deviations from 0 to 1000, such as 8"
    ]


@pytest.mark.parametrize("value", [-1, "3", None])
def test_the_least_change(value):
    assert faults("median_detector", min_change=value) == [
        f"`min_change` is {shown(value)}; write a number from 0 up, the least change that matters"
    ]


def test_two_distances_are_one_too_many():
    assert faults("mean_variance_detector", deviations=3, sensitivity=5) == [
        "`sensitivity` and `deviations` are both given, and each is the distance of the bounds; leave one of them out"
    ]


@pytest.mark.parametrize("pattern", ["UP", "both", None, ""])
@pytest.mark.parametrize("macro", WITH_PATTERN)
def test_patterns(macro, pattern):
    assert faults(macro, pattern=pattern) == [
        f"`pattern` is {shown(pattern)}; write one of up, down, up_or_down"
    ]


def whole(name: str, text: str, granularity: str, units: str) -> str:
    return f"`{name}` is '{text}'; write a whole number of buckets of '{granularity}' in units of {units}"


@pytest.mark.parametrize("name", ["offset", "lookback", "seasonality"])
@pytest.mark.parametrize(
    ("granularity", "text", "units"),
    [
        ("P1D", "P1M", "weeks and days, such as '7 days' or 'P7D'"),
        ("P1D", "PT24H", "weeks and days, such as '7 days' or 'P7D'"),
        ("P1D", "P1DT1H", "weeks and days, such as '7 days' or 'P7D'"),
        ("P1D", "P0D", "weeks and days, such as '7 days' or 'P7D'"),
        ("P1D", "-P7D", "weeks and days, such as '7 days' or 'P7D'"),
        ("P1D", None, "weeks and days, such as '7 days' or 'P7D'"),
        ("P2D", "P7D", "weeks and days, such as '7 days' or 'P7D'"),
        ("P1M", "P28D", "years to months, such as '1 year' or 'P1Y'"),
        ("P1Y", "P1M", "years to months, such as '1 year' or 'P1Y'"),
        ("PT1H", "P1M", "weeks and shorter, such as '7 days' or 'P7D'"),
        ("PT1H", "PT90M", "weeks and shorter, such as '7 days' or 'P7D'"),
        ("PT7M", "P1D", "weeks and shorter, such as '7 days' or 'P7D'"),
    ],
)
def test_lengths_of_time(name, granularity, text, units):
    message = whole(name, text, granularity, units)
    if name == "offset":
        for macro in ("percentage_change_detector", "absolute_change_detector"):
            assert faults(macro, granularity=granularity, offset=text) == [message]
    elif name == "lookback":
        for macro in ("mean_variance_detector", "median_detector"):
            assert message in faults(macro, granularity=granularity, lookback=text)
    elif text is not None:  # no season at all is allowed
        for macro in ("mean_variance_detector", "median_detector"):
            assert message in faults(macro, granularity=granularity, seasonality=text)


@pytest.mark.parametrize("sensitivity", [-1, 10.5, "5", True])
def test_sensitivity(sensitivity):
    assert faults("mean_variance_detector", sensitivity=sensitivity) == [
        f"`sensitivity` is '{sensitivity}'; write a number from 0 to 10 (10 finds most)"
    ]


@pytest.mark.parametrize("min_values", [1, 0, 2.5, "2", None, True])
def test_min_values(min_values):
    assert faults("mean_variance_detector", min_values=min_values) == [
        f"`min_values` is {shown(min_values)}; write a whole number from 2 up: a standard deviation needs two values"
    ]
    assert faults("median_detector", min_values=min_values) == [
        f"`min_values` is {shown(min_values)}; write a whole number from 2 up"
    ]


def test_a_look_back_that_can_never_judge():
    assert faults("mean_variance_detector", lookback="P7D", seasonality="P7D") == [
        "`lookback` has 1 value of one position in the season, and `min_values` is 2; use a longer look-back, because no bucket would be evaluated"
    ]
    assert faults("mean_variance_detector", lookback="P3D", min_values=4) == [
        "`lookback` has 3 values of one position in the season, and `min_values` is 4; use a longer look-back, because no bucket would be evaluated"
    ]


def test_peers_are_told_apart_by_a_key():
    assert faults("peer_detector", keys=["site", "machine"], group=["line"]) == [
        "`group` has the column 'line', which is none of `keys`: site, machine; peers are series that have it in common"
    ]
    all_of_them = "`group` has all columns of `keys`, so that no series has a peer; leave out the one that tells peers apart"
    assert faults("peer_detector", group=["carrier"]) == [all_of_them]
    assert faults("peer_detector", keys=[]) == [all_of_them]
    assert faults("peer_detector", min_peers=1) == [
        "`min_peers` is '1'; write a whole number from 2 up"
    ]


def test_quantiles():
    assert faults("quantile_detector", upper=None) == [
        "`lower` and `upper` are both missing; write at least one of them, such as lower=0.01"
    ]
    assert faults("quantile_detector", lower=0.9, upper=0.1) == [
        "`lower` is '0.9' and `upper` is '0.1'; lower must not be above upper"
    ]
    assert faults("quantile_detector", upper=99) == [
        "`upper` is '99'; write a share from 0 to 1, such as 0.99, or leave it out"
    ]


def test_a_look_back_with_too_few_weeks():
    assert faults("median_detector", lookback="P14D", seasonality="P7D") == [
        "`lookback` has 2 values of one position in the season, and `min_values` is 4; use a longer look-back, because no bucket would be evaluated"
    ]


SHARED = {name: GIVEN[name] for name in ("source", "keys", "ts", "granularity")}


def faults_of(macro: str, **given) -> list[str]:
    with pytest.raises(Refused) as refused:
        getattr(macros(), macro)(**SHARED | given)
    who, *lines = str(refused.value).split("\n  - ")
    assert who == f"{macro}:"
    return lines


@pytest.mark.parametrize("macro", [name for name in OWN if name not in ("threshold_detector", "peer_detector")])  # fmt: skip
def test_ranges_that_are_no_part_of_a_baseline(macro):
    assert faults(macro, exclude="storms") == [
        "`exclude` is 'storms'; write ref('storms'), source(...) or a query in parentheses, whose rows have starts_at and ends_at"
    ]
    assert faults(macro, exclude_keys=["carrier"]) == [
        "`exclude_keys` is given, and `exclude` is missing; write `exclude`, or leave it out"
    ]
    assert faults(macro, exclude="(select 1)", exclude_keys=["line"]) == [
        "`exclude_keys` has the column 'line', which is none of `keys`: carrier"
    ]
    assert faults(macro, exclude="(select 1)", exclude_keys="carrier") == [
        "`exclude_keys` is 'carrier'; list the columns of `keys` that the ranges have, such as ['carrier'], or [] if they are those of all series"
    ]


def test_what_is_missing_is_allowed_or_usual():
    either = (
        "; write one of them: sla='PT3H' for what is allowed, or lookback='P28D' for what is usual"
    )
    assert faults_of("missing_data_detector") == ["`sla` and `lookback` are both missing" + either]
    assert faults_of("missing_data_detector", sla="P1D", lookback="P7D") == [
        "`sla` and `lookback` are both given" + either
    ]
    days = "weeks and days, such as '7 days' or 'P7D'"
    for name in ("sla", "lookback"):
        assert faults_of("missing_data_detector", **{name: "PT3H"}) == [
            whole(name, "PT3H", "P1D", days)
        ]
    assert faults_of("missing_data_detector", sla="P1D", max_duration="P1M") == [
        whole("max_duration", "P1M", "P1D", days)
    ]


def test_a_rhythm():
    usual = {"lookback": "P28D"}
    assert faults_of("missing_data_detector", **usual, factor=0.5) == [
        "`factor` is '0.5'; write a number from 1 to 1000, such as 1.5"
    ]
    assert faults_of("missing_data_detector", **usual, outages=-1) == [
        "`outages` is '-1'; write how many of the longest distances are no part of the rhythm, from 0 up"
    ]
    assert faults_of("missing_data_detector", sla="P1D", min_values=1) == [
        "`min_values` is '1'; write a whole number from 2 up"
    ]
    assert faults_of("missing_data_detector", **usual, outages=2, min_values=3) == [
        "`min_values` is 3, and `outages` is 2; it must be at least 4: each row but the first has a distance"
    ]
    assert faults_of("missing_data_detector", **usual, combine="yes") == [
        "`combine` is 'yes'; write true (what all series lack is found once) or false (once for each of them)"
    ]
    assert faults_of("missing_data_detector", **usual, value=5) == [
        "`value` is '5'; name a column without which a row is no data, or leave it out"
    ]


def test_flat_lines():
    flat = {"value": "flights", "duration": "P2D"}
    days = "weeks and days, such as '7 days' or 'P7D'"
    assert faults_of("flat_line_detector", **flat | {"duration": "PT3H"}) == [
        whole("duration", "PT3H", "P1D", days)
    ]
    assert faults_of("flat_line_detector", **flat | {"duration": "P1D"}) == [
        "`duration` is 'P1D', one bucket; write two or more, because one value cannot move"
    ]
    assert faults_of("flat_line_detector", **flat, tolerance=-1) == [
        "`tolerance` is '-1'; write a number from 0 up, by which a value may move and still be flat"
    ]
    assert faults_of("flat_line_detector", **flat, idle="none") == [
        "`idle` is 'none'; write a value that may stay, such as 0, or leave it out"
    ]


SEASONAL = GIVEN | {"source": Relation("flight_hours"), "granularity": "PT1H", "seasonality": "P7D"}


def all_faults(macro: str, **given) -> list[str]:
    with pytest.raises(Refused) as refused:
        getattr(macros(), macro)(**given)
    who, *lines = str(refused.value).split("\n  - ")
    assert who.split(" in ")[0].rstrip(":") == macro
    return lines


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"source": "(select 1)"}, "`source` is '(select 1)'; pass a relation: ref('flights_by_hour')"),
        ({"seasonality": "P1M"}, "`seasonality` is 'P1M'; write a whole number of buckets of 'PT1H' in units of weeks and shorter, such as '7 days' or 'P7D'"),
        ({"seasonality": "PT1H"}, "`seasonality` is 'PT1H', which has 1 bucket; a season has 2 to 10,000"),
        ({"seasonality": "P700D"}, "`seasonality` is 'P700D', which has 16800 buckets; a season has 2 to 10,000"),
        ({"method": "both"}, "`method` is 'both'; write 'additive' (the season is added to the level) or 'multiplicative' (it is a factor of it)"),
        ({"alpha": 1.5}, "`alpha` is '1.5'; write a number from 0 to 1, or leave it out: then it is fitted"),
        ({"beta": -1}, "`beta` is '-1'; write a number from 0 to 1, or leave it out: then it is fitted"),
        ({"gamma": "x"}, "`gamma` is 'x'; write a number from 0 to 1, or leave it out: then it is fitted"),
        ({"damping": 0}, "`damping` is '0'; write a number from 0.01 to 1 (1: the trend goes on)"),
        ({"seasons": 1}, "`seasons` is '1'; write over how many first seasons a series is fitted, a whole number from 2 to 52"),
        ({"limit": 0.5}, "`limit` is '0.5'; write a number of deviations from 1 up, or none: then every value is learned from as it is"),
        ({"value": "Expected"}, "`value` is 'Expected', which is another column of the table; rename it in a staging model"),
        ({"value": "carrier"}, "`value` is 'carrier', which is another column of the table; rename it in a staging model"),
        ({"keys": ["state"]}, "`keys` has the column 'state', and expected, deviation, state and names that begin with agg_ are columns of the table itself; rename it in a staging model"),
        ({"arrival": 5}, "`arrival` is '5'; write the name of a column (compute expressions in a staging model)"),
    ],
)  # fmt: skip
def test_seasonal_tables(given, message):
    assert all_faults("seasonal_table", **SEASONAL | given) == [message]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"deviations": -1}, "`deviations` is '-1'; write a number of standard deviations from 0 to 1000, such as 4"),
        ({"min_change": -1}, "`min_change` is '-1'; write a number from 0 up, the least change that matters"),
        ({"pattern": "on"}, "`pattern` is 'on'; write one of up, down, up_or_down"),
    ],
)  # fmt: skip
def test_seasonal_detectors(given, message):
    of = {name: SEASONAL[name] for name in GIVEN}
    assert all_faults("seasonal_detector", **of | given) == [message]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"source": "expected"}, "`source` is 'expected'; pass ref('expected') of a model of seasonal_table"),
        ({"ahead": "PT90M"}, "`ahead` is 'PT90M'; write a whole number of buckets of 'PT1H' in units of weeks and shorter, such as '7 days' or 'P7D'"),
        ({"keys": ["ahead"]}, "`keys` has the column 'ahead', which is also a column of the result; rename it in a staging model"),
        ({"deviations": 2000}, "`deviations` is '2000'; write a number of standard deviations from 0 to 1000, such as 4"),
        ({"time_zone": "Mars"}, "`time_zone` is 'Mars'; write an IANA name such as 'UTC' or 'America/New_York'"),
    ],
)  # fmt: skip
def test_forecasts(given, message):
    of = {name: SEASONAL[name] for name in ("source", "granularity", "seasonality", "keys")}
    assert all_faults("forecast_table", **of | given) == [message]


CONTRIBUTION = GIVEN | {"detections": "(select 1)", "offset": "P7D", "by": ["origin"]}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"detections": "few"}, "`detections` is 'few'; write ref('few'), source(...) or a query in parentheses, whose rows have starts_at and ends_at"),
        ({"by": []}, "`by` is '[]'; list the columns whose values are compared, such as ['origin']"),
        ({"by": ["share"]}, "`by` has the column 'share', which is also a column of the result; rename it in a staging model"),
        ({"by": ["Carrier"]}, "`by` has the column 'carrier' of `keys`, which has one value in a detection; leave it out"),
        ({"keys": ["rank"]}, "`keys` has the column 'rank', which is also a column of the result; rename it in a staging model"),
        ({"id": 5}, "`id` is '5'; name the column that identifies a row of `detections`, such as 'anomaly_id'"),
        ({"top": 0}, "`top` is '0'; write how many parts are listed, a whole number from 1 to 1000"),
        ({"offset": "P1M"}, "`offset` is 'P1M'; write a whole number of buckets of 'P1D' in units of weeks and days, such as '7 days' or 'P7D'"),
    ],
)  # fmt: skip
def test_contributions(given, message):
    lines = all_faults("change_contribution", **CONTRIBUTION | given)
    assert lines[0].startswith(message)
    assert len(lines) == 1


def test_every_fault_is_named_at_once():
    assert len(faults("mean_variance_detector", keys="carrier", time_zone="Mars", pattern="odd", min_values=1, lookback="P1M")) == 5  # fmt: skip
