"""What the report reads of an outbox of one's own, which has the needed columns alone."""

from __future__ import annotations

from typing import Any

from strandline.report.alerts import read_notifications


def test_an_outbox_without_incidents_is_shown(spark: Any) -> None:
    spark.sql("""
        create or replace temp view own_outbox as
        select 'k1' as notification_key, 'new' as kind, 'AA' as carrier,
            timestamp'2013-02-10 06:00:00Z' as notified_at,
            timestamp'2013-02-08 00:00:00Z' as starts_at, timestamp'2013-02-09 00:00:00Z' as ends_at
    """)
    shown = read_notifications(spark, "own_outbox")
    [row] = shown["rows"]
    assert (shown["total"], row["incident"], row["key"]) == (1, None, {"carrier": "AA"})
    assert (row["kind"], row["accepted"]) == ("new", [])
