"""Reads anomalies and the notifications of an outbox, the newest ones."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from strandline.notify.incidents import rank
from strandline.notify.outbox import BOOKKEEPING, SUFFIX, TYPES
from strandline.report.values import key_sql, short

if TYPE_CHECKING:
    from strandline.connection import Connection
    from strandline.report.found import Anomalies

ANOMALIES, NOTIFICATIONS = 2_000, 1_000
VALUES = ("current_value", "baseline_value")
OPTIONAL = (*VALUES, "unit", "severity", "members")


def read_anomalies(spark: Connection, one: Anomalies) -> dict[str, Any]:
    """How many there are of each status, and the newest of them; parents are not counted."""
    counts = spark.sql(
        f"select status, count(*) as n from {one.relation} where not is_parent group by 1"
    ).collect()
    rows = spark.sql(f"""
        select anomaly_id as id, coalesce(incident_id, anomaly_id) as incident,
            {key_sql(one.keys)} as key, unix_millis(starts_at) as starts,
            unix_millis(ends_at) as ends, current_value, baseline_value, severity, status,
            generation, unix_millis(notified_at) as notified, unix_millis(changed_at) as changed
        from {one.relation}
        where not is_parent
        order by ends_at desc, anomaly_id
        limit {ANOMALIES}
    """).collect()
    return {
        "name": one.name,
        "counts": {row["status"]: row["n"] for row in counts},
        "rows": [_plain(row) | {"rank": rank(row["severity"])} for row in rows],
    }


def detectors_of(spark: Connection, detections: Iterable[str]) -> list[str]:
    """The names of detectors in these relations of detections."""
    names = " union ".join(f"select string(detector) as name from {it}" for it in detections)
    return sorted(row["name"] for row in spark.sql(names).collect()) if names else []


def read_notifications(spark: Connection, relation: str) -> dict[str, Any]:
    """The newest notifications of an outbox, and the receivers that have accepted each."""
    columns = spark.table(relation).columns
    keys = [name for name in columns if name not in TYPES and name not in BOOKKEEPING]
    optional = [name if name in columns else f"double(null) as {name}" for name in OPTIONAL]
    incident = "incident_id" if "incident_id" in columns else "string(null)"
    accepted, by = "", "array()"
    if spark.catalog.tableExists(relation + SUFFIX):
        by = "coalesce(accepted.by, array())"
        accepted = f"""
            left join (
                select notification_key, sort_array(collect_set(receiver)) as by
                from {relation}{SUFFIX}
                group by 1
            ) as accepted using (notification_key)
        """
    rows = spark.sql(f"""
        select {incident} as incident, {key_sql(keys)} as key, kind,
            unix_millis(notified_at) as notified,
            unix_millis(starts_at) as starts, unix_millis(ends_at) as ends,
            {", ".join(optional)}, to_json({by}) as accepted
        from {relation} {accepted}
        order by notified_at desc, notification_key
        limit {NOTIFICATIONS}
    """).collect()
    total = spark.sql(f"select count(*) as n from {relation}").collect()
    return {"name": relation, "total": total[0]["n"], "rows": [_notification(row) for row in rows]}


def _notification(row: Any) -> dict[str, Any]:
    return _plain(row) | {"accepted": json.loads(row["accepted"])}


def _plain(row: Any) -> dict[str, Any]:
    values = {name: short(row[name]) for name in VALUES}
    return dict(row.asDict()) | values | {"key": json.loads(row["key"])}
