"""Which open incidents a receiver is reminded of: a pure function of what it has accepted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from strandline.notify.message import REMINDER, Notification

# A reminder is recorded under the key of its incident's first notification and its number: both
# groups, for Spark.
KEY = r"^(.*?)(?:-reminder-([0-9]{1,9}))?$"


@dataclass(frozen=True)
class Reminders:
    """The settings of `--remind`.

    Attributes:
        after: the microseconds since the newest notification after which a reminder is due.
        query: of the open incidents, with the columns of an outbox; the key is the first one's.
        now: in microseconds since 1970.
    """

    after: int
    query: str
    now: int


@dataclass(frozen=True)
class Open:
    """An open incident, and what one receiver has accepted of it.

    Attributes:
        row: the incident as it is now.
        last: when its newest notification or reminder was accepted, in microseconds since 1970.
        number: how many reminders were accepted.
    """

    row: Notification
    receiver: str
    last: int
    number: int


def key_of(first: str, number: int) -> str:
    """The key of a reminder: the same until it is recorded, and never that of another one."""
    return f"{first}-reminder-{number}"


def reminders_due(
    found: Iterable[Open], waiting: Mapping[str, Sequence[Notification]], settings: Reminders
) -> tuple[dict[str, list[Notification]], int | None]:
    """For each receiver the reminders that are due, in order; and when the next one will be.

    An incident of which a notification waits for a receiver is not open for a reminder: the
    receiver does not have its newest notification.
    """
    unsent = {(name, row.incident_id) for name, rows in waiting.items() for row in rows}
    due: dict[str, list[Notification]] = {name: [] for name in waiting}
    later = []
    for each in found:
        if (each.receiver, each.row.incident_id) in unsent:
            continue
        if each.last + settings.after > settings.now:
            later.append(each.last + settings.after)
            continue
        key = key_of(each.row.key, each.number + 1)
        due[each.receiver].append(replace(each.row, kind=REMINDER, key=key))
    for rows in due.values():
        rows.sort(key=lambda row: row.place)
    return due, min(later, default=None)
