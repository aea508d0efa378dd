"""An outbox on Spark: a view of notifications, and a Delta table of what was accepted of them.

That table stands beside the view, under its name with `_accepted` behind it. dbt does not know it:
when the anomalies are rebuilt, what was sent stays sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from strandline.errors import OutboxError
from strandline.literals import instant_of, micros_of, name_sql
from strandline.notify.interval import iso
from strandline.notify.message import Notification
from strandline.notify.reminders import KEY, Open, Reminders, reminders_due
from strandline.notify.send import Acceptance

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row, SparkSession

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
}
# Columns of `strandline.anomalies` for machines. Any column that is neither here nor above is a
# key of the user's.
BOOKKEEPING_INSTANTS = ("first_seen_at", "changed_at", "created_run_at", "changed_run_at")
BOOKKEEPING = ("generation", "replaces", "parent_id", "status", *BOOKKEEPING_INSTANTS)


class DeltaOutbox:
    """The outbox of one relation, `schema.name`; see strandline.notify.send.Outbox."""

    def __init__(
        self,
        spark: SparkSession,
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
        self._rows = spark.table(_quoted(relation)) if query is None else spark.sql(query)
        missing = [name for name in REQUIRED if name not in self._rows.columns]
        if missing:
            raise OutboxError(
                f"{relation} is no outbox: it has no column {', '.join(missing)}."
                " See docs/notifications.md for its columns."
            )

    def waiting(self, receivers: Sequence[str]) -> dict[str, list[Notification]]:
        """For each receiver what it has not accepted, in the order of time, and due reminders.

        Raises OutboxError for a row without a key or a time.
        """
        found = self._not_accepted_by_all(receivers).collect()
        rows = [(self._notification(row), set(row[BY] or ())) for row in found]
        rows.sort(key=lambda each: each[0].place)
        waiting = {name: [row for row, by in rows if name not in by] for name in receivers}
        if self._reminders is None or not self.has_accepted():
            return waiting
        found = self._open_incidents(receivers, self._reminders.query).collect()
        known = [
            Open(self._notification(row), row[RECEIVER], row[LAST], row[NUMBER]) for row in found
        ]
        due, self.next_reminder = reminders_due(known, waiting, self._reminders)
        return {name: [*waiting[name], *due[name]] for name in receivers}

    def note(self, accepted: Sequence[Acceptance]) -> None:
        """One commit to the table of what was accepted, which is created on first use.

        Raises OutboxError if the write fails.
        """
        rows = [(each.key, each.receiver, micros_of(each.at)) for each in accepted]
        try:
            self.spark.sql(f"create table if not exists {_quoted(self.accepted)} {ACCEPTED}")
            given = self.spark.createDataFrame(
                rows, "notification_key string, receiver string, at bigint"
            )
            given.selectExpr(
                "notification_key", "receiver", "timestamp_micros(at) as accepted_at"
            ).write.format("delta").mode("append").saveAsTable(_quoted(self.accepted))
        except Exception as error:
            from strandline.spark.errors import message_of

            raise OutboxError(
                f"{len(rows):,} notifications were accepted, but {self.accepted} could not be"
                f" written: {message_of(error)}\nThe next `strandline notify` sends them again,"
                " with the same idempotency keys."
            ) from error

    def _not_accepted_by_all(self, receivers: Sequence[str]) -> DataFrame:
        from pyspark.sql import functions as F

        rows = _read(self._rows)
        if not self.has_accepted():
            return rows.withColumn(BY, F.lit(None).cast("array<string>"))
        accepted = (
            self._accepted_by(receivers)
            .groupBy("notification_key")
            .agg(F.collect_set("receiver").alias(BY))
        )
        joined = rows.join(accepted, "notification_key", "left")
        return joined.where(F.coalesce(F.size(BY) < len(receivers), F.lit(True)))

    def _open_incidents(self, receivers: Sequence[str], query: str) -> DataFrame:
        """The rows of the query, with each receiver that has accepted a notification of it."""
        from pyspark.sql import functions as F

        number = F.expr(f"try_cast({NUMBER} as bigint)")
        accepted = self._accepted_by(receivers).select(
            F.regexp_extract("notification_key", KEY, 1).alias("notification_key"),
            F.regexp_extract("notification_key", KEY, 2).alias(NUMBER),
            F.col("receiver").alias(RECEIVER),
            F.unix_micros("accepted_at").alias(LAST),
        )
        last = (
            accepted.join(self._rows.select("notification_key", "incident_id"), "notification_key")
            .groupBy("incident_id", RECEIVER)
            .agg(
                F.max(LAST).alias(LAST),
                F.coalesce(F.max(number), F.lit(0)).alias(NUMBER),
            )
        )
        return _read(self.spark.sql(query)).join(last, "incident_id")

    def has_accepted(self) -> bool:
        """Whether there is a table of what was accepted yet."""
        return bool(self.spark.catalog.tableExists(_quoted(self.accepted)))

    def _accepted_by(self, receivers: Sequence[str]) -> DataFrame:
        """The record of these receivers; raises OutboxError if the table is another one."""
        from pyspark.sql import functions as F

        table = self.spark.table(_quoted(self.accepted))
        if not {"notification_key", "receiver"} <= set(table.columns):
            raise OutboxError(
                f"{self.accepted} is not the table of what was accepted: it has no columns"
                " notification_key and receiver. Give it another name."
            )
        return table.where(F.col("receiver").isin(*receivers))

    def _notification(self, row: Row) -> Notification:
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
            bookkeeping={name: _text(name, given.get(name)) for name in BOOKKEEPING},
            keys={name: value for name, value in given.items() if name not in known},
        )


def _read(frame: DataFrame) -> DataFrame:
    """Columns as text or numbers; instants as microseconds, which know no time zone."""
    return frame.select(*(_column(frame, name) for name in frame.columns))


def _column(frame: DataFrame, name: str) -> Any:
    from pyspark.sql import functions as F
    from pyspark.sql import types as T

    column = F.col(name_sql(name))
    if isinstance(frame.schema[name].dataType, T.ArrayType):
        column = F.array_join(column.cast("array<string>"), ", ", "null")
    if name in (*INSTANTS, *BOOKKEEPING_INSTANTS):
        return F.unix_micros(column.cast("timestamp")).alias(name)
    return column.cast(TYPES.get(name, "string")).alias(name)


def _text(name: str, value: Any) -> str | None:
    return iso(instant_of(value)) if name in BOOKKEEPING_INSTANTS and value is not None else value


def _quoted(relation: str) -> str:
    return ".".join(map(name_sql, relation.replace("`", "").split(".")))
