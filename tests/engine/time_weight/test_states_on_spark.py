"""state_agg and its accessors on Spark against the oracle, in random histories."""

from __future__ import annotations

import pytest
from tests.engine.time_weight.cases import (
    GAPS,
    HOUR,
    MINUTE,
    STATES,
    chance_of,
    compare,
    each,
    load,
    micros,
    random_states,
    read,
    same,
)
from tests.engine.time_weight.oracle import SECOND
from tests.engine.time_weight.oracle_states import (
    duration_in,
    into_values,
    state_agg,
    state_at,
    state_periods,
    state_timeline,
)
from tests.unit.jinja_macros import macros

m = macros()
START = micros("2013-01-01 00:00:00")


@pytest.fixture(scope="module")
def cases(spark):
    """1,000 histories of texts in the view `texts` and as many of numbers in `numbers`."""
    chance, found = chance_of("states"), {}
    for kind, states in STATES.items():
        rows = []
        for i in range(1000):
            case, points = f"{kind} {i}", random_states(chance, states, START)
            found[case] = points
            known = [time for time, state in points if time is not None]
            bounds = sorted(chance.sample(known, k=min(len(known), chance.randrange(5))))
            for time, state in points:
                part = sum(time > bound for bound in bounds) if time is not None else 0
                rows.append((case, part, time, state))
                # Parts may adjoin: the point on a bound belongs to both.
                if state is not None and time in bounds and chance.random() < 0.5:
                    rows.append((case, part + bounds.count(time), time, state))
        type_ = "string" if kind == "texts" else "bigint"
        load(spark, kind, f"case_id string, part int, t bigint, v {type_}", rows, chance)
    return found


def summaries(form: str) -> dict[str, str]:
    stamp = "timestamp_micros(t)"
    return {str(gap): m.state_agg(stamp, "v", gap=gap, form=form) for gap in GAPS}


def shown(form: str) -> str:
    periods = "transform({}, x -> struct({}unix_micros(x.start), unix_micros(x.end)))"
    stored = "summary.timeline" if form == "compact" else m.state_timeline("summary")
    timeline = periods.format(stored, "x.state, ")
    return (
        "if(summary is null, null, struct(summary.gap, unix_micros(summary.first_time), summary.first_state,"
        " unix_micros(summary.last_time), summary.last_state, transform(summary.durations, x -> struct(x.state, x.duration)),"
        f" {timeline}))"
    )


def shown_states(summary, form: str):
    if summary is None:
        return None
    timeline = None if form == "compact" else state_timeline(summary)
    first, last = (summary.first_time, summary.first_state), (summary.last_time, summary.last_state)
    return summary.gap, *first, *last, into_values(summary), timeline


def expected_of(cases, kind: str, read) -> dict[tuple, tuple]:
    return {
        (case, str(gap)): read(state_agg(points, micros))
        for case, points in cases.items()
        if case.startswith(kind)
        for gap, micros in GAPS.items()
    }


@pytest.mark.parametrize(
    ("kind", "form"),
    [
        ("texts", "full"),
        ("numbers", "compact"),
        pytest.param("texts", "compact", marks=pytest.mark.soak),
        pytest.param("numbers", "full", marks=pytest.mark.soak),
    ],
)
def test_summaries_and_rollups_of_any_parts(spark, cases, kind, form):
    expected = expected_of(cases, kind, lambda summary: (shown_states(summary, form),))
    whole = each(summaries(form), "case_id", kind)
    compare(read(spark, whole, shown(form)), expected, lambda key: cases[key[0]])
    parts = each(summaries(form), "case_id, part", kind)
    rolled = f"select case_id, setting, {m.rollup('summary', of='state_agg')} as summary from ({parts}) group by all"
    compare(read(spark, rolled, shown(form)), expected, lambda key: cases[key[0]])


def seconds(micros: int | None) -> float | None:
    return None if micros is None else micros / SECOND


@pytest.mark.parametrize("kind", ["texts", pytest.param("numbers", marks=pytest.mark.soak)])
def test_accessors(spark, cases, kind):
    states = [*STATES[kind], "gone" if kind == "texts" else 99]
    ranges = [(START, HOUR), (START - HOUR, 90 * MINUTE), (START + 1, 1), (START, 30 * 24 * HOUR)]
    instants = [START + k * 15 * MINUTE for k in range(-9, 25)] + ["first", "last"]

    def stamp(instant: int | str) -> str:
        own = isinstance(instant, str)
        return f"summary.{instant}_time" if own else f"timestamp_micros({instant}L)"

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

    def answers(summary):
        if summary is None:
            return (None,) * len(columns)
        first, last = summary.first_time, summary.last_time
        return (
            *(seconds(duration_in(summary, state)) for state in states),
            *(state_periods(summary, state) for state in states),
            *(
                seconds(duration_in(summary, state, *range_))
                for state in states
                for range_ in ranges
            ),
            *(seconds(duration_in(summary, state, first, last - first)) for state in states),
            *(state_at(summary, {"first": first, "last": last}.get(at, at)) for at in instants),
            [(state, seconds(duration)) for state, duration in into_values(summary)],
        )

    whole = each(summaries("full"), "case_id", kind)
    found = read(spark, whole, ", ".join(columns))
    compare(found, expected_of(cases, kind, answers), lambda key: cases[key[0]])
    # In all, from a compact summary as well.
    compact = each(summaries("compact"), "case_id", kind)
    read_all = read(spark, compact, ", ".join(columns[: len(states)]))
    assert read_all == {key: values[: len(states)] for key, values in found.items()}


@pytest.mark.usefixtures("cases")
def test_nothing_is_null(spark):
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
        m.interpolated_state_timeline("summary", start="timestamp'2013-01-01'", length="1 hour"),
        m.interpolated_state_periods(
            "summary", "on", start="null", length="1 hour", prev="summary"
        ),
    ]
    [row] = spark.sql(f"select summary, {', '.join(columns)} from {nothing}").collect()
    assert same(tuple(row), (None,) * (1 + len(columns)))
    rolled = f"select {m.rollup('summary', of='state_agg')} from {nothing}"
    assert spark.sql(rolled).collect() == [(None,)]


@pytest.mark.soak
def test_names_of_columns_are_not_taken(spark):
    """A column may have any name, also one that the macros use inside."""
    for name in ("x", "s", "p", "b", "t", "state", "sum", "a", "z", "i", "e", "d"):
        source = f"select {m.state_agg('t.ts', 't.v', gap='1 hour')} as {name} from values (timestamp'2013-01-01', 'on') as t(ts, v)"
        last = f"{name}.last_time"
        columns = [
            m.duration_in(name, "on", start=last, length="1 hour"),
            m.duration_in(name, "on", start=f"r.{name}.first_time", end=last),
            m.state_at(f"r.{name}", last),
            m.state_at(f"r.{name}", f"{last} + interval 1 second"),
            m.interpolated_duration_in(
                f"r.{name}", "on", start=f"date_trunc('hour', {last})", length="30 min"
            ),
            "size(" + m.interpolated_state_periods(name, "on", start=last, length="30 min") + ")",
        ]
        [row] = spark.sql(f"select {', '.join(columns)} from ({source}) as r").collect()
        assert tuple(row) == (0.0, 0.0, "on", None, 1800.0, 1)
