"""Random histories contain every awkward case, and the oracle has the properties that the definition demands."""

from __future__ import annotations

from collections import Counter

import pytest
from tests.engine.anomalies.properties import (
    check_any_split,
    check_any_split_of_intervals,
    check_history,
)
from tests.engine.anomalies.properties_notified import is_old
from tests.engine.anomalies.streams import history


@pytest.mark.parametrize("hundred", range(6))
def test_histories(hundred: int) -> None:
    for seed in range(100 * hundred, 100 * hundred + 100):
        check_history(seed)


@pytest.mark.parametrize("hundred", range(2))
def test_any_split_into_runs_gives_and_sends_the_same(hundred: int) -> None:
    for seed in range(100 * hundred, 100 * hundred + 100):
        check_any_split(seed)


def test_any_split_of_intervals_sends_the_same_ends() -> None:
    for seed in range(100):
        check_any_split_of_intervals(seed)


def test_a_history_is_that_of_its_seed() -> None:
    first, again, other = ([step for _, step in history(seed)] for seed in (7, 7, 8))

    assert first == again != other


def test_histories_contain_every_awkward_case() -> None:
    counts: Counter = Counter()
    for seed in range(200):
        before: dict = {}
        for engine, step in history(seed):
            counts["backfill"] += step.is_backfill
            counts["nothing written"] += not step.written
            counts["ends beyond the look-back"] += any(
                n.kind == "completed" and is_old(engine.rows[n.anomaly_id], engine)
                for n in step.written.notifications
            )
            counts["completed"] += any(n.kind == "completed" for n in step.written.notifications)
            for row in step.written.anomalies:
                old = before.get(row.anomaly_id)
                kind = "parent" if row.is_parent else "anomaly"
                was = "none" if old is None else "active" if old.active else old.status
                counts[f"{kind}: {was}, {row.status}"] += 1
                counts[f"{kind} replaced"] += old is None and row.replaces is not None
                counts["shrinks"] += row.is_parent and bool(old) and length(row) < length(old)
                counts["grows"] += row.is_parent and bool(old) and length(row) > length(old)
                counts["split off, notified before"] += split_off(row, engine)
                counts["shown at last, replaces"] += (
                    row.active and bool(old and old.replaces) and old.incident_id is None
                )
                counts["parent of one"] += row.is_parent and row.active and is_one(row, engine)
                counts["notified later"] += bool(old) and row.notified_at != old.notified_at
            before = dict(engine.rows)

    changes = ["none, new", "active, updated", "active, outdated", "outdated, updated"]
    awkward = [f"{kind}: {change}" for kind in ("anomaly", "parent") for change in changes]
    awkward += ["anomaly: none, ignored", "anomaly: active, ignored", "anomaly: ignored, updated"]
    awkward += [
        "anomaly: ignored, outdated",
        "anomaly: outdated, ignored",
        "anomaly: ignored, ignored",
    ]
    awkward += ["backfill", "nothing written", "completed", "anomaly replaced", "parent replaced"]
    awkward += ["shrinks", "grows", "split off, notified before", "notified later", "parent of one"]
    awkward += ["ends beyond the look-back"]
    assert {name: counts[name] for name in awkward if counts[name] < 10} == {}
    assert counts["shown at last, replaces"] >= 3


def length(row) -> int:
    return row.end - row.start


def is_one(parent, engine) -> bool:
    children = [row for row in engine.rows.values() if row.parent_id == parent.anomaly_id]
    return sum(row.active for row in children) == 1


def split_off(row, engine) -> bool:
    """Counts as notified, though no message has its name."""
    notified = (row.incident_id, "new") in engine.outbox
    return row.active and row.notified_at is not None and not notified
