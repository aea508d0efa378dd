"""Which parts made the change of a total, by examples and on random rows."""

from __future__ import annotations

import random
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from tests.unit.jinja_macros import macros

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
NEW_YORK = "America/New_York"


def load(spark, parts: list[tuple], detections: list[tuple]) -> None:
    """`parts`: (carrier, origin, start, flights); `detections`: (id, carrier, start, end); naive UTC."""
    spark.createDataFrame(
        [(carrier, origin, _seconds(at), value) for carrier, origin, at, value in parts],
        "carrier string, origin string, at bigint, flights double",
    ).selectExpr("* except (at)", "timestamp_seconds(at) as ts").createOrReplaceTempView("parts")
    spark.createDataFrame(
        [(key, carrier, _seconds(first), _seconds(last)) for key, carrier, first, last in detections],
        "detection_id string, carrier string, first bigint, last bigint",
    ).selectExpr(
        "detection_id", "carrier", "timestamp_seconds(first) as starts_at", "timestamp_seconds(last) as ends_at"
    ).createOrReplaceTempView("detections")  # fmt: skip


def _seconds(at: str | datetime) -> int:
    naive = datetime.fromisoformat(at) if isinstance(at, str) else at
    return int((naive.replace(tzinfo=timezone.utc) - EPOCH).total_seconds())


def contribution(spark, columns: str, **call) -> list[tuple]:
    given = {
        "detections": "(select * from detections)", "source": "(select * from parts)", "ts": "ts", "value": "flights",
        "granularity": "P1D", "offset": "P7D", "by": ["origin"],
    }  # fmt: skip
    query = macros().change_contribution(**given | call)
    return [
        tuple(row)
        for row in spark.sql(
            f"select {columns} from ({query}) order by detection_id, rank"
        ).collect()
    ]


DAYS = [
    ("UA", "JFK", "2013-02-01", 60.0), ("UA", "EWR", "2013-02-01", 90.0), ("UA", "LGA", "2013-02-01", 8.0),
    ("UA", "JFK", "2013-02-08", 10.0), ("UA", "EWR", "2013-02-08", 65.0), ("UA", None, "2013-02-08", 2.0),
    ("AA", "JFK", "2013-02-01", 30.0), ("AA", "JFK", "2013-02-08", 40.0),
]  # fmt: skip
STORM = [("a", "UA", "2013-02-08", "2013-02-09")]


def test_the_parts_with_the_greatest_change_come_first(spark):
    load(spark, DAYS, STORM)
    assert contribution(
        spark,
        "rank, origin, current_value, baseline_value, change, round(share, 3)",
        keys=["carrier"],
    ) == [
        (1, "JFK", 10.0, 60.0, -50.0, 0.617),
        (2, "EWR", 65.0, 90.0, -25.0, 0.309),
        (3, "LGA", 0.0, 8.0, -8.0, 0.099),
        (4, None, 2.0, 0.0, 2.0, -0.025),
    ]
    assert contribution(spark, "contribution", keys=["carrier"], top=2) == [
        ("JFK: 10, before 60 (62 % of the change)",),
        ("EWR: 65, before 90 (31 % of the change)",),
    ]


def test_of_all_rows_by_two_columns(spark):
    load(spark, DAYS, STORM)
    assert contribution(
        spark, "carrier, origin, change, contribution", by=["carrier", "origin"], top=2
    ) == [
        ("UA", "JFK", -50.0, "UA, JFK: 10, before 60 (70 % of the change)"),
        ("UA", "EWR", -25.0, "UA, EWR: 65, before 90 (35 % of the change)"),
    ]


def test_a_total_that_has_not_changed_has_no_shares(spark):
    load(spark, [("UA", "JFK", "2013-02-01", 1.0), ("UA", "EWR", "2013-02-08", 1.0)], STORM)
    assert contribution(spark, "share, contribution", keys=["carrier"]) == [
        (None, "EWR: 1, before 0"),
        (None, "JFK: 0, before 1"),
    ]


def test_another_name_of_the_detection(spark):
    load(spark, DAYS, STORM)
    renamed = "(select detection_id as anomaly_id, carrier, starts_at, ends_at from detections)"
    given = {"detections": renamed, "id": "anomaly_id", "keys": ["carrier"], "top": 1}
    query = macros().change_contribution(
        source="(select * from parts)",
        ts="ts",
        value="flights",
        granularity="P1D",
        offset="P7D",
        by=["origin"],
        **given,
    )
    assert spark.sql(query).columns[:4] == ["anomaly_id", "carrier", "starts_at", "ends_at"]
    assert spark.sql(query).first()["anomaly_id"] == "a"


def test_hours_are_compared_by_the_clock_of_the_zone(spark):
    """On 10 March the clock goes forward: 08:00 is at 12:00 in UTC, a week before at 13:00."""
    parts = [("UA", "JFK", "2013-03-03 13:00:00", 5.0), ("UA", "JFK", "2013-03-10 12:00:00", 7.0)]
    load(spark, parts, [("a", "UA", "2013-03-10 12:00:00", "2013-03-10 13:00:00")])
    call = {"keys": ["carrier"], "granularity": "PT1H"}
    assert contribution(spark, "current_value, baseline_value", time_zone=NEW_YORK, **call) == [
        (7.0, 5.0)
    ]
    assert contribution(spark, "current_value, baseline_value", **call) == [(7.0, 0.0)]


@pytest.mark.parametrize("seed", range(5))
def test_random_rows(spark, seed):
    draw = random.Random(seed)  # noqa: S311
    zone = draw.choice(["UTC", NEW_YORK])
    first = datetime(2013, 3, 4)
    hours = {
        (carrier, origin, at): float(draw.randrange(50))
        for carrier in ("UA", "AA", None) for origin in ("JFK", "EWR", None) for at in range(24 * 14)
        if draw.random() < 0.7
    }  # fmt: skip
    parts = [(c, o, first + timedelta(hours=at), value) for (c, o, at), value in hours.items()]
    detections = []
    for number in range(6):
        start = first + timedelta(hours=draw.randrange(24 * 7, 24 * 14))
        end = start + timedelta(hours=draw.randrange(1, 9))
        detections.append((f"{number}", draw.choice(["UA", "AA", None]), start, end))
    load(spark, parts, detections)

    def clock(at: datetime) -> datetime:
        return at.replace(tzinfo=timezone.utc).astimezone(ZoneInfo(zone)).replace(tzinfo=None)

    wanted = {}
    for key, carrier, start, end in detections:
        for own, origin, at, value in parts:
            for place, shift in enumerate((timedelta(0), timedelta(days=7))):
                if own == carrier and clock(start) <= clock(at) + shift < clock(end):
                    wanted.setdefault((key, origin), [0.0, 0.0])[place] += value
    found = contribution(
        spark,
        "detection_id, origin, current_value, baseline_value",
        keys=["carrier"],
        granularity="PT1H",
        time_zone=zone,
    )
    assert {row[:2]: list(row[2:]) for row in found} == wanted
    assert len(found) == len(wanted)
