"""heartbeat_agg and its accessors on Spark against the oracle, in random histories."""

from __future__ import annotations

import pytest
from tests.engine.time_weight.cases import (
    HOUR,
    MINUTE,
    chance_of,
    compare,
    each,
    load,
    micros,
    read,
    same,
)
from tests.engine.time_weight.oracle import SECOND
from tests.engine.time_weight.oracle_heartbeats import (
    Heartbeats,
    dead_ranges,
    downtime,
    heartbeat_agg,
    interpolate,
    interpolated_downtime,
    interpolated_uptime,
    live_at,
    live_ranges,
    num_gaps,
    rollup_heartbeats,
    trim_to,
    uptime,
)
from tests.unit.jinja_macros import macros

m = macros()
START = micros("2013-01-01 00:00:00")
DAY = 24 * HOUR
INTERVALS = {"1 us": 1, "20 minutes": 20 * MINUTE, "PT1H10M": 70 * MINUTE, "2 days": 2 * DAY}


@pytest.fixture(scope="module")
def cases(spark):
    """1,000 days of beats in the view `beats`: in eight parts of three hours, and in overlapping ones."""
    chance, found, rows = chance_of("beats"), {}, []
    for i in range(1000):
        unit = chance.choice([20 * MINUTE, 10 * MINUTE, HOUR, 7 * SECOND, 1])
        count = min(chance.choice([0, 1, 2, 5, 20]), DAY // unit)
        first = chance.randrange(DAY // unit)
        beats = [START + (first + k) * unit % DAY for k in chance.choices(range(40), k=count)]
        beats += chance.choices([None, *beats], k=chance.randrange(3)) if count else [None]
        found[f"beats {i}"] = beats
        rows += [(f"beats {i}", beat) for beat in beats]
    load(spark, "beats", "case_id string, t bigint", rows, chance)
    return found


def summaries(start: str, length: str) -> dict[str, str]:
    return {
        interval: m.heartbeat_agg("timestamp_micros(t)", start, length, interval)
        for interval in INTERVALS
    }


WHOLE = summaries(f"timestamp_micros({START}L)", "1 day")


def ranges(text: str) -> str:
    return f"transform({text}, x -> struct(unix_micros(x.start), unix_micros(x.end)))"


COLUMNS = ", ".join(
    [
        *(f"unix_micros(summary.{name})" for name in ("start", "end", "last_time")),
        "summary.interval",
        ranges(m.live_ranges("summary")),
        ranges(m.dead_ranges("summary")),
        m.uptime("summary"),
        m.downtime("summary"),
        m.num_gaps("summary"),
    ]
)


def shown(summary: Heartbeats) -> tuple:
    return (
        *(summary.start, summary.end, summary.last_beat, summary.interval),
        *(live_ranges(summary), dead_ranges(summary)),
        *(uptime(summary) / SECOND, downtime(summary) / SECOND, num_gaps(summary)),
    )


def expected_of(cases, answers) -> dict[tuple, tuple]:
    return {
        (case, name): answers(heartbeat_agg(beats, START, DAY, interval))
        for case, beats in cases.items()
        for name, interval in INTERVALS.items()
    }


def test_summaries(spark, cases):
    found = read(spark, each(WHOLE, "case_id", "beats"), COLUMNS)
    compare(found, expected_of(cases, shown), lambda key: cases[key[0]])


PARTS = f"(select *, timestamp_micros(t - pmod(t - {START}L, {3 * HOUR}L)) as start from beats where t is not null)"


def test_rollup_of_parts(spark, cases):
    """Of the three hours with a beat: the time between them is dead, but for what is still alive."""
    parts = each(summaries("start", "3 hours"), "case_id, start", PARTS)
    rolled = f"select case_id, setting, {m.rollup('summary', of='heartbeat_agg')} as summary from ({parts}) group by all"
    expected = {}
    for case, beats in cases.items():
        known = [beat for beat in beats if beat is not None]
        starts = {beat - (beat - START) % (3 * HOUR) for beat in known}
        for name, interval in INTERVALS.items():
            of_parts = [
                heartbeat_agg([b for b in known if s <= b < s + 3 * HOUR], s, 3 * HOUR, interval)
                for s in starts
            ]
            if of_parts:
                expected[case, name] = shown(rollup_heartbeats(of_parts))
    compare(read(spark, rolled, COLUMNS), expected, lambda key: cases[key[0]])


def test_any_cover_rolls_up_to_the_whole(spark, cases):
    """Parts of 15 hours each 3 hours overlap; a dead one of the whole day makes the range whole."""
    covers = (
        "(select case_id, timestamp_micros(from) as start, if(t >= from and t < from + 54000000000L, t, null) as t from beats"
        f" lateral view explode(sequence({START}L, {START + 9 * HOUR}L, {3 * HOUR}L)) as from)"
    )
    parts = each(summaries("start", "PT15H"), "case_id, start", covers)
    dead = each(WHOLE, "case_id", "(select case_id, null as t from beats)")
    both = f"select case_id, setting, summary from ({parts}) union all {dead}"
    rolled = f"select case_id, setting, {m.rollup('summary', of='heartbeat_agg')} as summary from ({both}) group by all"
    compare(read(spark, rolled, COLUMNS), expected_of(cases, shown), lambda key: cases[key[0]])


def test_live_at(spark, cases):
    instants = [START + k * 25 * MINUTE for k in range(-1, 60)] + [START + DAY, START + DAY - 1]
    columns = ", ".join(
        m.live_at("summary", f"timestamp_micros({instant}L)") for instant in instants
    )
    expected = expected_of(cases, lambda summary: tuple(live_at(summary, at) for at in instants))
    found = read(spark, each(WHOLE, "case_id", "beats"), columns)
    compare(found, expected, lambda key: cases[key[0]])


def test_interpolated(spark, cases):
    """With the last part that had a beat, over the whole day: also those without one."""
    every = (
        f"(select distinct case_id, timestamp_micros(start) as start, null as t from beats"
        f" lateral view explode(sequence({START}L, {START + DAY - 1}L, {3 * HOUR}L)) as start"
        f" union all select case_id, start, t from {PARTS})"
    )
    parts = each(summaries("start", "3 hours"), "case_id, start", every)
    alive = "case when summary.last_time is not null then summary end"
    before = (
        f"select *, last_value({alive}, true) over (partition by case_id, setting order by start"
        f" rows between unbounded preceding and 1 preceding) as prev from ({parts})"
    )
    whole_of = f"(select *, {m.interpolate('summary', 'prev')} as interpolated from ({before}))"
    columns = ", ".join(
        [
            *(m.interpolated_uptime("summary", "prev"), m.interpolated_downtime("summary", prev="prev")),
            *(ranges(m.live_ranges("interpolated")), m.num_gaps("interpolated")),
            f"unix_micros({m.last_time('interpolated')})",
        ]
    )  # fmt: skip
    both_of = read(spark, f"select * from {whole_of}", columns, "case_id, setting, unix_micros(start)")  # fmt: skip
    found = {key: row[:2] for key, row in both_of.items()}
    lives, expected_lives = {key: row[2:] for key, row in both_of.items()}, {}
    expected, sums = {}, {}
    for case, beats in cases.items():
        known = [beat for beat in beats if beat is not None]
        for name, interval in INTERVALS.items():
            carried = None
            for start in range(START, START + DAY, 3 * HOUR):
                inside = [beat for beat in known if start <= beat < start + 3 * HOUR]
                own = heartbeat_agg(inside, start, 3 * HOUR, interval)
                both = interpolated_uptime(own, carried), interpolated_downtime(own, carried)
                expected[case, name, start] = tuple(each / SECOND for each in both)
                carried = interpolate(own, carried)
                expected_lives[case, name, start] = (
                    *(live_ranges(carried), num_gaps(carried), carried.last_beat),
                )
    compare(found, expected, lambda key: cases[key[0]])
    compare(lives, expected_lives, lambda key: cases[key[0]])
    for (case, name, _), (up, down) in found.items():
        ups, downs = sums.get((case, name), (0.0, 0.0))
        sums[case, name] = (ups + up, downs + down)
    whole = expected_of(cases, lambda each: (uptime(each) / SECOND, downtime(each) / SECOND))
    rounded = {key: tuple(round(each, 6) for each in sums_) for key, sums_ in sums.items()}
    compare(rounded, whole, lambda key: cases[key[0]])


def test_trimmed(spark, cases):
    """By start and length, by end, by length alone, and what they hand on to an empty range after them."""
    bounds = {
        m.trim_to("summary", start=f"timestamp_micros({START + 5 * HOUR}L)", length="7 hours"): (5, 12),
        m.trim_to("summary", end=f"timestamp_micros({START + 20 * HOUR}L)"): (0, 20),
        m.trim_to("summary", start=f"timestamp_micros({START + 21 * HOUR}L)"): (21, 24),
        m.trim_to("summary", length="90 minutes"): (0, 1.5),
    }  # fmt: skip
    after = f"timestamp_micros({START + DAY}L)"
    dead = " union all ".join(
        f"select '{name}' as setting, {m.heartbeat_agg('null', after, '1 day', name)} as dead"
        for name in INTERVALS
    )
    shown = "select *, " + ", ".join(f"{text} as t{i}" for i, text in enumerate(bounds))
    source = f"{shown} from ({each(WHOLE, 'case_id', 'beats')}) join ({dead}) using (setting)"
    columns = ", ".join(
        f"unix_micros(t{i}.start), unix_micros(t{i}.end), {ranges(m.live_ranges(f't{i}'))},"
        f" {m.num_gaps(f't{i}')}, {m.interpolated_uptime('dead', f't{i}')}"
        for i in range(len(bounds))
    )

    def answers(summary: Heartbeats) -> tuple:
        found: list = []
        for first, last in bounds.values():
            own = trim_to(summary, START + int(first * HOUR), int((last - first) * HOUR))
            after = heartbeat_agg([], START + DAY, DAY, summary.interval)
            found += [own.start, own.end, live_ranges(own), num_gaps(own)]
            found.append(interpolated_uptime(after, own) / SECOND)
        return tuple(found)

    compare(read(spark, source, columns), expected_of(cases, answers), lambda key: cases[key[0]])


@pytest.mark.usefixtures("cases")
def test_nothing_is_null(spark):
    nothing = f"(select {WHOLE['1 us']} as summary from beats where false)"
    columns = (
        f"{COLUMNS}, {m.live_at('summary', 'now()')}, {m.interpolated_uptime('summary', 'summary')},"
        f" {m.interpolate('summary', 'summary')}, {m.trim_to('summary', length='1 hour')}"
    )
    [row] = spark.sql(f"select summary, {columns} from {nothing}").collect()
    assert same(tuple(row), (None,) * 14)
    own_start = m.heartbeat_agg("timestamp_micros(t)", "timestamp_micros(t)", "1 day", "1 s")
    for query in (
        f"select {own_start} from (select null as t)",
        f"select {own_start} from (select 1L as t where false)",
        f"select {m.rollup('summary', of='heartbeat_agg')} from {nothing}",
    ):
        assert spark.sql(query).collect() == [(None,)]


@pytest.mark.soak
def test_names_of_columns_are_not_taken(spark):
    """A column may have any name, also one that the macros use inside."""
    for name in ("x", "r", "p", "b", "h", "from", "to", "sum"):
        agg = m.heartbeat_agg("ts", "timestamp'2013-01-01'", "1 hour", "10 minutes")
        source = f"select {agg} as `{name}` from values (timestamp'2013-01-01 00:30:00') as t(ts)"
        own = f"r.`{name}`"
        columns = [
            m.uptime(own),
            m.downtime(own),
            m.live_at(own, f"{own}.first_time"),
            m.live_at(f"`{name}`", f"`{name}`.end"),
            m.interpolated_uptime(f"`{name}`", f"if(false, {own}, null)"),
            m.interpolated_downtime(own, f"if(false, {own}, null)"),
            m.uptime(m.interpolate(own, f"if(false, {own}, null)")),
            m.uptime(m.trim_to(f"`{name}`", start=f"`{name}`.first_time", length="5 minutes")),
        ]
        [row] = spark.sql(f"select {', '.join(columns)} from ({source}) as r").collect()
        assert tuple(row) == (600.0, 3000.0, True, None, 600.0, 3000.0, 600.0, 300.0)
