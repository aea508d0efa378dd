"""Whether a value has changed by so much that an anomaly is another one, notified again."""

from __future__ import annotations

import math
from decimal import ROUND_HALF_UP, Decimal

from tests.engine.anomalies.oracle_rows import is_unknown


def is_significant(
    stored: float | None, found: float | None, absolute: float | None, percentage: float | None
) -> bool:
    """Strictly above both thresholds, which must both be set; the magnitude counts."""
    if absolute is None or percentage is None or not _differs(stored, found):
        return False
    if not _measurable(stored) or not _measurable(found):
        return True
    change = abs(found - stored)
    return change > absolute and _is_above(change, stored, percentage)


def _is_above(change: float, stored: float, percentage: float) -> bool:
    """Any change is above 0, even one that rounds to 0; from 0 it is above any percentage."""
    return percentage == 0 or stored == 0 or rounded(100 * change / abs(stored)) > percentage


def rounded(percent: float) -> float:
    """To four places, halves up, by the digits that the double shows: as Spark's round."""
    return float(Decimal(repr(float(percent))).quantize(Decimal("0.0001"), ROUND_HALF_UP))


def _differs(stored: float | None, found: float | None) -> bool:
    if is_unknown(stored) or is_unknown(found):
        return is_unknown(stored) != is_unknown(found)
    return stored != found


def _measurable(value: float | None) -> bool:
    return not is_unknown(value) and math.isfinite(value)
