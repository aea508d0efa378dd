"""The rows of an outbox to every receiver; what was accepted is recorded in small batches."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from itertools import groupby
from typing import Any, Protocol

from strandline.notify.incidents import rank
from strandline.notify.message import (
    OVER,
    PLAIN,
    REMINDER,
    Message,
    Notification,
    Wording,
    together_of,
)
from strandline.notify.receivers import Receiver
from strandline.stopping import asked

# A commit of Delta costs half a second. After a kill, what is not recorded yet is sent again.
BATCH = 50
BATCH_SECONDS = 5.0
# After so many failures in a row a receiver is tried once more, with the newest notification, and
# then left for the next run: 10,000 notifications must not wait for 10,000 timeouts. The newest,
# so that a few that are never accepted cannot block those after them.
PATIENCE = 3


@dataclass(frozen=True)
class Acceptance:
    """A receiver has accepted a notification, at this instant (UTC)."""

    key: str
    receiver: str
    at: datetime


class Outbox(Protocol):
    """Where notifications wait, and where acceptances are recorded."""

    def waiting(self, receivers: Sequence[str]) -> dict[str, list[Notification]]:
        """For each receiver what it has not accepted, by `Notification.place`."""
        ...

    def new(self, receivers: Sequence[str], /) -> set[str]:
        """Those that have accepted nothing yet."""
        ...

    def note(self, accepted: Sequence[Acceptance]) -> None:
        """Record durably what was accepted."""
        ...


class Deliverer(Protocol):
    """A receiver that can be sent to."""

    receiver: Receiver

    def takes(self, message: Message) -> bool:
        """Whether it takes the message without a cut."""
        ...

    def keeps_incidents(self) -> bool:
        """Whether it opens and closes incidents, so that each notification is a message."""
        ...

    def deliver(self, message: Message) -> str | None:
        """None if it was accepted, else the reason."""
        ...


@dataclass
class Sent:
    """The result for one receiver: counts, and the reasons of failures with their counts."""

    receiver: Receiver
    waiting: int
    accepted: int = 0
    reasons: Counter[str] = field(default_factory=Counter)
    given_up: bool = False

    @property
    def left(self) -> int:
        return self.waiting - self.accepted

    @property
    def failed(self) -> bool:
        return bool(self.reasons)


class Recorder:
    """Records acceptances in batches."""

    def __init__(self, outbox: Outbox, clock: Callable[[], float]) -> None:
        self._outbox = outbox
        self._clock = clock
        self._pending: list[Acceptance] = []
        self._oldest_at = 0.0

    def add(self, accepted: Acceptance) -> None:
        if not self._pending:
            self._oldest_at = self._clock()
        self._pending.append(accepted)

    def write_if_due(self) -> None:
        if len(self._pending) >= BATCH or self._clock() - self._oldest_at >= BATCH_SECONDS:
            self.write()

    def write(self) -> None:
        if self._pending:
            self._outbox.note(self._pending)
            self._pending = []


def due(waiting: Sequence[Notification], limit: int | None) -> Sequence[Notification]:
    """What is sent in this run: the oldest ones, or all without a limit."""
    return waiting if limit is None else waiting[:limit]


@dataclass(frozen=True)
class Group:
    """The rows of one message; `is_rest`: they are what is left of a storm."""

    rows: list[Notification]
    is_rest: bool = False

    @property
    def place(self) -> tuple[Any, ...]:
        """The order of sending: that of the first row; the rest of a run is after its others."""
        first = self.rows[0]
        return (first.kind == REMINDER, first.notified_at, self.is_rest, *first.place)

    def message(self, wording: Wording) -> Message:
        return together_of(self.rows, wording, is_rest=self.is_rest)


def grouped(
    rows: Sequence[Notification],
    together: int | None,
    wording: Wording = PLAIN,
    takes: Callable[[Message], bool] = lambda _: True,
    storm: int | None = None,
    as_one: bool = False,
) -> list[Group]:
    """The rows of each message: one, or up to `together` of the same run, if they fit.

    A run notifies all of its rows at one instant, `notified_at`. Reminders are together. With
    `storm`, of a run with more rows the most severe ones are as without it, and the rest are one
    message, if it is of two or more. `as_one`: all are one message.
    """
    if as_one:
        return [Group(list(rows))] if rows else []
    groups: list[Group] = []
    for _, same_run in groupby(rows, lambda row: row.batch):
        batch, rest = list(same_run), []
        if storm is not None and len(batch) > storm + 1:
            by_severity = sorted(batch, key=lambda row: (row.kind in OVER, -rank(row.severity)))
            shown = {row.key for row in by_severity[:storm]}
            rest = [row for row in batch if row.key not in shown]
            batch = [row for row in batch if row.key in shown]
        groups += [Group(each) for each in _packed(batch, together, wording, takes)]
        groups += [Group(rest, is_rest=True)] if rest else []
    return groups


def _packed(
    rows: Sequence[Notification],
    together: int | None,
    wording: Wording,
    takes: Callable[[Message], bool],
) -> list[list[Notification]]:
    packs: list[list[Notification]] = []
    for row in rows:
        last = packs[-1] if packs else []
        is_room = together is not None and 0 < len(last) < together
        if is_room and takes(together_of([*last, row], wording)):
            last.append(row)
        else:
            packs.append([row])
    return packs


def send(
    outbox: Outbox,
    channels: Iterable[Deliverer],
    limit: int | None = None,
    report: Callable[[str], None] = lambda _: None,
    clock: Callable[[], float] = time.monotonic,
    wording: Wording = PLAIN,
    together: int | None = None,
    storm: int | None = None,
    first_as_one: bool = False,
) -> list[Sent]:
    """Send to each receiver what it has not accepted yet, at most `limit` of it.

    With `together`, up to so many notifications of one run are one message, and with `storm` all
    but so many are one; with `first_as_one`, all are one to a receiver that has accepted nothing
    yet. A receiver that keeps incidents has each in a message. Each of them is recorded when the
    message is accepted. `report` gets the progress; messages are in the words of `wording`.
    After an error, what was accepted before is recorded, unless the process is killed. Raises
    OutboxError when it cannot be recorded.
    """
    channels = list(channels)
    waiting = outbox.waiting([channel.receiver.name for channel in channels])
    new = outbox.new([*waiting]) if first_as_one else set()
    recorder = Recorder(outbox, clock)
    done = []
    for channel in channels:
        rows = waiting[channel.receiver.name]
        try:
            is_each = channel.keeps_incidents()
            groups = grouped(
                due(rows, limit), together, wording, channel.takes, None if is_each else storm,
                as_one=channel.receiver.name in new and not is_each,
            )  # fmt: skip
            done.append(_send_to(channel, len(rows), groups, recorder, report, wording))
        finally:
            recorder.write()
    return done


def _send_to(
    channel: Deliverer,
    waiting: int,
    groups: Sequence[Group],
    recorder: Recorder,
    report: Callable[[str], None],
    wording: Wording,
) -> Sent:
    name = channel.receiver.name
    sent = Sent(channel.receiver, waiting)
    queue = deque(groups)
    total, done, in_a_row = sum(len(each.rows) for each in groups), 0, 0
    while queue and not sent.given_up and not asked.is_set():
        report(f"{name}: {done:,} of {total:,}")
        is_last_try = in_a_row == PATIENCE
        group = queue.pop() if is_last_try else queue.popleft()
        done += len(group.rows)
        reason = channel.deliver(group.message(wording))
        if reason is None:
            for row in group.rows:
                recorder.add(Acceptance(row.key, name, datetime.now(timezone.utc)))
            sent.accepted += len(group.rows)
            in_a_row = 0
        else:
            sent.reasons[reason] += 1
            in_a_row += 1
            sent.given_up = is_last_try
        recorder.write_if_due()
    return sent
