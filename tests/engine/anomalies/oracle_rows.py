"""The rows of consolidation: what comes in, what is kept, what is notified."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any, Literal

# Identities are tuples, so that they can be read in expected rows; the product hashes the same.
Id = tuple
Kind = str  # new, completed, withheld, or `raised` and the severity


@dataclass(frozen=True)
class Detection:
    key: tuple
    start: int
    end: int
    current: float | None
    baseline: float | None = None
    severity: str | None = None
    labels: tuple = ()
    ignored: bool = False
    arrival: int | None = field(default=None, compare=False)

    @property
    def values(self) -> dict[str, Any]:
        """What an anomaly takes over as it is."""
        return {k: v for k, v in vars(self).items() if k not in ("ignored", "arrival")}

    @property
    def spot(self) -> tuple:
        """By what a detection and a stored anomaly are found to be about the same."""
        return (self.key, self.start, self.end)


@dataclass(frozen=True)
class Anomaly:
    anomaly_id: Id
    key: tuple
    start: int
    end: int
    current: float | None
    baseline: float | None
    severity: str | None
    labels: tuple
    generation: int
    replaces: Id | None
    incident_id: Id | None  # the first child ever of what it is notified as; its own if it is alone
    parent_id: Id | None
    is_parent: bool
    status: Literal["new", "updated", "outdated", "ignored"]
    first_seen_at: int  # the end of the range of the run that created it: the events' clock
    changed_at: int  # the same of the run that wrote it last
    created_run_at: int
    changed_run_at: int
    notified_at: int | None  # the run that first counted it as notified, alone or in its parent

    @property
    def spot(self) -> tuple:
        return (self.key, self.start, self.end)

    @property
    def active(self) -> bool:
        """It is current and shown."""
        return self.status not in ("outdated", "ignored")


@dataclass(frozen=True)
class Notification:
    """A row of the outbox; incident and kind are its idempotency key."""

    incident_id: Id
    kind: Kind
    anomaly_id: Id
    run_at: int
    severity: str | None = None  # of which is notified; not of an end


@dataclass(frozen=True)
class At:
    """Both clocks of a run: the end of its range, and when it ran."""

    range_end: int
    run_at: int


def anomaly_id(key: tuple, start: int, end: int, generation: int) -> Id:
    return (*key, start, end, generation)


def parent_id(incident: Id) -> Id:
    return ("parent", *incident)


def created(identity: Id, found: Detection, at: At, **more: Any) -> Anomaly:
    return Anomaly(
        **{"generation": 0, "replaces": None, "incident_id": None, "parent_id": None} | more,
        **found.values,
        anomaly_id=identity,
        is_parent=identity[0] == "parent",
        status="ignored" if found.ignored else "new",
        first_seen_at=at.range_end,
        changed_at=at.range_end,
        created_run_at=at.run_at,
        changed_run_at=at.run_at,
        notified_at=None,
    )


def renewed(stored: Anomaly, found: Detection) -> Anomaly:
    """Stored, with the values of now: as it was if they are the same and it was found."""
    same = all(getattr(stored, name) == value for name, value in found.values.items())
    known = stored.status != "outdated" and (stored.status == "ignored") == found.ignored
    status = "ignored" if found.ignored else "updated"
    return stored if known and same else replace(stored, **found.values, status=status)


def outdated(stored: Anomaly) -> Anomaly:
    """With its old values, and with what it was a part of."""
    return replace(stored, status="outdated")


def is_unknown(value: float | None) -> bool:
    return value is None or math.isnan(value)


def without_nan(found: Detection) -> Detection:
    unknown = {name: None for name in ("current", "baseline") if is_unknown(getattr(found, name))}
    return replace(found, **unknown) if unknown else found
