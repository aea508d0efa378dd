"""What is worked out by hand in `examples.py`: the oracle gives it, and so do the macros."""

from __future__ import annotations

from math import isnan

import pytest
from tests.engine.anomalies.examples import SCHEDULED, SIGNIFICANCE, WATERMARKS
from tests.engine.anomalies.oracle_ranges import (
    BEGINNING,
    AnalysedRange,
    moved_watermark,
    scheduled_range,
)
from tests.engine.anomalies.oracle_significance import is_significant, rounded
from tests.unit.jinja_macros import macros


@pytest.mark.parametrize(("stored", "found", "absolute", "percentage", "significant"), SIGNIFICANCE)
def test_significance(stored, found, absolute, percentage, significant) -> None:
    assert is_significant(stored, found, absolute, percentage) is significant


def test_significance_on_spark(spark) -> None:
    """Each pair of values as columns; NaN is null by the time that values are compared."""

    def number(value: float | None) -> str:
        return "null" if value is None or isnan(value) else f"double('{value}')"

    def threshold(value: float | None) -> str | None:
        return None if value is None else f"{value}D"

    pairs, columns = [], []
    for place, example in enumerate(SIGNIFICANCE):
        stored, found, absolute, percentage, _ = example.values
        pairs += [
            f"cast({number(stored)} as double) as s{place}",
            f"cast({number(found)} as double) as f{place}",
        ]
        settings = {"absolute": threshold(absolute), "percentage": threshold(percentage)}
        columns.append(
            f"{macros()._is_significant(settings, f's{place}', f'f{place}')} as c{place}"
        )
    [row] = spark.sql(f"select {', '.join(columns)} from (select {', '.join(pairs)})").collect()

    expected = {example.id: example.values[-1] for example in SIGNIFICANCE}
    assert dict(zip(expected, row, strict=True)) == expected


def test_per_cent_is_rounded_to_four_places_halves_up() -> None:
    assert [rounded(x) for x in (0.00005, 0.00015, 0.00025, 12.34564999, 3)] == [0.0001, 0.0002, 0.0003, 12.3456, 3]  # fmt: skip


@pytest.mark.parametrize(("watermark", "now", "delay", "mutability", "analysed"), SCHEDULED)
def test_the_range_of_a_scheduled_run(watermark, now, delay, mutability, analysed) -> None:
    assert scheduled_range(watermark, now, 15, delay, mutability) == (
        analysed and AnalysedRange(*analysed)
    )

    settings = {"granularity": 15, "completeness_delay": delay, "mutability_period": mutability}
    found = macros()._scheduled_range(settings, watermark, now)
    start = None if analysed and analysed[0] == BEGINNING else analysed and analysed[0]
    assert found == (analysed and {"start": start, "end": analysed[1], "is_backfill": False})


@pytest.mark.parametrize(("watermark", "analysed", "is_backfill", "moved"), WATERMARKS)
def test_the_watermark(watermark, analysed, is_backfill, moved) -> None:
    assert moved_watermark(watermark, AnalysedRange(*analysed), is_backfill, 15, 307) == moved

    given = {
        "start": None if analysed[0] == BEGINNING else analysed[0],
        "end": analysed[1],
        "is_backfill": is_backfill,
    }
    assert macros()._moved_watermark(watermark, given, 15, 307) == moved


def test_the_days_of_the_source() -> None:
    """Analysed up to Thursday, three mutable days: Friday's job begins at Tuesday."""
    tuesday, thursday, friday = 2, 4, 5

    assert scheduled_range(thursday, friday, 1, 0, 3) == AnalysedRange(tuesday, friday)


def test_an_empty_range_is_refused() -> None:
    with pytest.raises(ValueError, match=r"the range \[30, 30\) is empty"):
        AnalysedRange(30, 30)
