"""Examples worked out by hand, for the oracle and for the macros alike: `test_examples.py`."""

from __future__ import annotations

from math import inf, nan

import pytest
from tests.engine.anomalies.oracle_ranges import BEGINNING

# Whether a change is significant: strictly above both thresholds, by magnitude.
SIGNIFICANCE = [
    # stored, found, absolute, percentage, significant
    pytest.param(100, 120, 10, 10, True, id="above both"),
    pytest.param(100, 80, 10, 10, True, id="a fall above both"),
    pytest.param(-100, -120, 10, 10, True, id="below zero: per cent of the magnitude"),
    pytest.param(10, -10, 19, 199, True, id="through zero"),
    pytest.param(100, 120, 20, 10, False, id="at the absolute one"),
    pytest.param(100, 80, 20, 10, False, id="a fall at the absolute one"),
    pytest.param(100, 120.25, 20, 10, True, id="just above the absolute one"),
    pytest.param(100, 120, 10, 20, False, id="at the percentage"),
    pytest.param(100, 120.25, 10, 20, True, id="just above the percentage"),
    pytest.param(100, 200, 10, 200, False, id="only above the absolute one"),
    pytest.param(100, 200, 200, 10, False, id="only above the percentage"),
    pytest.param(100, 200, None, None, False, id="both unset: never"),
    pytest.param(100, 200, None, 0, False, id="the absolute one unset: never"),
    pytest.param(100, 200, 0, None, False, id="the percentage unset: never"),
    pytest.param(0, 200, 0, None, False, id="unset also from zero"),
    pytest.param(None, 200, None, 0, False, id="unset also from unknown"),
    pytest.param(100, 100.25, 0, 0, True, id="both zero: any change"),
    pytest.param(100, 100, 0, 0, False, id="both zero: but a change"),
    pytest.param(1e9, 1e9 + 1, 0, 0, True, id="zero wins over rounding"),
    pytest.param(1e9, 1e9 + 1, 0, 0.0001, False, id="rounds to zero"),
    pytest.param(0, 0.25, 0, 1e9, True, id="from zero: above any percentage"),
    pytest.param(0, -0.25, 0, 1e9, True, id="from zero, a fall"),
    pytest.param(0, 4, 4, 0, False, id="from zero: not above the absolute one"),
    pytest.param(0.0, -0.0, 0, 0, False, id="a zero is a zero"),
    pytest.param(5, 0, 0, 100, False, id="to zero is 100 per cent"),
    pytest.param(300_000, 300_100, 0, 0.0333, False, id="0.03333… rounds to 0.0333: at it"),
    pytest.param(300_000, 300_200, 0, 0.0666, True, id="0.06666… rounds to 0.0667: above it"),
    pytest.param(None, None, 0, 0, False, id="unknown as before"),
    pytest.param(None, nan, 0, 0, False, id="NaN is unknown"),
    pytest.param(None, 0, 9, 9, True, id="from unknown"),
    pytest.param(5, nan, 9, 9, True, id="to unknown"),
    pytest.param(5, inf, 9, 9, True, id="to infinity"),
    pytest.param(inf, inf, 0, 0, False, id="infinite as before"),
]

# The range that a scheduled run analyses, over intervals of 15 minutes.
SCHEDULED = [
    # watermark, now, completeness delay, mutability period, analysed range
    pytest.param(None, 100, 0, None, (BEGINNING, 90), id="the first run has all data"),
    pytest.param(None, 100, 0, 30, (BEGINNING, 90), id="also with a mutability period"),
    pytest.param(60, 100, 0, None, (60, 90), id="from the watermark"),
    pytest.param(60, 105, 0, None, (60, 105), id="an interval is complete at its end"),
    pytest.param(60, 104, 0, None, (60, 90), id="and not before"),
    pytest.param(60, 104, 15, None, (60, 75), id="its data come later"),
    pytest.param(60, 100, 0, 60, (30, 90), id="the period before the end"),
    pytest.param(60, 200, 0, 60, (60, 195), id="the watermark is earlier"),
    pytest.param(60, 100, 0, 50, (30, 90), id="from the start of an interval"),
    pytest.param(90, 100, 0, None, None, id="no new interval"),
    pytest.param(90, 100, 0, 60, (30, 90), id="no new interval, but a period"),
    pytest.param(90, 50, 0, None, None, id="the clock went back"),
    pytest.param(90, 50, 0, 60, (-15, 45), id="it went back, with a period"),
]

# Where the watermark is after a run; the data are complete up to 300.
WATERMARKS = [
    # watermark, analysed range, is it a backfill, watermark after the run
    pytest.param(None, (BEGINNING, 90), False, 90, id="the first"),
    pytest.param(60, (60, 90), False, 90, id="on"),
    pytest.param(60, (0, 45), False, 60, id="never backwards"),
    pytest.param(60, (0, 45), True, 60, id="a backfill, never backwards"),
    pytest.param(60, (0, 90), True, 90, id="a backfill, from before the watermark"),
    pytest.param(60, (60, 90), True, 90, id="a backfill, from the watermark"),
    pytest.param(60, (75, 90), True, 60, id="a backfill, from after the watermark"),
    pytest.param(None, (0, 90), True, None, id="a backfill, before any watermark"),
    pytest.param(60, (0, 100), True, 90, id="a backfill, to within an interval"),
    pytest.param(60, (0, 10**6), True, 300, id="a backfill, to the end of days"),
    pytest.param(60, (45, 305), True, 300, id="a backfill, to within what is incomplete"),
    pytest.param(315, (0, 10**6), True, 315, id="a backfill, to the end of days and not back"),
]
