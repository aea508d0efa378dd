"""Any split of a stream into runs ends with the same rows, for every kind of window."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

EVENTS = "source=source('feed', 'events'), ts='ts', "
COUNTS = "aggregates={'n': 'count(v)', 'total': 'sum(v)', 'ever': 'sum(v) entrance only', 'change': 'max(v) diff'}"
MODELS = {
    "sliding": "keys=['key'], store='last 3', where='v <> 7', " + COUNTS,
    "weighed": "keys=['key'], store='last 2', weight=0.3",
    "grouped": "store='last 2', where='v <> 7', weight={\"name = 'x'\": 0.3, 'v > 5': 0.5}",
    "timed": "keys=['key'], store='last 20 seconds', " + COUNTS,
    "pinned": "keys=['key'], store='last 20 seconds', pinned=true, " + COUNTS,
    "ticks": "store='last 25 seconds', every='10 seconds'",
    "tumbling": "keys=['key'], store='latest 2', " + COUNTS,
    "most": "keys=['key'], store='last 30 seconds max 2'",
    "highest": "keys=['key'], store='highest 2 using v', update_group=['name']",
}
CHAINED = (
    "source=ref('timed'), store='highest 2 using total', update_group=['key'], "
    "where='$row_status is new and total > 2'"
)


def stream(seed: int, count: int) -> list[tuple]:
    """Events with late ones, ties, several at once, pauses, and nulls."""
    chance, rows, clock, arrival = random.Random(seed), [], 0, 0  # noqa: S311
    for _ in range(count):
        arrival += chance.random() < 0.8
        # 2024-01-01: a day and a month later, too.
        clock += chance.choice([0, 0, 1, 3, 8, 40] * 6 + [86_400, 31 * 86_400])
        ts = clock - chance.choice([0, 0, 0, 2, 15, 50])
        key, name = chance.choice(["a", "b", None]), chance.choice("xy")
        rows.append((max(arrival, 1), ts, key, name, chance.choice([None, *range(10)])))
    return rows


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 6))
def test_a_random_split_ends_with_the_same_rows(windows: Any, seed: int) -> None:
    arrivals = range(1, 48)
    bounds = random.Random(f"bounds {seed}").sample(arrivals, 4)  # noqa: S311
    compare(windows, seed, [0, *sorted(bounds), 100])


@pytest.mark.soak
def test_two_runs_end_with_the_same_rows(windows: Any) -> None:
    """In `make test` the oracle's test on Spark has two runs of random windows."""
    compare(windows, 1, [0, 14, 100])


def compare(windows: Any, seed: int, bounds: list[int]) -> None:
    windows.events("key string, name string, v bigint")
    windows.models(**{name: EVENTS + call for name, call in MODELS.items()}, chained=CHAINED)
    rows = stream(seed, 60)
    for start, end in itertools.pairwise(bounds):
        windows.land(row for row in rows if start <= row[0] < end)
        windows.run()
    split = {name: contents(windows, name) for name in (*MODELS, "chained")}
    windows.run("--full-refresh")
    for name, found in split.items():
        assert found == contents(windows, name), name
        assert len(found) > 5, name


def contents(windows: Any, name: str) -> list[str]:
    """All rows of a table as text, but for the state from which only the next run continues."""
    rows = windows.spark.sql(
        f"select to_json(struct(* except (window_state, window_progress))) as row "
        f"from {windows.schema}.{name} where row_kind <> 'clock'"
    ).collect()
    return sorted(row.row for row in rows)
