"""Split invariance: however the events are split into batches, every table ends with the same rows.

Each case is a group of its own, so that one run of dbt covers hundreds of random histories, each
split in its own places. Rules that look over all groups get long histories of their own.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

import pytest
from tests.engine.runs.compare import Difference
from tests.engine.runs.definition import Definition, simple
from tests.engine.runs.harness import Runs
from tests.engine.runs.histories import (
    ARRIVED,
    LEDGER,
    MILLIS,
    MUTABLE,
    TEXTS,
    History,
    _at,
    cases,
    stream,
)
from tests.engine.runs.shrink import shrink

pytestmark = pytest.mark.first

SEEDS = range(8_255, 8_255 + int(os.environ.get("STRANDLINE_SEEDS", "1")))
CASES = 300  # of each definition and seed
RUNS = 4 if len(SEEDS) > 1 else 3  # of each history; one less in make test

FLOW = {"arrival": "bigint", "id": "string", "symbol": "string", "ts": "timestamp", "n": "int"}
PLAIN = {"total": "sum(n)", "c": "count(*)"}
BUFFERED = [
    # a definition, the length of its base bucket in seconds, and when its history begins
    (Definition("open_2", FLOW, simple(**PLAIN, f="first(n)", now="n"), keys=("symbol",),
                every=("seconds", "minutes"), buffer_size=2), 1, _at(2013, 3, 10, 6, 55)),
    (Definition("drop_2", FLOW, simple(**PLAIN), keys=("symbol",), event_id="id",
                every=("seconds", "minutes"), buffer_size=2, drops=True), 1, _at(2012, 2, 29, 23, 58)),
    (Definition("open_0", FLOW, simple(**PLAIN), keys=("symbol",), event_id="id",
                every=("hours", "days"), buffer_size=0, time_zone="America/New_York"), 3_600, _at(2013, 10, 20)),
    (Definition("drop_any", FLOW, simple(**PLAIN),
                every=("minutes", "hours"), drops=True), 60, _at(1969, 12, 31, 22)),
    (Definition("open_5", FLOW, simple(**PLAIN, now="n"), keys=("symbol",),
                every=("days", "months"), buffer_size=5, time_zone="America/New_York"), 86_400, _at(2012, 10, 1)),
]  # fmt: skip


def play(project: Runs, histories: dict[str, History], killed_at: int | None = None) -> None:
    """Lands and runs batch by batch; the last run but one may crash, and the last continues."""
    count = max(map(len, histories.values()))
    for number in range(count):
        landed = False
        for name, history in histories.items():
            if number < len(history):
                project.land(name, history[number])
                landed |= bool(history[number])
        if number == count - 2 and killed_at is not None:
            project.run_killed(killed_at, before=True)
            continue
        messages = project.run()
        mutable = [
            t
            for each in project.definitions.values()
            for t in each.tables
            if each.mutability_period
        ]
        wrote = [
            f"{model}: {m}"
            for model, m in messages.items()
            if m != "nothing new" and model not in mutable
        ]
        if number and not landed and wrote:
            raise Difference("a run without new events wrote", wrote, set())


def check(
    project: Runs, histories: dict[str, History], seed: int, again: Callable[[Definition], Runs]
) -> None:
    """Compares with the oracle and with a full refresh; a difference is shown by its smallest history."""
    try:
        project.compare(f"(seed {seed})")
        project.compare_with_full_refresh(f"(seed {seed})")
    except Difference as difference:
        print(f"seed {seed}: {difference}\nlooking for a smaller history …", flush=True)
        name = next(n for n in project.definitions if str(difference).startswith(f"{n}_"))
        smallest: list[Difference] = [difference]

        def fails(history: History) -> bool:
            small = again(project.definitions[name])
            try:
                play(small, {name: history})
                small.compare()
                small.compare_with_full_refresh()
            except Difference as still:
                smallest[0] = still
                return True
            return False

        wrong = min(difference.cases, default=None)
        history = histories[name]
        if wrong is not None:
            history = [[e for e in some if e["case_id"] == wrong] for some in history]
            history = [some for some in history if some] if fails(history) else histories[name]
        history = shrink(history, fails)
        lines = [f"run {n}: {event}" for n, some in enumerate(history, start=1) for event in some]
        pytest.fail(
            f"seed {seed}: {difference}\nsmallest found: {smallest[0]}\n" + "\n".join(lines),
            pytrace=False,
        )


@pytest.fixture
def again(runs: Callable[..., Runs]) -> Callable[[Definition], Runs]:
    """A fresh project of one definition, each time in a schema of its own."""
    numbers = iter(range(1_000))
    return lambda definition: runs(f"shrinking_{next(numbers)}", definition)


ALL = (LEDGER, TEXTS, MILLIS, ARRIVED, MUTABLE)
SOME = (  # what goes through each kind of run; all durations and definitions are in `make soak`
    LEDGER.but(every=("seconds", "minutes")),
    TEXTS.but(every=("days", "months")),
)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "definitions",
    [pytest.param(SOME, id="some"), pytest.param(ALL, id="all", marks=pytest.mark.soak)],
)
def test_any_split_into_batches_ends_with_the_same_rows(
    runs: Any, again: Any, definitions: tuple[Definition, ...], seed: int
) -> None:
    """300 histories of each definition, through one crash in the fourth run of five."""
    chance = random.Random(seed)  # noqa: S311
    project = runs("histories", *definitions)
    histories = cases(chance, 0, CASES, RUNS)
    histories = {name: histories[name] for name in project.definitions}
    commits = sum(len(definition.every) for definition in definitions)
    play(project, histories, killed_at=chance.randrange(1, commits))
    check(project, histories, seed, again)


@pytest.mark.soak
@pytest.mark.parametrize("seed", SEEDS)
def test_a_buffer_classifies_alike_in_any_split(runs: Any, again: Any, seed: int) -> None:
    """One long history in great disorder for each setting of the buffer."""
    chance = random.Random(seed)  # noqa: S311
    histories = {
        definition.name: stream(chance, unit, 400 if unit < 86_400 else 150, RUNS, anchor)
        for definition, unit, anchor in BUFFERED
    }
    project = runs("buffers", *(definition for definition, _, _ in BUFFERED))
    play(project, histories, killed_at=chance.randrange(1, 15))
    check(project, histories, seed, again)
