"""Durations of states that reach from bucket to bucket, on Spark against the oracle."""

from __future__ import annotations

import pytest
from tests.engine.time_weight.cases import (
    GAPS,
    HOUR,
    MINUTE,
    STATES,
    Near,
    chance_of,
    compare,
    each,
    load,
    micros,
    random_states,
    read,
)
from tests.engine.time_weight.oracle import SECOND
from tests.engine.time_weight.oracle_states import (
    interpolated_duration_in,
    interpolated_state_periods,
    interpolated_state_timeline,
    state_agg,
)
from tests.unit.jinja_macros import macros

m = macros()
START = micros("2013-01-01 00:00:00")
STOP, LENGTH = START + 6 * HOUR, 45 * MINUTE
NAMES = STATES["texts"]


@pytest.fixture(scope="module")
def histories(spark):
    """The points of 500 histories within six hours, in the view `history`."""
    chance, found = chance_of("state buckets"), {}
    for i in range(500):
        points = random_states(chance, NAMES, START)
        known = [point for point in points if None not in point and START <= point[0] < STOP]
        if known:
            found[f"history {i}"] = known
    rows = [(case, *point) for case, points in found.items() for point in points]
    load(spark, "history", "case_id string, t bigint, v string", rows, chance)
    return found


def seconds(micros: int | None) -> float | None:
    return None if micros is None else micros / SECOND


def bucketed(form: str) -> str:
    """Every bucket of the six hours with its summary, null without points, and the last before."""
    agg = {str(gap): m.state_agg("timestamp_micros(t)", "v", gap=gap, form=form) for gap in GAPS}
    source = f"(select *, t - pmod(t - {START}L, {LENGTH}L) as bucket from history)"
    stored = each(agg, "case_id, bucket", source)
    every = (
        f"select * from (select distinct case_id, setting from ({stored}))"
        f" cross join (select explode(sequence({START}L, {STOP}L - 1, {LENGTH}L)) as bucket)"
        f" left join ({stored}) using (case_id, setting, bucket)"
    )
    return (
        "select *, timestamp_micros(bucket) as start, last_value(summary, true) over"
        " (partition by case_id, setting order by bucket rows between unbounded preceding and 1 preceding) as prev"
        f" from ({every})"
    )


def durations(points: list[tuple], gap: int | None) -> dict[int, tuple]:
    """By bucket: each state's duration by length and by end with `prev`, then without."""
    found, prev = {}, None
    for bucket in range(START, STOP, LENGTH):
        own = state_agg([p for p in points if bucket <= p[0] < bucket + LENGTH], gap)
        found[bucket] = tuple(
            seconds(interpolated_duration_in(own, state, bucket, LENGTH, before))
            for before in (prev, prev, None)
            for state in NAMES
        )
        prev = own or prev
    return found


@pytest.mark.parametrize("form", ["full", "compact"])
def test_interpolated_durations(spark, histories, form):
    by_length, by_end = {"length": "45 minutes"}, {"end": "start + interval 45 minutes"}
    columns = ", ".join(
        m.interpolated_duration_in("summary", state, start="start", **given)
        for given in (by_length | {"prev": "prev"}, by_end | {"prev": "prev"}, by_length)
        for state in NAMES
    )
    found = read(spark, bucketed(form), columns, "case_id, setting, bucket")
    expected = {
        (case, str(gap), bucket): value
        for case, points in histories.items()
        for gap, micros_ in GAPS.items()
        for bucket, value in durations(points, micros_).items()
    }
    compare(found, expected, lambda key: sorted(histories[key[0]]))

    # Over all buckets, empty ones included, they add up to those of the range as one bucket.
    sums: dict[tuple, list[float]] = {}
    for (case, gap, _), parts in found.items():
        kept = sums.setdefault((case, gap), [0.0] * len(NAMES))
        kept[:] = [sum_ + (part or 0) for sum_, part in zip(kept, parts[: len(NAMES)], strict=True)]
    whole = {
        (case, str(gap)): [
            Near(duration, duration)
            for state in NAMES
            for duration in [
                seconds(
                    interpolated_duration_in(state_agg(points, micros_), state, START, STOP - START)
                )
            ]
        ]
        for case, points in histories.items()
        for gap, micros_ in GAPS.items()
    }
    compare(sums, whole, lambda key: sorted(histories[key[0]]))


def timelines(points: list[tuple], gap: int | None) -> dict[int, tuple]:
    """By bucket: the timeline with `prev` and without, and the periods of each state with `prev`."""
    found, prev = {}, None
    for bucket in range(START, STOP, LENGTH):
        own = state_agg([p for p in points if bucket <= p[0] < bucket + LENGTH], gap)
        found[bucket] = (
            interpolated_state_timeline(own, bucket, LENGTH, prev),
            interpolated_state_timeline(own, bucket, LENGTH),
            *(interpolated_state_periods(own, state, bucket, LENGTH, prev) for state in NAMES),
        )
        prev = own or prev
    return found


def test_interpolated_timelines_and_periods(spark, histories):
    bucket = {"start": "start", "length": "45 minutes"}
    by_end = {"start": "start", "end": "start + interval 45 minutes", "prev": "prev"}
    periods = "transform({}, x -> struct({}unix_micros(x.start), unix_micros(x.end)))"
    columns = ", ".join(
        [
            periods.format(m.interpolated_state_timeline("summary", **by_end), "x.state, "),
            periods.format(m.interpolated_state_timeline("summary", **bucket), "x.state, "),
            *(
                periods.format(
                    m.interpolated_state_periods("summary", state, **bucket, prev="prev"), ""
                )
                for state in NAMES
            ),
        ]
    )
    found = read(spark, bucketed("full"), columns, "case_id, setting, bucket")
    expected = {
        (case, str(gap), at): value
        for case, points in histories.items()
        for gap, micros_ in GAPS.items()
        for at, value in timelines(points, micros_).items()
    }
    compare(found, expected, lambda key: sorted(histories[key[0]]))

    # The same of every bucket, those without points included; before the first point nothing is known.
    agg = {str(gap): m.state_agg("timestamp_micros(t)", "v", gap=gap) for gap in GAPS}
    source = (
        f"(select *, timestamp_micros(t - pmod(t - {START}L, {LENGTH}L)) as start from history)"
    )
    every = m.interpolated_table(
        f"({each(agg, 'case_id, start', source)})",
        "45 minutes",
        ["2013-01-01 00:00:00", "2013-01-01 06:00:00"],
        ["case_id", "setting"],
        bucket="start",
        of="state_agg",
    )
    columns = ", ".join(
        [
            periods.format(m.state_timeline("interpolated"), "x.state, "),
            f"transform({m.into_values('interpolated')}, x -> struct(x.state, x.duration))",
            m.state_at("interpolated", "start + interval 20 minutes"),
        ]
    )
    whole = read(spark, f"select * from {every}", columns, "case_id, setting, unix_micros(start)")
    wanted = {}
    for (case, gap, at), (timeline, *_) in expected.items():
        wanted[case, gap, at] = (None, None, None)
        if timeline is not None:
            own = [s for time, s in histories[case] if at <= time < at + LENGTH]
            sums: dict = dict.fromkeys([*own, *(each_.state for each_ in timeline)], 0)
            for each_ in timeline:
                sums[each_.state] += each_.end - each_.start
            middle = at + 20 * MINUTE
            states = [each_.state for each_ in timeline if each_.start <= middle < each_.end]
            durations = [(state, seconds(sum_)) for state, sum_ in sorted(sums.items())]
            wanted[case, gap, at] = (timeline, durations, states[0] if states else None)
    compare(whole, wanted, lambda key: sorted(histories[key[0]]))
