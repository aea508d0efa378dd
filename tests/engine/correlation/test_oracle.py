"""The oracle of correlation against the texts: each rule, worked out by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.engine.correlation.cases import Case, Run, Stream, plain, simulate, simulate_runs, states
from tests.engine.correlation.examples import (
    SLA,
    SLA_ALERTS,
    SLA_FIRINGS,
    TRACES,
    fired,
    letters,
    short,
)
from tests.engine.correlation.oracle import Correlator, correlate
from tests.engine.correlation.patterns import Correlation
from tests.engine.windows.oracle_rows import SECOND, Aggregate, Event, Store, Window


@pytest.mark.parametrize("name", TRACES)
def test_the_traces_of_the_source(name: str) -> None:
    case, expected = TRACES[name]
    assert short(simulate(case)) == expected


def test_trace_4_with_c_again_and_again() -> None:
    steps = [("a", 0), ("b", 1), *(("c", at) for at in (2, 6))]
    assert fired(["a and b and not c"], *steps) == []


def test_stages_1_to_3() -> None:
    assert short(simulate(SLA)) == SLA_FIRINGS


def test_alerts_of_stages_1_to_3() -> None:
    [(tables, frontier)] = states(SLA)
    alerts = []
    for firing in correlate(SLA.correlation, tables, frontier):
        one, two, three = firing.rows.values()
        ids = (
            one and one["event_1_id"],
            two and two["event_2_id"],
            three and three["event_3_id"],
        )
        comments = {
            (False, True): "Stage 2 missing!",
            (True, False): "Stage 3 missing!",
            (False, False): "Stage 2 & 3 missing!",
            (True, True): "All OK!",
        }
        comment = comments[ids[1] is not None, ids[2] is not None]
        if one["event_priority"] < 7.5:
            alerts.append((*ids, one["event_priority"], comment))

    assert alerts == SLA_ALERTS


@pytest.mark.parametrize("when", [["a and not b", "a and not c"], ["a and not c", "a and not b"]])
def test_the_first_in_order_fires_alone(when: list[str]) -> None:
    assert fired(when, ("a", 0)) == [(1, 10, 0, (1, None, None))]


def test_the_order_is_that_of_what_can_fire() -> None:
    when = ["a and not b", "a and not c"]
    assert fired(when, ("a", 0), ("b", 1)) == [(1, 10, 1, (1, None, None))]


def test_an_expulsion_comes_before_the_order() -> None:
    """When a leaves, b is alone, and the first pattern's set is equal: too late."""
    assert fired(["b", "a and not c"], ("a", 0), ("b", 5)) == [(1, 10, 1, (1, None, None))]


def test_a_not_event_in_the_cycle_of_the_leaving_is_too_late() -> None:
    when, steps = ["a and b and not c"], [("a", 0), ("b", 1)]
    assert fired(when, *steps, ("c", 9)) == []
    assert fired(when, *steps, ("c", 10)) == [(1, 10, 0, (1, 2, None))]


def test_an_event_that_arrives_as_its_stream_leaves_does_not_keep_it() -> None:
    steps = [("a", 0), ("b", 1), ("a", 10)]
    assert fired(["a and b and not c"], *steps) == [(1, 10, 0, (1, 2, None))]


def test_both_present_streams_leave_at_once() -> None:
    assert fired(["a and b and not c"], ("b", 0), ("a", 10)) == [(1, 20, 0, (2, 1, None))]


def test_they_must_stay_for_a_cycle() -> None:
    """b comes as a leaves: at no end of a cycle both are there."""
    assert fired(["a and b and not c"], ("a", 0), ("b", 10)) == []


def test_repeated_ids() -> None:
    """The stream leaves with the last one; shown is the first that is inside."""
    steps = [("a", 0), ("a", 5), ("b", 6)]
    assert fired(["a and b and not c"], *steps) == [(1, 15, 0, (2, 3, None))]
    assert fired(["a and b"], *steps) == [(1, 6, 0, (1, 3, None))]
    assert fired(["a and b"], ("b", 0), ("a", 6), ("a", 6)) == [(1, 6, 0, (2, 1, None))]


def test_an_immediate_one_fires_when_another_stream_leaves() -> None:
    assert fired(["a and b"], ("c", 0), ("a", 1), ("b", 2)) == [(1, 3, 0, (2, 3, None))]


def test_ids_are_apart_and_null_is_none() -> None:
    steps = [("a", 0, 2), ("a", 0, 1), ("b", 1, 1), ("b", 1, 2), ("a", 2, None), ("b", 3, None)]
    assert fired(["a and b"], *steps) == [(1, 1, 0, (2, 3, None)), (2, 1, 0, (1, 4, None))]


def test_a_sliding_window_of_one_leaves_and_arrives() -> None:
    case = letters(["a and not c"], ("a", 0), ("a", 4), aliases="ac")
    window = replace(case.streams["a"].window, store=Store("sliding", 1))
    case.streams["a"] = replace(case.streams["a"], window=window)

    assert short(simulate(case)) == [(1, 4, 0, (1, None))]


def test_versions_of_an_aggregate() -> None:
    """A changed value leaves and arrives in one cycle: alone, it ends a life and begins one."""
    window = Window(
        Store("time", size=5 * SECOND), ("ref",), aggregates={"n": Aggregate("count", "id")}
    )
    other = Window(Store("sliding", 3))
    case = Case(
        {"a": Stream(window, "ref", "a"), "b": Stream(other, "ref", "b")},
        ["a and not b"],
        [Run({"a": [Event(n, n * SECOND, {"id": n, "ref": 1}) for n in (1, 2)]}, 60 * SECOND)],
    )
    [(tables, frontier)] = states(case)

    firings = correlate(case.correlation, tables, frontier)
    assert [(firing.cycle.at / SECOND, firing.rows["a"]) for firing in firings] == [
        (2, {"ref": 1, "n": 1}),
        (6, {"ref": 1, "n": 2}),
        (7, {"ref": 1, "n": 1}),
    ]


def test_the_frontier_is_the_slowest_clock() -> None:
    """It is inclusive; what the other stream has beyond it waits."""
    window = Window(Store("time", size=100 * SECOND))
    row = {"id": 1, "ref": 1}
    runs = [
        Run({"a": [Event(1, 5 * SECOND, row), Event(2, 5 * SECOND, row)]}),
        Run({"b": [Event(3, 4 * SECOND, row)]}),
        Run({"b": [Event(4, 5 * SECOND, {"id": 2, "ref": 2})]}),
        Run({"a": [Event(9, 5 * SECOND, {"id": 3, "ref": 2})]}),
        Run({"b": [Event(8, 5 * SECOND, {"id": 4, "ref": 3})]}),
        Run({"b": [Event(9, 5 * SECOND, {"id": 5, "ref": 3})]}),
    ]
    case = Case({alias: Stream(window, "ref", alias) for alias in "ab"}, ["a and b"], runs)

    assert simulate_runs(case) == [
        [],
        [],
        [(1, (5 * SECOND, None, (0,)), 0, (1, 1))],
        [],
        [],
        [(2, (5 * SECOND, 9, (0,)), 0, (3, 2))],
    ]


def test_a_run_reads_what_is_unread() -> None:
    """Also if the frontier stays where it is, or the tables are those of a later run."""
    case, [firing] = TRACES["2: fire as soon as a exits"]
    [(tables, frontier)] = states(case)
    correlator = Correlator(case.correlation)
    steps = [(None, None), (1 * SECOND, None), (10 * SECOND - 1, 9), (10 * SECOND, None)]
    found = [short(plain(correlator.run(tables, at))) for at in [*steps, steps[-1], frontier]]

    assert found == [[], [], [], [firing], [], []]


@pytest.mark.parametrize("when", [["not a"], ["a and not a"], ["a and x"], ["a and b", "b and a"]])
def test_what_is_not_a_pattern(when: list[str]) -> None:
    with pytest.raises(ValueError, match="pattern"):
        Correlation({"a": "id", "b": "id"}, when).patterns()
