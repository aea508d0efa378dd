"""The incremental tables of summaries: whatever the runs, each row is the summary of its bucket's points."""

from __future__ import annotations

import random
from collections import defaultdict
from datetime import datetime, timezone
from typing import Any

import pytest
from tests.engine.runs.kill import killing
from tests.engine.time_weight.cases import GAPS, MINUTE, same
from tests.engine.time_weight.oracle import SECOND, time_weight
from tests.engine.time_weight.oracle_heartbeats import downtime, heartbeat_agg, uptime
from tests.engine.time_weight.oracle_states import state_agg
from tests.unit.jinja_macros import macros

m = macros()

COLUMNS = "arrival bigint, ts timestamp, sensor string, value double, state string"
BUCKET = 15 * MINUTE
MONDAY = 946_857_600 * SECOND
START = 1_356_998_400 * SECOND  # 1 January 2013
FAR = [-62_104_060_800 * SECOND - 1, 253_370_764_800 * SECOND]  # before the year 2, and 9999
SKIPPED = -12_219_552_000 * SECOND  # 12 October 1582
CALL = "{{{{ strandline.{call}(source=source('feed', 'feed_signal'), keys=['sensor'], ts='ts', {more}, bucket='15 minutes') }}}}"
POINT = "arrival, unix_micros(ts), sensor, value, state"


def points(chance: random.Random) -> list[tuple]:
    """(sensor, t, value, state) of three sensors, one of them null, in great disorder, with points of one time."""
    given: list[tuple] = []
    for sensor in ("a", "b", None):
        t = START
        for _ in range(120):
            t += chance.choice([0, 1, 20, 300, 4_000]) * SECOND + chance.choice([0, 1, 999_999])
            value = chance.choice([None, float("nan"), *[chance.randrange(-40, 40) / 4] * 8])
            state = chance.choice(["ABC"[t % 3]] * 30 + [None])
            given.append((sensor, chance.choice([t] * 40 + [None, *FAR, SKIPPED]), value, state))
    chance.shuffle(given)
    return given


def runs_of(given: list[tuple], chance: random.Random) -> list[list[tuple]]:
    """Split into four runs, the second one empty."""
    first, second = sorted(chance.sample(range(len(given)), 2))
    return [given[:first], [], given[first:second], given[second:]]


def insert(small: Any, given: list[tuple], first_arrival: int) -> None:
    """One commit; `arrival` counts on."""
    rows = [(first_arrival + n, *each) for n, each in enumerate(given)]
    frame = small.spark.createDataFrame(
        rows, "arrival bigint, sensor string, t bigint, value double, state string"
    ).selectExpr("arrival", "timestamp_micros(t) as ts", "sensor", "value", "state")
    frame.coalesce(1).writeTo("small.feed_signal").append()


def reason_of(t: int | None, value: Any, column: str, nulls: str = "ignore") -> str | None:
    """Why a point does not count."""
    if t is None:
        return "no time: ts is null"
    if t in FAR:
        return "no time: ts is outside the years 2 to 9998"
    if t == SKIPPED:
        return "no time: ts is in 4 to 16 October 1582, which Delta cannot search by time"
    return f"no {column}: {column} is null" if value is None and nulls == "ignore" else None


def late_points(given: list[tuple], pick: int, column: str, nulls: str = "ignore") -> list[tuple]:
    """The points that no bucket counts, in the order of their arrival, each with its reason."""
    reasons = [reason_of(each[1], each[pick], column, nulls) for each in given]
    return [
        (arrival, t, sensor, value, state, reason)
        for arrival, ((sensor, t, value, state), reason) in enumerate(zip(given, reasons, strict=True), start=1)
        if reason
    ]  # fmt: skip


def by_bucket(given: list[tuple], pick: int, nulls: str = "ignore") -> dict[tuple, list[tuple]]:
    """The points of each key and bucket as the oracle takes them: time, value or state, arrival."""
    buckets: dict[tuple, list[tuple]] = defaultdict(list)
    for arrival, each in enumerate(given, start=1):
        sensor, t, value = each[0], each[1], each[pick]
        if reason_of(t, value, "", nulls) is None:
            buckets[sensor, t - (t - MONDAY) % BUCKET].append((t, value, arrival))
    return buckets


def play(
    small: Any, chance: random.Random, pick: int = 2, column: str = "value", nulls: str = "ignore"
) -> list[tuple]:
    given = points(chance)
    arrived = 0
    for number, some in enumerate(runs_of(given, chance)):
        insert(small, some, arrived + 1) if some else None
        arrived += len(some)
        messages = small.run()
        assert some or number == 0 or set(messages.values()) == {"nothing new"}
        if some and number and "signal_late" in messages:
            late = [reason for *_, reason in late_points(some, pick, column, nulls)]
            assert messages["signal_late"] == (
                f"added rows; {len(late)} of {len(some)} points are late: {'; '.join(sorted(set(late)))}"
            )
    return given


def crash_late(small: Any, chance: random.Random, given: list[tuple]) -> list[tuple]:
    """More points, and the late model crashes after its rows, then after its watermark."""
    for commit in (1, 2):
        more = points(chance)[:40]
        insert(small, more, len(given) + 1)
        given = given + more
        with killing("small", commit, before=False) as crash:
            small.fails("--select", "signal_late")
        assert crash.happened
    assert small.run()["signal_late"] == "nothing new", "the second crash was after the last commit"
    return given


@pytest.mark.parametrize(
    ("method", "gap", "nulls"),
    [
        ("locf", "PT1H30M", "ignore"),
        pytest.param("locf", "PT1H30M", "end", marks=pytest.mark.soak),
        pytest.param("linear", None, "ignore", marks=pytest.mark.soak),
        pytest.param("linear", "PT1H30M", "end", marks=pytest.mark.soak),
    ],
)
def test_a_table_of_time_weights_is_that_of_all_points(
    small, method: str, gap: str | None, nulls: str
) -> None:
    more = f"value='value', method='{method}', nulls='{nulls}'" + (f", gap='{gap}'" if gap else "")
    small.model("signal", COLUMNS, CALL.format(call="time_weight_table", more=more))
    if method == "locf":
        small.change("signal_late", CALL.format(call="time_weight_late", more=more))
    chance = random.Random(method)  # noqa: S311
    given = play(small, chance, nulls=nulls)
    if method == "locf":
        given = crash_late(small, chance, given) if nulls == "ignore" else given
        late = small.rows(f"select {POINT}, late_reason from small.signal_late order by arrival")
        assert same(late, late_points(given, 2, "value", nulls))
    expected = {}
    for (sensor, bucket), inside in by_bucket(given, 2, nulls).items():
        summary = time_weight(inside, method, GAPS[gap], nulls)
        expected[sensor, bucket] = (
            summary.elapsed, summary.num_gaps, summary.first_time, summary.last_time, max(p[2] for p in inside),
            float(summary.weighted_sum), summary.first_value, summary.last_value,
        )  # fmt: skip
    found = {
        (row[0], row[1]): tuple(row[2:])
        for row in small.rows(
            "select sensor, unix_micros(agg_timestamp), summary.elapsed, summary.num_gaps, unix_micros(summary.first_time),"
            " unix_micros(summary.last_time), agg_arrival, summary.weighted_sum, summary.first_value, summary.last_value"
            " from small.signal"
        )
    }
    assert found.keys() == expected.keys()
    for key, row in expected.items():
        assert found[key][:5] == row[:5], key
        assert found[key][5] == pytest.approx(row[5], rel=1e-12, abs=1e-9, nan_ok=True), key
        assert same(found[key][6:], row[6:]), key


LIVE = "20 minutes"


def assert_heartbeats(small: Any, given: list[tuple]) -> None:
    """The table `beats` of the same points: each row, and every bucket with what the ones before keep alive."""
    buckets = by_bucket([(sensor, t, 1) for sensor, t, *_ in given], 2)
    expected = {
        key: (
            heartbeat_agg([p[0] for p in points_], key[1], BUCKET, 20 * MINUTE).live,
            max(p[2] for p in points_),
        )
        for key, points_ in buckets.items()
    }
    ranges = (
        f"transform({m.live_ranges('{}')}, x -> struct(unix_micros(x.start), unix_micros(x.end)))"
    )
    found = small.rows(
        f"select sensor, unix_micros(agg_timestamp), {ranges.format('summary')}, agg_arrival from small.beats"
    )
    assert {row[:2]: (tuple(map(tuple, row[2])), row[3]) for row in found} == expected

    # From a sensor's first bucket on, all buckets together are its whole life, empty ones included; before it
    # nothing is known.
    days = (START - START % BUCKET, START + 20 * 96 * BUCKET)
    within = [
        f"{datetime.fromtimestamp(each / SECOND, timezone.utc):%Y-%m-%d %H:%M:%S}" for each in days
    ]
    every = m.interpolated_table(
        "small.beats", "15 minutes", within, ["sensor"], of="heartbeat_agg"
    )
    up, down = m.uptime("interpolated"), m.downtime("interpolated")
    sums = small.rows(f"select sensor, sum({up}), sum({down}) from {every} group by sensor")
    whole = {}
    for sensor in ("a", "b", None):
        beats = [t for name, t, *_ in given if name == sensor and reason_of(t, 1, "") is None]
        first = min(t - (t - MONDAY) % BUCKET for t in beats)
        life = heartbeat_agg(beats, first, days[1] - first, 20 * MINUTE)
        whole[sensor] = (uptime(life) / SECOND, downtime(life) / SECOND)
    assert {row[0]: (round(row[1], 6), round(row[2], 6)) for row in sums} == whole


@pytest.mark.soak
def test_a_table_of_states_is_that_of_all_points(small) -> None:
    small.model(
        "signal",
        COLUMNS,
        CALL.format(call="state_agg_table", more="state='state', gap='20 minutes'"),
    )
    small.change("signal_late", CALL.format(call="state_agg_late", more="state='state'"))
    small.change("beats", CALL.format(call="heartbeat_agg_table", more=f"interval='{LIVE}'"))
    chance = random.Random("states")  # noqa: S311
    given = play(small, chance, 3, "state")
    late = small.rows(f"select {POINT}, late_reason from small.signal_late order by arrival")
    assert same(late, late_points(given, 3, "state"))
    assert_heartbeats(small, given)
    # No instant has two states here: a table does not choose between them.
    expected = {
        key: sorted(state_agg([p[:2] for p in inside], 20 * MINUTE).durations.items())
        for key, inside in by_bucket(given, 3).items()
    }
    found = {
        (row[0], row[1]): [(each.state, each.duration) for each in row[2]]
        for row in small.rows(
            "select sensor, unix_micros(agg_timestamp), summary.durations from small.signal"
        )
    }
    assert found == expected


def test_another_gap_needs_a_full_refresh(small) -> None:
    more = "value='value', method='locf', gap='{}'"
    small.model(
        "signal", COLUMNS, CALL.format(call="time_weight_table", more=more.format("1 hour"))
    )
    insert(small, [("a", START, 1.0, "A")], 1)
    small.run()
    small.change("signal", CALL.format(call="time_weight_table", more=more.format("2 hours")))
    given = small.fails()
    assert "the definition has changed" in given
    assert "`gap` is now '2 hours', and the stored rows were built with '1 hour'" in given
    small.run("--full-refresh")


def test_a_point_without_an_arrival_stops_the_run(small) -> None:
    more = "value='value', method='locf'"
    small.model("signal", COLUMNS, CALL.format(call="time_weight_table", more=more))
    insert(small, [("a", START, 1.0, "A")], 1)
    small.run()
    small.spark.sql(
        "insert into small.feed_signal values (null, timestamp'2013-01-01', 'a', 1, 'A')"
    )
    assert (
        "time_weight_table: a point of feed_signal has no arrival; every point needs an arrival that only grows"
    ) in small.fails()
