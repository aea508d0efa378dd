"""The message of one row of the outbox: a pure function from the row to title and body."""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone, tzinfo
from typing import TypeGuard

from strandline.control import CONTROL
from strandline.notify.characters import cut
from strandline.notify.interval import from_to, iso, when
from strandline.notify.titles import TemplateError, TitleTemplate

NEW, REMINDER = "new", "reminder"
COMPLETED, OUTDATED, TOGETHER = "completed", "outdated", "together"
# The kinds after which an incident is closed.
OVER = (COMPLETED, OUTDATED)
ENDINGS = {
    NEW: "",
    COMPLETED: "Over: ",
    OUTDATED: "No longer found: ",
    "raised": "Raised: ",
    REMINDER: "Still open: ",
}
# Of several in one message.
COUNTED = {COMPLETED: "over", OUTDATED: "no longer found", REMINDER: "still open"}
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
    measured is the name of what was measured; is_bound says that the baseline is a bound which the
    value has left, and not what was expected; contributions are the parts that made the change, as
    sentences. bookkeeping are the columns of `strandline.anomalies` that are for machines only.
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
    measured: str | None = None
    is_bound: bool = False
    contributions: str | None = None
    bookkeeping: Mapping[str, str | None] = field(default_factory=dict)
    keys: Mapping[str, str | None] = field(default_factory=dict)

    @property
    def place(self) -> tuple[bool, datetime, datetime, str]:
        """The order of sending: by run, and in a run by the time of the anomaly; then reminders."""
        return (self.kind == REMINDER, self.notified_at, self.starts_at, self.key)

    @property
    def batch(self) -> datetime | None:
        """Equal for those that may be in one message: those of one run, and all reminders."""
        return None if self.kind == REMINDER else self.notified_at


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


@dataclass(frozen=True)
class Wording:
    """In which words a message is.

    Attributes:
        zone: of its times.
        report: the address of the project's report, to which each incident has a link; None: none.
        title: makes the title from its words and the usual title; None: the usual title. Where it
            fails, the title is the usual one, and the body says why.
    """

    zone: tzinfo = timezone.utc
    report: str | None = None
    title: TitleTemplate | None = None


PLAIN = Wording()


def message_of(row: Notification, wording: Wording = PLAIN) -> Message:
    """The message of a row. The same row gives the same message."""
    zone = wording.zone
    given = [(name, value) for name, value in row.keys.items() if value is not None]
    lines = [f"{_line(name)}: {_line(value)}" for name, value in given]
    lines += ["", f"From {from_to(row.starts_at, row.ends_at, zone)}"]
    lines += [f"Measured: {_line(row.measured)}"] if row.measured else []
    lines += [f"Value: {_value(row)}"]
    optional = {
        "Severity": row.severity,
        "Labels": row.labels,
        "Contributions": row.contributions,
    }
    lines += [f"{name}: {_line(value)}" for name, value in optional.items() if value]
    if merged := _merged(row):
        lines.append(
            f"{merged[0].upper()}{merged[1:]}: they are adjacent, and are notified as one."
        )
    link = _link(row, wording)
    lines += [f"Report: {link}"] if link else []
    title, fault = _title(row, zone), None
    if wording.title is not None:
        title, fault = _own_title(row, wording.title, title, link)
    lines += [f"The template of titles failed: {_line(fault)}"] if fault else []
    ids = {"Anomaly": row.anomaly_id, "Incident": row.incident_id, "Notification": row.key}
    lines += ["", *(f"{what}: {_line(name)}" for what, name in ids.items() if name is not None)]
    fields = _fields(row) | ({"link": link} if link else {})
    return Message(title=title, body="\n".join(lines).strip(), kind=row.kind, fields=fields)


def _link(row: Notification, wording: Wording) -> str | None:
    """The incident in the report."""
    if wording.report is None or row.incident_id is None:
        return None
    return f"{wording.report}#incident-{row.incident_id}"


def _own_title(
    row: Notification, template: TitleTemplate, usual: str, link: str | None
) -> tuple[str, str | None]:
    """The title by a template, or the usual one and what is wrong with the template."""
    words = _fields(row) | {name: value or "" for name, value in row.keys.items()}
    current, baseline = _shown(row, short)
    words |= {"value": current, "expected": baseline, "title": usual, "link": link or ""}
    try:
        made = _line(template.render(words)).strip()
    except TemplateError as error:
        return usual, str(error)
    return (cut(made, TITLE_LENGTH), None) if made else (usual, "it is empty")


def incident_of(fields: Mapping[str, str]) -> str:
    """The name of the incident; an outbox without one has a key for each notification."""
    return fields.get("incident_id") or fields["idempotency_key"]


def together_of(
    rows: Sequence[Notification], wording: Wording = PLAIN, *, is_rest: bool = False
) -> Message:
    """One message of several rows; of a single row its own. `is_rest`: others were sent before.

    The key is that of the keys, so the same rows have the same key. `notifications` in the fields
    has the fields of each row, as a text of JSON.
    """
    if len(rows) == 1:
        return message_of(rows[0], wording)
    messages = [message_of(row, wording) for row in rows]
    keys = "\n".join(row.key for row in rows)
    key = hashlib.sha256(keys.encode()).hexdigest()
    counts = Counter(row.kind for row in rows)
    kinds = ", ".join(f"{count:,} {COUNTED.get(kind, kind)}" for kind, count in counts.items())
    first, last = min(row.starts_at for row in rows), max(row.ends_at for row in rows)
    interval = when(first, last, rows[0].notified_at, wording.zone)
    counted = f"And {len(rows):,} others" if is_rest else f"{len(rows):,} notifications"
    return Message(
        title=f"{counted}: {kinds} ({interval})",
        body="\n".join([*(each.title for each in messages), "", f"Notification: {key}"]),
        kind=next((each for each in ("raised", NEW) if each in counts), rows[0].kind),
        fields={
            "idempotency_key": key,
            "kind": TOGETHER,
            "notified_at": iso(rows[0].notified_at),
            "notifications": json.dumps(
                [dict(each.fields) for each in messages], ensure_ascii=False
            ),
        },
    )


def _title(row: Notification, zone: tzinfo) -> str:
    """`LGA: 4 departures, expected 11 (quarter_hour, 31 Dec 05:00 to 05:15 UTC)`.

    With the name of what was measured and a bound: `temperature of press_1 below 55: 46.8`. The
    keys without the detector, the value, and the rest in parentheses. If it is too long, the
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
    parenthesis = ", ".join(each for each in behind if each)
    value = f"{_bound(row)}: {_comparison(row, short, worst, in_title=True)} ({parenthesis})"
    ending = ENDINGS.get(row.kind, f"{_word(row.kind)}: ")
    front = f"[{_word(row.severity)}] {ending}" if row.severity else ending
    what = ", ".join(_named(name, each) for name, each in keys.items())
    if row.measured:
        what = f"{_word(row.measured)} of {what}" if what else _word(row.measured)
    what = what or "Anomaly"
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


def _bound(row: Notification) -> str:
    """` below 55`, if the baseline is a bound."""
    return f" {_side(row)} {_shown(row, short)[1]}" if row.is_bound and _side(row) else ""


def _side(row: Notification) -> str:
    """On which side of the bound the value is; empty if either is not known."""
    if not _is_known(row.current) or not _is_known(row.baseline):
        return ""
    return (
        "below" if row.current < row.baseline else "above" if row.current > row.baseline else "at"
    )


def _shown(row: Notification, shown: Callable[[float | None], str]) -> tuple[str, str]:
    """The value and the baseline, with more digits if the two would look equal."""
    current, baseline = shown(row.current), shown(row.baseline)
    if current == baseline and row.current != row.baseline:
        return number(row.current), number(row.baseline)
    return current, baseline


def _comparison(
    row: Notification,
    shown: Callable[[float | None], str],
    worst: str = "",
    in_title: bool = False,
) -> str:
    """`12 departures, expected 48`, or `46.8, below 55`; the title has its bound elsewhere."""
    current, baseline = _shown(row, shown)
    if _is_known(row.current):
        current += f" {_word(row.unit)}" if row.unit else ""
        current += worst
    if not _is_known(row.baseline):
        return current
    if row.is_bound and _side(row):
        return current if in_title else f"{current}, {_side(row)} {baseline}"
    return f"{current}, expected {baseline}"


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
        "measured_name": row.measured,
        "is_bound": "true" if row.is_bound else "false",
        "contributions": row.contributions,
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
