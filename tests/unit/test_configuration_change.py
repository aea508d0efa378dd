"""What a run says when its table was built under another definition: in the words of the definition."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from tests.unit.jinja_macros import Refused, macros_with

TYPES = {
    "ts": "timestamp", "arrival": "bigint", "id": "string", "carrier": "string",
    "origin": "string", "departure_delay": "int", "temp": "double",
}  # fmt: skip
FLIGHTS = SimpleNamespace(identifier="stg_flights")
GIVEN = {
    "name": "flights",
    "source": FLIGHTS,
    "select": {"mean": "avg(departure_delay)", "worst": "max(departure_delay)"},
    "ts": "ts",
    "keys": ["carrier"],
    "every": "min...day",
}
REBUILD = (
    "\n  - to rebuild this table and its downstream tables with the new definition:"
    " `dbt build --full-refresh --select flights_hours+`"
)
m = macros_with(model=SimpleNamespace(name="flights_hours"), _types_of=lambda _: TYPES)


def task(duration, given):
    definition = m.aggregation(**given)
    return m._aggregation_task(
        definition, m._duration(duration), SimpleNamespace(identifier="events")
    )


def refusal(stored, given):
    """What a run with one task says to a table that was built with another."""
    with pytest.raises(Refused) as refused:
        m._check_configuration(
            "r", given, {"strandline.task": json.dumps(m._compared_task(stored))}
        )
    message = str(refused.value)
    head = "flights_hours: the definition has changed:"
    assert message.startswith(head)
    assert message.endswith(REBUILD)
    return message.removeprefix(head).removesuffix(REBUILD).split("\n  - ")[1:]


MEAN = "avg(departure_delay)"


@pytest.mark.parametrize(
    ("duration", "changed", "faults"),
    [
        (
            "minutes",
            {"select": {**GIVEN["select"], "best": "min(departure_delay)"}},
            ["new: best = min(departure_delay)"],
        ),
        ("hours", {"select": {"mean": MEAN}}, ["removed: max(departure_delay)"]),
        (
            "hours",
            {"select": {"mean": MEAN, "high": "quantile(departure_delay, 0.9)"}},
            ["new: high = quantile(departure_delay, 0.9)", "removed: max(departure_delay)"],
        ),
        (
            "hours",
            {"select": {"worst": "max(departure_delay)", "mean": MEAN}},
            ["the outputs of `select` are in another order"],
        ),
        (
            "hours",
            {"keys": ["origin"], "time_zone": "America/New_York"},
            [
                "new in `keys`: origin",
                "removed from `keys`: carrier",
                "`time_zone` is now 'America/New_York', and the stored rows were built with 'UTC'",
            ],
        ),
        ("hours", {"every": "sec...day"}, ["`every` begins with another duration"]),
        (
            "minutes",
            {"event_id": "id", "buffer_size": 3},
            [
                "`event_id` is now 'id', and the stored rows were built with none",
                "`buffer_size` is now 3, and the stored rows were built with none",
            ],
        ),
    ],
)  # fmt: skip
def test_what_has_changed_is_said_as_it_is_written(duration, changed, faults):
    assert refusal(task(duration, GIVEN), task(duration, {**GIVEN, **changed})) == faults


@pytest.mark.parametrize(
    ("removed", "named"),
    [
        ("stddev(temp)", "variance or stddev or var_pop or stddev_pop(temp)"),
        ("quantile(temp, 0.9)", "quantile(temp)"),
        ("distinctCount(origin)", "distinctCount(origin)"),
        ("last(temp)", "last(temp)"),
        ("temp * 2", "temp * 2, the latest"),
    ],
)
def test_a_stored_part_is_named_by_the_aggregates_that_read_it(removed, named):
    before = task("hours", {**GIVEN, "select": {**GIVEN["select"], "x": removed}})
    assert refusal(before, task("hours", GIVEN)) == [f"removed: {named}"]


def test_a_buffer_that_grew():
    before = task("minutes", {**GIVEN, "buffer_size": 3})
    now = task("minutes", {**GIVEN, "buffer_size": 5, "ignore_events_older_than_buffer": True})
    assert refusal(before, now) == [
        "`buffer_size` is now 5, and the stored rows were built with 3",
        "`ignore_events_older_than_buffer` is now true, and the stored rows were built with false",
    ]


@pytest.mark.parametrize(
    "select",
    [
        {"average": MEAN, "worst": "max(departure_delay)"},
        {**GIVEN["select"], "total": "sum(departure_delay)", "n": "count(departure_delay)"},
    ],
    ids=["a new name", "outputs that stored aggregates give"],
)
def test_outputs_that_change_no_row(select):
    stored = task("hours", GIVEN)
    given = task("hours", {**GIVEN, "select": select})
    properties = {"strandline.task": json.dumps(m._compared_task(stored))}
    assert m._check_configuration("r", given, properties).strip() == ""


@pytest.mark.parametrize(
    ("key", "before", "now", "fault"),
    [
        ("gap", "5400000000L", "cast(null as bigint)", "`gap` is now none, and the stored rows were built with '90 minutes'"),
        ("bucket", 86400000000, 3600000000, "`bucket` is now '1 hour', and the stored rows were built with '1 day'"),
        ("gap", "1500000L", "1L", "`gap` is now '1 us', and the stored rows were built with '1500 ms'"),
        ("method", "locf", "linear", "`method` is now 'linear', and the stored rows were built with 'locf'"),
        ("upstream_name", "signal", "signals", "`source` is now 'signals', and the stored rows were built with 'signal'"),
        ("value", "on", "up", "`state` is now 'up', and the stored rows were built with 'on'"),
        ("keys", ["a"], ["a", "b"], "new in `keys`: b"),
        ("columns", {"start": "s", "end": "e"}, {"start": "s", "end": "f"}, "`end` is now 'f', and the stored rows were built with 'e'"),
        ("columns", ["a", "b"], ["b", "a"], "`source` has another order: it was a, b"),
        ("new_setting", None, {"a": 1}, "`new_setting` is now {'a': 1}, and the stored rows were built with none"),
    ],
)  # fmt: skip
def test_settings_are_said_as_they_are_written(key, before, now, fault):
    points = {"kind": "points", "summary": "state_agg"}
    assert refusal({**points, key: before}, {**points, key: now}) == [fault]


WINDOW = {
    "kind": "window",
    "keys": [],
    "aggregates": [],
    "columns": ["a", "c"],
    "ordered": ["a", "c"],
}


@pytest.mark.parametrize(
    ("changed", "new"),
    [
        ({"columns": ["a", "b", "c", "d"], "ordered": ["a", "b", "c", "d"]}, ["b", "d"]),
        ({"columns": ["a", "c", "m"]}, ["m"]),  # a map, by which nothing is ordered
        ({"columns": ["c", "a", "b"], "ordered": ["c", "a", "b"]}, []),
        ({"columns": ["a", "b"], "ordered": ["a", "b"]}, []),
        ({"columns": ["a", "c", "d"], "ordered": ["a", "d"]}, []),
        ({"columns": ["a", "c", "d"], "ordered": ["a", "c", "d"], "keys": ["d"]}, []),
    ],
)
def test_columns_of_the_source_that_are_new_and_nothing_else(changed, new):
    given = {**WINDOW, **changed}
    differs = [key for key in given if given[key] != WINDOW[key]]
    assert m._new_columns(WINDOW, given, differs) == new


def test_a_struct_of_no_column_gets_none():
    """Behind aggregates the columns that are no keys are in a struct."""
    stored = {**WINDOW, "keys": ["a", "c"], "aggregates": [{"name": "n"}]}
    given = {**stored, "columns": ["a", "c", "d"], "ordered": ["a", "c", "d"]}
    assert m._new_columns(stored, given, ["columns", "ordered"]) == []
    stored, given = {**stored, "keys": ["a"]}, {**given, "keys": ["a"]}
    assert m._new_columns(stored, given, ["columns", "ordered"]) == ["d"]


def test_a_quantile_that_another_spark_has_stored_is_rebuilt():
    given = {**GIVEN, "select": {"q": "quantile(temp, 0.9)"}}
    before = task("hours", given)
    ranks = {"kind": "ranks", "argument": "temp", "column": "agg_ranks_temp"}
    assert refusal({**before, "parts": [ranks]}, before) == [
        "new: q = quantile(temp, 0.9)",
        "removed: quantile(temp), as it is stored with Spark 4.0",
    ]
