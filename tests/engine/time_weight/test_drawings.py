"""The drawings of the documentation are what their script draws, and show the oracle's numbers."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest
from tests.engine.time_weight.oracle import SECOND, average, time_weight
from tests.engine.time_weight.oracle_interpolated import interpolated_buckets

ROOT = Path(__file__).parents[3]
MINUTE = 60 * SECOND
script = runpy.run_path(str(ROOT / "scripts" / "draw_time_weights.py"))


@pytest.mark.parametrize("name", ["gap", "buckets"])
def test_drawing_is_up_to_date(name):
    drawn = (ROOT / "docs" / "images" / f"time_weight_{name}.svg").read_text()
    assert script[f"draw_{name}"]() == drawn, "run scripts/draw_time_weights.py"


@pytest.mark.parametrize("method", ["locf", "linear"])
def test_drawings_show_what_counts(method):
    points, gap = script["GAP_POINTS"], script["GAP_MINUTES"]
    summary = time_weight([(t * MINUTE, v) for t, v in points], method, gap * MINUTE)
    tops = script["counted"](points, method, gap, 0, script["GAP_SPAN"], carry=False)
    assert script["reach"](tops) == (
        summary.elapsed / MINUTE,
        pytest.approx(float(average(summary))),
    )

    points, gap, hour = script["BUCKET_POINTS"], script["BUCKET_MINUTES"], script["BUCKET"]
    signal, stop = [(t * MINUTE, v) for t, v in points], script["BUCKET_SPAN"] * MINUTE
    for start, _, reached in interpolated_buckets(
        signal, method, gap * MINUTE, 0, stop, hour * MINUTE
    ):
        begin = start // MINUTE
        minutes, mean = script["reach"](script["counted"](points, method, gap, begin, begin + hour))
        assert minutes == reached.elapsed / MINUTE
        assert mean == (
            None if average(reached) is None else pytest.approx(float(average(reached)))
        )
