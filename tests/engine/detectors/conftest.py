"""Detectors on Spark without dbt: `found("threshold_detector", rows, min=5)` gives the rows of its view.

Each call is compared with the oracle, so that every scenario checks it too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any

import pytest
from tests.engine.detectors.oracle import (
    Calendar,
    Change,
    FlatLine,
    Length,
    MeanVariance,
    Median,
    MissingData,
    Peer,
    Quantile,
    Series,
    Threshold,
    detect,
    flat,
    missing,
)
from tests.unit.jinja_macros import macros

RESULT = ["starts_at", "ends_at", "current_value", "baseline_value", "lower_bound", "upper_bound"]
NAMES, TEXTS = ["detection_id", "detector"], ["severity", "description", "arrival"]
UNITS = {"Y": (12, "months"), "M": (1, "months"), "W": (7, "days"), "D": (1, "days"), "TH": (1, "hours"), "TM": (1, "minutes")}  # fmt: skip


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
    """A detector over the view `buckets`, of days by carrier unless given otherwise."""
    shared = {
        "source": "(select * from buckets)", "keys": ["carrier"], "ts": "ts", "value": "value", "granularity": "P1D",
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


def load_ranges(spark: Any, ranges: Iterable[tuple[str | None, datetime, datetime]]) -> None:
    """The view `ranges`, of a carrier each; times are naive UTC."""
    epoch, micro = datetime(1970, 1, 1), timedelta(microseconds=1)
    given = [(key, (first - epoch) // micro, (last - epoch) // micro) for key, first, last in ranges]  # fmt: skip
    frame = spark.createDataFrame(given, "carrier string, first bigint, last bigint")
    frame.selectExpr(
        "carrier", "timestamp_micros(first) as starts_at", "timestamp_micros(last) as ends_at"
    ).createOrReplaceTempView("ranges")


def line(name: str, starts_at: str, ends_at: str, *values: float | None) -> str:
    """`AA 01-09 00:00 to 01-10 00:00: 40, not 98 (49 to 147)`; a bound that is none is a dot."""
    current, baseline, lower, upper = ("." if one is None else f"{one:.6g}" for one in values)
    times = f"{starts_at[5:16]} to {ends_at[5:16]}"
    return f"{name} {times}: {current}, not {baseline} ({lower} to {upper})".strip()


@pytest.fixture
def found(spark: Any) -> Callable[..., list[str]]:
    def compare(macro: str, rows: list[tuple], **call: Any) -> list[str]:
        load(spark, rows)
        frame = spark.sql(query(macro, **call))
        key = call.get("keys", ["carrier"])
        assert frame.columns == [*NAMES, *key, *RESULT[:4], *TEXTS, *RESULT[4:]]
        times = [f"cast({name} as string)" for name in RESULT[:2]]
        text = frame.selectExpr(*key or ["''"], *times, *RESULT[2:])
        lines = sorted(line(*row) for row in text.collect())
        assert sorted(by_oracle(macro, rows, **call)) == lines
        return lines

    return compare


def by_oracle(macro: str, rows: list[tuple], **call: Any) -> list[str]:
    """What the oracle finds, as `found` gives it."""
    calendar = Calendar(length(call.get("granularity", "P1D")), call.get("time_zone", "UTC"))
    until = call.get("until") and datetime.fromisoformat(
        re.search(r"timestamp'(.*?)'", call["until"])[1]
    )
    rules = {
        "threshold_detector": lambda: Threshold(
            call.get("min"), call.get("max"), call.get("inclusive", False),
            call.get("min_inclusive"), call.get("max_inclusive"),
        ),
        "percentage_change_detector": lambda: Change(
            length(call["offset"]), percentage=call["percentage"]
        ),
        "absolute_change_detector": lambda: Change(length(call["offset"]), amount=call["change"]),
        "mean_variance_detector": lambda: MeanVariance(
            length(call["lookback"]), length(call.get("seasonality")), call.get("sensitivity", 5), call.get("min_values", 2), call.get("deviations"),
        ),
        "peer_detector": lambda: Peer(
            call.get("deviations", 8), call.get("min_change", 0), call.get("min_peers", 4)
        ),
        "quantile_detector": lambda: Quantile(
            length(call["lookback"]), length(call.get("seasonality")), call.get("lower"), call.get("upper"), call.get("min_change", 0), call.get("min_values", 10),
        ),
        "median_detector": lambda: Median(
            length(call["lookback"]), length(call.get("seasonality")), call.get("deviations", 8), call.get("min_change", 0), call.get("min_values", 4),
        ),
    }  # fmt: skip
    runs = length(call.get("min_duration"))
    min_run = runs.number // calendar.granularity.number if runs else 1
    settings = Series(calendar, call.get("missing", "null"), until, min_run)
    if macro == "missing_data_detector":
        lengths = {name: length(call.get(name)) for name in ("sla", "lookback", "max_duration")}
        others = {name: call[name] for name in ("factor", "outages", "min_values", "combine") if name in call}  # fmt: skip
        detected = missing(rows, settings, MissingData(**lengths, **others))
    elif macro == "flat_line_detector":
        rule = FlatLine(length(call["duration"]), call.get("tolerance", 0), call.get("idle"))
        detected = flat(rows, settings, rule)
    else:
        detected = detect(rows, settings, rules[macro](), call.get("pattern", "up_or_down"))
    return [
        line("" if call.get("keys") == [] else str(key), str(start), str(end), *values)
        for key, start, end, *values in detected
    ]


def length(text: str | None) -> Length | None:
    """`P7D` of the oracle."""
    if text is None:
        return None
    _, clock, number, unit = re.fullmatch(r"(P)(T?)(\d+)([YMWDH])", text).groups()
    times, name = UNITS[clock + unit]
    return Length(int(number) * times, name)
