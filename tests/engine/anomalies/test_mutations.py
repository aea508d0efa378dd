"""Mutation tests: random histories find each mutation of the macros of anomalies.

A mutation is a replaced text in one macro. The text must be there: when a macro is rewritten, its
mutation is rewritten with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.conftest import ROOT, drop_schema
from tests.engine.anomalies.on_spark import OnSpark, text
from tests.engine.anomalies.oracle_rows import Detection
from tests.engine.anomalies.test_parallel_cases import compare
from tests.engine.mutated import package_with


class Mutation(NamedTuple):
    macro: str
    text: str
    instead: str


MUTATIONS = {
    "only an increase is significant": Mutation(
        "_is_significant", "'abs(' ~ found ~ ' - ' ~ stored ~ ')'", "'(' ~ found ~ ' - ' ~ stored ~ ')'"),
    "an anomaly that began before the range becomes outdated": Mutation(
        "_classified", "is_wholly=true", "is_wholly=false"),
    "a range contains what ends at its start": Mutation("_in_ranges", "'ends_at > '", "'ends_at >= '"),
    "the watermark moves back": Mutation("_moved_watermark", "[watermark, reached] | max", "reached"),
    "a gap of just the gap merges": Mutation("_families", ">= unix_micros(lag(ends_at)", "> unix_micros(lag(ends_at)"),
    "families are merged in the order of the start": Mutation(
        "_families", "order by ends_at, starts_at", "order by starts_at, ends_at"),
    "a family may not last as long as it may": Mutation(
        "_families", "<= {{ task.merge_max_duration }}L", "< {{ task.merge_max_duration }}L"),
    "increases and decreases merge": Mutation("_direction", "current_value < baseline_value then -1", "current_value < baseline_value then 1"),
    "a notified member has no precedence": Mutation("_incidents", "when notified_at is not null then 1", "when notified_at is not null then 3"),
    "the least extreme member represents the family": Mutation(
        "_incidents", "-abs(current_value - baseline_value)", "abs(current_value - baseline_value)"),
    "what was notified is lost": Mutation(
        "_notified_incidents",
        "__first_member.notified is not null or __first_member.notified_at is not null", "false"),
    "feedback has no effect": Mutation(
        "_notified_incidents", "__is_suppressed or __parent is null and __is_suppressed_alone", "false"),
    "an anomaly without a parent is its own": Mutation(
        "_changes", "nullif(__incident.__root_id, __row.anomaly_id)", "__incident.__root_id"),
    "ignored anomalies are active": Mutation("_is_active", "('outdated', 'ignored')", "('outdated')"),
    "families before the change are not read": Mutation(
        "_affected", "summary.earliest_start - reach - task.merge_max_duration", "summary.earliest_start"),
}  # fmt: skip
# These bring the behaviour of 0.1.0 back: histories with late detections find them.
OF_LATE = {
    "late detections are not analysed": Mutation("_anomaly_run", "(arrived.ranges if arrived else [])", "[]"),
    "a new interval is needed to analyse what is late": Mutation("_anomaly_run", "not arrived.late and not arrived.changed", "true"),
}  # fmt: skip
SEEDS = (38, 7, 8, 9, 15, 16)


@pytest.fixture
def project(spark: Any, tmp_path: Path, write_files: Callable) -> Iterator[Callable[..., OnSpark]]:
    """A project for each seed, because each has settings of its own."""
    schemas = []

    def make(seed: int, package: Path = ROOT) -> OnSpark:
        schemas.append(f"mutated_{seed}")
        return OnSpark(spark, tmp_path / schemas[-1] / "project", write_files, schemas[-1], package)

    yield make
    for schema in schemas:
        drop_schema(spark, schema)


@pytest.mark.soak
@pytest.mark.parametrize("name", MUTATIONS)
def test_a_mutation_is_caught(project: Callable[..., OnSpark], tmp_path: Path, name: str) -> None:
    package = package_with([MUTATIONS[name]], tmp_path / "package")
    with pytest.raises(AssertionError, match=r"found and meant|\.watermark"):
        play(project, package)


@pytest.mark.soak
@pytest.mark.parametrize("name", OF_LATE)
def test_a_mutation_of_late_detections_is_caught(
    project: Callable[..., OnSpark], tmp_path: Path, name: str
) -> None:
    package = package_with([OF_LATE[name]], tmp_path / "package")
    with pytest.raises(AssertionError, match=r"found and meant|\.watermark"):
        play(project, package, (4, 7, 9, 18), midnight=120)  # 4: late without a new interval


@pytest.mark.soak
def test_a_clock_of_the_future_that_is_analysed_is_caught(
    project: Callable[..., OnSpark], tmp_path: Path
) -> None:
    mutation = Mutation("_is_not_future", "task.settings.not_after is none", "true")
    consolidated = project(0, package_with([mutation], tmp_path / "package"))
    consolidated.define(more=f", not_after=\"(select timestamp'{text(3000)}Z')\"")
    future = Detection(("high", "AA"), 39_999_990, 40_000_050, 7.0, arrival=1)
    consolidated.detect({0: [Detection(("high", "AA"), 0, 15, 4.0, arrival=1), future]})
    consolidated.run()
    assert (consolidated.watermark, len(consolidated.read()[0][0])) != (15, 1)


@pytest.mark.soak
def test_without_a_mutation_nothing_is_caught(project: Callable[..., OnSpark]) -> None:
    play(project, ROOT)


def play(
    project: Callable[..., OnSpark],
    package: Path,
    seeds: tuple[int, ...] = SEEDS,
    midnight: int | None = None,
) -> None:
    for seed in seeds:
        compare(project(seed, package), seed, count=60, runs=5, midnight=midnight)
