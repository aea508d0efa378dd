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
    before: Rows,
    outbox: Outbox,
    feedback: Collection[Id],
    watermarks: Watermarks,
    run_at: int,
    settings: Settings,
) -> list[Notification]:
    """Writes the outbox and, on all that is notified by it, `notified_at`; gives what is new."""
    sent = []
    for root in [row for row in rows.values() if row.active and row.parent_id is None]:
        if is_notified(root.incident_id, rows, outbox):
            outbox.pop((root.incident_id, "withheld"), None)
        if not is_quiet(root, feedback, settings):
            for kind in due(root, rows, before, outbox, watermarks, settings):
                severity = None if kind in ("completed", "withheld") else root.severity
                note = Notification(root.incident_id, kind, root.anomaly_id, run_at, severity)
                if kind == "withheld":
                    outbox.setdefault((note.incident_id, kind), note)
                    continue
                if kind == "new":
                    outbox.pop((note.incident_id, "withheld"), None)
                outbox[note.incident_id, kind] = note
                sent.append(note)
        if is_notified(root.incident_id, rows, outbox):
            for row in with_children(root, rows):
                if row.notified_at is None:
                    rows[row.anomaly_id] = replace(row, notified_at=run_at)
    return sent


def due(
    root: Anomaly,
    rows: Rows,
    before: Rows,
    outbox: Outbox,
    watermarks: Watermarks,
    settings: Settings,
) -> Iterator[Kind]:
    known, old = is_notified(root.incident_id, rows, outbox), is_old(root, watermarks, settings)
    found_now = is_found_now(root, rows, before)
    if found_now and watermarks.before is not None:
        old = False
    if not known and not old:
        yield "new"
    if not known and old and found_now:
        yield "withheld"
    if known and is_raised(root, before, outbox):
        yield f"raised {root.severity}"
    if settings.completed and (root.incident_id, "completed") not in outbox:
        ended = is_over(root, watermarks.now, settings) and not is_over(
            root, watermarks.before, settings
        )
        if is_over(root, watermarks.now, settings) and (not old or (known and ended)):
            yield "completed"


def is_found_now(root: Anomaly, rows: Rows, before: Rows) -> bool:
    """One of it is active in this run and was not before."""
    leaves = [row for row in with_children(root, rows) if not row.is_parent]
    return any(row.anomaly_id not in before or not before[row.anomaly_id].active for row in leaves)


def is_raised(root: Anomaly, before: Rows, outbox: Outbox) -> bool:
    """Its severity is above the stored one and above every one of which was notified."""
    stored = before.get(root.anomaly_id) or before.get(root.incident_id)
    if stored is None or not rises(stored.severity, root.severity):
        return False
    known = [
        note.severity
        for (incident, kind), note in outbox.items()
        if incident == root.incident_id and kind != "completed" and kind != "withheld"
    ]
    return all(rises(each, root.severity) is not False for each in known)


LEVELS = {"low": 2, "medium": 3, "warning": 3, "high": 4, "critical": 5}


def rises(before: str | None, now: str | None) -> bool | None:
    """Null for what cannot be compared."""
    if before is None or now is None:
        return None
    try:
        return float(now) > float(before)
    except ValueError:
        levels = LEVELS.get(before.strip().lower()), LEVELS.get(now.strip().lower())
        return None if None in levels else levels[1] > levels[0]


def is_notified(incident: Id, rows: Rows, outbox: Outbox) -> bool:
    """Itself, or its first child as a part of another incident, from which it was split off."""
    return (incident, "new") in outbox or rows[incident].notified_at is not None


def is_quiet(root: Anomaly, feedback: Collection[Id], settings: Settings) -> bool:
    names = {root.anomaly_id, root.incident_id, parent_id(root.incident_id)}
    return not names.isdisjoint(feedback) or root.end - root.start < settings.min_length


def is_over(root: Anomaly, watermark: int | None, settings: Settings) -> bool:
    """The watermark has passed it by more than the gap."""
    return watermark is not None and root.end + settings.merge_max_gap < watermark


def is_old(root: Anomaly, watermarks: Watermarks, settings: Settings) -> bool:
    """It is wholly before the look-back."""
    if watermarks.now is None or settings.notify_look_back is None:
        return False
    return root.end <= watermarks.now - settings.notify_look_back


def with_children(root: Anomaly, rows: Rows) -> list[Anomaly]:
    if not root.is_parent:
        return [root]
    children = [row for row in rows.values() if row.active and row.parent_id == root.anomaly_id]
    return [root, *children]
