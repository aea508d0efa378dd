"""state_agg and its accessors on Spark against the oracle, in random histories."""

from __future__ import annotations

import pytest
from tests.time_weight.cases import (
    GAPS,
    HOUR,
    MINUTE,
    Near,
    chance_of,
    each,
    judge,
    load,
    micros,
    same,
)
from tests.time_weight.oracle import SECOND
from tests.time_weight.oracle_states import (
    duration_in,
    interpolated_duration_in,
    into_values,
    rollup_states,
    state_agg,
    state_at,
    state_periods,
    state_timeline,
)
from tests.unit.jinja_macros import macros

m = macros()
START = micros("2013-01-01 00:00:00")
UNITS = [1, SECOND, 30 * MINUTE]
STATES = {"text": ["off", "on", "it's \\ ü", ""], "number": [0, 1, -7, 2**40]}
STOP = START + 6 * HOUR


@pytest.fixture(scope="module")
def cases(spark):
    """1,000 histories of texts in the view `texts` and as many of numbers in `numbers`."""
    chance, found = chance_of("states"), {}
    for kind, states in STATES.items():
        rows = []
        for i in range(1000):
            points = random_states(chance, states)
            found[f"{kind} {i}"] = points
            known = [time for time, state in points if time is not None]
            cuts = sorted(chance.sample(known, k=min(len(known), chance.randrange(5))))
            for time, state in points:
                part = sum(time > cut for cut in cuts) if time is not None else 0
                rows.append((f"{kind} {i}", part, time, state))
                # Parts may touch: the point on a cut belongs to both.
                if state is not None and time in cuts and chance.random() < 0.5:
                    rows.append((f"{kind} {i}", part + cuts.count(time), time, state))
        columns = f"case_id string, part int, t bigint, v {'string' if kind == 'text' else 'bigint'}"
        load(spark, f"{kind}s", columns, rows, chance)
    return found


def random_states(chance, states: list) -> list[tuple]:
    unit, time = chance.choice(UNITS), START + chance.randrange(-2 * HOUR, 2 * HOUR)
    points = []
    for _ in range(chance.choice([1, 1, 2, 3, 6, 15])):
        points.append((time, chance.choice(states[: chance.choice([2, 4])])))
        time += unit * chance.choice([1, 1, 2, 3, 4, chance.randrange(1, 50)])
    points += chance.choices(points, k=chance.randrange(3))  # the same again
    points += chance.choices([(None, states[0]), (time, None), (None, None)], k=chance.randrange(3))
    chance.shuffle(points)
    return points if chance.random() < 0.95 else [(time, None)]


def summaries(form: str) -> dict[str, str]:
    stamp = "timestamp_micros(t)"
    return {str(gap): m.state_agg(stamp, "v", gap=gap, form=form) for gap in GAPS}


def told(form: str) -> str:
    periods = "transform({}, x -> struct({}unix_micros(x.start), unix_micros(x.end)))"
    timeline = periods.format("summary.timeline" if form == "compact" else m.state_timeline("summary"), "x.state, ")
    return (
        "if(summary is null, null, struct(summary.gap, unix_micros(summary.first_time), summary.first_state,"
        " unix_micros(summary.last_time), summary.last_state, transform(summary.durations, x -> struct(x.state, x.duration)),"
        f" {timeline}))"
    )


def told_states(summary, form: str):
    if summary is None:
        return None
    timeline = None if form == "compact" else state_timeline(summary)
    first, last = (summary.first_time, summary.first_state), (summary.last_time, summary.last_state)
    return summary.gap, *first, *last, into_values(summary), timeline


def rows_of(spark, query: str, columns: str) -> dict[tuple, tuple]:
    rows = spark.sql(f"select case_id, setting, {columns} from ({query})").collect()
    assert len({(row[0], row[1]) for row in rows}) == len(rows)
    return {(row[0], row[1]): tuple(row[2:]) for row in rows}


def expected_of(cases, kind: str, read) -> dict[tuple, tuple]:
    return {
        (case, str(gap)): read(state_agg(points, micros))
        for case, points in cases.items()
        if case.startswith(kind)
        for gap, micros in GAPS.items()
    }


@pytest.mark.parametrize("form", ["full", "compact"])
@pytest.mark.parametrize("kind", STATES)
def test_summaries_and_rollups_of_any_parts(spark, cases, kind, form):
    expected = expected_of(cases, kind, lambda summary: (told_states(summary, form),))
    whole = each(summaries(form), "case_id", f"{kind}s")
    judge(rows_of(spark, whole, told(form)), expected, lambda key: cases[key[0]])
    parts = each(summaries(form), "case_id, part", f"{kind}s")
    rolled = f"select case_id, setting, {m.rollup('summary', of='state_agg')} as summary from ({parts}) group by all"
    judge(rows_of(spark, rolled, told(form)), expected, lambda key: cases[key[0]])


def seconds(micros: int | None) -> float | None:
    return None if micros is None else micros / SECOND


@pytest.mark.parametrize("kind", STATES)
def test_accessors(spark, cases, kind):
    states = [*STATES[kind], "gone" if kind == "text" else 99]
    ranges = [(START, HOUR), (START - HOUR, 90 * MINUTE), (START + 1, 1), (START, 30 * 24 * HOUR)]
    instants = [START + k * 20 * MINUTE for k in range(-9, 10)] + ["first", "last"]

    def stamp(instant: int | str) -> str:
        return f"summary.{instant}_time" if isinstance(instant, str) else f"timestamp_micros({instant}L)"

    periods = "transform({}, x -> struct(unix_micros(x.start), unix_micros(x.end)))"
    columns = [
        *(m.duration_in("summary", state) for state in states),
        *(periods.format(m.state_periods("summary", state)) for state in states),
        *(m.duration_in("summary", state, start=stamp(start), length=f"{length} us")
          for state in states for start, length in ranges),
        *(m.duration_in("summary", state, start=stamp("first"), end="summary.last_time") for state in states),
        *(m.state_at("summary", stamp(instant)) for instant in instants),
        f"transform({m.into_values('summary')}, x -> struct(x.state, x.duration))",
    ]  # fmt: skip

    def read(summary):
        if summary is None:
            return (None,) * len(columns)
        first, last = summary.first_time, summary.last_time
        return (
            *(seconds(duration_in(summary, state)) for state in states),
            *(state_periods(summary, state) for state in states),
            *(seconds(duration_in(summary, state, *range_)) for state in states for range_ in ranges),
            *(seconds(duration_in(summary, state, first, last - first)) for state in states),
            *(state_at(summary, {"first": first, "last": last}.get(at, at)) for at in instants),
            [(state, seconds(duration)) for state, duration in into_values(summary)],
        )

    whole = each(summaries("full"), "case_id", f"{kind}s")
    found = rows_of(spark, whole, ", ".join(columns))
    judge(found, expected_of(cases, kind, read), lambda key: cases[key[0]])
    # In all, from a compact summary as well.
    compact = each(summaries("compact"), "case_id", f"{kind}s")
    read_all = rows_of(spark, compact, ", ".join(columns[: len(states)]))
    assert read_all == {key: values[: len(states)] for key, values in found.items()}


@pytest.mark.parametrize("form", ["full", "compact"])
def test_interpolated_durations(spark, cases, form):
    """Buckets of 45 minutes, of which those without points have a summary of null."""
    length, states = 45 * MINUTE, STATES["text"]
    inside = f"(select *, t - pmod(t - {START}L, {length}L) as bucket from texts where t >= {START}L and t < {STOP}L and v is not null)"
    held = each(summaries(form), "case_id, bucket", inside)
    every = (
        f"select * from (select distinct case_id, setting from ({held}))"
        f" cross join (select explode(sequence({START}L, {STOP}L - 1, {length}L)) as bucket)"
        f" left join ({held}) using (case_id, setting, bucket)"
    )
    before = (
        f"select *, timestamp_micros(bucket) as start, last_value(summary, true) over (partition by case_id, setting"
        f" order by bucket rows between unbounded preceding and 1 preceding) as prev from ({every})"
    )
    columns = ", ".join(
        m.interpolated_duration_in("summary", state, start="start", prev="prev", **bound)
        for state in states
        for bound in ({"length": "45 minutes"}, {"end": "start + interval 45 minutes"})
    )
    alone = ", ".join(m.interpolated_duration_in("summary", s, start="start", length="PT45M") for s in states)
    rows = spark.sql(f"select case_id, setting, bucket, {columns}, {alone} from ({before})").collect()
    expected, whole = {}, {}
    for case, points in cases.items():
        points = [p for p in points if None not in p and START <= p[0] < STOP]
        if not points or not case.startswith("text"):
            continue
        for gap, micros_ in GAPS.items():
            prev = None
            for bucket in range(START, STOP, length):
                own = state_agg([p for p in points if bucket <= p[0] < bucket + length], micros_)
                expected[case, str(gap), bucket] = tuple(
                    seconds(interpolated_duration_in(own, state, bucket, length, before))
                    for before, times in ((prev, 2), (None, 1))
                    for state in states
                    for _ in range(times)
                )
                prev = own or prev
            all_ = state_agg(points, micros_)
            whole[case, str(gap)] = [seconds(interpolated_duration_in(all_, s, START, STOP - START)) for s in states]
    found = {(row[0], row[1], row[2]): tuple(row[3:]) for row in rows}
    judge(found, expected, lambda key: sorted(cases[key[0]], key=str))
    # Over all buckets, empty ones included, they add up to those of the range as one bucket.
    sums = {key: [0.0] * len(states) for key in whole}
    for (case, gap, _), durations in found.items():
        pairs = zip(sums[case, gap], durations[: 2 * len(states) : 2], strict=True)
        sums[case, gap] = [sum_ + (duration or 0) for sum_, duration in pairs]
    expected_sums = {key: [Near(each, each) for each in durations] for key, durations in whole.items()}
    judge(sums, expected_sums, lambda key: sorted(cases[key[0]], key=str))


def test_nothing_is_null(spark, cases):
    agg = m.state_agg("timestamp_micros(t)", "v", gap="1 hour")
    nothing = f"(select {agg} as summary from texts where false)"
    columns = [
        m.duration_in("summary", "on"),
        m.duration_in("summary", "on", start="timestamp'2013-01-01'", length="1 hour"),
        m.into_values("summary"),
        m.state_timeline("summary"),
        m.state_periods("summary", "on"),
        m.state_at("summary", "timestamp'2013-01-01'"),
        m.interpolated_duration_in("summary", "on", start="timestamp'2013-01-01'", length="1 hour"),
    ]
    [row] = spark.sql(f"select summary, {', '.join(columns)} from {nothing}").collect()
    assert same(tuple(row), (None,) * (1 + len(columns)))
    assert spark.sql(f"select {m.rollup('summary', 'state_agg')} from {nothing}").collect() == [(None,)]


def test_names_of_columns_are_not_taken(spark):
    """A column may have any name, also one that the macros use inside."""
    for name in ("x", "s", "p", "b", "t", "state", "sum", "a", "z", "i"):
        source = f"select {m.state_agg('t.ts', 't.v', gap='1 hour')} as {name} from values (timestamp'2013-01-01', 'on') as t(ts, v)"
        told = f"{name}.last_time"
        columns = [
            m.duration_in(name, "on", start=told, length="1 hour"),
            m.duration_in(name, "on", start=f"r.{name}.first_time", end=told),
            m.state_at(f"r.{name}", told),
            m.state_at(f"r.{name}", f"{told} + interval 1 second"),
            m.interpolated_duration_in(f"r.{name}", "on", start=f"date_trunc('hour', {told})", length="30 min"),
        ]
        [row] = spark.sql(f"select {', '.join(columns)} from ({source}) as r").collect()
        assert tuple(row) == (0.0, 0.0, "on", None, 1800.0)
