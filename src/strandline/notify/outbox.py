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
from strandline.notify.send import Acceptance

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, Row, SparkSession

SUFFIX = "_accepted"
BY = "strandline_accepted_by"
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

    def __init__(self, spark: SparkSession, relation: str, query: str | None = None) -> None:
        """With a query its rows instead of those of the relation.

        Raises OutboxError when there is no such relation, or not with the columns it needs.
        """
        self._spark = spark
        self._relation = relation
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
        """For each receiver what it has not accepted, in the order of time; in one query.

        Raises OutboxError for a row without a key or a time.
        """
        found = self._not_accepted_by_all(receivers).collect()
        rows = [(self._notification(row), set(row[BY] or ())) for row in found]
        rows.sort(key=lambda each: each[0].place)
        return {name: [row for row, by in rows if name not in by] for name in receivers}

    def note(self, accepted: Sequence[Acceptance]) -> None:
        """One commit to the table of what was accepted, which is created on first use.

        Raises OutboxError if the write fails.
        """
        rows = [(each.key, each.receiver, micros_of(each.at)) for each in accepted]
        try:
            self._spark.sql(f"create table if not exists {_quoted(self.accepted)} {ACCEPTED}")
            given = self._spark.createDataFrame(
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

        rows = self._rows.select(*(self._read(name) for name in self._rows.columns))
        if not self._spark.catalog.tableExists(_quoted(self.accepted)):
            return rows.withColumn(BY, F.lit(None).cast("array<string>"))
        table = self._spark.table(_quoted(self.accepted))
        if not {"notification_key", "receiver"} <= set(table.columns):
            raise OutboxError(
                f"{self.accepted} is not the table of what was accepted: it has no columns"
                " notification_key and receiver. Give it another name."
            )
        accepted = (
            table.where(F.col("receiver").isin(*receivers))
            .groupBy("notification_key")
            .agg(F.collect_set("receiver").alias(BY))
        )
        joined = rows.join(accepted, "notification_key", "left")
        return joined.where(F.coalesce(F.size(BY) < len(receivers), F.lit(True)))

    def _read(self, name: str) -> Any:
        """A column as text or number; instants as microseconds, which know no time zone."""
        from pyspark.sql import functions as F
        from pyspark.sql import types as T

        column = F.col(name_sql(name))
        if isinstance(self._rows.schema[name].dataType, T.ArrayType):
            column = F.array_join(column.cast("array<string>"), ", ", "null")
        if name in (*INSTANTS, *BOOKKEEPING_INSTANTS):
            return F.unix_micros(column.cast("timestamp")).alias(name)
        return column.cast(TYPES.get(name, "string")).alias(name)

    def _notification(self, row: Row) -> Notification:
        given = row.asDict()
        empty = [name for name in REQUIRED if given[name] is None]
        if empty:
            raise OutboxError(
                f"{self._relation} has a row whose {', '.join(empty)} is null"
                f" (notification_key {given['notification_key']!r}): it cannot be notified once."
            )
        known = {*TYPES, *BOOKKEEPING, BY}
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


def _text(name: str, value: Any) -> str | None:
    return iso(instant_of(value)) if name in BOOKKEEPING_INSTANTS and value is not None else value


def _quoted(relation: str) -> str:
    return ".".join(map(name_sql, relation.replace("`", "").split(".")))
