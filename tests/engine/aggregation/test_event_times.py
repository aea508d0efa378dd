"""The four forms of an event's time, and the reason of a time that is none of them."""

from __future__ import annotations

SUM = "select={'total': 'sum(n)'}, every='sec, min'"


def test_every_form_of_time_finds_its_second(small):
    small.define("stamped", "arrival bigint, ts timestamp, n int", ["seconds", "late"],
                 f"ts='ts', {SUM}")  # fmt: skip
    small.define("millis", "arrival bigint, ts bigint, n int", ["seconds", "late"],
                 f"ts='ts', {SUM}")  # fmt: skip
    small.define("texts", "arrival bigint, ts string, n int", ["seconds", "minutes", "late"],
                 f"ts='ts', time_zone='Asia/Kolkata', {SUM}")  # fmt: skip
    small.define("arrived", "arrival timestamp, n int", ["seconds"],
                 f"ts=none, {SUM}")  # fmt: skip

    small.feed("stamped", "1, timestamp'2018-01-05 00:00:00.9Z', 1", "2, null, 2",
               "3, timestamp'9999-06-01 00:00:00Z', 4")  # fmt: skip
    small.feed(
        "millis",
        "1, 1515110400999, 1",
        "2, -1, 2",
        "3, 253402300800000, 4",
        "4, 9223372036854775807, 8",
    )
    small.feed("texts",
               "1, '2018-01-05 00:00:00', 1", "2, '2018-01-05 05:30:00 +05:30', 2", "3, '2018-01-05 00:00:00Z', 4",
               "4, '2018-02-30 00:00:00', 8", "5, '05.01.2018', 16", "6, '2018-01-05 24:00:00', 32",
               "7, '', 64", "8, '2018-01-05 05:45:01 +05:45', 128", "9, '2018-01-05 00:00:01 UTC', 256")  # fmt: skip
    small.feed(
        "arrived", "timestamp'2018-01-05 00:00:00.5Z', 1", "timestamp'2018-01-05 00:00:01Z', 2"
    )
    small.run()

    assert small.read("stamped", "agg_timezone, agg_sum_n") == [("2018-01-05 00:00:00", "UTC", 1)]
    assert small.read("millis", "agg_sum_n") == [
        ("1969-12-31 23:59:59", 2),
        ("2018-01-05 00:00:00", 1),
    ]
    assert small.read("arrived", "agg_sum_n") == [
        ("2018-01-05 00:00:00", 1),
        ("2018-01-05 00:00:01", 2),
    ]
    # Without an offset the time is GMT, and the zone shown is the definition's own.
    assert small.read("texts", "agg_timezone, agg_sum_n") == [
        ("2018-01-05 00:00:00", "Z", 7),
        ("2018-01-05 00:00:01", "+05:45", 128),
    ]
    assert small.read("texts", "agg_timezone, agg_sum_n", "minutes") == [
        ("2018-01-05 00:00:00", "+05:45", 135)
    ]

    assert small.rows("select arrival, late_reason from small.stamped_late order by 1") == [
        (2, "no event time: ts is null"),
        (3, "no event time: ts is outside the years 2 to 9998"),
    ]
    assert small.rows("select arrival, late_reason from small.millis_late order by 1") == [
        (3, "no event time: ts is outside the years 2 to 9998"),
        (4, "no event time: ts is outside the years 2 to 9998"),
    ]
    late = small.rows("select arrival, ts, late_reason from small.texts_late order by 1")
    assert [(arrival, ts) for arrival, ts, _ in late] == [
        (4, "2018-02-30 00:00:00"), (5, "05.01.2018"), (6, "2018-01-05 24:00:00"), (7, ""), (9, "2018-01-05 00:00:01 UTC"),
    ]  # fmt: skip
    assert {reason for *_, reason in late} == {
        "no event time: ts is no time yyyy-MM-dd HH:mm:ss[ +HH:MM] of the years 2 to 9998"
    }

    # A later event of the same second brings its own offset.
    small.feed("texts", "10, '2018-01-05 00:00:00 +00:00', 512")
    small.run("--select", "texts_seconds")
    assert small.read("texts", "agg_timezone, agg_sum_n")[0] == (
        "2018-01-05 00:00:00",
        "+00:00",
        519,
    )


LOOKBACKS = [
    ("looks_at_numbers", "bigint", "'10 minutes'"),
    ("looks_at_times", "timestamp", 9),
    ("looks_at_texts", "string", 9),
]


def test_columns_that_cannot_do_their_part_are_refused(small):
    small.define("ints", "arrival bigint, ts int, n int", ["seconds"], f"ts='ts', {SUM}")
    small.define("days", "arrival bigint, ts date, n int", ["seconds"], f"ts='ts', {SUM}")
    small.define("counted", "arrival bigint, n int", ["seconds"], f"ts=none, {SUM}")
    small.define("doubles", "arrival double, ts timestamp, n int", ["seconds"],
                 f"ts='ts', buffer_size=3, {SUM}")  # fmt: skip
    small.define("absent", "arrival bigint, ts timestamp, n int", ["seconds"],
                 f"ts='ts', event_id='id', {SUM}")  # fmt: skip
    small.define("nested", "arrival boolean, ts timestamp, id struct<a int>, n int", ["seconds"],
                 f"ts='ts', event_id='id', {SUM}")  # fmt: skip
    small.define("taken", "arrival bigint, ts timestamp, n int, agg_event_time int", ["seconds"],
                 f"ts='ts', {SUM}")  # fmt: skip
    for name, arrival, lookback in LOOKBACKS:
        small.define(name, f"arrival {arrival}, ts timestamp, n int", ["seconds"],
                     f"ts='ts', arrival_lookback={lookback}, {SUM}")  # fmt: skip
    message = small.fails()
    for words in (
        "a length of time, and arrival is bigint; write a whole number",
        "a number, and arrival is timestamp; write a length of time, such as '10 minutes'",
        "a number, and arrival is string; it needs whole numbers or TIMESTAMPs as `arrival`",
    ):
        assert f"`arrival_lookback` is {words}" in message
    assert (
        "`ts` names ts, which is int; take a TIMESTAMP, a BIGINT of Unix milliseconds or a STRING"
        " 'yyyy-MM-dd HH:mm:ss[ +HH:MM]' (cast it in a staging model)"
    ) in message
    assert "`ts` names ts, which is date; take" in message
    assert (
        "`ts` is none, so that the time of arrival is used, and arrival is bigint; take a"
        " TIMESTAMP as `arrival`, or name the events' time in `ts`"
    ) in message
    assert (
        "`buffer_size` needs the order of `arrival`, and arrival is double; make it a whole number"
        in message
    )
    assert (
        "`event_id` names the column 'id', which feed_absent does not have; it has arrival, ts, n"
        in message
    )
    order = "take a whole number, a DECIMAL, a STRING, a BINARY, a DATE or a TIMESTAMP"
    assert (
        f"`arrival` names arrival of feed_doubles, which is DOUBLE; {order} (cast it in a"
        in message
    )
    assert (
        f"`arrival` names arrival of feed_nested, which is BOOLEAN; {order} (cast it in a"
        in message
    )
    assert (
        f"`event_id` names id of feed_nested, which is STRUCT<A:INT>; {order}; to_json(…) in a staging model makes a STRING of it"
        in message
    )
    assert "feed_taken has the columns agg_event_time, whose names are reserved" in message


def test_an_event_without_an_arrival_stops_both_tables(small):
    small.define(
        "gone",
        "arrival bigint, ts timestamp, n int",
        ["seconds", "late"],
        "ts='ts', every='sec', select={'n': 'count(*)'}",
    )
    small.feed("gone", "null, null, 1")
    message = small.fails()
    assert message.count("aggregation gone: an event of feed_gone has no arrival") == 2
    small.spark.sql("truncate table small.feed_gone")
    small.feed("gone", "1, timestamp'2018-01-05 00:00:00Z', 1")
    small.run()
    small.feed("gone", "null, null, 1")
    assert small.fails().count("every event needs an arrival that only grows") == 2
    assert small.read("gone", "agg_count") == [("2018-01-05 00:00:00", 1)]
