"""What a correlation_table refuses before anything runs, with the message."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from tests.unit.jinja_macros import Refused, macros

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
        ({"select": {"pattern": "one.id"}}, "`select` has the name 'pattern'; write a plain column name"),
        ({"select": {"one": "one.id"}}, "`select` has the name 'one'; write a plain column name"),
        ({"select": {"id": 1}}, "`select` has id = '1'; write an SQL expression"),
        ({"select": ["one.id"]}, "`select` is '['one.id']'; write a mapping of names"),
        ({"where": ""}, "`where` is ''; write a condition over the names of `select`"),
        ({"streams": {"one and": STREAMS["one"]}}, "`streams` has the alias 'one and'; write a plain name"),
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
