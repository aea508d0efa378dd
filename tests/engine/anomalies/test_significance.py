"""Whether a change is significant: strictly above both thresholds, by magnitude."""

from __future__ import annotations

from math import inf, nan

import pytest
from tests.engine.anomalies.oracle_significance import is_significant, rounded

CASES = [
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


@pytest.mark.parametrize(("stored", "found", "absolute", "percentage", "significant"), CASES)
def test_significance(stored, found, absolute, percentage, significant) -> None:
    assert is_significant(stored, found, absolute, percentage) is significant


def test_per_cent_is_rounded_to_four_places_halves_up() -> None:
    assert [rounded(x) for x in (0.00005, 0.00015, 0.00025, 12.34564999, 3)] == [0.0001, 0.0002, 0.0003, 12.3456, 3]  # fmt: skip
