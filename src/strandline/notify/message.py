"""The message of one row of the outbox: a pure function from the row to title and body."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone, tzinfo
from typing import TypeGuard

from strandline.control import CONTROL
from strandline.notify.characters import cut
from strandline.notify.interval import from_to, iso, when

ENDINGS = {"new": "", "completed": "Over: "}
# As much as a line of a mail's subject holds, and of that the most for one word of the user's.
TITLE_LENGTH = 160
WORD_LENGTH = 30
# A value must not begin a line or a header of its own, nor turn the direction of what follows.
OBEYED = re.compile(f"[{CONTROL}]+")
# What chats read as the name of somebody who is called: @here, <!channel>, <@U123>.
MENTION = re.compile(r"(?<!\w)@(?=\w)|<(?=[!@#])")
ZERO_WIDTH_SPACE = "\u200b"
# A value that is clear without the name of its column: it has a letter, and is no boolean.
IS_CLEAR = re.compile(r"(?!(?:true|false)$).*[^\W\d_]", re.IGNORECASE)


@dataclass(frozen=True)
class Notification:
    """A row of the outbox. Instants are in UTC, with their zone; keys are the user's columns.

    members is how many anomalies were merged, or None where the outbox has no such column;
    bookkeeping are the columns of `strandline.anomalies` that are for machines only.
    """

    key: str
    kind: str
    notified_at: datetime
    starts_at: datetime
    ends_at: datetime
    incident_id: str | None = None
    anomaly_id: str | None = None
    current: float | None = None
    baseline: float | None = None
    unit: str | None = None
    severity: str | None = None
    labels: str | None = None
    is_parent: bool = False
    members: int | None = None
    bookkeeping: Mapping[str, str | None] = field(default_factory=dict)
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


def message_of(row: Notification, zone: tzinfo = timezone.utc) -> Message:
    """The message of a row, with its times in a zone. The same row gives the same message."""
    given = [(name, value) for name, value in row.keys.items() if value is not None]
    lines = [f"{_line(name)}: {_line(value)}" for name, value in given]
    lines += ["", f"From {from_to(row.starts_at, row.ends_at, zone)}", f"Value: {_value(row)}"]
    optional = {"Severity": row.severity, "Labels": row.labels}
    lines += [f"{name}: {_line(value)}" for name, value in optional.items() if value]
    if merged := _merged(row):
        lines.append(
            f"{merged[0].upper()}{merged[1:]}: they are adjacent, and are notified as one."
        )
    ids = {"Anomaly": row.anomaly_id, "Incident": row.incident_id, "Notification": row.key}
    lines += ["", *(f"{what}: {_line(name)}" for what, name in ids.items() if name is not None)]
    return Message(
        title=_title(row, zone), body="\n".join(lines).strip(), kind=row.kind, fields=_fields(row)
    )


def _title(row: Notification, zone: tzinfo) -> str:
    """`LGA: 4 departures, expected 11 (quarter_hour, 31 Dec 05:00 to 05:15 UTC)`.

    The keys without the detector, the value, and the rest in parentheses. If it is too long, the
    keys are cut: the body has them whole.
    """
    keys = {name: value for name, value in row.keys.items() if value and value.strip()}
    detector = keys.pop("detector", None)
    behind = [
        _word(detector) if detector else None,
        when(row.starts_at, row.ends_at, row.notified_at, zone),
        _merged(row),
    ]
    worst = " at worst" if _merged(row) else ""
    value = f": {_comparison(row, short, worst)} ({', '.join(each for each in behind if each)})"
    ending = ENDINGS.get(row.kind, f"{_word(row.kind)}: ")
    front = f"[{_word(row.severity)}] {ending}" if row.severity else ending
    what = ", ".join(_named(name, each) for name, each in keys.items()) or "Anomaly"
    room = max(TITLE_LENGTH - len(front) - len(value), WORD_LENGTH // 2)
    return cut(f"{front}{cut(what, room)}{value}", TITLE_LENGTH)


def _named(name: str, value: str) -> str:
    """`LGA`, but `gate 12`."""
    return _word(value) if IS_CLEAR.match(_line(value)) else f"{_word(name)} {_word(value)}"


def _value(row: Notification) -> str:
    """`12 departures, expected 48 (-75 %)`."""
    values = _comparison(row, number)
    if not _is_known(row.current) or not _is_known(row.baseline) or row.baseline == 0:
        return values
    change = 100 * (row.current - row.baseline) / abs(row.baseline)
    return f"{values} ({change:+,.4g} %)" if math.isfinite(change) else values


def _comparison(row: Notification, shown: Callable[[float | None], str], worst: str = "") -> str:
    """`12 departures, expected 48`, with more digits if the two would look equal."""
    current, baseline = shown(row.current), shown(row.baseline)
    if current == baseline and row.current != row.baseline:
        current, baseline = number(row.current), number(row.baseline)
    if _is_known(row.current):
        current += f" {_word(row.unit)}" if row.unit else ""
        current += worst
    return f"{current}, expected {baseline}" if _is_known(row.baseline) else current


def _merged(row: Notification) -> str | None:
    if not row.is_parent or row.members in (0, 1):
        return None
    return f"{'several' if row.members is None else f'{row.members:,}'} anomalies merged"


def _fields(row: Notification) -> dict[str, str]:
    """All that the row has, for machines; the keys as one text of JSON."""
    fields = {
        "idempotency_key": row.key,
        "kind": row.kind,
        "anomaly_id": row.anomaly_id,
        "incident_id": row.incident_id,
        "notified_at": iso(row.notified_at),
        "starts_at": iso(row.starts_at),
        "ends_at": iso(row.ends_at),
        "current_value": None if row.current is None else repr(row.current),
        "baseline_value": None if row.baseline is None else repr(row.baseline),
        "unit": row.unit,
        "severity": row.severity,
        "labels": row.labels,
        "is_parent": "true" if row.is_parent else "false",
        "members": None if row.members is None else str(row.members),
        **row.bookkeeping,
        "keys": json.dumps(dict(row.keys), ensure_ascii=False),
    }
    return {name: "" if value is None else value for name, value in fields.items()}


def number(value: float | None) -> str:
    """A number in full: 1234567.0 is 1,234,567, and 0.1 + 0.2 is 0.3."""
    if not _is_known(value):
        return "no value"
    return f"{value + 0.0:,.12g}" if math.isfinite(value) else f"{value:f}inity"


def short(value: float | None) -> str:
    """A number with four digits, and all digits before the point."""
    if not _is_known(value) or not math.isfinite(value):
        return number(value)
    if value and not 1e-4 <= abs(value) < 1e15:
        return f"{value:.3g}"
    return f"{value:,.0f}" if abs(value) >= 1000 else number(float(f"{value:.4g}"))


def _is_known(value: float | None) -> TypeGuard[float]:
    return value is not None and not math.isnan(value)


def _word(value: str) -> str:
    return cut(_line(value), WORD_LENGTH)


def _line(value: str) -> str:
    """Without line breaks and mentions."""
    line = " ".join(OBEYED.sub(" ", value).split())
    return MENTION.sub(rf"\g<0>{ZERO_WIDTH_SPACE}", line)
