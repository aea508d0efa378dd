"""Properties of notifications after each run of any history."""

from __future__ import annotations

from tests.engine.anomalies.oracle import Consolidation
from tests.engine.anomalies.oracle_rows import Anomaly, Id
from tests.engine.anomalies.streams import Step


def notifies_of_what_is_due(
    before: dict[Id, Anomaly], watermark: int | None, engine: Consolidation, step: Step
) -> None:
    """Growing is not notified, a replacement is; nothing twice, and nothing that should not be."""
    notes = step.written.notifications
    keys = [(note.incident_id, note.kind) for note in notes]
    assert len(keys) == len(set(keys))
    assert all(engine.outbox[key] == note for key, note in zip(keys, notes, strict=True))
    roots = [row for row in engine.rows.values() if row.active and row.parent_id is None]
    assert {note.anomaly_id for note in notes} <= {row.anomaly_id for row in roots}
    for root in roots:
        kinds = [note.kind for note in notes if note.anomaly_id == root.anomaly_id]
        raised = [kind for kind in kinds if kind.startswith("raised")]
        kinds = [kind for kind in kinds if kind not in raised]
        assert len(raised) <= 1
        assert not (raised and ("new" in kinds or is_quiet(root, engine)))
        if is_quiet(root, engine):
            assert kinds == []
        elif is_old(root, engine) and not (
            watermark is not None and is_found_now(before, engine, root)
        ):
            notifies_of_the_end_only(watermark, engine, root, kinds)
        else:
            children = [
                r for r in engine.rows.values() if r.active and r.parent_id == root.anomaly_id
            ]
            is_notified_rightly(before, engine, [root, *children], kinds)


def notifies_of_the_end_only(
    watermark: int | None, engine: Consolidation, root: Anomaly, kinds: list[str]
) -> None:
    """Of what is older than the look-back: that of what was notified, when the watermark passes it."""
    ends_now = is_over(root, engine) and (
        watermark is None or root.end + engine.settings.merge_max_gap >= watermark
    )
    assert kinds in ([], ["completed"])
    if root.notified_at is None or not ends_now:
        assert kinds == []
    else:
        assert (root.incident_id, "completed") in engine.outbox


def is_notified_rightly(
    before: dict[Id, Anomaly], engine: Consolidation, family: list[Anomaly], kinds: list[str]
) -> None:
    root = family[0]
    leaves = family[1:] or family
    known = any(
        row.anomaly_id in before and before[row.anomaly_id].notified_at is not None
        for row in leaves
    )
    replaced = any(row.replaces and is_shown_first(row, before) for row in leaves)
    waits = engine.rows[root.incident_id].replaces is not None  # one that was too short, say
    assert all(row.notified_at is not None for row in family)
    if replaced or not waits:
        assert ("new" in kinds) == (replaced or not known)
    notified_of_end = (root.incident_id, "completed") in engine.outbox
    assert notified_of_end or not is_over(root, engine)
    assert is_over(root, engine) or "completed" not in kinds


def is_shown_first(row: Anomaly, before: dict[Id, Anomaly]) -> bool:
    """It was not there, or only ever as one to be ignored."""
    return row.anomaly_id not in before or before[row.anomaly_id].incident_id is None


def is_quiet(root: Anomaly, engine: Consolidation) -> bool:
    names = {root.anomaly_id, root.incident_id, ("parent", *root.incident_id)}
    too_short = root.end - root.start < engine.settings.min_length
    return bool(names & set(engine.feedback)) or too_short


def is_found_now(before: dict[Id, Anomaly], engine: Consolidation, root: Anomaly) -> bool:
    leaves = [
        row
        for row in engine.rows.values()
        if row.active and not row.is_parent and root.anomaly_id in (row.anomaly_id, row.parent_id)
    ]
    return any(row.anomaly_id not in before or not before[row.anomaly_id].active for row in leaves)


def is_old(root: Anomaly, engine: Consolidation) -> bool:
    look_back, watermark = engine.settings.notify_look_back, engine.watermark
    return None not in (watermark, look_back) and root.end <= watermark - look_back


def is_over(root: Anomaly, engine: Consolidation) -> bool:
    s, watermark = engine.settings, engine.watermark
    return s.completed and watermark is not None and root.end + s.merge_max_gap < watermark


def open_incidents(engine: Consolidation) -> list[Anomaly]:
    """What represents each incident that was notified and has not ended, without the quiet ones.

    It has not ended if the watermark has not passed its end by more than the gap, also where ends
    are not notified.
    """
    gap, watermark = engine.settings.merge_max_gap, engine.watermark
    return [
        row
        for row in engine.rows.values()
        if row.active
        and row.parent_id is None
        and (row.incident_id, "new") in engine.outbox
        and (row.incident_id, "completed") not in engine.outbox
        and (watermark is None or row.end + gap >= watermark)
        and not is_quiet(row, engine)
    ]
