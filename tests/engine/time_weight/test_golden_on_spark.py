"""What is known by hand, on Spark: the source's data, and the hours in which weather is missing."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest
from tests.engine.time_weight.cases import HOUR, each
from tests.engine.time_weight.examples import WEATHER_GAPS
from tests.unit.jinja_macros import macros

from strandline_demo.flights.source import data_folder

GOLDEN = Path(__file__).parent / "golden"
m = macros()


def golden(name: str) -> list[dict[str, str]]:
    with (GOLDEN / name).open(newline="") as file:
        return list(csv.DictReader(file))


def shown(value) -> str:
    """A value as the golden files write it."""
    return "" if value is None else f"{value:g}" if isinstance(value, (int, float)) else value


COLUMNS = {
    "method": "split_part(setting, ' ', 1)",
    "gap_seconds": "split_part(setting, ' ', 2)",
    "bucket_start": "date_format(bucket, 'yyyy-MM-dd HH:mm:ss')",
    "weighted_sum": "summary.weighted_sum",
    "elapsed_seconds": m.elapsed_time("summary"),
    "num_gaps": m.num_gaps("summary"),
    "first_time": f"date_format({m.first_time('summary')}, 'yyyy-MM-dd HH:mm:ss')",
    "first_value": m.first_val("summary"),
    "last_time": f"date_format({m.last_time('summary')}, 'yyyy-MM-dd HH:mm:ss')",
    "last_value": m.last_val("summary"),
    "average": m.average("summary"),
    "interpolated_average": m.average("interpolated"),
    "interpolated_integral_hours": m.integral("interpolated", unit="hour"),
    "interpolated_elapsed_seconds": m.elapsed_time("interpolated"),
}


@pytest.mark.first
def test_golden_rows(spark):
    """Hours, and three hours at once by a rollup of the hours."""
    values = ", ".join(
        f"(timestamp'{row['time']}', {row['value']})" for row in golden("time_weight_signal.csv")
    )
    settings = {
        f"{method} {gap} seconds": m.time_weight("ts", "value", method=method, gap=f"{gap} seconds")
        for method in ("locf", "linear")
        for gap in (1800, 5400, 7200)
    }
    signal = (
        f"(select *, date_trunc('hour', ts) as bucket from values {values} as signal(ts, value))"
    )
    hours = each(settings, "bucket", signal)
    three = f"select timestamp'2022-01-01' as bucket, setting, {m.rollup('summary')} as summary from ({hours}) group by all"
    range_ = ["2022-01-01 00:00:00", "2022-01-01 03:00:00"]
    columns = ", ".join(f"{column} as {name}" for name, column in COLUMNS.items())
    found = []
    for length, relation in ((10800, three), (3600, hours)):
        table = m.interpolated_table(f"({relation})", f"{length} s", range_, ["setting"], "bucket")
        rows = spark.sql(f"select {columns}, {length} as bucket_seconds from {table}").collect()
        found += [{name: shown(value) for name, value in row.asDict().items()} for row in rows]

    def key(row: dict[str, str]) -> list[str]:
        return [row[name] for name in ("bucket_seconds", "method", "gap_seconds", "bucket_start")]

    expected = golden("time_weight_expected.csv")
    assert len(expected) == 24
    assert sorted(found, key=key) == sorted(expected, key=key)


def test_weather_of_three_airports(spark):
    """A report an hour, and 17, 14 and 14 times a longer gap, for which nothing counts."""
    path = str(data_folder() / "weather.csv")
    weather = spark.read.csv(path, header=True)
    weather.selectExpr("origin", "timestamp(time_hour) as ts", "try_cast(temp as double) as temp") \
        .createOrReplaceTempView("weather")  # fmt: skip
    linear, locf, temperature = (
        m.time_weight("ts", value, method=method, gap="90 minutes")
        for value, method in (("1", "linear"), ("1", "locf"), ("temp", "locf"))
    )
    # The count by itself: hours with a report, and those after which the next one has none.
    there = f"""
        select origin, count_if(next > hour + 1) as longer,
            (count(*) - 1 - count_if(next > hour + 1)) * {HOUR}L as counted
        from (select origin, hour, lead(hour) over (partition by origin order by hour) as next
            from (select distinct origin, unix_seconds(ts) div 3600 as hour from weather))
        group by origin"""
    rows = spark.sql(
        f"select origin, linear.num_gaps, longer, linear.elapsed, counted, locf.elapsed, temperature.num_gaps"
        f" from (select origin, {linear} as linear, {locf} as locf, {temperature} as temperature from weather group by 1)"
        f" join ({there}) using (origin) order by origin"
    ).collect()
    assert [row[:2] for row in rows] == list(WEATHER_GAPS.items())
    for _, gaps, longer, elapsed, counted, locf_elapsed, _ in rows:
        assert (gaps, elapsed) == (longer, counted)
        assert locf_elapsed == elapsed + gaps * 3 * HOUR // 2
    # One report of Newark has no temperature: what is null is no point.
    assert [row[6] for row in rows] == [18, 14, 14]
