"""The incremental tables of summaries: whatever the runs, each row is the summary of its bucket's points."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

import pytest
from tests.time_weight.cases import GAPS, MINUTE
from tests.time_weight.oracle import SECOND, time_weight
from tests.time_weight.oracle_states import state_agg

COLUMNS = "arrival bigint, ts timestamp, sensor string, value double, state string"
BUCKET = 15 * MINUTE
MONDAY = 946_857_600 * SECOND
START = 1_356_998_400 * SECOND  # 1 January 2013
TABLE = "{{{{ strandline.{kind}_table(source=source('feed', 'feed_signal'), keys=['sensor'], ts='ts', {more}, bucket='15 minutes') }}}}"


def points(chance: random.Random) -> list[tuple]:
    """(sensor, t, value, state) of three sensors, one of them null, in great disorder, with points of one time."""
    told: list[tuple] = []
    for sensor in ("a", "b", None):
        t = START
        for _ in range(120):
            t += chance.choice([0, 1, 20, 300, 4_000]) * SECOND + chance.choice([0, 1, 999_999])
            value = chance.choice([None, float("nan"), *[chance.randrange(-40, 40) / 4] * 8])
            told.append((sensor, chance.choice([t] * 20 + [None]), value, "ABC"[t % 3]))
    chance.shuffle(told)
    return told


def runs_of(told: list[tuple], chance: random.Random) -> list[list[tuple]]:
    """Cut into four runs, the second one empty."""
    first, second = sorted(chance.sample(range(len(told)), 2))
    return [told[:first], [], told[first:second], told[second:]]


def insert(small: Any, told: list[tuple], first_arrival: int) -> None:
    """One commit; `arrival` counts on."""
    rows = [(first_arrival + n, *each) for n, each in enumerate(told)]
    frame = small.spark.createDataFrame(
        rows, "arrival bigint, sensor string, t bigint, value double, state string"
    ).selectExpr("arrival", "timestamp_micros(t) as ts", "sensor", "value", "state")
    frame.coalesce(1).writeTo("small.feed_signal").append()


def by_bucket(told: list[tuple], pick: int) -> dict[tuple, list[tuple]]:
    """The points of each key and bucket as the oracle takes them: time, value or state, arrival."""
    held: dict[tuple, list[tuple]] = defaultdict(list)
    for arrival, each in enumerate(told, start=1):
        sensor, t, value = each[0], each[1], each[pick]
        if t is not None and value is not None:
            held[sensor, t - (t - MONDAY) % BUCKET].append((t, value, arrival))
    return held


def play(small: Any, chance: random.Random) -> list[tuple]:
    told = points(chance)
    arrived = 0
    for number, some in enumerate(runs_of(told, chance)):
        insert(small, some, arrived + 1) if some else None
        arrived += len(some)
        message = small.run()["signal"]
        assert some or number == 0 or message == "nothing new"
    assert small.run()["signal"] == "nothing new"
    return told


@pytest.mark.parametrize(("method", "gap"), [("locf", "PT1H30M"), ("linear", None)])
def test_a_table_of_time_weights_is_that_of_all_points(small, method: str, gap: str | None) -> None:
    more = f"value='value', method='{method}'" + (f", gap='{gap}'" if gap else "")
    small.model("signal", COLUMNS, TABLE.format(kind="time_weight", more=more))
    told = play(small, random.Random(method))  # noqa: S311
    expected = {}
    for (sensor, bucket), held in by_bucket(told, 2).items():
        summary = time_weight(held, method, GAPS[gap])
        expected[sensor, bucket] = (
            summary.elapsed, summary.num_gaps, summary.first_time, summary.last_time, max(p[2] for p in held),
            float(summary.weighted_sum), float(summary.first_value), float(summary.last_value),
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
        assert found[key][5:] == pytest.approx(row[5:], rel=1e-12, abs=1e-9, nan_ok=True), key


def test_a_table_of_states_is_that_of_all_points(small) -> None:
    small.model(
        "signal", COLUMNS, TABLE.format(kind="state_agg", more="state='state', gap='20 minutes'")
    )
    chance = random.Random("states")  # noqa: S311
    told = play(small, chance)
    # Which of two states at one instant holds is no question for a table: each instant has one here.
    expected = {
        key: sorted(state_agg([p[:2] for p in held], 20 * MINUTE).durations.items())
        for key, held in by_bucket(told, 3).items()
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
    small.model("signal", COLUMNS, TABLE.format(kind="time_weight", more=more.format("1 hour")))
    insert(small, [("a", START, 1.0, "A")], 1)
    small.run()
    small.change("signal", TABLE.format(kind="time_weight", more=more.format("2 hours")))
    told = small.fails()
    assert "the definition has changed" in told
    assert "`gap` is now" in told
    small.run("--full-refresh")


def test_a_point_without_an_arrival_stops_the_run(small) -> None:
    more = "value='value', method='locf'"
    small.model("signal", COLUMNS, TABLE.format(kind="time_weight", more=more))
    insert(small, [("a", START, 1.0, "A")], 1)
    small.run()
    small.spark.sql(
        "insert into small.feed_signal values (null, timestamp'2013-01-01', 'a', 1, 'A')"
    )
    assert (
        "time_weight_table: a point of feed_signal has no arrival; every point needs an arrival that only grows"
    ) in small.fails()
