"""What stops a query, because only the data can show that it is wrong: each with its message."""

from __future__ import annotations

import pytest
from tests.unit.jinja_macros import macros

from strandline.spark.errors import message_of

m = macros()
BUCKET = {"start": "timestamp'2022-01-01 01:00:00'", "length": "1 hour"}
NIGHT = {"start": "timestamp'2022-01-01'", "length": "1 hour"}
FOLLOW = "; merge only summaries with the same method and gap that have no instant in common"
STATES_FOLLOW = "; merge only summaries with the same gap and form that do not overlap"
COMPACT = ": the summary is compact and has no timeline; build it with form='full'"


@pytest.fixture(scope="module")
def refused(spark):
    """The message with which a query stops."""

    def read(query: str) -> str:
        with pytest.raises(Exception) as stopped:  # noqa: PT011 - the message is the test
            spark.sql(query).collect()
        return message_of(stopped.value)

    return read


def of(aggregate: str, *points: str) -> str:
    """A summary of points, each `HH:mm value`, as a query."""
    rows = ", ".join(
        f"(timestamp'2022-01-01 {time}', {value})" for time, value in map(str.split, points)
    )
    return f"(select {aggregate} from values {rows} as t(ts, v))"


def weight(*points: str, method="locf", gap="30 minutes") -> str:
    return of(m.time_weight("ts", "v", method=method, gap=gap), *points)


def states(*points: str, gap="30 minutes", form="full") -> str:
    return of(m.state_agg("ts", "v", gap=gap, form=form), *points)


def beats(*points: str, start="00:00", interval="10 minutes") -> str:
    start = f"timestamp'2022-01-01 {start}'"
    return of(m.heartbeat_agg("ts", start, "1 hour", interval), *(f"{each} 0" for each in points))


def rollup(kind: str, *parts: str) -> str:
    return f"select {m.rollup('part', of=kind)} from (select explode(array({', '.join(parts)})) as part)"


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ((weight("00:00 1", "02:00 2"), weight("01:00 1", "03:00 2")),
         "parts overlap: one lasts to 2022-01-01 02:00:00 and the next begins at 2022-01-01 01:00:00"),
        ((weight("02:00 1", "03:00 2"), weight("00:00 1", "02:00 2")),
         "parts touch: one lasts to 2022-01-01 02:00:00 and the next begins at 2022-01-01 02:00:00"),
        ((weight("00:00 1"), weight("00:00 1")),
         "parts touch: one lasts to 2022-01-01 00:00:00 and the next begins at 2022-01-01 00:00:00"),
        ((weight("02:00 1", method="linear"), weight("00:00 1")),
         "one part has the method locf and the next linear"),
        ((weight("00:00 1"), weight("02:00 1", gap="PT1H")),
         "one part has a gap of 1800.0 seconds and the next of 3600.0 seconds"),
        ((weight("00:00 1", gap=None), weight("02:00 1"), weight("03:00 1")),
         "one part has a gap of none and the next of 1800.0 seconds"),
    ],
)  # fmt: skip
def test_rollup(refused, parts, message):
    assert f"time_weight: {message}{FOLLOW}" in refused(rollup("time_weight", *parts))


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ((states("00:00 'a'", "02:00 'b'"), states("01:00 'b'", "03:00 'a'")),
         "parts overlap: one lasts to 2022-01-01 02:00:00 and the next begins at 2022-01-01 01:00:00"),
        ((states("02:00 'a'", "03:00 'b'"), states("00:00 'a'", "02:00 'b'")),
         "two states at 2022-01-01 02:00:00, b and a"),
        ((states("00:00 1"), states("00:00 2")), "two states at 2022-01-01 00:00:00, 1 and 2"),
        ((states("00:00 'a'"), states("02:00 'a'", gap="PT1H")),
         "one part has a gap of 1800.0 seconds and the next of 3600.0 seconds"),
        ((states("00:00 'a'"), states("02:00 'a'", gap=None)),
         "one part has a gap of 1800.0 seconds and the next of none"),
        ((states("00:00 'a'"), states("02:00 'a'", form="compact")),
         "one part is compact and the next is full"),
    ],
)  # fmt: skip
def test_rollup_of_states(refused, parts, message):
    assert f"state_agg: {message}{STATES_FOLLOW}" in refused(rollup("state_agg", *parts))


def test_rollup_of_heartbeats(refused):
    parts = beats("00:10"), beats("02:10", start="02:00", interval="PT20M")
    assert (
        "heartbeat_agg: parts have the intervals of 600.0 and 1200.0 seconds; merge only summaries with the same interval"
    ) in refused(rollup("heartbeat_agg", *parts))


def test_two_states_at_one_instant(refused):
    message = "; a signal is in one state at a time: group by its key as well, or remove one of the two first"
    for form in ("full", "compact"):
        query = states("00:00 'a'", "01:00 'on'", "01:00 'off'", form=form)
        assert f"state_agg: two states at 2022-01-01 01:00:00, off and on{message}" in refused(
            query
        )
    assert f"two states at 2022-01-01 01:00:00, -1 and 7{message}" in refused(
        states("01:00 7", "01:00 -1")
    )


@pytest.mark.parametrize(
    ("beat", "start"), [("00:59", "01:00"), ("02:00", "01:00"), ("01:00", "00:00")]
)
def test_heartbeat_outside_of_its_range(refused, beat, start):
    end = f"0{int(start[1]) + 1}:00"
    assert (
        f"heartbeat_agg: a heartbeat at 2022-01-01 {beat}:00 is outside of [2022-01-01 {start}:00, 2022-01-01 {end}:00); "
        "group by the bucket that begins at `start`"
    ) in refused(beats("01:30" if start == "01:00" else "00:30", beat, start=start))


OWN = weight("01:10 1", "01:20 2")
OUTSIDE = ", and the bucket is [2022-01-01 01:00:00, 2022-01-01 02:00:00); are its start and length right?"


def lasts(whose: str, first: str, last: str) -> str:
    return (
        f"the summary of {whose} lasts from 2022-01-01 {first}:00 to 2022-01-01 {last}:00{OUTSIDE}"
    )


@pytest.mark.parametrize(
    ("own", "prev", "next_", "message"),
    [
        (weight("00:59 1", "01:20 2"), None, None, lasts("the bucket", "00:59", "01:20")),
        (weight("01:10 1", "02:00 2"), None, None, lasts("the bucket", "01:10", "02:00")),
        (OWN, weight("00:10 1", "01:00 1"), None, lasts("`prev`", "00:10", "01:00")),
        (OWN, None, weight("01:59 1", "03:00 1"), lasts("`next`", "01:59", "03:00")),
        ("null", weight("01:00 1"), None, lasts("`prev`", "01:00", "01:00")),
        (OWN, weight("00:10 1", method="linear"), None,
         "the bucket has the method locf and `prev` linear"),
        (OWN, None, weight("02:10 1", method="linear"),
         "the bucket has the method locf and `next` linear"),
        ("null", weight("00:10 1"), weight("02:10 1", method="linear"),
         "`prev` has the method locf and `next` linear"),
        (OWN, weight("00:10 1", gap=None), None,
         "the bucket has a gap of 1800.0 seconds and `prev` of none"),
        (OWN, None, weight("02:10 1", gap="1 h"),
         "the bucket has a gap of 1800.0 seconds and `next` of 3600.0 seconds"),
        ("null", weight("00:10 1"), weight("02:10 1", gap="1 us"),
         "`prev` has a gap of 1800.0 seconds and `next` of 1.0E-6 seconds"),
    ],
)  # fmt: skip
def test_bucket_that_does_not_hold_its_summary(refused, own, prev, next_, message):
    absent = weight("01:10 null")
    row = ", ".join(
        f"{absent if each in (None, 'null') else each} as {name}"
        for name, each in [("own", own), ("prev", prev), ("next", next_)]
    )
    for who in ("interpolated_average", "interpolated_integral", "interpolated_elapsed_time"):
        text = getattr(m, who)("own", prev="prev", next="next", **BUCKET)
        assert f"{who}: {message}" in refused(f"select {text} from (select {row})")


def test_bucket_that_ends_before_it_begins(refused):
    bounds = {"start": "timestamp'2022-01-01 01:00:00'", "end": "timestamp'2022-01-01 01:00:00'"}
    message = "the bucket is [2022-01-01 01:00:00, 2022-01-01 01:00:00)"
    query = f"select {m.interpolated_average('own', prev='own', **bounds)} from (select {weight('00:10 1')} as own)"
    assert f"interpolated_average: {message}, whose start is not before its end" in refused(query)
    query = f"select {m.interpolated_duration_in('own', 'a', prev='own', **bounds)} from (select {states('''00:10 'a' ''')} as own)"
    assert f"interpolated_duration_in of own: {message}, its summary" in refused(query)


@pytest.mark.parametrize(
    ("own", "prev", "message"),
    [
        (states("00:59 'a'"), None, "its summary lasts from 2022-01-01 00:59:00 to 2022-01-01 00:59:00 (gap 1800.0 seconds), and `prev` to nothing (gap none)"),
        (states("01:10 'a'", "02:00 'b'"), None, "its summary lasts from 2022-01-01 01:10:00 to 2022-01-01 02:00:00 (gap 1800.0 seconds), and `prev` to nothing (gap none)"),
        (states("01:10 'a'"), states("01:00 'a'"), "to 2022-01-01 01:10:00 (gap 1800.0 seconds), and `prev` to 2022-01-01 01:00:00 (gap 1800.0 seconds)"),
        (None, states("01:00 'a'"), "its summary lasts from nothing to nothing (gap none), and `prev` to 2022-01-01 01:00:00 (gap 1800.0 seconds)"),
        (states("01:10 'a'"), states("00:10 'a'", gap=None), "(gap 1800.0 seconds), and `prev` to 2022-01-01 00:10:00 (gap none)"),
    ],
)  # fmt: skip
def test_bucket_that_does_not_hold_its_states(refused, own, prev, message):
    row = f"{own or states('01:00 null')} as own, {prev or states('01:00 null')} as prev"
    for who, state in {
        "interpolated_duration_in": ["a"],
        "interpolated_state_periods": ["a"],
        "interpolated_state_timeline": [],
    }.items():
        text = getattr(m, who)("own", *state, prev="prev", **BUCKET)
        said = refused(f"select {text} from (select {row})")
        assert (
            f"{who} of own: the bucket is [2022-01-01 01:00:00, 2022-01-01 02:00:00), its summary"
            in said
        )
        assert (
            f"{message}; a summary must be in its bucket, `prev` before it, with the same gap"
            in said
        )


@pytest.mark.parametrize(
    ("prev", "message"),
    [
        (beats("00:40", start="00:30"), "`prev` lasts from 2022-01-01 00:30:00 to 2022-01-01 01:30:00 with an interval of 600.0 seconds"),
        (beats("00:40", interval="1 h"), "`prev` lasts from 2022-01-01 00:00:00 to 2022-01-01 01:00:00 with an interval of 3600.0 seconds"),
    ],
)  # fmt: skip
def test_heartbeats_before(refused, prev, message):
    row = f"{beats('01:30', start='01:00')} as own, {prev} as prev"
    for who in ("interpolated_uptime", "interpolated_downtime", "interpolate"):
        said = refused(f"select {getattr(m, who)('own', 'prev')} from (select {row})")
        assert (
            f"heartbeat_agg: {message}, and the summary from 2022-01-01 01:00:00 to 2022-01-01 02:00:00 with 600.0 seconds; "
            "`prev` must end at or before the start of the summary and have the same interval"
        ) in said


@pytest.mark.parametrize(
    ("start", "end"), [("00:59", "01:30"), ("01:30", "02:01"), ("01:30", "01:30")]
)
def test_trimming_only_narrows(refused, start, end):
    first, last = (f"timestamp'2022-01-01 {each}:00'" for each in (start, end))
    text = m.trim_to("own", start=first, end=last)
    assert (
        f"trim_to of own: [2022-01-01 {start}:00, 2022-01-01 {end}:00) is not within the range of the summary, "
        "[2022-01-01 01:00:00, 2022-01-01 02:00:00); the trimmed range must be within it"
    ) in refused(f"select {text} from (select {beats('01:30', start='01:00')} as own)")


def test_compact_summaries_have_no_timeline(refused):
    row = f"{states('''00:10 'a' ''', form='compact')} as own"
    for who, text in [
        ("state_timeline", m.state_timeline("own")),
        ("state_periods", m.state_periods("own", "a")),
        ("state_at", m.state_at("own", "own.first_time")),
        ("state_at", m.state_at("own", "own.last_time")),
        ("duration_in", m.duration_in("own", "a", start="own.first_time", length="1 hour")),
        *(
            (f"{who} of own", getattr(m, who)("own", *state, **NIGHT))
            for who, state in (
                ("interpolated_state_timeline", []),
                ("interpolated_state_periods", ["a"]),
            )
        ),
    ]:
        assert f"{who}{COMPACT}" in refused(f"select {text} from (select {row})")


def late_points(task):
    return m._late_rows(task, m._classified_points(task, "true"))


def test_points_of_a_table_have_an_arrival(refused):
    task = {"summary": "time_weight", "keys": [], "ts": "ts", "value": "v", "arrival": "newest",
            "upstream": "values (timestamp'2022-01-01', 1, null) as t(ts, v, newest)", "upstream_name": "upstream", "bucket": 3600000000}  # fmt: skip
    task["upstream"] = f"({task['upstream']})"
    message = "time_weight_table: a point of upstream has no newest; every point needs an arrival that only grows"
    assert message in refused(m._bucketed_points(task))
    assert message in refused(late_points(task | {"columns": ["v"]}))


def test_why_a_point_does_not_count(spark):
    """Texts that cannot be read, and the ends of the years, each by its reason or counted."""
    rows = {
        "('2022-01-01 00:00:00', '1.5')": None,
        "('2022-01-01 00:00:00', 'NaN')": None,
        "(null, '1')": "no time: ts is null",
        "('noon', '1')": "no time: ts cannot be read as a TIMESTAMP",
        "('0001-12-31 23:59:59.999999', '1')": "no time: ts is outside the years 2 to 9998",
        "('0002-01-01 00:00:00', '1')": None,
        "('9998-12-31 23:59:59.999999', '1')": None,
        "('9999-01-01 00:00:00', '1')": "no time: ts is outside the years 2 to 9998",
        "('1582-10-03 23:59:59.999999', '1')": None,
        "('1582-10-04 00:00:00', '1')": "no time: ts is in 4 to 16 October 1582, which Delta cannot search by time",
        "('1582-10-16 23:59:59.999999', '1')": "no time: ts is in 4 to 16 October 1582, which Delta cannot search by time",
        "('1582-10-17 00:00:00', '1')": None,
        "('2022-01-01 00:00:00', null)": "no value: it's is null",
        "('2022-01-01 00:00:00', '1,5')": "no value: it's cannot be read as a number",
    }
    values = ", ".join(f"({n}, {row[1:]}" for n, row in enumerate(rows))
    task = {"summary": "time_weight", "keys": [], "ts": "ts", "value": "it's", "arrival": "n",
            "columns": ["n", "ts", "it's"], "upstream_name": "upstream", "bucket": 3600000000,
            "upstream": f"(select * from values {values} as t(n, ts, `it's`))"}  # fmt: skip
    late = {row.n: row.late_reason for row in spark.sql(late_points(task)).collect()}
    reasons = enumerate(rows.values())
    assert late == {n: why for n, why in reasons if why}
    counted = {row["__arrival"] for row in spark.sql(m._bucketed_points(task)).collect()}
    assert counted == set(range(len(rows))) - late.keys()
