"""time_weight and rollup on Spark against the oracle, on 1,500 random signals in 24 settings."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
from tests.engine.time_weight.cases import (
    GAPS,
    SEED,
    SHOWN,
    Near,
    chance_of,
    compare,
    each,
    load,
    point_cases,
    read,
    shown_weight,
    without_signs,
)
from tests.engine.time_weight.oracle import (
    MICROS,
    SECOND,
    gap_time,
    integral,
    signal_of,
    time_weight,
)
from tests.unit.jinja_macros import macros

m = macros()
SETTINGS = {
    f"{method} {gap} {'arrival' if arrival else 'value'}": (method, gap, arrival, "ignore")
    for method in ("locf", "linear")
    for gap in GAPS
    for arrival in (None, "arrival")
} | {
    f"{method} {gap} {'arrival' if arrival else 'value'}, nulls end": (method, gap, arrival, "end")
    for method in ("locf", "linear")
    for gap in (None, "2 seconds")
    for arrival in (None, "arrival")
}
SUMMARIES = {
    name: m.time_weight(
        "timestamp_micros(t)", "v", method=method, gap=gap, arrival=arrival, nulls=nulls
    )
    for name, (method, gap, arrival, nulls) in SETTINGS.items()
}


def as_given(points: list[tuple], arrival: str | None) -> list[tuple]:
    return points if arrival else [point[:2] for point in points]


def expected_of(cases) -> dict[tuple, tuple | None]:
    found = {}
    for case, points in cases:
        for name, (method, gap, arrival, nulls) in SETTINGS.items():
            given = as_given(points, arrival)
            summary = time_weight(given, method, GAPS[gap], nulls)
            magnitude = time_weight(without_signs(given, nulls), method, GAPS[gap], nulls)
            shown = shown_weight(summary, magnitude and magnitude.weighted_sum)
            found[case, name] = shown
    return found


def rows_of(spark, query: str) -> dict[tuple, tuple | None]:
    found = read(spark, query, SHOWN)
    return {key: summary and tuple(summary) for key, (summary,) in found.items()}


@pytest.fixture(scope="module")
def cases(spark):
    """1,500 cases as the view `points`; `part` splits each by time, `piece` splits its parts again."""
    chance, rows = chance_of("parts"), []
    cases = [(case, points) for case, points in point_cases("signal", 1500) if points]
    for case, points in cases:
        known = [point[0] for point in points if point[0] is not None]
        bounds = sorted(chance.choices(known, k=chance.randrange(6))) if known else []
        for time, value, arrival in points:
            piece = sum(time >= bound for bound in bounds) if time is not None else 0
            rows.append((case, piece // 2, piece, time, value, arrival))
    load(
        spark,
        "points",
        "case_id string, part int, piece int, t bigint, v double, arrival int",
        rows,
        chance,
    )
    return dict(cases)


def test_summaries_are_the_oracles(spark, cases):
    found = rows_of(spark, each(SUMMARIES, "case_id", "points"))
    compare(found, expected_of(cases.items()), lambda key: cases[key[0]])

    # Without a gap, and with one that no interval is longer than, all time counts.
    unbroken = 0
    for (case, name), summary in found.items():
        _, gap, arrival, nulls = SETTINGS[name]
        if summary is None or nulls == "end":
            continue
        times = [time for time, _ in signal_of(as_given(cases[case], arrival))]
        if all(b - a <= (GAPS[gap] or math.inf) for a, b in pairwise(times)):
            without = found[case, name.replace(str(gap), "None")]
            assert (summary[0], *map(repr, summary[2:])) == (without[0], *map(repr, without[2:]))
            assert (summary[3], summary[4]) == (times[-1] - times[0], 0), (SEED, case, name)
            unbroken += 1
    assert unbroken > 10_000


@pytest.mark.soak
def test_any_partition_rolls_up_to_the_whole(spark, cases):
    expected = expected_of(cases.items())
    pieces = each(SUMMARIES, "case_id, part, piece", "points")
    rolled = f"select case_id, setting, {m.rollup('summary')} as summary from"
    compare(
        rows_of(spark, f"{rolled} ({pieces}) group by case_id, setting"),
        expected,
        lambda key: cases[key[0]],
    )
    # Parts of parts: pieces to parts, parts to the whole.
    parts = f"select case_id, part, setting, {m.rollup('summary')} as summary from ({pieces}) group by all"
    compare(
        rows_of(spark, f"{rolled} ({parts}) group by case_id, setting"),
        expected,
        lambda key: cases[key[0]],
    )


@pytest.mark.usefixtures("cases")
@pytest.mark.soak
def test_order_of_rows_does_not_matter(spark):
    def summaries(order: str) -> dict:
        source = f"(select * from points distribute by case_id sort by {order})"
        found = rows_of(spark, each(SUMMARIES, "case_id", source))
        return {key: repr(summary) for key, summary in found.items()}

    assert summaries("t desc, v desc") == summaries("v, arrival, t")


def test_windows_of_a_table_give_the_same_summaries(spark, cases):
    """`time_weight_table` takes windows instead of collected arrays."""
    selects = []
    for name, (method, gap, arrival, nulls) in SETTINGS.items():
        if arrival:
            source = (
                "(select case_id, t as __t, v as __value, coalesce(arrival, 0) as __arrival"
                f" from points where t is not null{'' if nulls == 'end' else ' and v is not null'})"
            )
            gap_micros = m._gap_micros(m._period(gap)["fixed"])
            task = {"method": method, "gap": gap_micros, "nulls": nulls}
            selects.append(
                f"select case_id, '{name}' as setting, {m._time_weight_summary(task)} as summary"
                f" from {m._time_weight_rows(task, source, 'case_id')} group by case_id"
            )
    by_windows = " union all ".join(selects)
    expected = {
        key: summary
        for key, summary in expected_of(cases.items()).items()
        if summary is not None and SETTINGS[key[1]][2]
    }
    compare(rows_of(spark, by_windows), expected, lambda key: cases[key[0]])


def test_accessors(spark, cases):
    spellings = sorted(MICROS)
    settings = {name: SUMMARIES[name] for name in ("locf 2 seconds value", "linear PT1H30M value")}
    columns = ", ".join(
        [
            m.average("summary"),
            m.num_gaps("summary"),
            *(m.integral("summary", unit=unit) for unit in spellings),
            *(m.elapsed_time("summary", unit=unit.upper()) for unit in spellings),
            *(m.gap_time("summary", unit=unit) for unit in spellings),
        ]
    )
    found = read(spark, each(settings, "case_id", "points"), columns)
    expected = {}
    for case, points in cases.items():
        for name in settings:
            method, gap, *_ = SETTINGS[name]
            given = as_given(points, None)
            summary = time_weight(given, method, GAPS[gap])
            if summary is None:
                expected[case, name] = (None,) * (2 + 3 * len(spellings))
                continue
            size = time_weight(without_signs(given), method, GAPS[gap]).weighted_sum
            seconds = summary.elapsed / SECOND
            expected[case, name] = (
                Near(summary.weighted_sum / seconds, size / seconds) if seconds else None,
                summary.num_gaps,
                *(Near(integral(summary, u), size * SECOND / MICROS[u]) for u in spellings),
                *(Near(summary.elapsed / MICROS[u], summary.elapsed / MICROS[u]) for u in spellings),
                *(Near(gap_time(summary) / MICROS[u], gap_time(summary) / MICROS[u]) for u in spellings),
            )  # fmt: skip
    compare(found, expected, lambda key: cases[key[0]])


@pytest.mark.usefixtures("cases")
def test_nothing_gives_null(spark):
    weight = SUMMARIES["locf None arrival"]
    nothing = f"select {weight} as summary from points where false"
    rolled = f"select {m.rollup('summary')} from ({nothing})"
    for query in (nothing, rolled, f"{rolled} where false"):
        assert spark.sql(query).collect() == [(None,)]
