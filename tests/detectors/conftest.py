"""Detectors on Spark without dbt: `found("threshold_detector", rows, min=5)` gives what a view of it would."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from tests.unit.jinja_macros import macros

COLUMNS = "carrier string, ts timestamp, value double"
RESULT = ["starts_at", "ends_at", "current_value", "baseline_value", "lower_bound", "upper_bound"]


def series(first: str, step: timedelta = timedelta(days=1), **carriers: str) -> list[tuple]:
    """Buckets from a first one on, each carrier's values in their order; `-` is a bucket that is not there."""
    rows = []
    for carrier, values in carriers.items():
        at = datetime.fromisoformat(first)
        for value in values.split():
            if value != "-":
                rows.append((carrier, at, None if value == "null" else float(value)))
            at += step
    return rows


def query(macro: str, **call: Any) -> str:
    """A detector over the view `buckets`, of days by carrier unless told otherwise."""
    shared = {
        "relation": "(select * from buckets)", "key": ["carrier"], "ts": "ts", "value": "value", "granularity": "P1D",
    }  # fmt: skip
    return getattr(macros(), macro)(**shared | call)


def load(spark: Any, rows: list[tuple]) -> None:
    """The view `buckets`; times are naive UTC."""
    given = [
        (carrier, at and int((at - datetime(1970, 1, 1)) / timedelta(seconds=1)), value)
        for carrier, at, value in rows
    ]
    frame = spark.createDataFrame(given, "carrier string, at bigint, value double").coalesce(1)
    frame.selectExpr("carrier", "timestamp_seconds(at) as ts", "value").createOrReplaceTempView(
        "buckets"
    )


def told(row: Any) -> str:
    """`AA 01-09 00:00 to 01-10 00:00: 40, not 98 (49 to 147)`; a bound that is none is a dot."""
    *key, starts_at, ends_at, current, baseline, lower, upper = row[1:]
    times = [at[5:16] for at in (starts_at, ends_at)]
    now, before, low, high = (
        "." if each is None else f"{each:.6g}" for each in (current, baseline, lower, upper)
    )
    name = " ".join(str(each) for each in key)
    return f"{name} {times[0]} to {times[1]}: {now}, not {before} ({low} to {high})".strip()


@pytest.fixture
def found(spark: Any) -> Callable[..., list[str]]:
    def judge(macro: str, rows: list[tuple], **call: Any) -> list[str]:
        load(spark, rows)
        frame = spark.sql(query(macro, **call))
        keys = [name for name in frame.columns if name not in RESULT]
        assert frame.columns == keys + RESULT
        text = frame.selectExpr(
            *keys, "cast(starts_at as string)", "cast(ends_at as string)", *RESULT[2:]
        )
        return sorted(told(row) for row in text.collect())

    return judge
