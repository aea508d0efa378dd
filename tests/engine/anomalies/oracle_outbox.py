"""What is notified: each incident once, and once more when it is over."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from tests.engine.anomalies.oracle_parents import Rows
from tests.engine.anomalies.oracle_rows import Anomaly, Id, Kind, Notification, parent_id
from tests.engine.anomalies.oracle_settings import Settings

Outbox = dict[tuple[Id, Kind], Notification]


@dataclass(frozen=True)
class Watermarks:
    """Before the run and after it; null is none."""

    before: int | None
    now: int | None


def notify(
    rows: Rows,
    outbox: Outbox,
    feedback: Collection[Id],
    watermarks: Watermarks,
    run_at: int,
    settings: Settings,
) -> list[Notification]:
    """Writes the outbox and, on all that is notified by it, `notified_at`; gives what is new."""
    sent = []
    for root in [row for row in rows.values() if row.active and row.parent_id is None]:
        if not is_quiet(root, feedback, settings):
            for kind in due(root, rows, outbox, watermarks, settings):
                note = Notification(root.incident_id, kind, root.anomaly_id, run_at)
                outbox[note.incident_id, kind] = note
                sent.append(note)
        if is_notified(root.incident_id, rows, outbox):
            for row in with_children(root, rows):
                if row.notified_at is None:
                    rows[row.anomaly_id] = replace(row, notified_at=run_at)
    return sent


def due(
    root: Anomaly, rows: Rows, outbox: Outbox, watermarks: Watermarks, settings: Settings
) -> Iterator[Kind]:
    known, old = is_notified(root.incident_id, rows, outbox), is_old(root, watermarks, settings)
    if not known and not old:
        yield "new"
    if settings.completed and (root.incident_id, "completed") not in outbox:
        ended = is_over(root, watermarks.now, settings) and not is_over(
            root, watermarks.before, settings
        )
        if is_over(root, watermarks.now, settings) and (not old or (known and ended)):
            yield "completed"


def is_notified(incident: Id, rows: Rows, outbox: Outbox) -> bool:
    """Itself, or its first child as a part of another incident, from which it was split off."""
    return (incident, "new") in outbox or rows[incident].notified_at is not None


def is_quiet(root: Anomaly, feedback: Collection[Id], settings: Settings) -> bool:
    names = {root.anomaly_id, root.incident_id, parent_id(root.incident_id)}
    return not names.isdisjoint(feedback) or root.end - root.start < settings.min_length


def is_over(root: Anomaly, watermark: int | None, settings: Settings) -> bool:
    """The watermark has passed it by the gap."""
    return watermark is not None and root.end + settings.merge_max_gap <= watermark


def is_old(root: Anomaly, watermarks: Watermarks, settings: Settings) -> bool:
    """It lies wholly before the look-back."""
    if watermarks.now is None or settings.notify_look_back is None:
        return False
    return root.end <= watermarks.now - settings.notify_look_back


def with_children(root: Anomaly, rows: Rows) -> list[Anomaly]:
    if not root.is_parent:
        return [root]
    children = [row for row in rows.values() if row.active and row.parent_id == root.anomaly_id]
    return [root, *children]
