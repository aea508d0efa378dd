"""What is told: each incident once, and once more when it is over."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from tests.anomalies.oracle_parents import Rows
from tests.anomalies.oracle_rows import Anomaly, Id, Kind, Notification, parent_id
from tests.anomalies.oracle_settings import Settings

Outbox = dict[tuple[Id, Kind], Notification]


def tell(
    rows: Rows,
    outbox: Outbox,
    feedback: Collection[Id],
    mark: int | None,
    run_at: int,
    settings: Settings,
) -> list[Notification]:
    """Writes the outbox and, on all that is told thereby, `notified_at`; gives what is new."""
    told = []
    for root in [row for row in rows.values() if row.active and row.parent_id is None]:
        if not is_quiet(root, feedback, mark, settings):
            for kind in due(root, rows, outbox, mark, settings):
                note = Notification(root.incident_id, kind, root.anomaly_id, run_at)
                outbox[note.incident_id, kind] = note
                told.append(note)
        if is_told(root.incident_id, rows, outbox):
            for row in with_children(root, rows):
                if row.notified_at is None:
                    rows[row.anomaly_id] = replace(row, notified_at=run_at)
    return told


def due(
    root: Anomaly, rows: Rows, outbox: Outbox, mark: int | None, settings: Settings
) -> Iterator[Kind]:
    if not is_told(root.incident_id, rows, outbox):
        yield "new"
    over = mark is not None and root.end + settings.merge_max_gap <= mark
    if settings.completed and over and (root.incident_id, "completed") not in outbox:
        yield "completed"


def is_told(incident: Id, rows: Rows, outbox: Outbox) -> bool:
    """Itself, or its first child as a part of another incident, from which it was split off."""
    return (incident, "new") in outbox or rows[incident].notified_at is not None


def is_quiet(root: Anomaly, feedback: Collection[Id], mark: int | None, settings: Settings) -> bool:
    names = {root.anomaly_id, root.incident_id, parent_id(root.incident_id)}
    return (
        not names.isdisjoint(feedback)
        or root.end - root.start < settings.min_length
        or is_old(root, mark, settings.notify_look_back)
    )


def is_old(root: Anomaly, mark: int | None, look_back: int | None) -> bool:
    """It lies wholly before the look-back."""
    return mark is not None and look_back is not None and root.end <= mark - look_back


def with_children(root: Anomaly, rows: Rows) -> list[Anomaly]:
    if not root.is_parent:
        return [root]
    children = [row for row in rows.values() if row.active and row.parent_id == root.anomaly_id]
    return [root, *children]
