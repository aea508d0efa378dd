"""Every aggregate, over two runs, against what Spark says of all events at once.

In `make test` the histories of tests/engine/runs compare each aggregate with the oracle.
"""

from __future__ import annotations

import pytest

EVENTS = [
    "1, timestamp'2018-01-05 00:00:01Z', 'A', 10.5D, 3",
    "2, timestamp'2018-01-05 00:00:02Z', 'A', 1e9D, null",
    "3, timestamp'2018-01-05 00:00:01Z', 'B', -0.25D, 7",
    "4, timestamp'2018-01-05 00:01:30Z', 'A', null, 5",
    "5, timestamp'2018-01-05 00:00:02Z', null, 1e9D + 1, 3",
    "6, timestamp'2018-01-05 00:00:01Z', 'A', 10.75D, 7",
    "7, timestamp'2018-01-05 00:01:30Z', 'A', 2.5D, null",
    "8, timestamp'2018-01-05 00:01:29Z', 'A', 4.5D, 3",
]
SELECT = """select={
    'a': 'avg(x)', 't': 'sum(n)', 'lo': 'min(x)', 'hi': 'max(x * 2)', 'c': 'count(x)', 'r': 'count(*)',
    'd': 'distinctCount(n)', 'ad': 'approx_count_distinct(n)', 'v': 'variance(x)', 'sd': 'stddev(x)',
    'vp': 'var_pop(x)', 'sp': 'stddev_pop(x)', 'f': 'first(x)', 'l': 'last(x)', 'median': 'quantile(x, 0.5)',
    'latest': 'x', 'both': 'x * n'}"""
PLAIN = """
    avg(x), sum(n), min(x), max(x * 2), count(x), count(*), count(distinct n), approx_count_distinct(n),
    variance(x), stddev(x), var_pop(x), stddev_pop(x), min_by(x, struct(ts, arrival)) filter (where x is not null),
    max_by(x, struct(ts, arrival)) filter (where x is not null), percentile_disc(0.5) within group (order by x),
    max_by(x, struct(ts, arrival)), max_by(x * n, struct(ts, arrival))"""


@pytest.mark.soak
@pytest.mark.parametrize("split", [0, 3, 6])
def test_each_aggregate_is_what_spark_says_of_all_events(small, split):
    small.define("every", "arrival bigint, ts timestamp, s string, x double, n int", ["seconds", "minutes", "hours"],
                 f"ts='ts', keys=['s'], every='sec...hour', {SELECT}")  # fmt: skip
    for part in (EVENTS[:split], EVENTS[split:]):
        if part:
            small.feed("every", *part)
        small.run()
    small._write(small._folder, {
        f"models/read_{per}.sql": "select * from {{ strandline.aggregation_within(every(), "
        f"within='2018-**-** **:**:**', per='{per}') }}}}" for per in ("seconds", "minutes", "hours")
    })  # fmt: skip
    small.run("--select", "read_seconds", "read_minutes", "read_hours")
    for per, unit in (("seconds", "second"), ("minutes", "minute"), ("hours", "hour")):
        expected = small.rows(
            f"select date_trunc('{unit}', ts), 'UTC', s, {PLAIN} from small.feed_every group by all order by 1, 3"
        )
        found = small.rows(f"select * from small.read_{per} order by 1, 3")
        assert len(found) == len(expected)
        for row, plain in zip(found, expected, strict=True):
            assert row == tuple(
                pytest.approx(value, rel=1e-9) if isinstance(value, float) else value
                for value in plain
            ), per


def test_a_sum_beyond_its_type_stops_the_run_and_loses_nothing(small):
    small.define("huge", "arrival bigint, ts timestamp, n bigint", ["seconds", "minutes"],
                 "ts='ts', every='sec, min', select={'s': 'sum(n)'}")  # fmt: skip
    small.feed("huge", "1, timestamp'2018-01-05 00:00:01Z', 9223372036854775807")
    small.run()
    small.feed("huge", "2, timestamp'2018-01-05 00:00:01Z', 1")
    assert (
        "aggregation huge: a sum of n is beyond the range of its type; sum a wider one, such as"
        " sum(cast(n as decimal(38, 0)))"
    ) in small.fails()
    assert small.read("huge", "agg_sum_n") == [("2018-01-05 00:00:01", 9223372036854775807)]
    small.redefine(
        "huge",
        "ts='ts', every='sec, min', select={'s': 'sum(cast(n as decimal(38, 0)))'}",
    )
    small.run("--full-refresh")
    (column,) = [
        c for c in small.spark.table("small.huge_minutes").columns if c.startswith("agg_sum")
    ]
    assert [int(total) for _, total in small.read("huge", column, "minutes")] == [2**63]


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("sum(n * n)", "[ARITHMETIC_OVERFLOW]"),
        pytest.param("sum(1 / (n - 100000))", "[DIVIDE_BY_ZERO]", marks=pytest.mark.soak),
        pytest.param("sum(cast(code as int))", "[CAST_INVALID_INPUT]", marks=pytest.mark.soak),
    ],
)
def test_an_expression_without_a_value_stops_the_run_and_loses_nothing(small, expression, error):
    """With plain dbt-spark it would be null, or wrap around, in the stored table."""
    small.define("ansi", "arrival bigint, ts timestamp, n int, code string", ["seconds"],
                 f"ts='ts', every='sec', select={{'s': '{expression}'}}")  # fmt: skip
    small.feed("ansi", "1, timestamp'2018-01-05 00:00:01Z', 2, '4'")
    small.run()
    before = small.rows("select * from small.ansi_seconds")
    small.feed("ansi", "2, timestamp'2018-01-05 00:00:01Z', 100000, 'four'")
    assert error in small.fails()
    assert small.rows("select * from small.ansi_seconds") == before
