"""Ratios, goals and the merging of results: bench/results.py."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from bench.__main__ import DEFAULT, GROWTH, QUICK
from bench.results import (
    BENCHMARKS,
    DUCKDB,
    FULL,
    GOALS,
    INCREMENT,
    SPARK,
    Goal,
    Occasion,
    Result,
    Runs,
    in_words,
    load,
    merged,
    occasion,
    outcomes,
    save,
)
from bench.rounds import beside_fewer

ROOT = Path(__file__).resolve().parents[2]
ON = Occasion("2026-11-25", "0123456789", "2 cores", "Python 3.11", busy=0, load=0)
FULL_REFRESH = Result(
    "time_weight", FULL, "full refresh", Runs.of([3.0, 1.0, 2.0], 512.0), ON,
    {SPARK: Runs.of([4.0]), DUCKDB: Runs.of([0.8, 1.2])}, rows=9_167_300,
)  # fmt: skip


def test_ratios_are_of_medians() -> None:
    assert FULL_REFRESH.ratios == {SPARK: 0.5, DUCKDB: 2.0}


def test_a_peer_that_took_no_time_has_no_ratio() -> None:
    assert replace(FULL_REFRESH, peers={SPARK: Runs.of([0.0])}).ratios == {}


@pytest.mark.parametrize(
    ("seconds", "held"), [(2.0, {SPARK: True, DUCKDB: True}), (2.1, {SPARK: True, DUCKDB: False})]
)
def test_a_goal_is_met_up_to_its_bound(seconds: float, held: dict[str, bool]) -> None:
    result = replace(FULL_REFRESH, ours=Runs.of([seconds]))
    assert {goal.peer: goal.held for goal in outcomes(result)} == held


def test_a_goal_without_peer_is_a_bound_in_seconds() -> None:
    tick = replace(FULL_REFRESH, benchmark="tick", kind="nothing new, connect", rows=None)
    [goal] = outcomes(tick)
    assert (goal.text, goal.value, goal.held) == ("at most 5 s", 2.0, True)


@pytest.mark.parametrize(
    "result",
    [replace(FULL_REFRESH, rows=300_000), replace(FULL_REFRESH, on=replace(ON, quick=True))],
)
def test_few_rows_or_a_quick_run_are_not_checked(result: Result) -> None:
    assert {goal.held for goal in outcomes(result)} == {None}


def test_a_peer_that_was_left_out_leaves_its_goal_out() -> None:
    result = replace(FULL_REFRESH, peers={DUCKDB: Runs.of([1.0])})
    assert [goal.peer for goal in outcomes(result)] == [DUCKDB]


def test_growth_has_no_goals() -> None:
    assert outcomes(replace(FULL_REFRESH, series="keys", x=10)) == ()


def test_texts_of_goals() -> None:
    assert Goal("a", FULL, 1.15, SPARK).text == "at most 1.15 × plain Spark"
    assert Goal("a", FULL, 14).text == "at most 14 s"


def test_every_goal_names_a_benchmark_of_the_default_run() -> None:
    assert {goal.benchmark for goal in GOALS} <= {step.benchmark for step in DEFAULT}


def test_every_step_names_a_benchmark_that_exists() -> None:
    steps = [step.benchmark for step in (*DEFAULT, *QUICK, *GROWTH)]
    assert tuple(dict.fromkeys(steps)) == BENCHMARKS
    assert all((ROOT / "bench" / f"{name}.py").is_file() for name in BENCHMARKS)


def test_the_three_forms_stay_within_their_time() -> None:
    assert sum(step.minutes for step in DEFAULT) <= 85
    assert sum(step.minutes for step in QUICK) < 10
    assert sum(step.minutes for step in GROWTH) <= 45


def test_results_are_read_as_they_were_written(tmp_path: Path) -> None:
    save(tmp_path / "results.json", [FULL_REFRESH])
    assert load(tmp_path / "results.json") == [FULL_REFRESH]
    [saved] = json.loads((tmp_path / "results.json").read_text())["results"]
    assert (saved["ours"]["median"], saved["ours"]["min"], saved["ours"]["max"]) == (2.0, 1.0, 3.0)
    assert saved["ratios"] == {SPARK: 0.5, DUCKDB: 2.0}
    assert [goal["held"] for goal in saved["goals"]] == [True, True]


def test_a_command_is_kept_without_places_of_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "sys.argv", ["x", "--rounds", "5", "--json", "/a/b", "--kind", "nothing new"]
    )
    monkeypatch.setattr("bench.results._SECONDS", 0.01)
    assert occasion().command.endswith(" --rounds 5 --kind 'nothing new'")


def test_no_file_has_no_results(tmp_path: Path) -> None:
    assert load(tmp_path / "none.json") == []


def test_new_results_replace_those_of_their_benchmark_and_series() -> None:
    keys = replace(FULL_REFRESH, series="keys", x=10)
    other = replace(FULL_REFRESH, benchmark="windows")
    new = replace(FULL_REFRESH, what="measured again")
    assert merged([FULL_REFRESH, other, keys], [new]) == [new, keys, other]


def test_nothing_new_changes_nothing() -> None:
    assert merged([FULL_REFRESH], []) == [FULL_REFRESH]


def test_increments_over_more_have_those_over_fewer_as_a_peer() -> None:
    few = replace(FULL_REFRESH, kind=INCREMENT, rows=1_000_000, peers={})
    more = replace(few, rows=5_000_000, ours=Runs.of([2.2]))
    assert beside_fewer([few, few, more, more], 1_000_000) == [
        few, few, *[replace(more, peers={"over 1 million": few.ours})] * 2,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (10_000_000, "10 million"),
        (9_167_300, "9.2 million"),
        (1_000_000, "1 million"),
        (300_000, "300,000"),
    ],
)
def test_numbers_in_words(number: int, words: str) -> None:
    assert in_words(number) == words
