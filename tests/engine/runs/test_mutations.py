"""Mutation tests: each mutation of the macros is found by the histories, on a copy of the package.

A mutation is a replaced text in one macro. The text must be there: when a macro is
rewritten, its mutation is rewritten with it.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.engine.mutated import package_with
from tests.engine.runs.compare import Difference
from tests.engine.runs.definition import Definition, simple
from tests.engine.runs.harness import Runs
from tests.engine.runs.histories import (
    MILLIS,
    MUTABLE,
    History,
    _at,
    ledger_case,
    millis_case,
    stream,
    together,
)
from tests.engine.runs.test_histories import play

COLUMNS = {
    "arrival": "bigint", "id": "string", "case_id": "int", "symbol": "string", "ts": "timestamp",
    "quantity": "bigint", "y": "double",
}  # fmt: skip
LEDGER = Definition(
    "ledger", COLUMNS, simple(n="count(*)", total="sum(quantity)", v="variance(y)", f="first(y)", now="quantity"),
    every=("hours", "days"), keys=("case_id", "symbol"), event_id="id", time_zone="America/New_York",
)  # fmt: skip
FLOW = {"arrival": "bigint", "id": "string", "symbol": "string", "ts": "timestamp", "n": "int"}
KEEPING = Definition(
    "flow", FLOW, simple(total="sum(n)"), every=("seconds",), keys=("symbol",), buffer_size=2
)
DROPPING = KEEPING.but(drops=True)
BYTES = Definition(
    "bytes", {"arrival": "bigint", "id": "binary", "case_id": "int", "ts": "bigint", "n": "int"},
    simple(total="sum(n)"), every=("hours",), keys=("case_id",), event_id="id",
)  # fmt: skip


class Mutation(NamedTuple):
    definition: Definition
    macro: str
    text: str
    instead: str
    killed_at: int | None = None
    also: tuple[tuple[str, str, str], ...] = ()
    """Other macros, each with a text and its replacement: a mutation of several macros."""
    refused: str | None = None
    """The error of Spark, if the run fails before its rows can be compared."""


EVENTS, LATE = "_events_change", "_late_reason"
ROLLUP, PARTS = "_rollup_change", "_parts"
NEWEST = "_newest_before"
ADDED = "    select * from {{ relation }} where {{ in_partitions }} and {{ is_changed }}\n    union all\n"
KEPT = (
    "union all\nselect * from {{ relation }} where {{ in_partitions }} and not {{ is_changed }}\n"
)
UPSTREAM = """    where {{ strandline._in_spans(changed.spans, 'agg_timestamp',
        strandline._longest_bucket(task.duration, task.time_zone)) }}
"""
RECOMPUTED = "    {{ strandline._aggregation_columns(task) }}\n"
TIME = """{{ strandline._event_time(task, strandline._read_time(task,
            '__upstream.' ~ strandline._quoted(task.ts))) }}"""
MUTATIONS = {
    "at or after the watermark": Mutation(LEDGER, "_is_new", "' > ' ~ watermark", "' >= ' ~ watermark"),
    "the greatest event time as the watermark": Mutation(
        LEDGER, EVENTS, "strandline._is_new(task, counted.above if counted else watermark)",
        "('__upstream.' ~ task.ts ~ ' >= (select max(agg_timestamp) from ' ~ relation ~ ')' if watermark else none)"),
    "duplicates count": Mutation(LEDGER, LATE, "when agg_copy > 1\n", "when agg_copy < 0\n"),
    "only duplicates within a run are found": Mutation(
        LEDGER, "_events_scope", "if is_new and task.event_id", "if false"),
    "the range of new ids is text, and new events are restricted to it": Mutation(
        BYTES, "_exact_text", "^(binary|string", "^(string", also=(
            ("_typed_literal", "\"X'\" ~ text[1:] ~ \"'\"", "\"cast('\" ~ text ~ \"' as binary)\""),
            ("_events_scope", "'(' ~ is_new ~ ' or ' ~ id", "'(' ~ id"))),
    "texts are quoted without escapes": Mutation(
        LEDGER, "_exact_text", "concat('x', hex(cast({{ value }} as string)))", "cast({{ value }} as string)", also=(
            ("_typed_literal", "\"cast(X'\" ~ text[1:] ~ \"' as string)\"", "strandline._quoted_literal(text)"),
            ("_quoted_literal", ".replace('${', '\\\\u0024{')", ""))),
    "null is no group": Mutation(
        LEDGER, EVENTS, "where late_reason is null{% if counted %}",
        "where late_reason is null and symbol = symbol{% if counted %}"),
    "the zone is ignored": Mutation(LEDGER, "_local", "if time_zone == 'UTC'", "if true"),
    "stored rows of changed buckets are ignored": Mutation(LEDGER, EVENTS, ADDED, ""),
    "stored rows of other buckets are ignored": Mutation(LEDGER, EVENTS, KEPT, ""),
    "a roll-up's rows of other buckets are ignored": Mutation(
        LEDGER, ROLLUP, "(not {{ is_recomputed }}", "(false"),
    "a roll-up reads no further than its bucket begins": Mutation(
        LEDGER.but(time_zone="UTC"), "_longest_bucket", "return(unit.longest.seconds)", "return(0)"),
    "one of the changed slices is enough": Mutation(
        LEDGER.but(time_zone="UTC"), "_slices_in", "split(',') | select | map", "split(',')[:1] | select | map"),
    "roll-up rows are computed from the changed upstream rows only": Mutation(
        LEDGER, ROLLUP, UPSTREAM, UPSTREAM.rstrip() + " and {{ is_changed }}\n"),
    "roll-up rows are added to the stored ones": Mutation(
        LEDGER, ROLLUP, UPSTREAM,
        UPSTREAM + "    union all select * from {{ relation }} where {{ in_partitions }}\n"),
    "a model is skipped whatever its inputs are": Mutation(
        LEDGER, "_inputs", "{{- return(inputs_of_run(", "{{- return({'note': none, 'is_unchanged': not is_new}) -}}\n    {{- return(inputs_of_run("),
    "one of the changed partitions is enough": Mutation(
        LEDGER.but(time_zone="UTC"), "_partitions_in", "split(',') | select", "split(',')[:1] | select",
        refused="DELTA_REPLACE_WHERE_MISMATCH"),
    "a table that a crash left behind uses its upstream table's watermark": Mutation(
        LEDGER.but(time_zone="UTC"), ROLLUP, "strandline._watermark(relation)", "strandline._watermark(task.upstream)",
        killed_at=2),
    "counts are counted": Mutation(
        LEDGER, PARTS, "'count': {'partial': 'count({x})', 'merge': 'sum({x})'}", "'count': {'partial': 'count({x})', 'merge': 'count({x})'}"),
    "the first to arrive is the first": Mutation(
        LEDGER, PARTS, "named_struct('at', {at}, 'arrival', {arrival}", "named_struct('arrival', {arrival}, 'at', {at}"),
    "variances are added": Mutation(
        LEDGER, "_joined_moments",
        "'__a.m2 + __b.m2 + pow(__b.mean - __a.mean, 2D) * __a.n * __b.n / (__a.n + __b.n)'", "'__a.m2 + __b.m2'"),
    "an event without a time counts": Mutation(
        LEDGER, "_timed_events", TIME + " as agg_event_time", "coalesce(" + TIME + ", timestamp'2013-01-01 00:00:00Z') as agg_event_time"),
    "late events are reported again": Mutation(
        LEDGER, "_late_events", "strandline._is_new(task, above)", "none",
        # A second guard, for a run that was killed between the rows and the watermark.
        also=(("_classified_late", "~ last if last else", "~ last if false else"),)),
    "the arrival of a row is its earliest": Mutation(
        LEDGER, "_aggregation_buckets", "max({{ 'agg_event_arrival'", "min({{ 'agg_event_arrival'"),
    "late is never late": Mutation(DROPPING, LATE, "if task.buffer and task.buffer.drops", "if false"),
    "the buffer is one longer": Mutation(
        DROPPING, "_oldest_open_instant", "set steps = task.buffer.size", "set steps = task.buffer.size + 1"),
    "an old event keeps its own bucket": Mutation(
        KEEPING, "_events", "if task.buffer and not task.buffer.drops else own", "if false else own"),
    "events of one arrival are compared with each other": Mutation(
        KEEPING, NEWEST, "order by agg_order rows between unbounded preceding and 1 preceding",
        "order by agg_order rows between unbounded preceding and current row"),
    "the newest is lost between runs": Mutation(
        KEEPING, NEWEST, "{{ newest or 'cast(null as bigint)' }}", "cast(null as bigint)"),
    "a shortened hour begins in the one before": Mutation(
        MILLIS, "_clock_bucket", "    {%- set passed = ", "    {{- return('timestamp_seconds(' ~ start ~ ')') -}}\n    {%- set passed = "),
    "a recomputed row keeps at least the watermark of before": Mutation(
        MUTABLE, "_recomputed_change", RECOMPUTED + "from __buckets\n", RECOMPUTED
        + "from (select * except (agg_arrival), greatest(agg_arrival, {{ watermark or '0' }}) as agg_arrival from __buckets)\n"),
}  # fmt: skip


def history(definition: Definition, runs: int, cases: int) -> History:
    chance = random.Random(2018)  # noqa: S311
    case_of = dict.fromkeys(("bytes", "millis", "mutable"), millis_case) | {"ledger": ledger_case}
    if one := case_of.get(definition.name):
        return together(chance, [one(chance, case) for case in range(cases)], runs, 1)
    return stream(chance, 1, 60, runs, _at(2018, 1, 5))


@pytest.mark.soak
@pytest.mark.parametrize("name", MUTATIONS)
def test_a_mutation_is_caught(runs: Any, tmp_path: Path, name: str) -> None:
    mutation = MUTATIONS[name]
    changes = [(mutation.macro, mutation.text, mutation.instead), *mutation.also]
    package = package_with(changes, tmp_path / "package")
    project = runs("mutation", mutation.definition, package=package, width="week")
    caught = AssertionError if mutation.refused else Difference
    with pytest.raises(caught, match=mutation.refused):
        live(project, mutation.definition, killed_at=mutation.killed_at)


@pytest.mark.soak
def test_without_a_mutation_nothing_is_caught(runs: Any) -> None:
    sound = [LEDGER, BYTES, KEEPING, DROPPING.but(name="dropping"), MILLIS, MUTABLE]
    live(runs("sound", *sound), *sound)


def live(project: Runs, *definitions: Definition, killed_at: int | None = None) -> None:
    # The run that crashes must have events, and weeks that the run after it does not change again.
    runs, cases = (5, 10) if killed_at else (3, 25)
    play(project, {each.name: history(each, runs, cases) for each in definitions}, killed_at)
    project.compare()
