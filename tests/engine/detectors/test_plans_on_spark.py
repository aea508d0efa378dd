"""What a detector costs, read from its plan: the relation once, one exchange by key, no join."""

from __future__ import annotations

import pytest
from tests.conftest import drop_schema
from tests.engine.detectors.conftest import load, query, series
from tests.unit.jinja_macros import macros

PERCENTAGE = ("percentage_change_detector", {"offset": "P7D", "percentage": 50})
DEVIATION = ("mean_variance_detector", {"lookback": "P28D", "seasonality": "P7D"})
MEDIAN = ("median_detector", DEVIATION[1])
UNTIL = {"missing": "zero", "until": "timestamp'2024-02-01'"}


@pytest.fixture(scope="module")
def plan(spark):
    """The plan of a reader of a detector over a table of files."""
    spark.sql("create schema planned")
    load(spark, series("2024-01-01", AA="1 2 3"))
    spark.sql("create table planned.buckets using delta as select * from buckets")

    def explain(macro: str, **call) -> str:
        detector = query(macro, source="(select * from planned.buckets)", **call)
        read = f"select * from ({detector}) where starts_at >= timestamp'2024-01-02'"
        return spark.sql(f"explain {read}").first().plan

    yield explain
    drop_schema(spark, "planned")


def test_a_threshold_reads_row_by_row_and_only_the_rows_that_are_selected(plan):
    shown = plan("threshold_detector", min=5, until="timestamp'2024-02-01'")
    assert "Exchange" not in shown
    assert "Sort" not in shown
    pushed = shown.split("PushedFilters: [")[1].split("]")[0]
    assert "GreaterThanOrEqual(ts,2024-01-02 00:00:00.0)" in pushed


@pytest.mark.parametrize(
    ("macro", "call", "sorts"),
    [
        (*PERCENTAGE, 1),
        (PERCENTAGE[0], PERCENTAGE[1] | UNTIL, 2),
        (*DEVIATION, 2),
        (*MEDIAN, 2),
        (MEDIAN[0], MEDIAN[1] | UNTIL, 2),
        (DEVIATION[0], DEVIATION[1] | UNTIL, 2),
        ("threshold_detector", {"min": 5} | UNTIL, 1),
    ],
)
def test_buckets_are_read_once_and_exchanged_once(plan, macro, call, sorts):
    shown = plan(macro, **call)
    assert shown.count("Exchange hashpartitioning") == shown.count("Exchange") == 1
    assert shown.count("FileScan") == 1
    assert shown.count("Sort [") == sorts
    assert "Join" not in shown


@pytest.mark.parametrize(
    ("macro", "call", "arrays"),
    [
        (*MEDIAN, 2),
        ("peer_detector", {}, 2),
        ("quantile_detector", DEVIATION[1] | {"upper": 0.9, "min_values": 2}, 1),
    ],
)
def test_the_values_of_a_look_back_are_sorted_once_and_so_are_their_distances(
    plan, macro, call, arrays
):
    """Not once more in a filter, or for each value in a lambda function."""
    assert plan(macro, **call).count("sort_array(") == arrays


def test_a_look_back_without_a_value_has_no_median(spark):
    """Spark may evaluate it before the filter that leaves the bucket out, and must not fail then."""
    m = macros()
    columns = f"{m._median('x')}, {m._quantile('x', 0.5)}, {m._quantile('x', 1)}"
    rows = spark.sql(
        f"select {columns} from values (array()), (array(1D)), (array(1D, 2D, 6D, 8D)) as (x)"
    )
    assert [tuple(row) for row in rows.collect()] == [(None,) * 3, (1.0,) * 3, (4.0, 4.0, 8.0)]
