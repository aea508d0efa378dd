"""Data and settings in SQL text: as literals that no setting of a session reads otherwise."""

from __future__ import annotations

import json
import re
from types import SimpleNamespace

import pytest
from tests.unit.jinja_macros import MACROS, macros

HOSTILE = r"it's ${env:HOME} in C:\new"


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("plain, 100 % $5 {x}", "'plain, 100 % $5 {x}'"),
        ("", "''"),
        ("'", "char(39)"),
        ("${env:HOME}", "concat('$', '{env:HOME}')"),
        ("$${a}", "concat('$', '$', '{a}')"),
        (HOSTILE, "concat('it', char(39), 's ', '$', '{env:HOME} in C:', char(92), 'new')"),
        (7, "'7'"),
    ],
)
def test_a_text_is_an_expression_without_variables_and_escapes(text, literal):
    assert macros()._literal(text) == literal


def test_the_literal_of_a_property_is_one_token():
    assert macros()._quoted_literal(HOSTILE) == r"'it\'s \u0024{env:HOME} in C:\\new'"


def test_the_task_of_a_model_survives_as_a_comment():
    task = {"select": HOSTILE, "n": 1}
    line = macros()._task_line(task)
    assert "${" not in line
    assert macros()._read_task(line + "\nselect 1") == task
    assert json.loads(line.removeprefix("-- strandline: ")) == task


@pytest.mark.parametrize(
    ("text", "type_", "literal"),
    [
        (None, "bigint", None),
        ("7", "bigint", "cast('7' as bigint)"),
        ("NaN", "double", "cast('NaN' as double)"),
        ("1.50", "decimal(10,2)", "cast('1.50' as decimal(10,2))"),
        ("2013-11-03 06:30:00.000000Z", "timestamp", "cast('2013-11-03 06:30:00.000000Z' as timestamp)"),
        ("x80E1", "binary", "X'80E1'"),
        ("x", "binary", "X''"),
        ("x24", "string", "cast(X'24' as string)"),
        ("x", "string", "cast(X'' as string)"),
        ("x24", "string collate UTF8_LCASE", "cast(cast(X'24' as string) as string collate UTF8_LCASE)"),
    ],
)  # fmt: skip
def test_a_value_of_a_column_is_a_literal_of_its_type(text, type_, literal):
    assert macros()._typed_literal(text, type_) == literal


COMPARABLE = "take a whole number, a DECIMAL, a STRING, a BINARY, a DATE or a TIMESTAMP"


def type_faults(argument: str, kind: str, type_: str) -> list[str]:
    found: list[str] = []
    events = SimpleNamespace(identifier="events")
    macros()._check_column(argument, "n", events, {"n": type_}, {"type": kind}, found)
    return found


@pytest.mark.parametrize("type_", ["int", "decimal(38,0)", "string", "binary", "timestamp", "timestamp_ntz", "date",
                                   "varchar(3)", "string collate utf8_lcase"])  # fmt: skip
def test_types_that_have_an_order_are_taken(type_):
    assert type_faults("arrival", "ordered", type_) == []
    assert type_faults("event_id", "identity", type_) == []


@pytest.mark.parametrize(
    "type_", ["array<int>", "struct<a:int>", "map<int,int>", "variant", "interval day"]
)
def test_types_without_literals_are_refused(type_):
    assert type_faults("event_id", "identity", type_) == [
        f"`event_id` names n of events, which is {type_.upper()}; {COMPARABLE}; to_json(…) in a staging model makes a STRING of it"
    ]  # fmt: skip
    assert type_faults("arrival", "ordered", type_) == [
        f"`arrival` names n of events, which is {type_.upper()}; {COMPARABLE} (cast it in a staging model)"
    ]


@pytest.mark.parametrize("type_", ["float", "double", "boolean"])
def test_an_arrival_that_may_be_nan_or_never_grows_is_refused(type_):
    (fault,) = type_faults("arrival", "ordered", type_)
    assert fault.startswith(f"`arrival` names n of events, which is {type_.upper()}; {COMPARABLE}")
    assert type_faults("event_id", "identity", type_) == []


TASK = {"aggregation": "tricky", "is_base": True}
PLACEHOLDERS = "if(k = '{at} {arrival} {x} {who} {argument} {option} {sum}', 1, null)"


@pytest.mark.parametrize(
    ("kind", "argument", "expression"),
    [
        ("count", PLACEHOLDERS, f"count({PLACEHOLDERS})"),
        ("min", "{x}", "min({x})"),
        ("latest", PLACEHOLDERS,
         f"max(named_struct('at', agg_event_time, 'arrival', agg_event_arrival, 'value', {PLACEHOLDERS}))"),
        ("sum", "if(k = '{x}', n, 0)",
         "if(try_sum(if(k = '{x}', n, 0)) is null and count(if(k = '{x}', n, 0)) > 0, raise_error("
         "concat('aggregation tricky: a sum of if(k = ', char(39), '{x}', char(39), ', n, 0) is beyond the range of its type; "
         "sum a wider one, such as sum(cast(if(k = ', char(39), '{x}', char(39), ', n, 0) as decimal(38, 0)))')), "
         "try_sum(if(k = '{x}', n, 0)))"),
    ],
)  # fmt: skip
def test_a_users_text_is_no_template(kind, argument, expression):
    part = {"kind": kind, "argument": argument, "column": "agg_x"}
    assert macros()._part_expression(TASK, part, "partial").strip() == expression


def test_a_template_is_filled_once():
    filled = macros()._filled("{a} + {b} + {c}", {"a": "{b}", "b": "{a}"})
    assert filled == "{b} + {a} + {c}"


@pytest.mark.parametrize(
    ("partitions", "unit", "predicate"),
    [
        (["1582-10-18", "1582-10-04"], "week", "agg_partition in (date'1582-10-04', date'1582-10-18')"),
        (["1582-10-11"], "week", "agg_partition > date'1582-10-04' and agg_partition < date'1582-10-18'"),
        (["1582-10-11", "2013-02-04"], "week", "(agg_partition in (date'2013-02-04') or "
         "agg_partition > date'1582-10-04' and agg_partition < date'1582-10-18')"),
        (["2013-02-04T05:00:00Z"], "hour", "agg_partition in (timestamp'2013-02-04T05:00:00Z')"),
    ],
)  # fmt: skip
def test_the_week_that_java_does_not_know_is_named_by_its_neighbours(partitions, unit, predicate):
    assert macros()._in_partitions(partitions, unit) == predicate


# What macros put between quotes by hand: names that were checked before, and nothing of a user's text.
CHECKED = {
    "task.time_zone", "task.purged_before", "purged_before", "duration", "duration.name",
    "duration.spellings | join(\"', '\")", "strandline._pattern_form()", "strandline._text_form()",
    "name", "names[one]", "time_range.purged_before",
}  # fmt: skip


def test_no_macro_quotes_by_hand():
    found = set()
    for path in MACROS.rglob("*.sql"):
        found |= set(re.findall(r"'\{\{-? (.*?) -?\}\}", path.read_text()))
    assert found <= CHECKED, "write {{ strandline._literal(…) }} instead of '{{ … }}'"


def test_a_task_holds_no_word_that_spark_takes_for_a_secret():
    task = {"keys": ["url", "URL", "token"], "select": "secret || PASSWORD || access_key || AccessKey || access.key",
            "flag": True, "none": None, "quoted": 'a "url" \\url'}  # fmt: skip
    stored = macros()._property_json(task)
    assert not re.search(r"(?i)secret|password|token|access[.]?key|url", stored)
    assert json.loads(stored) == task


IDS = {"upstream": "shop.orders", "arrival": "arrival", "event_id": "id"}
NEW = "(__upstream.`arrival` > 7 or __upstream.`arrival` is null)"
SAME_ID = (
    "exists (select 1 from (select __upstream.`id` as agg_event_id from (select * from shop.orders) as __upstream"
    f" where {NEW}) as __new where __new.agg_event_id <=> __upstream.`id`)"
)


@pytest.mark.parametrize(
    ("is_new", "state", "scope"),
    [
        (None, {}, ""),
        (NEW, {"until": "null"}, f"(__upstream.`arrival` <= null or __upstream.`arrival` is null) and {NEW}"),
        (NEW, {"until": "9", "ids": ["X'01'", "X'FF00'"]},
         f"(__upstream.`arrival` <= 9 or __upstream.`arrival` is null) and ({NEW} or __upstream.`id` between X'01' and X'FF00') and {SAME_ID}"),
    ],
)  # fmt: skip
def test_a_new_event_is_read_whatever_the_range_of_ids_says(is_new, state, scope):
    """And none that arrived after the range was read: its earlier copies may be outside of it."""
    assert macros()._events_scope(IDS, is_new, state) == scope


@pytest.mark.parametrize(
    ("keys", "condition"),
    [
        ([], "true"),
        (["a"], "x.`a` <=> y.`a`"),
        (["a", "b `c`"], "x.`a` <=> y.`a` and x.`b ``c``` <=> y.`b ``c```"),
    ],
)
def test_keys_of_two_relations_are_equal_and_null_is_equal_to_null(keys, condition):
    assert macros()._same_columns(keys, "x", "y") == condition
