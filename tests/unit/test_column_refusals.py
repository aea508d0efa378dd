"""Columns that are not there, types that cannot do their part, and expressions that Spark refuses."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from tests.unit.jinja_macros import Refused, macros, macros_with

TYPES = {
    "arrival": "bigint", "ts": "timestamp", "sensor": "string", "is_on": "boolean",
    "temp": "double", "load": "decimal(10,2)", "lasted": "interval day to second",
}  # fmt: skip
LISTED = "; it has arrival, ts, sensor, is_on, temp, load, lasted"
SIGNAL = SimpleNamespace(identifier="signal")


class Spark:
    """An adapter whose Spark knows these expressions, as types or errors."""

    def __init__(self, **known):
        self.known, self.queries = known, []

    def type(self):
        return "strandline"

    def describe_query(self, sql):
        self.queries.append(sql)
        found = [kind for text, kind in self.known.items() if f"({text}\n)" in sql]
        error = next((kind for kind in found if kind.startswith("[")), None)
        return {"types": [] if error else found, "error": error}


def package(**known):
    return macros_with(
        _types_of=lambda _: TYPES, model=SimpleNamespace(name="hours"), execute=True,
        config=lambda **_: "", adapter=Spark(**known),
    )  # fmt: skip


def defined(select, **changes):
    given = {"name": "s", "source": SIGNAL, "select": select, "ts": "ts", **changes}
    return macros().aggregation(**given)


def refusal(call, *args, **given):
    with pytest.raises(Refused) as refused:
        call(*args, **given)
    return str(refused.value).split("\n  - ")


@pytest.mark.parametrize(
    ("changes", "faults"),
    [
        (
            {"keys": ["sensr"]},
            [
                "`keys` names the column 'sensr', which signal does not have"
                f"{LISTED}; did you mean 'sensor'?"
            ],
        ),
        (
            {"select": {"x": "avg(tmep)", "y": "max(pressure)"}},
            [
                "`select` names the column 'tmep', which signal does not have"
                f"{LISTED}; did you mean 'temp'?",
                f"`select` names the column 'pressure', which signal does not have{LISTED}",
            ],
        ),
        (
            {"select": {"x": "sum(sensor)"}},
            [
                "`select` has x = 'sum(sensor)', and sensor is STRING; sum takes a number:"
                " write cast(sensor as double) in its place, or another number"
            ],
        ),
        (
            {"select": {"on": "avg(is_on)"}},
            [
                "`select` has on = 'avg(is_on)', and is_on is BOOLEAN; avg takes a number:"
                " write int(is_on) in its place, which is 1 or 0"
            ],
        ),
        (
            {"select": {"x": "time_weight(sensor, 'locf')", "y": "quantile(ts, 0.5)",
                        "z": "stddev(lasted)"}},
            [
                "`select` has x = 'time_weight(sensor, 'locf')', and sensor is STRING; time_weight"
                " takes a number: write cast(sensor as double) in its place, or another number",
                "`select` has y = 'quantile(ts, 0.5)', and ts is TIMESTAMP; quantile takes a"
                " number: write cast(ts as double) in its place, or another number",
                "`select` has z = 'stddev(lasted)', and lasted is INTERVAL DAY TO SECOND; stddev"
                " takes a number: write cast(lasted as double) in its place, or another number",
            ],
        ),
    ],
)  # fmt: skip
def test_columns_of_an_aggregation(changes, faults):
    definition = defined(**{"select": {"n": "count(*)"}, **changes})
    found = refusal(package()._check_columns, definition)
    assert found == ["aggregation 's':", *faults]


def test_what_every_type_can_do_is_not_refused():
    select = {
        "a": "min(sensor)", "b": "count(is_on)", "c": "last(ts)", "d": "distinctCount(sensor)",
        "e": "sum(lasted)", "f": "avg(load)", "g": "variance(temp)", "h": "sensor",
        "i": "approx_count_distinct(is_on)", "j": "SUM(TEMP)",
    }  # fmt: skip
    assert package()._check_columns(defined(select)) == TYPES


def expressions(select, **known):
    m = package(**known)
    definition = defined(select)
    return m, definition, m._events_task(definition)


def test_an_expression_is_refused_by_itself_and_not_within_the_whole_query():
    no_column = (
        "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column, variable, or function parameter with name"
        " `tmep` cannot be resolved. Did you mean one of the following? [`temp`]. SQLSTATE: 42703; line 1"
    )
    bad = (
        "[PARSE_SYNTAX_ERROR] Syntax error at or near ')'. SQLSTATE: 42601 (line 1, pos 30)\n\n"
        "== SQL ==\ndescribe query select (temp +\n) as strandline_1"
    )
    m, definition, task = expressions(
        {"a": "avg(tmep * 2)", "b": "max(temp +)", "c": "sum(temp > 40)", "d": "min(temp - load)"},
        **{"tmep * 2": no_column, "temp +": bad, "temp > 40": "boolean", "temp - load": "double"},
    )
    assert refusal(m._check_select, definition, task) == [
        "aggregation 's':",
        f"`select` has a = 'avg(tmep * 2)', and signal has no column 'tmep'{LISTED};"
        " did you mean 'temp'?",
        "`select` has b = 'max(temp +)', which Spark rejects:"
        " [PARSE_SYNTAX_ERROR] Syntax error at or near ')'.",
        "`select` has c = 'sum(temp > 40)', and temp > 40 is BOOLEAN; sum takes a number:"
        " write int(temp > 40) in its place, which is 1 or 0",
    ]


def test_good_expressions_cost_one_question():
    known = {"temp * 2": "double", "upper(sensor)": "string"}
    m = package(**known)
    spark = Spark(**known)
    m = macros_with(_types_of=lambda _: TYPES, adapter=spark)
    definition = defined({"a": "avg(temp * 2)", "b": "last(upper(sensor))", "n": "count(*)"})
    m._check_select(definition, m._events_task(definition))
    assert len(spark.queries) == 1
    plain = defined({"a": "avg(temp)", "n": "count(*)"})
    m._check_select(plain, m._events_task(plain))
    assert len(spark.queries) == 1


POINTS = {"source": SIGNAL, "keys": ["sensor"], "ts": "ts", "value": "temp", "method": "locf",
          "bucket": "1 hour"}  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "faults"),
    [
        (
            {"value": "temprature"},
            [f"`value` names the column 'temprature', which signal does not have{LISTED}"],
        ),
        (
            {"value": "tmp", "ts": "tz", "keys": ["sensors"], "arrival": "arival"},
            [
                f"`ts` names the column 'tz', which signal does not have{LISTED}",
                f"`keys` names the column 'sensors', which signal does not have{LISTED};"
                " did you mean 'sensor'?",
                f"`arrival` names the column 'arival', which signal does not have{LISTED};"
                " did you mean 'arrival'?",
                f"`value` names the column 'tmp', which signal does not have{LISTED};"
                " did you mean 'temp'?",
            ],
        ),
        (
            {"value": "sensor"},
            [
                "`value` names sensor of signal, which is STRING; take a number (cast it in a staging model)"
            ],
        ),
        (
            {"value": "is_on"},
            [
                "`value` names is_on of signal, which is BOOLEAN; take a number (cast it in a staging"
                " model)"
            ],
        ),
        (
            {"value": "temp * 2"},
            [f"`value` names the column 'temp * 2', which signal does not have{LISTED}"],
        ),
    ],
)
def test_columns_of_a_table_of_time_weights(changes, faults):
    found = refusal(package().time_weight_table, **{**POINTS, **changes})
    assert found == ["time_weight_table in hours:", *faults]


def test_columns_of_a_table_of_states():
    given = {"source": SIGNAL, "keys": [], "ts": "ts", "state": "sensr", "bucket": "1 hour"}
    assert refusal(package().state_agg_table, **given) == [
        "state_agg_table in hours:",
        f"`state` names the column 'sensr', which signal does not have{LISTED};"
        " did you mean 'sensor'?",
    ]


def within(on):
    definition = defined({"total": "sum(load)"}, keys=["sensor"])
    return macros().aggregation_within(definition, within="2013-**-** **:**:**", per="day", on=on)


@pytest.mark.parametrize(
    ("on", "fault"),
    [
        (
            "sensr = 'a'",
            "`on` names 'sensr', which is no column of s; it has agg_timestamp, agg_timezone,"
            " sensor; did you mean 'sensor'?",
        ),
        (
            "sensor = 'a' and total > 5",
            "`on` names 'total', an output, which is computed from the rows that `on`"
            " selects; put the condition into the surrounding query",
        ),
        (
            "sensor = ('a'",
            "`on` is 'sensor = ('a''; write one SQL condition over the group columns, such as"
            " \"symbol = 'IBM'\", or leave it out",
        ),
        (
            5,
            "`on` is '5'; write one SQL condition over the group columns, such as"
            " \"symbol = 'IBM'\", or leave it out",
        ),
    ],
)
def test_what_on_names(on, fault):
    assert refusal(within, on) == ["aggregation_within of 's':", fault]


@pytest.mark.parametrize(
    "on",
    [
        None,
        "",
        "sensor = 'sensr'",
        "SENSOR in ('a', 'b') and agg_timestamp >= timestamp'2013-01-01 00:00:00'",
        "`sensr` = 1",
        "sensor in (select sensr from x)",
        "exists(array('a'), sensr -> sensr = sensor)",
        "sensor = 'it\\'s sensr'",
        "sensor = 'a' -- sensr",
        "sensr.x = 1",
        "sensr(sensor) = 1",
        "agg_sum_load > 5 and agg_arrival > 1 and agg_partition is not null",
        "agg_timestamp > current_date - interval '1' day and something_else",
        "cast(sensor as string) like 'a%' or extract(day from agg_timestamp) = 1",
    ],
)
def test_what_on_may_hold_is_left_to_spark(on):
    assert (f"({on})" in within(on)) == bool(on)
