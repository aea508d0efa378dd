"""The generated parts of docs/performance.md: bench/page.py."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from bench.page import TITLES, figures, page, svg
from bench.results import (
    BENCHMARKS,
    BY_HAND,
    DUCKDB,
    FULL,
    INCREMENT,
    NOTHING,
    RESULTS,
    SPARK,
    Occasion,
    Result,
    Runs,
    load,
)

ROOT = Path(__file__).resolve().parents[2]
ON = Occasion(
    "2026-11-25",
    "0123456789",
    "2 cores, 24 GiB",
    "Python 3.11",
    busy=0.1,
    load=0,
    command="python -m bench.aggregation",
)
RESULT = Result(
    "aggregation", FULL, "six tables", Runs.of([50.0, 60.0, 55.0], 2_579.0), ON,
    {SPARK: Runs.of([50.0]), DUCKDB: Runs.of([10.0])}, rows=10_000_000,
)  # fmt: skip
TEXT = "by hand\n\n<!-- results: {} -->\nold\n<!-- end -->\n\nafter\n"


def part(name: str, results: list[Result]) -> str:
    """What stands between the markers."""
    text = page(TEXT.format(name), results)
    found = re.fullmatch(
        rf"by hand\n\n<!-- results: {name} -->\n\n(.*)\n\n<!-- end -->\n\nafter\n", text, re.S
    )
    assert found, text
    return found[1]


def of(kind: str, seconds: float, **other: object) -> Result:
    """A figure without peers, unless they are given."""
    return replace(RESULT, kind=kind, ours=Runs.of([seconds]), **{"peers": {}, **other})


def test_answers_are_of_the_most_rows_with_all_kinds_of_runs() -> None:
    results = [
        *(replace(one, rows=1_000) for one in (of(NOTHING, 9), of(INCREMENT, 9), of(FULL, 9))),
        of(NOTHING, 1.0),
        of(INCREMENT, 9.0, peers={BY_HAND: Runs.of([5.5])}),
        RESULT,
        of(INCREMENT, 8.0, rows=50_000_000),
    ]
    assert part("answers", results) == (
        "| | rows before | nothing new, s | little new, s | merge by hand | first build, s "
        "| plain Spark | DuckDB |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n"
        "| [Aggregation](#aggregation) | 10 million | 1.00 | 9.00 | 5.50 | 55.0 | 50.0 | 10.0 |"
    )


def test_answers_of_several_tables_are_the_least_and_the_greatest() -> None:
    kinds = ((NOTHING, 1.001), (NOTHING, 1.002), (INCREMENT, 3), (INCREMENT, 5), ("first build", 7))
    results = [
        of(kind, seconds, benchmark="time_weight", rows=9_167_300) for kind, seconds in kinds
    ]
    line = part("answers", results).splitlines()[-1]
    assert line == (
        "| [Time weights](#time-weights) | 9.2 million | 1.00 | 3.00 to 5.00 | | 7.00 | | |"
    )


def test_a_part_without_one_of_the_runs_has_no_answer() -> None:
    assert "measured yet" in part("answers", [RESULT, of(INCREMENT, 9.0)])


def test_answers_grow_with_the_events() -> None:
    results = [
        of(FULL, 14.0, series="events", x=1_000_000, peers={SPARK: Runs.of([10.6])}),
        of(FULL, 166.0, series="events", x=30_000_000, peers={SPARK: Runs.of([151.0])}),
        of(INCREMENT, 12.4, series="events", x=1_000_000),
        of(FULL, 99.0, series="keys", x=10),
    ]
    assert part("answers", results) == (
        "| six tables, s | 1 million events | 30 million events |\n"
        "| --- | ---: | ---: |\n"
        "| little new | 12.4 | |\n"
        "| first build | 14.0 | 166 |\n"
        "| first build, plain Spark | 10.6 | 151 |"
    )


def test_answers_have_whole_runs() -> None:
    results = [
        of("a model, local", 0.1, benchmark="tick", what="a model"),
        of("nothing new, local", 16.8, benchmark="tick", what="`dbt run`"),
    ]
    assert part("answers", results) == (
        "| a whole run, start included | s |\n| --- | ---: |\n| `dbt run` | 16.8 |"
    )


def test_goals() -> None:
    assert part("goals", [RESULT]) == (
        "| benchmark | figure | ours, s | peer, s | ratio | goal | |\n"
        "| --- | --- | ---: | ---: | ---: | --- | --- |\n"
        "| aggregation | six tables | 55.0 | 50.0 | 1.10 | at most 1.15 × plain Spark | met |"
    )


@pytest.mark.parametrize(("seconds", "word"), [(57.5, "| met |"), (57.6, "| **missed** |")])
def test_met_and_missed(seconds: float, word: str) -> None:
    assert word in part("goals", [replace(RESULT, ours=Runs.of([seconds]))])


def test_a_benchmark_has_spreads_ratios_and_circumstances() -> None:
    text = part("aggregation", [RESULT, replace(RESULT, benchmark="windows", what="other")])
    assert "| | ours, s | plain Spark | DuckDB | heap, MiB |\n" in text
    assert "| six tables | 55.0 [50.0, 60.0] | 50.0 (1.10) | 10.0 (5.50) | 2,579 |\n" in text
    assert text.endswith(
        "Medians of 3 runs; 25 November 2026, commit `0123456789`; 2 cores, 24 GiB, "
        "0.1 cores busy before; Python 3.11. `python -m bench.aggregation`"
    )
    assert "other" not in text


def test_a_peer_that_was_not_measured_leaves_a_gap() -> None:
    by_hand = replace(RESULT, kind=INCREMENT, what="new events", peers={BY_HAND: Runs.of([5.5])})
    text = part("aggregation", [RESULT, by_hand])
    assert "| new events | 55.0 [50.0, 60.0] | | | 5.50 (10.0) | 2,579 |" in text


def test_growth_is_beside_its_first_point() -> None:
    points = [
        replace(RESULT, series="events", x=x, what=f"{x} events", ours=Runs.of([seconds]))
        for x, seconds in ((1, 5.0), (10, 55.0))
    ]
    text = part("growth", points)
    assert "| aggregation | 10 events | 55.0 | 11.0 | 50.0 | 10.0 |" in text
    assert "Medians of 1 run;" in text


@pytest.mark.parametrize("name", ["answers", "goals", "plots", "growth", *BENCHMARKS, "unknown"])
def test_without_results_a_part_says_so(name: str) -> None:
    assert "measured yet: `python -m bench" in part(name, [])


def test_a_second_time_changes_nothing() -> None:
    once = page(TEXT.format("goals"), [RESULT])
    assert page(once, [RESULT]) == once


def test_plots_that_have_figures_are_shown() -> None:
    assert part("plots", [RESULT]) == f"![{TITLES['refreshes']}](performance/refreshes.svg)"


def test_plots_are_svg() -> None:
    points = [replace(RESULT, series="events", x=x) for x in (1, 10)]
    results = [RESULT, replace(RESULT, kind=INCREMENT), *points]
    for name in TITLES:
        assert figures(name, results)
        assert svg(name, results).startswith("<svg")


def test_the_page_has_every_benchmark() -> None:
    text = (ROOT / "docs" / "performance.md").read_text()
    assert {"answers", "goals", "plots", "growth", *BENCHMARKS} <= set(
        re.findall(r"<!-- results: (\w+) -->", text)
    )
    assert text.count("<!-- results: ") == text.count("<!-- end -->")


def test_the_page_is_what_the_results_say() -> None:
    """`python -m bench --render` makes it so."""
    text = (ROOT / "docs" / "performance.md").read_text()
    assert load(RESULTS)
    assert page(text, load(RESULTS)) == text
