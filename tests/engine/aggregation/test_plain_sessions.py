"""Ids, arrivals and texts of any kind, in a session with Spark's own settings and another clock."""

from __future__ import annotations

import pytest
from tests.conftest import profile

SUM = "ts='ts', select={'total': 'sum(n)'}"
AT = "timestamp'2024-03-06 10:00:00Z'"
PLAIN = (
    'server_side_parameters: {"spark.sql.variable.substitute": "true", '
    '"spark.sql.session.timeZone": "America/New_York"}'
)


@pytest.mark.soak
def test_no_event_is_lost_or_counted_twice_whatever_its_values(small):
    small._write(
        small._folder, {"profiles/profiles.yml": profile("small", more=f"threads: 2, {PLAIN}")}
    )
    small.define("bytes", "arrival bigint, id binary, ts timestamp, n int", ["seconds", "late"],
                 f"event_id='id', every='sec', {SUM}")  # fmt: skip
    small.define("texts", "arrival bigint, id string, ts timestamp, n int", ["seconds"],
                 "event_id='id', every='sec', ts='ts', select={'total': 'sum(n)', "
                 """'matched': "count(if(id = '{at}', 1, null))"}""")  # fmt: skip
    # A task that names a `url` looks like a secret to Spark, which hides it from `show tblproperties`.
    small.define("clocked", "arrival timestamp, ts timestamp, url int, n int", ["seconds"],
                 f"every='sec', keys=['url'], {SUM}")  # fmt: skip
    small.define(
        "old", "arrival bigint, ts timestamp, n int", ["days", "late"], f"every='days', {SUM}"
    )

    small.feed("bytes", f"1, x'01', {AT}, 1")
    small.feed("texts", f"1, '', {AT}, 1", rf"2, '\u0024{{env:HOME}}', {AT}, 2")
    # Both are half past one by the session's clock.
    small.feed(
        "clocked",
        f"timestamp'2013-11-03 05:30:00Z', {AT}, 1, 1",
        f"timestamp'2013-11-03 06:30:00Z', {AT}, 1, 2",
    )
    small.feed("old", "1, timestamp'1582-10-17 12:00:00Z', 1", "2, timestamp'1582-10-12 00:00:00Z', 2",
               "3, timestamp'1582-10-03 23:59:59Z', 4")  # fmt: skip
    small.run()
    small.feed(
        "bytes",
        f"2, x'80e1', {AT}, 2",
        f"3, x'ff00', {AT}, 4",
        f"4, x'fe00', {AT}, 8",
        f"5, x'01', {AT}, 1",
    )
    small.feed("texts", f"3, 'null', {AT}, 4", rf"4, 'it\'s \\ ', {AT}, 8", f"5, '{{at}}', {AT}, 16",
               rf"6, '\u0024{{env:HOME}}', {AT}, 2", f"7, '', {AT}, 1", f"8, 'NULL', {AT}, 32")  # fmt: skip
    small.feed("clocked", f"timestamp'2013-11-03 06:45:00Z', {AT}, 1, 4")
    small.feed(
        "old", "4, timestamp'1582-10-17 13:00:00Z', 8", "5, timestamp'1582-10-16 23:59:59Z', 16"
    )
    small.run()

    assert small.read("bytes", "agg_sum_n, agg_arrival") == [("2024-03-06 10:00:00", 15, 4)]
    assert small.rows("select arrival, hex(id), late_reason from small.bytes_late") == [
        (5, "01", "duplicate: an event of this id came before")
    ]
    (matched,) = [
        c for c in small.spark.table("small.texts_seconds").columns if c.startswith("agg_count_if")
    ]
    assert small.read("texts", f"agg_sum_n, {matched}") == [("2024-03-06 10:00:00", 63, 1)]
    assert small.read("clocked", "agg_sum_n") == [("2024-03-06 10:00:00", 7)]
    assert small.read("old", "agg_sum_n, cast(agg_partition as string)", "days") == [
        ("1582-10-03 00:00:00", 4, "1582-09-27"),
        ("1582-10-17 00:00:00", 9, "1582-10-11"),
    ]
    assert small.rows("select arrival, n, late_reason from small.old_late order by 1") == [
        (2, 2, "no event time: ts is in 4 to 16 October 1582, which Delta cannot search by time"),
        (5, 16, "no event time: ts is in 4 to 16 October 1582, which Delta cannot search by time"),
    ]
    assert set(small.run().values()) == {"nothing new"}
