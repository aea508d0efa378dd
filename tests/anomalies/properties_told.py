"""What holds of notifications after each run of any history."""

from __future__ import annotations

from tests.anomalies.oracle import Consolidation
from tests.anomalies.oracle_rows import Anomaly, Id
from tests.anomalies.streams import Step


def tells_what_is_due(before: dict[Id, Anomaly], engine: Consolidation, step: Step) -> None:
    """Growing is not told, a replacement is; nothing twice, and nothing that should not be."""
    news = step.written.notifications
    keys = [(note.incident_id, note.kind) for note in news]
    assert len(keys) == len(set(keys))
    assert all(engine.outbox[key] == note for key, note in zip(keys, news, strict=True))
    roots = [row for row in engine.rows.values() if row.active and row.parent_id is None]
    assert {note.anomaly_id for note in news} <= {row.anomaly_id for row in roots}
    for root in roots:
        kinds = [note.kind for note in news if note.anomaly_id == root.anomaly_id]
        if is_quiet(root, engine):
            assert kinds == []
        else:
            children = [
                r for r in engine.rows.values() if r.active and r.parent_id == root.anomaly_id
            ]
            is_told_rightly(before, engine, [root, *children], kinds)


def is_told_rightly(
    before: dict[Id, Anomaly], engine: Consolidation, family: list[Anomaly], kinds: list[str]
) -> None:
    root = family[0]
    leaves = family[1:] or family
    known = any(
        row.anomaly_id in before and before[row.anomaly_id].notified_at is not None
        for row in leaves
    )
    replaced = any(row.replaces and row.anomaly_id not in before for row in leaves)
    waits = engine.rows[root.incident_id].replaces is not None  # one that was too short, say
    assert all(row.notified_at is not None for row in family)
    if replaced or not waits:
        assert ("new" in kinds) == (replaced or not known)
    told_over = (root.incident_id, "completed") in engine.outbox
    assert told_over or not is_over(root, engine)
    assert is_over(root, engine) or "completed" not in kinds


def is_quiet(root: Anomaly, engine: Consolidation) -> bool:
    s, mark = engine.settings, engine.mark
    old = None not in (mark, s.notify_look_back) and root.end <= mark - s.notify_look_back
    names = {root.anomaly_id, root.incident_id, ("parent", *root.incident_id)}
    return bool(names & set(engine.feedback)) or root.end - root.start < s.min_length or old


def is_over(root: Anomaly, engine: Consolidation) -> bool:
    s, mark = engine.settings, engine.mark
    return s.completed and mark is not None and root.end + s.merge_max_gap <= mark
