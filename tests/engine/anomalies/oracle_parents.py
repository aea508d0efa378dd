"""Adjacent anomalies belong to one parent: which ones, under which identity.

A *family* is a group of adjacent anomalies: one or more, of one key and one direction. It is notified as one
*incident*, named after the first child it ever had. A family of two or more has a parent row, and
an incident that once had one keeps it, down to one child.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import replace

from tests.engine.anomalies.oracle_rows import (
    Anomaly,
    At,
    Detection,
    Id,
    created,
    is_unknown,
    outdated,
    parent_id,
    renewed,
)

Family = list[Anomaly]
Rows = dict[Id, Anomaly]


def regroup(rows: Rows, at: At, max_gap: int, max_duration: int, replacing: Collection[Id]) -> None:
    """Writes incident and parent of every active anomaly, and the parents themselves."""
    active = [row for row in rows.values() if row.active and not row.is_parent]
    families = families_of(active, max_gap, max_duration)
    home = homes(families)
    incidents = {
        incident_of(number, family, home, replacing): family
        for number, family in enumerate(families)
    }
    parents = {
        parent_id(name): family
        for name, family in incidents.items()
        if has_parent(rows, name, family)
    }
    for row in list(rows.values()):
        if row.is_parent and row.active and row.anomaly_id not in parents:
            rows[row.anomaly_id] = outdated(row)
    for incident, family in incidents.items():
        parent = parent_id(incident) if parent_id(incident) in parents else None
        if parent:
            rows[parent] = parent_row(rows, incident, family, at, parents)
        for child in family:
            if (child.incident_id, child.parent_id) != (incident, parent):
                rows[child.anomaly_id] = replace(child, incident_id=incident, parent_id=parent)


def has_parent(rows: Rows, incident: Id, family: Family) -> bool:
    return len(family) > 1 or parent_id(incident) in rows


def families_of(active: Iterable[Anomaly], max_gap: int, max_duration: int) -> list[Family]:
    lines = defaultdict(list)
    for row in active:
        lines[row.key, direction(row)].append(row)
    families = []
    for line in lines.values():
        families += split_families(sorted(line, key=order), max_gap, max_duration)
    return sorted(families, key=lambda family: (order(family[0]), direction(family[0])))


def split_families(line: Family, max_gap: int, max_duration: int) -> list[Family]:
    """Greedy: one after the other joins the family before it, or begins the next."""
    families: list[Family] = []
    for row in line:
        if families and joins(row, families[-1], max_gap, max_duration):
            families[-1].append(row)
        else:
            families.append([row])
    return families


def joins(row: Anomaly, family: Family, max_gap: int, max_duration: int) -> bool:
    start = min(row.start, *(child.start for child in family))
    end = max(child.end for child in family)
    return row.start - max_gap < end and max(row.end, end) - start <= max_duration


def order(row: Anomaly) -> tuple:
    """In the order in which they become known: later ones never regroup existing ones."""
    return (row.end, row.start)


def direction(row: Anomaly) -> int:
    """1 above the baseline, -1 below it, 0 for one that is equal or unknown."""
    if is_unknown(row.current) or is_unknown(row.baseline):
        return 0
    return (row.current > row.baseline) - (row.current < row.baseline)


def homes(families: list[Family]) -> dict[Id, int]:
    """Which family continues an incident: that of its first child, else the first of the rest."""
    home: dict[Id, int] = {}
    for number, family in enumerate(families):
        for child in family:
            home.setdefault(child.incident_id, number)
    for number, family in enumerate(families):
        home.update({child.anomaly_id: number for child in family})
    return home


def incident_of(number: int, family: Family, home: dict[Id, int], replacing: Collection[Id]) -> Id:
    """A replacement makes a new one; else it continues one, preferably a notified one, then an existing one."""
    for child in family:
        if child.anomaly_id in replacing:
            return child.anomaly_id
    notified = [child for child in family if child.notified_at is not None]
    known = [child for child in family if child.incident_id is not None]
    elders = notified or known or family
    for child in elders:
        if child.incident_id is not None and home[child.incident_id] == number:
            return child.incident_id
    return elders[0].anomaly_id


def parent_row(
    rows: Rows, incident: Id, family: Family, at: At, going_on: Collection[Id]
) -> Anomaly:
    """From the first start to the last end, the values of its worst child and the labels of all."""
    worst = max(family, key=deviation)
    shown = Detection(
        key=worst.key,
        start=min(child.start for child in family),
        end=max(child.end for child in family),
        current=worst.current,
        baseline=worst.baseline,
        severity=worst.severity,
        labels=labels_of(family),
    )
    identity = parent_id(incident)
    if identity in rows:
        return renewed(rows[identity], shown)
    replaces = replaced_parent(rows, incident, going_on)
    return created(identity, shown, at, incident_id=incident, replaces=replaces)


def labels_of(family: Family) -> tuple:
    return tuple(sorted({label for child in family for label in child.labels}))


def replaced_parent(rows: Rows, incident: Id, going_on: Collection[Id]) -> Id | None:
    """The parent of what the first child replaces, unless that continues without it."""
    before = rows[incident].replaces
    parent = rows[before].parent_id if before else None
    return parent if parent and parent not in going_on else None


def deviation(row: Anomaly) -> float:
    return abs(row.current - row.baseline) if direction(row) else 0
