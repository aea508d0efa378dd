"""`aggregation(...)`: what it makes of a definition, and every refusal with its message."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from tests.unit.jinja_macros import Refused, macros

TRADES = SimpleNamespace(name="trades")  # stands for ref('trades')


def define(**changes):
    arguments = {
        "name": "trade_aggregation",
        "source": TRADES,
        "select": {"avg_price": "avg(price)", "total": "sum(quantity)"},
        "keys": ["symbol"],
        "ts": "ts",
    }
    return macros().aggregation(**{**arguments, **changes})


def test_an_average_is_stored_as_sum_and_count():
    definition = define()
    assert [part["column"] for part in definition["parts"]] == [
        "agg_sum_price",
        "agg_count_price",
        "agg_sum_quantity",
    ]


def test_outputs_share_the_parts_of_one_argument():
    definition = define(select={"a": "avg(price)", "b": "SUM( price )", "c": "count(price)"})
    assert [part["column"] for part in definition["parts"]] == ["agg_sum_price", "agg_count_price"]


def test_two_expressions_never_share_a_column():
    definition = define(select={"a": "sum(price * quantity)", "b": "sum(price + quantity)"})
    one, other = (part["column"] for part in definition["parts"])
    assert one.startswith("agg_sum_price_quantity_")
    assert one != other


def test_rows_are_counted_by_an_asterisk():
    assert [part["column"] for part in define(select={"n": "count(*)"})["parts"]] == ["agg_count"]


def test_brackets_and_quotes_inside_an_argument_are_its_own():
    definition = define(select={"n": "sum(case when note = ':)' then (price + 1) * 2 end)"})
    assert definition["parts"][0]["argument"] == "case when note = ':)' then (price + 1) * 2 end"


@pytest.mark.parametrize(
    ("every", "durations"),
    [
        ("sec...year", ["seconds", "minutes", "hours", "days", "months", "years"]),
        ("sec ... year", ["seconds", "minutes", "hours", "days", "months", "years"]),
        ("min...day", ["minutes", "hours", "days"]),
        ("hours...hours", ["hours"]),
        ("sec, min", ["seconds", "minutes"]),
        ("Minute, SECOND", ["seconds", "minutes"]),
        (["day", "month"], ["days", "months"]),
        ("day", ["days"]),
        ("sec...week", ["seconds", "minutes", "hours", "days", "weeks"]),
        (
            "min, 5 min, PT15M, hour, 6 hours, day, week",
            ["minutes", "5minutes", "15minutes", "hours", "6hours", "days", "weeks"],
        ),
        ("15 minutes...day", ["15minutes", "hours", "days"]),
        (
            ["30 SEC", "1 min", "10minutes", "1 hour"],
            ["30seconds", "minutes", "10minutes", "hours"],
        ),
    ],
)
def test_durations_as_a_range_or_a_list(every, durations):
    assert define(every=every)["durations"] == durations


REFUSALS = {
    "unknown aggregate": (
        {"select": {"x": "median(price)"}},
        "`select` has x = 'median(price)', and 'median' is not a known aggregate; "
        "use one of avg, sum, min, max, count, distinctCount, approx_count_distinct, variance, stddev, "
        "var_pop, stddev_pop, skewness, kurtosis, geometric_mean, sumsq, first, last, quantile, time_weight; for the latest event's value of a function, put it in "
        "parentheses: '(median(price))'",
    ),
    "an aggregate inside an expression": (
        {"select": {"x": "1 + avg(price)"}},
        "`select` has x = '1 + avg(price)'; write one aggregate of one argument, such as 'avg(price)', with one of "
        "avg, sum, min, max, count, distinctCount, approx_count_distinct, variance, stddev, var_pop, stddev_pop, "
        "skewness, kurtosis, geometric_mean, sumsq, first, last, quantile, time_weight, or an expression without any, which is the latest event's value; combine "
        "several aggregates in the query that reads them",
    ),
    "an aggregate of an aggregate": (
        {"select": {"x": "max(avg(price))"}},
        "write one aggregate of one",
    ),
    "a quantile without its number": (
        {"select": {"x": "quantile(price)"}},
        "quantile takes an argument and a number from 0 to 1, such as 'quantile(price, 0.95)'",
    ),
    "a quantile beyond 1": (
        {"select": {"x": "quantile(price, 1.5)"}},
        "`select` has x = 'quantile(price, 1.5)'; quantile takes an argument and a number from 0 to 1",
    ),
    "two aggregates in one output": (
        {"select": {"x": "sum(price) / sum(quantity)"}},
        "`select` has x = 'sum(price) / sum(quantity)'; write one aggregate",
    ),
    "a second statement": (
        {"select": {"x": "sum(price); drop table trades"}},
        "`select` has x = 'sum(price); drop table trades'; write one aggregate",
    ),
    "no argument": ({"select": {"x": "sum()"}}, "sum takes a column or an expression, and got ''"),
    "sum of rows": (
        {"select": {"x": "sum(*)"}},
        "sum takes a column or an expression, and got '*'",
    ),
    "distinct": (
        {"select": {"x": "count(distinct symbol)"}},
        "count takes a column or an expression, or *, and got 'distinct symbol'; different values are counted "
        "by 'distinctCount(…)'",
    ),
    "no outputs": ({"select": {}}, "`select` is '{}'; write a mapping from output to aggregate"),
    "output named as a group": (
        {"select": {"symbol": "sum(price)"}},
        "`select` names an output 'symbol'; choose a plain name that is not in `keys`",
    ),
    "output named as a stored column": (
        {"select": {"agg_timestamp": "max(price)"}},
        "`select` names an output 'agg_timestamp'",
    ),
    "unknown duration": (
        {"every": "sec...fortnight"},
        "`every` holds 'fortnight', which is not a duration; write sec, min, hour, day, week, month, quarter or year, "
        "or several of the first three that the next one is a multiple of ('15 minutes'), as a range ('sec...year') or a list ('sec, min')",
    ),
    "seven minutes": (
        {"every": "7 minutes, hour"},
        "`every` holds '7 minutes', which is not a duration",
    ),
    "ninety minutes": ({"every": "min, PT90M"}, "`every` holds 'PT90M', which is not a duration"),
    "two days": ({"every": "day, 2 days"}, "`every` holds '2 days', which is not a duration"),
    "months of weeks": (
        {"every": "day, week, month"},
        "`every` has months after weeks, of which they do not consist; leave one of the two out, or define two aggregations",
    ),
    "15 minutes of 10": (
        {"every": "10 min, 15 min, hour"},
        "`every` has 15minutes after 10minutes, of which they do not consist; leave one of the two out, or define two aggregations",
    ),
    "a day that begins on the next one": (
        {"day_start": "P1D"},
        "`day_start` is a day or more; write how long after midnight a day begins, such as 'PT6H'",
    ),
    "a day that begins within an hour": (
        {"day_start": "PT6H30M", "every": "min...day"},
        "`day_start` is 'PT6H30M', at which no bucket of hours begins, and days consist of them; write a multiple of that duration",
    ),
    "a day that begins at no time": (
        {"day_start": "six"},
        "`day_start` is 'six'; write how long after midnight a day begins, less than a day, such as 'PT6H'",
    ),
    "skipped duration": (
        {"every": "sec, min, day"},
        "`every` is 'sec, min, day', which skips or repeats a duration; each table is computed from the next shorter one: "
        "write 'seconds, minutes, hours, days'",
    ),
    "repeated duration": (
        {"every": ["sec", "sec"]},
        "`every` is 'sec, sec', which skips or repeats a duration",
    ),
    "range backwards": (
        {"every": "year...sec"},
        "`every` is 'year...sec'; write a range from shorter to longer, such as 'sec...year'",
    ),
    "no durations": ({"every": []}, "`every` is '[]'; write a range from shorter to longer"),
    "source as text": (
        {"source": "trades"},
        "`source` is 'trades'; pass a relation: ref('trades') or source('shop', 'trades')",
    ),
    "no source": (
        {"source": None},
        "`source` is none; pass a relation: ref('trades') or source('shop', 'trades')",
    ),
    "group as text": (
        {"keys": "symbol"},
        "`keys` is 'symbol'; write a list of columns, such as ['symbol']",
    ),
    "a number as a group": (
        {"keys": [5]},
        "`keys` has '5'; write the name of a column (compute expressions in a staging model)",
    ),
    "an empty event time": (
        {"ts": " "},
        "`ts` is ' '; name the column of the events' time, or write none to use the time of arrival",
    ),
    "a group with an internal name": (
        {"keys": ["__arrival"]},
        "`keys` has '__arrival'; write the name of a column (compute expressions in a staging model); a name has no line break and no ${, and does not begin with __",
    ),
    "no arrival": (
        {"arrival": None},
        "`arrival` is none; write the name of a column (compute expressions in a staging model)",
    ),
    "a group with a stored column's name": (
        {"keys": ["agg_timestamp"]},
        "`keys` has the column 'agg_timestamp', and names that begin with agg_ are columns of the tables; rename it in a staging model",
    ),
    "a negative buffer": (
        {"buffer_size": -1},
        "`buffer_size` is '-1'; write how many buckets stay open behind the newest, a whole number from 0",
    ),
    "a buffer of part of a bucket": (
        {"buffer_size": 1.5},
        "`buffer_size` is '1.5'; write how many",
    ),
    "a buffer by the time of arrival": (
        {"buffer_size": 3, "ts": None},
        "`buffer_size` is '3', and the aggregation uses the time of arrival (`ts` is none), "
        "which is never out of order; remove it",
    ),
    "old events ignored by the time of arrival": (
        {"ignore_events_older_than_buffer": True, "ts": None},
        "`ignore_events_older_than_buffer` is true, and the aggregation uses the time of arrival",
    ),
    "a buffer of months": (
        {"buffer_size": 1, "every": "month, year"},
        "`buffer_size` is '1', and the shortest duration is months; a buffer needs seconds, minutes, hours or days: "
        "begin `every` with one of these, or remove it",
    ),
    "neither true nor false": (
        {"ignore_events_older_than_buffer": "yes"},
        "`ignore_events_older_than_buffer` is 'yes'; write true or false",
    ),
    "a mutability period in words": (
        {"mutability_period": "three days"},
        "`mutability_period` is 'three days'; write a length of time of whole seconds, such as '3 days' or "
        "'PT12H' (months and years have no fixed length)",
    ),
    "a mutability period of months": (
        {"mutability_period": "P1M"},
        "`mutability_period` is 'P1M'; write a length of time",
    ),
    "no mutability period at all": (
        {"mutability_period": "P0D"},
        "`mutability_period` is 'P0D'; write a length of time",
    ),
    "a bound that is no expression": (
        {"not_after": "received_at +) interval 1 hour"},
        "`not_after` is 'received_at +) interval 1 hour'; write one SQL expression over the columns of the source, "
        "such as 'received_at + interval 1 hour'",
    ),
    "a bound that is a number": (
        {"not_after": 5},
        "`not_after` is '5'; write one SQL expression over the columns of the source",
    ),
    "a bound without times": (
        {"not_after": "received_at", "ts": None},
        "`not_after` is given, and the aggregation uses the time of arrival (`ts` is none); remove it",
    ),
    "a lookback in words": (
        {"arrival_lookback": "some"},
        "`arrival_lookback` is 'some'; write by how much a number may be less than one that is read already: a "
        "whole number from 1, or for TIMESTAMPs a length of time of whole seconds, such as '10 minutes'",
    ),
    "no lookback": (
        {"arrival_lookback": 0},
        "`arrival_lookback` is '0'; write by how much",
    ),
    "a lookback and event ids": (
        {"arrival_lookback": 9, "event_id": "id"},
        "`arrival_lookback` is '9', and with `event_id` the first arrival of an event counts, which may become "
        "visible after the second; deduplicate in a staging model, or remove one of them",
    ),
    "a lookback and a buffer": (
        {"arrival_lookback": 9, "buffer_size": 1},
        "`arrival_lookback` is '9', and `buffer_size` depends on the order of arrival; remove one of them",
    ),
    "a lookback and a retention": (
        {"arrival_lookback": 9, "retention": {"sec": "1 day"}, "every": "sec...day"},
        "`arrival_lookback` is '9', and `retention` removes rows which a longer duration may have to read again; "
        "remove one of them",
    ),
    "a buffer over a mutable source": (
        {"mutability_period": "P3D", "buffer_size": 3},
        "`mutability_period` and `buffer_size` exclude each other: a buffer depends on the order of arrival, "
        "which rows that change later do not keep; remove one of them",
    ),
    "unknown zone": (
        {"time_zone": "New York"},
        "`time_zone` is 'New York'; write an IANA name such as 'UTC' or 'America/New_York'",
    ),
    "name with a blank": (
        {"name": "my trades"},
        "`name` is 'my trades'; it begins the names of the tables",
    ),
}


@pytest.mark.parametrize(("changes", "message"), REFUSALS.values(), ids=REFUSALS.keys())
def test_refusals_say_what_was_given_and_what_to_write(changes, message):
    with pytest.raises(Refused) as refused:
        define(**changes)
    assert message in str(refused.value)
    assert str(refused.value).startswith("aggregation '")


@pytest.mark.parametrize(
    ("period", "seconds"),
    [("P3D", 259_200), ("3 days", 259_200), ("PT12H", 43_200), ("P1DT1H1M1S", 90_061), ("90s", 90)],
)
def test_a_mutability_period_is_a_length_of_time(period, seconds):
    assert define(mutability_period=period)["mutability_seconds"] == seconds


def test_an_expression_without_an_aggregate_is_the_latest_events_value():
    definition = define(select={"last_value": "price * quantity", "note": "(upper(note))"})
    assert [part["kind"] for part in definition["parts"]] == ["latest", "latest"]
    assert [part["argument"] for part in definition["parts"]] == [
        "price * quantity",
        "(upper(note))",
    ]


def test_moments_and_sketches_are_shared_by_their_outputs():
    definition = define(
        select={"a": "stddev(price)", "b": "variance(price)", "c": "quantile(price, 0.5)",
                "d": "quantile(price, 0.95)", "e": "distinctcount(price)"}
    )  # fmt: skip
    assert [part["column"] for part in definition["parts"]] == [
        "agg_moments_price",
        "agg_kll_price",
        "agg_distinct_price",
    ]


def test_all_faults_are_named_at_once():
    with pytest.raises(Refused) as refused:
        define(
            every="sec, day", time_zone="Mars", select={"x": "median(price)", "y": "mode(price)"}
        )
    message = str(refused.value)
    assert message.count("\n  - ") == 4
    assert all(given in message for given in ("sec, day", "Mars", "median", "mode"))


def test_a_table_of_a_duration_that_is_not_defined_is_refused():
    with pytest.raises(Refused) as refused:
        macros().aggregation_table(define(every="sec...day"), "months")
    assert str(refused.value) == (
        "aggregation_table of 'trade_aggregation':\n"
        "  - 'months' is not a duration of this aggregation; it has seconds, minutes, hours, days"
    )


AGGREGATES = (
    "write one aggregate of one argument, such as 'avg(price)', with one of avg, sum, min, max, count, distinctCount, "
    "approx_count_distinct, variance, stddev, var_pop, stddev_pop, skewness, kurtosis, geometric_mean, sumsq, first, last, quantile, time_weight, or an expression "
    "without any, which is the latest event's value; combine several aggregates in the query that reads them"
)
TIME_WEIGHT = (
    "time_weight takes a value, a method and, for a signal with gaps, the gap, such as "
    "\"time_weight(temperature, 'locf', '90 minutes')\", and 'end' after it, or after null for no gap, "
    "if a null ends the value before it; the time is that of `ts`"
)
NULLS = (
    "; write 'ignore' (a row without a value is no point) or 'end' (it ends the value before it)"
)
METHOD = "; write one of locf, linear, trapezoidal"
GAP = "; write a length of time above 0 such as '30 minutes' or 'PT30M' (weeks to microseconds), or none for a signal without gaps"


@pytest.mark.parametrize(
    ("expression", "faults"),
    [
        ("time_weight()", ["; " + TIME_WEIGHT]),
        ("time_weight(price)", ["; " + TIME_WEIGHT]),
        ("time_weight(price, locf)", ["; " + TIME_WEIGHT]),
        ("time_weight(price, 'locf', 90)", ["; " + TIME_WEIGHT]),
        ("time_weight(, 'locf')", ["; " + TIME_WEIGHT]),
        ("time_weight(*, 'locf')", ["; " + TIME_WEIGHT]),
        ("time_weight(distinct price, 'locf')", ["; " + TIME_WEIGHT]),
        ("time_weight(price, 'cubic')", [f": `method` is 'cubic'{METHOD}"]),
        ("time_weight(price, 'locf', '0 s')", [f": `gap` is '0 s'{GAP}"]),
        ("time_weight(price, 'locf', '1 month')", [f": `gap` is '1 month'{GAP}"]),
        ("time_weight(price, 'locf', '')", [f": `gap` is ''{GAP}"]),
        ("time_weight(price, 'locf', null, 'ends')", [f": `nulls` is 'ends'{NULLS}"]),
        ("time_weight(price, 'locf', 'end')", [f": `gap` is 'end'{GAP}"]),
        (
            "time_weight(price, '', 'a while')",
            [f": `method` is ''{METHOD}", f": `gap` is 'a while'{GAP}"],
        ),
        ("time_weight(avg(price), 'locf')", ["; " + AGGREGATES]),
        ("average(time_weight(price, 'locf'))", ["; " + AGGREGATES]),
        ("time_weight(price, 'locf') + 1", ["; " + AGGREGATES]),
    ],
)
def test_a_time_weight_that_cannot_be_meant_is_refused(expression, faults):
    with pytest.raises(Refused) as refused:
        define(select={"x": expression})
    assert str(refused.value) == "aggregation 'trade_aggregation':" + "".join(
        f"\n  - `select` has x = '{expression}'{fault}" for fault in faults
    )


@pytest.mark.parametrize(
    ("expression", "argument", "method", "gap"),
    [
        ("time_weight(price, 'locf')", "price", "'locf'", "cast(null as bigint)"),
        ("TIME_WEIGHT( price ,'Trapezoidal','PT1H30M')", "price", "'linear'", "5400000000L"),
        (
            "time_weight(if(note = 'a, b', 0, (price)), 'linear', '1 hour')",
            "if(note = 'a, b', 0, (price))",
            "'linear'",
            "3600000000L",
        ),
        ("time_weight(coalesce(a, 'locf', '1 h'), 'locf', '250 us')", "coalesce(a, 'locf', '1 h')", "'locf'", "250L"),
    ],
)  # fmt: skip
def test_a_time_weight_is_read_as_value_method_and_gap(expression, argument, method, gap):
    [part] = define(select={"x": expression})["parts"]
    del part["column"]
    assert part == {"kind": "time_weight", "argument": argument, "method": method, "gap": gap}


def test_time_weights_share_a_column_by_what_they_mean():
    calls = [
        *("(price, 'locf', '90 minutes')", "(price, 'LOCF', 'PT90M')", "( price ,'locf', '1 hour 30 min')"),
        *("(price, 'locf')", "(price, 'linear', 'PT90M')", "(price, 'trapezoidal', '90 m')"),
        *("(price, 'locf', '1500 ms')", "(cost, 'locf', '90 minutes')"),
    ]  # fmt: skip
    definition = define(select={f"x{i}": f"time_weight{call}" for i, call in enumerate(calls)})
    assert [part["column"].rpartition("_")[0] for part in definition["parts"]] == [
        "agg_time_weight_price_locf_5400s",
        "agg_time_weight_price_locf",
        "agg_time_weight_price_linear_5400s",
        "agg_time_weight_price_locf_1500000us",
        "agg_time_weight_cost_locf_5400s",
    ]


def test_a_time_weight_and_a_buffer_that_moves_events_exclude_each_other():
    select = {"x": "time_weight(price, 'locf')"}
    with pytest.raises(Refused) as refused:
        define(select=select, buffer_size=3)
    assert str(refused.value) == (
        "aggregation 'trade_aggregation':\n"
        "  - `select` has a time_weight, and `buffer_size` counts an old event in a later bucket than its own; a time "
        "weight needs the events' own times: remove the buffer, or set `ignore_events_older_than_buffer` to true"
    )
    define(select=select, buffer_size=3, ignore_events_older_than_buffer=True)
    define(select={"x": "sum(price)"}, buffer_size=3)
