"""The argument `weight` of a window: what is read, stored and refused."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest
from tests.unit.jinja_macros import Refused, macros, macros_with

CALL = {"source": SimpleNamespace(identifier="ticks"), "ts": "ts", "store": "last 5"}
FORM = (
    "a mapping of conditions to weights, such as {\"kind = 'quote'\": 0.2, \"kind = 'trade'\": 1}"
)
QUOTE = "kind = 'quote'"
NUMBER = "write a number above 0 and up to 1, with at most three decimals: 0.2, or 0.333; an event that meets no condition has no weight"
SQL = "write SQL over the columns of the source, such as kind = 'trade', or true for all others"


@pytest.mark.parametrize(
    ("change", "faults"),
    [
        ({"weight": 2}, ["`weight` is '2'; write a number above 0 and up to 1: with 0.2 five events make a cycle; or, for windows that are weighed together, " + FORM]),
        ({"weight": {}}, ["`weight` is an empty mapping; write " + FORM]),
        ({"weight": [[QUOTE, 0.2]]}, [f"`weight` is '{[[QUOTE, 0.2]]}'; write a number above 0 and up to 1"]),
        ({"weight": {QUOTE: 0}}, [f"`weight` has '0' for the condition {QUOTE}; " + NUMBER]),
        ({"weight": {QUOTE: 1.001}}, [f"`weight` has '1.001' for the condition {QUOTE}; " + NUMBER]),
        ({"weight": {QUOTE: -0.5}}, [f"`weight` has '-0.5' for the condition {QUOTE}; " + NUMBER]),
        ({"weight": {QUOTE: 0.0625}}, [f"`weight` has '0.0625' for the condition {QUOTE}; " + NUMBER]),
        ({"weight": {QUOTE: 1 / 3}}, [f"for the condition {QUOTE}; " + NUMBER]),
        ({"weight": {QUOTE: 0.0001}}, [f"for the condition {QUOTE}; " + NUMBER]),
        ({"weight": {QUOTE: "0.2"}}, [f"`weight` has '0.2' for the condition {QUOTE}; " + NUMBER]),
        ({"weight": {QUOTE: True}}, [f"`weight` has 'True' for the condition {QUOTE}; " + NUMBER]),
        ({"weight": {QUOTE: None}}, [f"`weight` has 'None' for the condition {QUOTE}; " + NUMBER]),
        ({"weight": {1: 0.2, " ": 0.5, QUOTE: 5}}, ["`weight` has the condition '1'; " + SQL, "`weight` has the condition ' '; " + SQL, f"`weight` has '5' for the condition {QUOTE}; " + NUMBER]),
        ({"weight": {QUOTE: 0.2}, "every": "1 hour"}, ["`weight` and `every` are both given; take one of them: cycles by events, or at fixed intervals"]),
        ({"weight": {QUOTE: 0.2}, "ts": None, "where": "$row_status is new"}, ["`weight` is given, but a chained window ('$row_status is new') runs in the cycles of its source; leave it out"]),
    ],
)  # fmt: skip
def test_what_is_refused(change: dict[str, Any], faults: list[str]) -> None:
    with pytest.raises(Refused) as refused:
        macros().window_table(**CALL | change)
    found = str(refused.value).split("\n  - ")[1:]
    assert len(found) == len(faults)
    for fault, expected in zip(found, faults, strict=True):
        assert expected in fault


@pytest.mark.parametrize(
    ("weights", "whole", "units"),
    [
        ([0.2, 1], 5, [1, 5]),
        ([1], 1, [1]),
        ([0.5, 0.25], 4, [2, 1]),
        ([0.3], 10, [3]),
        ([0.125, 0.2], 40, [5, 8]),
        ([0.333, 0.001], 1000, [333, 1]),
        ([0.29, 0.57], 100, [29, 57]),
    ],
)
def test_the_units_are_the_least_that_are_whole(
    weights: list[float], whole: int, units: list[int]
) -> None:
    given = {f"n = {number}": weight for number, weight in enumerate(weights)}
    faults: list[str] = []
    count, read = macros()._read_weight(given, faults)
    task = {"weight": count, "weights": read}
    assert (faults, macros()._whole_weight(task)) == ([], whole)
    cases = [f"when (n = {number}\n) then {each}L" for number, each in enumerate(units)]
    assert macros()._event_units(task) == f"case {' '.join(cases)} else 0L end"


def test_a_number_is_stored_as_before() -> None:
    for weight, count in [(None, 1), (1, 1), (0.5, 2), (0.34, 3), (0.2, 5), (0.001, 1000)]:
        assert macros()._read_weight(weight, []) == [count, None]


def test_a_table_of_a_number_is_read_on_and_other_weights_are_a_change() -> None:
    m = macros_with(model=SimpleNamespace(name="quotes"))
    stored = {"strandline.task": json.dumps({"kind": "window", "weight": 5})}
    m._check_configuration("r", {"kind": "window", "weight": 5, "weights": None}, stored)
    given = {"kind": "window", "weight": 1, "weights": [[QUOTE, 0.2], ["true", 1]]}
    with pytest.raises(Refused) as refused:
        m._check_configuration("r", given, stored)
    assert "the number of events that weigh 1 is now 1, and the stored rows were built with 5" in (
        str(refused.value)
    )
    assert (
        f"`weight` is now '{QUOTE}: 0.2, true: 1', and the stored rows were built with none"
        in str(refused.value)
    )
    # The first condition counts: their order is a part of the definition.
    stored = {"strandline.task": json.dumps(given)}
    m._check_configuration("r", given, stored)
    with pytest.raises(Refused):
        m._check_configuration("r", given | {"weights": given["weights"][::-1]}, stored)
