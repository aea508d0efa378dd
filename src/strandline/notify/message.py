"""What a person reads of one row of the outbox: a pure function from the row to title and body."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone

TITLES = {"new": "New anomaly", "completed": "Anomaly over"}
# Of the values that tell one anomaly from another, as many as a line of a mail's subject holds.
TITLE_LENGTH = 160
# Line breaks and other control characters: a value must not begin a line or a header of its own.
CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


@dataclass(frozen=True)
class Notification:
    """A row of the outbox. Instants are in UTC, with their zone; keys are the user's columns."""

    key: str
    kind: str
    told_at: datetime
    starts_at: datetime
    ends_at: datetime
    incident_id: str | None = None
    anomaly_id: str | None = None
    current: float | None = None
    baseline: float | None = None
    severity: str | None = None
    labels: str | None = None
    is_parent: bool = False
    keys: Mapping[str, str | None] = field(default_factory=dict)


@dataclass(frozen=True)
class Message:
    """What is sent: a title of one line, a body in plain text, and fields for machines.

    The fields are always the same, and text; what the row has not is empty.
    """

    title: str
    body: str
    kind: str
    fields: Mapping[str, str]

    @property
    def key(self) -> str:
        return self.fields["idempotency_key"]


def message_of(row: Notification) -> Message:
    """The message of a row. The same row gives the same message, whenever it is sent."""
    lines = [f"{name}: {_line(value)}" for name, value in row.keys.items()]
    lines += ["", f"From {_instant(row.starts_at)} to {_instant(row.ends_at)} UTC", _value(row)]
    told = {"Severity": row.severity, "Labels": row.labels}
    lines += [f"{what}: {_line(said)}" for what, said in told.items() if said]
    if row.is_parent:
        lines.append("Several anomalies that touch are told as this one.")
    ids = {"Anomaly": row.anomaly_id, "Incident": row.incident_id, "Notification": row.key}
    lines += ["", *(f"{what}: {_line(name)}" for what, name in ids.items() if name is not None)]
    fields = {
        "idempotency_key": row.key,
        "kind": row.kind,
        "anomaly_id": row.anomaly_id or "",
        "incident_id": row.incident_id or "",
    }
    return Message(
        title=_title(row),
        body="\n".join(lines).strip(),
        kind=row.kind,
        fields=fields,
    )


def _title(row: Notification) -> str:
    what = TITLES.get(row.kind, f"Anomaly ({_line(row.kind)})")
    severity = f"[{_line(row.severity)}] " if row.severity else ""
    keys = ", ".join(f"{name} {_line(value)}" for name, value in row.keys.items())
    title = f"{severity}{what}: {keys}" if keys else f"{severity}{what}"
    return title if len(title) <= TITLE_LENGTH else f"{title[: TITLE_LENGTH - 1]}…"


def _value(row: Notification) -> str:
    """`Value 12 against a baseline of 48 (-75 %)`; what is null says so."""
    if row.baseline is None:
        return f"Value {number(row.current)}, without a baseline"
    told = f"Value {number(row.current)} against a baseline of {number(row.baseline)}"
    if row.current is None or not row.baseline:
        return told
    change = 100 * (row.current - row.baseline) / abs(row.baseline)
    return f"{told} ({change:+,.4g} %)" if math.isfinite(change) else told


def number(value: float | None) -> str:
    """A number as a person writes it: 1234567.0 is 1,234,567, and 0.1 + 0.2 is 0.3."""
    return "null" if value is None else f"{value:,.12g}"


def _instant(at: datetime) -> str:
    at = at.astimezone(timezone.utc).replace(tzinfo=None)
    return at.isoformat(" ", "microseconds" if at.microsecond else "seconds")


def _line(value: str | None) -> str:
    return "null" if value is None else CONTROL.sub(" ", value).strip()
