"""What a correlation_table refuses before anything runs, with the message."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from tests.unit.jinja_macros import Refused, macros, macros_with

STREAMS = {
    alias: {"window": SimpleNamespace(identifier=f"stage_{alias}"), "on": "id"}
    for alias in ("one", "two", "three")
}
CALL: dict[str, Any] = {
    "streams": STREAMS,
    "when": ["one and two and not three", "one and not two and three"],
    "select": {"stage_1_id": "one.id", "priority": "one.priority"},
    "where": "priority < 7.5",
}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"when": ["one and not tree"]}, "`streams` has no alias 'tree'; it has one, two, three; did you mean 'three'?"),
        ({"when": ["not one and not three"]}, "which has no alias without `not`; a pattern begins when an event"),
        ({"when": ["one and (two or three)"]}, "which has parentheses; write a list of patterns"),
        ({"when": ["one or two"]}, "which has an `or`; make each side a pattern of its own"),
        ({"when": ["one and two and one"]}, "which names one twice; name each alias once"),
        ({"when": ["one and two", "two and one"]}, "`when` has 'two and one' and 'one and two', which are the same pattern"),
        ({"when": ["one two"]}, "`when` has 'one two'; write a list of patterns such as"),
        ({"when": "one and two"}, "`when` is 'one and two'; write a list of patterns such as"),
        ({"when": []}, "`when` is '[]'; write a list of patterns such as"),
        ({"select": {"id": "on.id"}}, "`select` has id = 'on.id', and `streams` has no alias 'on'; it has one, two, three"),
        ({"select": {"pattern": "one.id"}}, "`select` has the name 'pattern'; write a column name that is no alias"),
        ({"select": {"one": "one.id"}}, "`select` has the name 'one'; write a column name that is no alias"),
        ({"select": {"id": 1}}, "`select` has id = '1'; write an SQL expression"),
        ({"select": ["one.id"]}, "`select` is '['one.id']'; write a mapping of names"),
        ({"select": {"__id": "one.id"}}, "and does not begin with two underscores"),
        ({"select": {"id": "`on`.id"}}, "and `streams` has no alias 'on'; it has one, two, three"),
        ({"where": "one.id > 1"}, "`where` has 'one.id > 1', which reads one.id; it is a condition over the names of `select`: add 'one_id': 'one.id' to `select`, and write one_id"),
        ({"where": "`two`.`item qty` > 1"}, "which reads two.item qty; it is a condition over the names of `select`"),
        ({"where": "priorty.level > 1"}, "which reads priorty.level, and `select` has no name 'priorty'; it has stage_1_id, priority; did you mean 'priority'?"),
        ({"not_after": "current_timestamp()"}, "write window_table(…, not_after=…) for each of them"),
        ({"where": ""}, "`where` is ''; write a condition over the names of `select`"),
        ({"streams": {"one and": STREAMS["one"]}}, "`streams` has the alias 'one and'; write a plain name"),
        ({"streams": {"__one": STREAMS["one"]}}, "`streams` has the alias '__one'; write a plain name"),
        ({"streams": {"one": {"window": STREAMS["one"]["window"], "on": " "}}}, "and `on`, the column of the id"),
        ({"streams": {"one": {"window": "stage_1", "on": "id"}}}, "a relation such as ref('stage_1_window'), and `on`"),
        ({"streams": {"one": {"window": STREAMS["one"]["window"]}}}, "give a `window`, a relation such as"),
        ({"streams": []}, "`streams` is '[]'; write a mapping of up to 60 aliases"),
        ({"were": "priority < 7.5"}, "there is no argument `were`; did you mean `where`?"),
    ],
)  # fmt: skip
def test_what_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(Refused) as refused:
        macros().correlation_table(**CALL | change)
    assert message in str(refused.value)


def test_all_faults_are_in_one_message() -> None:
    with pytest.raises(Refused) as refused:
        macros().correlation_table(
            streams=STREAMS, when=["one and not tree", "two or one"], select={"pattern": "one.id"}
        )
    assert str(refused.value).count("\n  - ") == 3


def test_the_patterns_are_read_as_places() -> None:
    read = macros()._read_patterns(["one  AND not Three and two"], ["one", "two", "three"], [])
    assert read == [{"text": "one AND not Three and two", "present": [0, 1], "absent": [2]}]


@pytest.mark.parametrize(
    ("sql", "pairs"),
    [
        ("One.id", [["one", "id"]]),
        ("one . `item qty` + two.`a``b`", [["one", "item qty"], ["two", "a`b"]]),
        ("`one`.größe", [["one", "größe"]]),
        ("one.payload.size", [["one", "payload"]]),
        ("concat(one.id, 'two.id', \"two.id\", 'it\\'s two.id') -- two.id", [["one", "id"]]),
        ("/* two.id */ 1.5 + one.id", [["one", "id"]]),
        ("transform(one.items, x -> x.price)", [["one", "items"]]),
        ("zip_with(one.a, two.b, (x, y) -> x.n + y.n)", [["one", "a"], ["two", "b"]]),
        ("shop.tax(one.price)", [["one", "price"]]),
    ],
)
def test_the_columns_of_streams_in_an_expression(sql: str, pairs: list[list[str]]) -> None:
    assert macros()._qualified_names(sql) == pairs


@pytest.mark.parametrize(
    "change",
    [
        {"where": "priority in (select p.level from shop.levels as p)"},
        {"where": "entered.at > timestamp'2024-01-01' and priority.level > 1"},
        {"select": {"first": "one.payload", "size": "first.size", "at": "entered.at"}, "where": None},
        {"streams": {n: {"window": STREAMS["one"]["window"], "on": "item qty"} for n in ("stream", "place")},
         "when": ["stream and place"], "select": {"größe": "stream.`item qty`"}, "where": None},
    ],
)  # fmt: skip
def test_what_is_allowed(change: dict[str, Any]) -> None:
    macros_with(config=lambda **_: "").correlation_table(**CALL | change)
