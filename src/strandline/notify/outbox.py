"""An outbox on Spark: a view of notifications, and a Delta table of what was accepted of them.

That table stands beside the view, under its name with `_accepted` behind it. dbt does not know it:
when the anomalies are rebuilt, what was sent stays sent.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from strandline.connection import types_of
from strandline.errors import OutboxError
from strandline.literals import instant_of, micros_of, name_sql, text_sql
from strandline.notify.interval import iso
from strandline.notify.message import Notification
from strandline.notify.reminders import KEY, Open, Reminders, reminders_due
from strandline.notify.send import Acceptance

if TYPE_CHECKING:
    from strandline.connection import Connection

SUFFIX = "_accepted"
BY = "strandline_accepted_by"
RECEIVER, LAST, NUMBER = "strandline_receiver", "strandline_last_at", "strandline_reminders"
# Each run that sends adds a small file; auto compaction merges them when there are fifty.
ACCEPTED = """(
    notification_key string not null, receiver string not null, accepted_at timestamp not null
) using delta tblproperties ('delta.autoOptimize.autoCompact' = 'true')"""
INSTANTS = ("notified_at", "starts_at", "ends_at")
REQUIRED = ("notification_key", "kind", *INSTANTS)
# Columns with a meaning of their own, and how they are read.
TYPES = {
    "notification_key": "string",
    "kind": "string",
    **dict.fromkeys(INSTANTS, "timestamp"),
    "incident_id": "string",
    "anomaly_id": "string",
    "current_value": "double",
    "baseline_value": "double",
    "unit": "string",
    "severity": "string",
    "labels": "string",
    "is_parent": "boolean",
    "members": "bigint",
    "measured_name": "string",
    "is_bound": "boolean",
    "contributions": "string",
}
# Columns of `strandline.anomalies` for machines. Any column that is neither here nor above is a
# key of the user's.
BOOKKEEPING_INSTANTS = ("first_seen_at", "changed_at", "created_run_at", "changed_run_at")
BOOKKEEPING = ("generation", "replaces", "parent_id", "status", *BOOKKEEPING_INSTANTS)


class DeltaOutbox:
    """The outbox of one relation, `schema.name`; see strandline.notify.send.Outbox."""

    def __init__(
        self,
        spark: Connection,
        relation: str,
        query: str | None = None,
        reminders: Reminders | None = None,
    ) -> None:
        """With a query its rows instead of those of the relation.

        Raises OutboxError when there is no such relation, or not with the columns it needs.
        """
        self.spark = spark
        self.relation = relation
        self._reminders = reminders
        self.open_query = None if reminders is None else reminders.query
        self.next_reminder: int | None = None  # as of the last call of `waiting`
        self.accepted = relation + SUFFIX
        if not spark.catalog.tableExists(_quoted(relation)):
            raise OutboxError(
                f"The outbox {relation} is not there: build it first (`dbt build`), or name another"
                " with --outbox."
            )
        self._rows = f"select * from {_quoted(relation)}" if query is None else query
        types = types_of(spark, self._rows)
        missing = [name for name in REQUIRED if name not in types]
        if missing:
            raise OutboxError(
                f"{relation} is no outbox: it has no column {', '.join(missing)}."
                " See docs/notifications.md for its columns."
            )

    def waiting(self, receivers: Sequence[str]) -> dict[str, list[Notification]]:
        """For each receiver what it has not accepted, in the order of time, and due reminders.

        Raises OutboxError for a row without a key or a time.
        """
        found = self.spark.sql(self._not_accepted_by_all(receivers)).collect()
        rows = [(self._notification(row), set(json.loads(row[BY] or "[]"))) for row in found]
        rows.sort(key=lambda each: each[0].place)
        waiting = {name: [row for row, by in rows if name not in by] for name in receivers}
        if self._reminders is None or not self.has_accepted():
            return waiting
        found = self.spark.sql(self._open_incidents(receivers, self._reminders.query)).collect()
        known = [
            Open(self._notification(row), row[RECEIVER], row[LAST], row[NUMBER]) for row in found
        ]
        due, self.next_reminder = reminders_due(known, waiting, self._reminders)
        return {name: [*waiting[name], *due[name]] for name in receivers}

    def new(self, receivers: Sequence[str]) -> set[str]:
        """Those of which nothing is in the table of what was accepted."""
        if not receivers or not self.has_accepted():
            return set(receivers)
        known = self.spark.sql(f"select distinct receiver from {self._accepted_by(receivers)}")
        return set(receivers) - {row.receiver for row in known.collect()}

    def note(self, accepted: Sequence[Acceptance]) -> None:
        """One commit to the table of what was accepted, which is created on first use.

        Raises OutboxError if the write fails.
        """
        rows = [
            f"({text_sql(each.key)}, {text_sql(each.receiver)},"
            f" timestamp_micros({micros_of(each.at)}))"
            for each in accepted
        ]
        try:
            self.spark.sql(f"create table if not exists {_quoted(self.accepted)} {ACCEPTED}")
            self.spark.sql(
                f"insert into {_quoted(self.accepted)} (notification_key, receiver, accepted_at)"
                f" values {', '.join(rows)}"
            )
        except Exception as error:
            from strandline.spark.errors import message_of

            raise OutboxError(
                f"{len(rows):,} notifications were accepted, but {self.accepted} could not be"
                f" written: {message_of(error)}\nThe next `strandline notify` sends them again,"
                " with the same idempotency keys."
            ) from error

    def _not_accepted_by_all(self, receivers: Sequence[str]) -> str:
        rows = _read(self.spark, self._rows)
        if not self.has_accepted():
            return f"select *, string(null) as {BY} from ({rows})"
        return f"""
            select found.*, to_json(accepted.receivers) as {BY}
            from ({rows}) as found
            left join (
                select notification_key, collect_set(receiver) as receivers
                from {self._accepted_by(receivers)}
                group by notification_key
            ) as accepted on accepted.notification_key = found.notification_key
            where coalesce(size(accepted.receivers) < {len(receivers)}, true)
        """

    def _open_incidents(self, receivers: Sequence[str], query: str) -> str:
        """The rows of the query, with each receiver that has accepted a notification of it."""
        key = f"regexp_extract(accepted.notification_key, {text_sql(KEY)}, %d)"
        return f"""
            select found.*, last.{RECEIVER}, last.{LAST}, last.{NUMBER}
            from ({_read(self.spark, query)}) as found
            join (
                select notified.incident_id, accepted.receiver as {RECEIVER},
                    max(unix_micros(accepted.accepted_at)) as {LAST},
                    coalesce(max(try_cast({key % 2} as bigint)), 0) as {NUMBER}
                from {self._accepted_by(receivers)} as accepted
                join ({self._rows}) as notified on notified.notification_key = {key % 1}
                group by notified.incident_id, accepted.receiver
            ) as last on last.incident_id = found.incident_id
        """

    def has_accepted(self) -> bool:
        """Whether there is a table of what was accepted yet."""
        return bool(self.spark.catalog.tableExists(_quoted(self.accepted)))

    def _accepted_by(self, receivers: Sequence[str]) -> str:
        """The record of these receivers; raises OutboxError if the table is another one."""
        table = _quoted(self.accepted)
        if not {"notification_key", "receiver"} <= set(self.spark.table(table).columns):
            raise OutboxError(
                f"{self.accepted} is not the table of what was accepted: it has no columns"
                " notification_key and receiver. Give it another name."
            )
        return f"(select * from {table} where receiver in ({', '.join(map(text_sql, receivers))}))"

    def _notification(self, row: Any) -> Notification:
        given = row.asDict()
        empty = [name for name in REQUIRED if given[name] is None]
        if empty:
            raise OutboxError(
                f"{self.relation} has a row whose {', '.join(empty)} is null"
                f" (notification_key {given['notification_key']!r}): it cannot be notified once."
            )
        known = {*TYPES, *BOOKKEEPING, BY, RECEIVER, LAST, NUMBER}
        return Notification(
            key=given["notification_key"],
            kind=given["kind"],
            **{name: instant_of(given[name]) for name in INSTANTS},
            incident_id=given.get("incident_id"),
            anomaly_id=given.get("anomaly_id"),
            current=given.get("current_value"),
            baseline=given.get("baseline_value"),
            unit=given.get("unit"),
            severity=given.get("severity"),
            labels=given.get("labels"),
            is_parent=bool(given.get("is_parent")),
            members=given.get("members"),
            measured=given.get("measured_name"),
            is_bound=bool(given.get("is_bound")),
            contributions=given.get("contributions"),
            bookkeeping={name: _text(name, given.get(name)) for name in BOOKKEEPING},
            keys={name: value for name, value in given.items() if name not in known},
        )


def _read(spark: Connection, query: str) -> str:
    """Columns as text or numbers; instants as microseconds, which know no time zone."""
    columns = (_column(name, type_) for name, type_ in types_of(spark, query).items())
    return f"select {', '.join(columns)} from ({query})"


def _column(name: str, type_: str) -> str:
    column = name_sql(name)
    if name in (*INSTANTS, *BOOKKEEPING_INSTANTS):
        return f"unix_micros(cast({column} as timestamp)) as {column}"
    read = column
    if type_.startswith("array<"):
        read = f"array_join(cast({column} as array<string>), ', ', 'null')"
    return f"cast({read} as {TYPES.get(name, 'string')}) as {column}"


def _text(name: str, value: Any) -> str | None:
    return iso(instant_of(value)) if name in BOOKKEEPING_INSTANTS and value is not None else value


def _quoted(relation: str) -> str:
    return ".".join(map(name_sql, relation.replace("`", "").split(".")))
