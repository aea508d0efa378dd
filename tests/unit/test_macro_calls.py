"""What a mistyped call of a public macro says: unknown, missing and surplus arguments."""

from __future__ import annotations

import re
from types import SimpleNamespace

import jinja2
import pytest
from dbt_common.clients.jinja import create_undefined
from tests.unit.jinja_macros import MACROS, Refused, Undefined, described_arguments, macros
from tests.unit.test_macro_docs import SIGNATURE

TRADES = SimpleNamespace(identifier="trades")
FLIGHTS = {"name": "flights", "source": TRADES, "select": {"n": "count(*)"}, "ts": "ts"}
UNDEFINED = Undefined(name="flight_agregation")


def flights(**changes):
    return macros().aggregation(**{**FLIGHTS, **changes})


def refusal(macro, args, given):
    with pytest.raises(Refused) as refused:
        getattr(macros(), macro)(*args, **given)
    return str(refused.value)


def without(*names):
    return {name: value for name, value in FLIGHTS.items() if name not in names}


NOTHING = "which is not defined: there is no macro and no variable of this name"
HAND_IN = "; pass what the macro of your aggregation returns, such as trade_aggregation()"
WITHIN = {"within": "2013-02-** **:**:**", "per": "day"}


@pytest.mark.parametrize(
    ("name", "args", "given", "message"),
    [
        (
            "aggregation",
            (),
            {**FLIGHTS, "key": ["carrier"], "colour": "red"},
            "aggregation 'flights':\n"
            "  - there is no argument `key`; did you mean `keys`?\n"
            "  - there is no argument `colour`\n"
            "  - its arguments are name, source, select, ts, keys, every, arrival,"
            " event_id, buffer_size, ignore_events_older_than_buffer, time_zone,"
            " mutability_period, retention, not_after, arrival_lookback, day_start",
        ),
        (
            "aggregation",
            (),
            without("ts"),
            "aggregation 'flights':\n"
            "  - `ts` is missing or undefined; name the column of the events' time,"
            " or write none to use the time of arrival",
        ),
        (
            "aggregation",
            (),
            without("name", "source", "select"),
            "aggregation:\n"
            "  - `name` is missing or undefined; it begins the names of the tables, so write letters,"
            " digits and underscores, such as 'trade_aggregation'\n"
            "  - `source` is missing or undefined; pass a relation:"
            " ref('trades') or source('shop', 'trades')\n"
            "  - `select` is missing or undefined; write a mapping from output to aggregate,"
            " such as {'avg_price': 'avg(price)'}",
        ),
        (
            "aggregation_within",
            (UNDEFINED,),
            WITHIN,
            f"aggregation_within:\n  - `definition` is 'flight_agregation', {NOTHING}{HAND_IN}",
        ),
        (
            "aggregation_within",
            (),
            WITHIN,
            f"aggregation_within:\n  - `definition` is missing or undefined{HAND_IN}",
        ),
        (
            "aggregation_table",
            (UNDEFINED, "days"),
            {},
            f"aggregation_table:\n  - `definition` is 'flight_agregation', {NOTHING}{HAND_IN}",
        ),
        (
            "time_weight_table",
            (UNDEFINED,),
            {"keys": [], "ts": "ts", "value": "v", "method": "locf", "bucket": "1 hour"},
            "time_weight_table:\n"
            f"  - `source` is 'flight_agregation', {NOTHING}; pass a relation: ref('signal') or source('plant', 'signal')",
        ),
        (
            "aggregation",
            (),
            without("ts") | {"group_by": ["carrier"], "timestamp": "ts", "timezone": "UTC"},
            "aggregation 'flights':\n"
            "  - there is no argument `group_by`; did you mean `keys`?\n"
            "  - there is no argument `timestamp`; did you mean `ts`?\n"
            "  - there is no argument `timezone`; did you mean `time_zone`?\n"
            "  - `ts` is missing or undefined; name the column of the events' time,"
            " or write none to use the time of arrival\n"
            "  - its arguments are name, source, select, ts, keys, every, arrival,"
            " event_id, buffer_size, ignore_events_older_than_buffer, time_zone,"
            " mutability_period, retention, not_after, arrival_lookback, day_start",
        ),
        (
            "aggregation_late",
            ("flights",),
            {},
            f"aggregation_late:\n  - `definition` is 'flights'{HAND_IN}",
        ),
        (
            "aggregation_join",
            (flights,),
            {},
            "aggregation_join:\n  - `definition` is a macro that is not called; add the"
            " parentheses, such as trade_aggregation()",
        ),
        (
            "aggregation_within",
            ({"name": "flights"},),
            WITHIN,
            f"aggregation_within:\n  - `definition` is not a definition of an aggregation{HAND_IN}",
        ),
        (
            "aggregation_within",
            (flights(every="min...day"),),
            {"where": "carrier = 'UA'"},
            "aggregation_within of 'flights':\n"
            "  - there is no argument `where`\n"
            "  - `within` is missing or undefined; write a pair such as"
            " ['2014-02-15 00:00:00', '2014-03-16 00:00:00'] or a pattern such as"
            " '2018-01-** **:**:**'\n"
            "  - `per` is missing or undefined; write one of minutes, hours, days\n"
            "  - its arguments are definition, within, per, on",
        ),
        (
            "aggregation_table",
            (flights(), "days", "UTC"),
            {},
            "aggregation_table of 'flights':\n"
            "  - 'UTC' is one positional argument too many; name each argument, such as definition=…",
        ),
        (
            "threshold_detector",
            (TRADES,),
            {"keys": [], "ts": "agg_timestamp", "granularity": "PT1H", "maximum": 5},
            "threshold_detector:\n"
            "  - there is no argument `maximum`; did you mean `max`?\n"
            "  - `value` is missing or undefined; name the column to evaluate\n"
            "  - its arguments are source, ts, value, granularity, keys, detector, missing, until,"
            " time_zone, arrival, severity, description, min_duration, min, max, inclusive,"
            " min_inclusive, max_inclusive",
        ),
        (
            "time_weight_table",
            (),
            {"source": TRADES, "keys": [], "ts": "ts", "value": "temp", "method": "locf"},
            "time_weight_table:\n"
            "  - `bucket` is missing or undefined; write the length of a bucket such as '1 hour'"
            " (for months and years, roll up the days of such a table, or put time_weight into"
            " the `select` of an aggregation)",
        ),
        (
            "time_weight",
            ("ts", "temp"),
            {"metod": "locf"},
            "time_weight of temp:\n"
            "  - there is no argument `metod`; did you mean `method`?\n"
            "  - `method` is missing or undefined; write one of locf, linear, trapezoidal\n"
            "  - its arguments are ts, value, method, gap, arrival, nulls",
        ),
    ],
)
def test_a_mistyped_call(name, args, given, message):
    assert refusal(name, args, given) == message


def test_a_macro_that_does_not_exist_is_named_as_dbt_hands_it_on():
    """In dbt the call of an undefined name is this value again, after Jinja looked at it."""
    model = "{{ macros.aggregation_within(stockAggregation(), within='2013-**-**', per='day') }}"
    environment = jinja2.Environment(undefined=create_undefined())  # noqa: S701
    with pytest.raises(jinja2.UndefinedError, match="'stockAggregation' is undefined"):
        environment.from_string(model).render(macros=macros())


# Accessors of a summary, of one to three arguments: Jinja's own message names macro and keyword.
# The macros of the demo take no arguments.
UNCHECKED = {
    *("flight_aggregation", "weather_aggregation"),
    *("average", "elapsed_time", "first_time", "first_val", "gap_time", "integral", "last_time"),
    *("last_val", "num_gaps", "dead_ranges", "downtime", "interpolated_downtime"),
    *("interpolated_uptime", "live_at", "live_ranges", "uptime", "interpolated_average"),
    *("interpolated_elapsed_time", "interpolated_integral", "duration_in", "into_values"),
    *("interpolated_duration_in", "state_at", "state_periods", "state_timeline"),
    *("interpolated_state_timeline", "interpolated_state_periods", "trim_to", "interpolate"),
    *("delta", "rate", "num_changes", "num_resets", "interpolated_delta", "interpolated_rate"),
}
SIGNATURES = {
    name: signature
    for path in MACROS.rglob("*.sql")
    for name, signature in SIGNATURE.findall(path.read_text())
}


def declared(name: str) -> tuple[list[str], list[str]]:
    """The arguments that a macro says it has, and those that it misses in an empty call."""
    definition = (flights(),) if "definition" in described_arguments()[name] else ()
    message = refusal(name, definition, {"no_such_argument": 1})
    known = re.search(r"its arguments are (.*)", message)
    assert known, f"{name} calls no _arguments, and is not in UNCHECKED"
    missing = re.findall(r"`(\w+)` is missing or undefined", message)
    return known[1].split(", "), ["definition"] * len(definition) + missing


@pytest.mark.parametrize("name", sorted(described_arguments().keys() - UNCHECKED))
def test_a_macro_declares_the_arguments_that_it_has_and_that_are_described(name):
    signature = dict(re.findall(r"(\w+)(=?)[^,]*(?:,|$)", SIGNATURES[name].replace("\n", " ")))
    known, missing = declared(name)
    assert sorted(known) == sorted(signature) == sorted(described_arguments()[name])
    assert sorted(missing) == sorted(each for each, default in signature.items() if not default)
