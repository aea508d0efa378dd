"""`window_start` on Spark is the formula of Python, and the seed loads as the demo's project has it."""

from __future__ import annotations

import random

import pytest
from tests.unit.jinja_macros import macros

from strandline.detection.alignment import alignment_size, first_window_start
from strandline.generated import ALIGNMENT_SIZES

LARGEST = 2**62
STEPS = {"month": (1, 3, 12), "day": (1, 7), "minute": (3, 90), "second": (4, 70), "ms": (7, 40_000), "ns": (600, 10**9)}  # fmt: skip


@pytest.mark.parametrize("precision", STEPS)
def test_window_start_is_the_formula_of_the_source(spark, precision):
    chance = random.Random(8_255)  # noqa: S311
    reach = 10**5 if precision in ("month", "day") else LARGEST
    firsts = [0, 1, -1, 11, -12, -13, *(chance.randrange(-reach, reach) for _ in range(50))]
    frame = spark.createDataFrame([(first,) for first in firsts], "first bigint")
    shapes = [(step, round_time) for step in STEPS[precision] for round_time in (True, False)]
    starts = (
        f"{macros().window_start('first', 4 * step, step, round_time, precision)} as start_{place}"
        for place, (step, round_time) in enumerate(shapes)
    )
    found = frame.selectExpr("first", *starts).collect()
    assert len(found) == len(firsts)
    for first, *message in found:
        assert message == [
            first_window_start(first, 4 * step, step, precision, round_time)
            for step, round_time in shapes
        ]


def test_the_worked_date(spark):
    """The source prints 01:01:00.000 here; its own formula gives a minute before."""
    sql = macros().window_start(
        "unix_millis(timestamp'2018-10-08 01:01:01.365')", "2 minutes", "60 s"
    )
    [row] = spark.sql(f"select cast(timestamp_millis({sql}) as string) as start").collect()
    assert row.start == "2018-10-08 01:00:00"


@pytest.mark.parametrize("time", ["timestamp'2018-10-08'", "date'2018-10-08'"])
@pytest.mark.parametrize("precision", ["month", "ms"])
def test_spark_refuses_a_time_that_is_no_number(spark, time, precision):
    sql = macros().window_start(time, 6, 3, precision=precision)
    with pytest.raises(Exception, match="DATATYPE_MISMATCH"):
        spark.sql(f"select {sql}").collect()


def test_the_seed_loads_and_can_be_joined(spark, dbt):
    results = dbt("build", "--select", "alignment_sizes").results
    assert sorted(str(each.status) for each in results) == ["pass", "pass", "success"]
    try:
        for (precision, round_time), rows in ALIGNMENT_SIZES.items():
            steps = {
                step for largest, _ in rows for step in (largest or 10**13, (largest or 10**13) + 1)
            }
            given = spark.createDataFrame([(step,) for step in steps], "step bigint")
            given.createOrReplaceTempView("given")
            found = spark.sql(f"""
                select step, min_by(alignment_size, coalesce(largest_step, {2**63 - 1})) as size
                from given
                inner join strandline.alignment_sizes
                    on precision = '{precision}' and round_time = {round_time} and step <= coalesce(largest_step, step)
                group by step
            """).collect()
            assert dict(map(tuple, found)) == {
                step: alignment_size(step, precision, round_time) for step in steps
            }
    finally:
        spark.sql("drop table strandline.alignment_sizes")
