"""Properties of every history by definition: each is a function that raises if it is violated."""

from __future__ import annotations

import copy
from collections import defaultdict
from dataclasses import replace

from tests.engine.anomalies.oracle import Consolidation
from tests.engine.anomalies.oracle_rows import Anomaly, Id, without_nan
from tests.engine.anomalies.properties_notified import notifies_of_what_is_due
from tests.engine.anomalies.streams import Step, backfill_range, history, runs_in_pieces

Rows = dict[Id, Anomaly]


def check_history(seed: int) -> None:
    """All of them, after each run of one random history."""
    before: Rows = {}
    watermark = None
    snapshots: dict[int, Rows] = {}
    for engine, step in history(seed):
        finds_what_is_there(engine, step)
        replaces_what_changed_much(before, engine, step)
        leaves_the_rest(before, engine, step)
        families_are_right(engine)
        notifies_of_what_is_due(before, watermark, engine, step)
        assert watermark is None or engine.watermark >= watermark
        assert (
            engine.watermark is None
            or engine.watermark <= step.now - engine.settings.completeness_delay
        )
        again = copy.deepcopy(engine)
        assert not again.run(
            step.detections, step.analysed, step.run_at + 1, step.is_backfill, step.now
        )
        assert again.rows == engine.rows
        before, watermark = dict(engine.rows), engine.watermark
        snapshots[step.run_at] = before
        for run_at, rows in snapshots.items():
            assert engine.as_of(run_at) == rows


def finds_what_is_there(engine: Consolidation, step: Step) -> None:
    """The rows that are not outdated are those that are found, with their values; each spot has one, its newest."""
    leaves = [row for row in engine.rows.values() if not row.is_parent]
    current = {row.spot: row for row in leaves if row.status != "outdated"}
    assert len(current) == sum(row.status != "outdated" for row in leaves)
    for row in leaves:
        newest = max(each.generation for each in leaves if each.spot == row.spot)
        assert row.status == "outdated" or row.generation == newest
    found = [without_nan(each) for each in step.detections]
    classified = {x.spot: x for x in found if step.analysed.start < x.end <= step.analysed.end}
    assert set(classified) <= set(current)
    for spot, each in classified.items():
        assert all(getattr(current[spot], name) == value for name, value in each.values.items())
        assert (current[spot].status == "ignored") == each.ignored
    whole = {spot for spot, row in current.items() if is_within(row, step)}
    assert whole <= set(classified)


def is_within(row: Anomaly, step: Step) -> bool:
    return row.start >= step.analysed.start and row.end <= step.analysed.end


def replaces_what_changed_much(before: Rows, engine: Consolidation, step: Step) -> None:
    """A next generation where, and only where, the change is significant: without a division."""
    s = engine.settings
    absolute, percentage = s.re_notify_absolute_threshold, s.re_notify_percentage_threshold
    for new in engine.rows.values():
        if new.is_parent or new.end <= step.analysed.start or new.end > step.analysed.end:
            continue
        spots = [row for row in before.values() if not row.is_parent and row.spot == new.spot]
        if new.status == "outdated" or not spots:
            assert new.generation == 0 or new.anomaly_id in before
            continue
        old = max(spots, key=lambda row: row.generation)
        if None in (absolute, percentage) or old.current == new.current:
            significant = False
        elif None in (old.current, new.current):
            significant = True
        else:
            change, stored = abs(new.current - old.current), abs(old.current)
            relative = 100 * change > percentage * stored or stored == 0
            significant = change > absolute and relative
        assert new.generation - old.generation == significant
        assert not significant or new.replaces == old.anomaly_id


def leaves_the_rest(before: Rows, engine: Consolidation, step: Step) -> None:
    """Nothing is lost, the outdated keep all, and outside of the range values and status stay."""
    assert set(before) <= set(engine.rows)
    written = {row.anomaly_id: row for row in step.written.anomalies}
    for identity, row in engine.rows.items():
        old = before.get(identity)
        assert (identity in written) == (row != old)
        if old is None or row == old:
            continue
        if row.status == "outdated":
            assert values(row) == values(old)
        if not row.active:  # it keeps what it belonged to and when it was notified
            kept = [(r.incident_id, r.parent_id, r.notified_at) for r in (row, old)]
            assert kept[0] == kept[1]
        if not row.is_parent and (row.end <= step.analysed.start or row.end > step.analysed.end):
            assert (values(row), row.status) == (values(old), old.status)
        assert row.notified_at == old.notified_at or old.notified_at is None


def values(row: Anomaly) -> tuple:
    names = "key start end current baseline severity labels generation replaces first_seen_at"
    return tuple(getattr(row, name) for name in names.split())


def families_are_right(engine: Consolidation) -> None:
    """Parents are the bounds of their children, and no family could take in the next one.

    One is outdated if, and only if, no active row has its incident any more.
    """
    active = [row for row in engine.rows.values() if row.active]
    children = defaultdict(list)
    for row in active:
        if not row.is_parent:
            children[row.parent_id or row.anomaly_id].append(row)
    roots = {row.anomaly_id: row for row in active if row.parent_id is None}
    assert set(roots) == set(children)
    assert len({row.incident_id for row in roots.values()}) == len(roots)
    for identity, root in roots.items():
        own = children[identity]
        assert root.is_parent or len(own) == 1
        labels = [label for child in own for label in child.labels]
        assert not root.is_parent or list(root.labels) == sorted(set(labels))
        assert {child.incident_id for child in own} == {root.incident_id}
        assert (root.start, root.end) == (min(c.start for c in own), max(c.end for c in own))
        assert len(own) == 1 or root.end - root.start <= engine.settings.merge_max_duration
    incidents = {child.incident_id for each in children.values() for child in each}
    for row in engine.rows.values():
        assert not row.is_parent or row.active == (row.incident_id in incidents)
    lines = defaultdict(list)
    for child in sorted(
        (c for cs in children.values() for c in cs), key=lambda c: (c.end, c.start)
    ):
        lines[child.key, side(child)].append(child)
    for line in lines.values():
        follows_the_rule(line, engine)


def side(row: Anomaly) -> str:
    if row.current is None or row.baseline is None or row.current == row.baseline:
        return "none"
    return "above" if row.current > row.baseline else "below"


def follows_the_rule(line: list[Anomaly], engine: Consolidation) -> None:
    """Each child is in the family of the one before it if, and only if, it is adjacent and fits."""
    s, start, end = engine.settings, None, None
    for last, row in zip([None, *line], line, strict=False):
        together = (
            last is not None and row.parent_id is not None and row.parent_id == last.parent_id
        )
        fits = last is not None and (
            row.start < end + s.merge_max_gap and row.end - min(start, row.start) <= s.merge_max_duration
        )  # fmt: skip
        assert together == fits
        start, end = (min(start, row.start), row.end) if fits else (row.start, row.end)


def check_any_split(seed: int) -> None:
    """Unchanged data, split into any scheduled runs: the same anomalies, and the same are notified."""
    whole, _ = runs_in_pieces(seed, 1)
    for pieces in (2, 5, 14):
        split, case = runs_in_pieces(seed, pieces)
        assert final(split) == final(whole)
        assert notified(split, "new") == notified(whole, "new")
        is_backfill = backfill_range(case.chance, case)
        now = case.clock + split.settings.completeness_delay
        assert not split.run(
            case.detect(is_backfill), is_backfill, pieces, is_backfill=True, now=now
        )


def check_any_split_of_intervals(seed: int) -> None:
    """Detections of one interval each: the same are also notified to be over."""
    whole, _ = runs_in_pieces(seed, 1, longest=1)
    for pieces in (3, 14):
        split, _ = runs_in_pieces(seed, pieces, longest=1)
        assert notified(split, "completed") == notified(whole, "completed")


def final(engine: Consolidation) -> dict[Id, Anomaly]:
    """Without the times of runs and what they decide: new or updated, notified when."""
    times = dict.fromkeys(["first_seen_at", "changed_at", "created_run_at", "changed_run_at"], 0)
    return {
        identity: replace(
            row,
            **times,
            status=row.status if not row.active else "new",
            notified_at=None if row.notified_at is None else 0,
        )
        for identity, row in engine.rows.items()
    }


def notified(engine: Consolidation, kind: str) -> set[Id]:
    return {note.incident_id for note in engine.outbox.values() if note.kind == kind}
