"""Which anomalies a report shows with which series: those whose detections read it."""

from __future__ import annotations

import pytest

from strandline.report.found import Anomalies, Evaluation, Found, Series, Table
from strandline.report.lineage import (
    Graph,
    Shown,
    anomalies_of,
    anomalies_of_evaluations,
    with_forecasts,
)

# Two sources with the same key, each with an aggregation, hours, a detector and anomalies.
TWO = {
    "temps_minutes": ["temps"],
    "temps_hours": ["temps_minutes", "temps"],
    "temps_hourly": ["temps_hours"],
    "temps_high": ["temps_hourly"],
    "temps_anomalies": ["temps_high", "temps"],  # its clock is the source
    "loads_minutes": ["loads"],
    "loads_hours": ["loads_minutes", "loads"],
    "loads_hourly": ["loads_hours"],
    "loads_high": ["loads_hourly"],
    "loads_anomalies": ["loads_high", "loads"],
}


def series(name: str, *tables: str) -> Series:
    return Series(name, (), "UTC", tuple(Table(f"`s`.`{each}`", each, "", ()) for each in tables))


TEMPS = series("temps", "temps_hours", "temps_minutes")
LOADS = series("loads", "loads_hours", "loads_minutes")


def shown(
    parents: dict[str, list[str]], anomalies: list[str], both: tuple[Series, ...] = (TEMPS, LOADS)
) -> list[list[Shown]]:
    nodes = {*parents, *(node for read in parents.values() for node in read)}
    graph = Graph(parents, {f"s.{node}": node for node in nodes if "ephemeral" not in node})
    tables = tuple(Anomalies(name, f"`s`.`{name}`", ("detector",)) for name in anomalies)
    return anomalies_of(Found(both, (), (), tables), graph)


def test_two_sources_with_the_same_key_have_their_own_anomalies() -> None:
    assert shown(TWO, ["temps_anomalies", "loads_anomalies"]) == [
        [Shown(0, None)],
        [Shown(1, None)],
    ]


def test_of_a_table_of_both_a_series_has_the_detectors_that_read_it() -> None:
    both = TWO | {"all_anomalies": ["temps_high", "loads_high", "feedback"]}
    assert shown(both, ["all_anomalies"]) == [
        [Shown(0, ("s.temps_high",))],
        [Shown(0, ("s.loads_high",))],
    ]


def test_detections_of_an_ephemeral_model_cannot_be_read_and_all_are_shown() -> None:
    both = TWO | {"ephemeral": ["temps_hourly"], "all_anomalies": ["ephemeral", "loads_high"]}
    assert shown(both, ["all_anomalies"]) == [[Shown(0, None)], [Shown(0, ("s.loads_high",))]]


@pytest.mark.parametrize("rule", [["temps"], ["view_of_temps"]])
def test_a_rule_over_events_belongs_to_what_is_made_of_them(rule: list[str]) -> None:
    both = TWO | {"view_of_temps": ["temps"], "rule": rule, "found": ["rule"]}
    assert shown(both, ["found"]) == [[Shown(0, None)], []]


def test_a_clock_of_other_events_brings_no_series() -> None:
    """Both series are made of one table; the detector reads one of them."""
    shared = {
        "temps_hours": ["events"], "loads_hours": ["events"],
        "high": ["temps_hours"], "anomalies": ["high", "events"],
    }  # fmt: skip
    assert shown(shared, ["anomalies"]) == [[Shown(0, None)], []]


def test_what_reads_another_series_belongs_to_the_nearest() -> None:
    above = {"loads_hours": ["temps_hours"], "high": ["loads_hours"], "anomalies": ["high"]}
    assert shown(above, ["anomalies"]) == [[], [Shown(0, None)]]


def test_anomalies_of_nothing_that_is_shown_belong_to_no_series() -> None:
    assert shown(TWO | {"rule": ["other"], "found": ["rule"]}, ["found", "unknown"]) == [[], []]


# A season, its detector and forecast; a label between another detector and the anomalies.
SEASON = {
    "expected": ["hours"],
    "unusual": ["expected"],
    "ahead": ["expected"],
    "few": ["hours"],
    "labelled": ["few", "calendar"],
    "all_anomalies": ["unusual", "labelled"],
    "others": ["elsewhere"],
}


def evaluated(*names: str, season: str = "expected") -> Found:
    evaluations = tuple(
        Evaluation(name, f"`s`.`{name}`", "season" if name == season else "detector", "select 1")
        for name in names
    )
    tables = (Anomalies("all_anomalies", "`s`.`all_anomalies`", ("detector",)),)
    return Found((), (), (), tables, evaluations)


def graph_of(parents: dict[str, list[str]]) -> Graph:
    nodes = {*parents, *(node for read in parents.values() for node in read)}
    return Graph(parents, {f"s.{node}": node for node in nodes})


def test_what_a_detector_evaluates_has_the_anomalies_that_are_made_of_it() -> None:
    found = evaluated("expected", "few", "others", "unusual")
    assert anomalies_of_evaluations(found, graph_of(SEASON)) == [
        [Shown(0, ("unusual",))],  # through its detector
        [Shown(0, ("labelled",))],  # through its labels
        [],
        [Shown(0, ("unusual",))],
    ]


def test_a_forecast_is_shown_with_its_season_and_the_detectors_that_read_it() -> None:
    found = with_forecasts(evaluated("expected", "few", "unusual"), ["s.ahead"], graph_of(SEASON))
    assert [each.forecast for each in found.evaluations] == ["s.ahead", None, "s.ahead"]
    found = with_forecasts(evaluated("expected", "few"), [], graph_of(SEASON))
    assert [each.forecast for each in found.evaluations] == [None, None]
