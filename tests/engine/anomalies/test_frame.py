"""The frame of a scheduled run, and the mark: granules of 15 minutes."""

from __future__ import annotations

import pytest
from tests.engine.anomalies.oracle_frame import BEGINNING, Frame, moved_mark, scheduled_frame


@pytest.mark.parametrize(
    ("mark", "now", "delay", "mutability", "frame"),
    [
        pytest.param(None, 100, 0, None, (BEGINNING, 90), id="the first run has all data"),
        pytest.param(None, 100, 0, 30, (BEGINNING, 90), id="also with a mutability period"),
        pytest.param(60, 100, 0, None, (60, 90), id="from the mark"),
        pytest.param(60, 105, 0, None, (60, 105), id="a granule is complete at its end"),
        pytest.param(60, 104, 0, None, (60, 90), id="and not before"),
        pytest.param(60, 104, 15, None, (60, 75), id="its data come later"),
        pytest.param(60, 100, 0, 60, (30, 90), id="the period before the end"),
        pytest.param(60, 200, 0, 60, (60, 195), id="the mark is earlier"),
        pytest.param(60, 100, 0, 50, (30, 90), id="from the start of a granule"),
        pytest.param(90, 100, 0, None, None, id="no new granule"),
        pytest.param(90, 100, 0, 60, (30, 90), id="no new granule, but a period"),
        pytest.param(90, 50, 0, None, None, id="the clock went back"),
        pytest.param(90, 50, 0, 60, (-15, 45), id="it went back, with a period"),
    ],
)
def test_the_frame_of_a_scheduled_run(mark, now, delay, mutability, frame) -> None:
    chosen = scheduled_frame(mark, now, 15, delay, mutability)

    assert chosen == (frame and Frame(*frame))


@pytest.mark.parametrize(
    ("mark", "frame", "by_hand", "moved"),  # complete up to 300
    [
        pytest.param(None, (BEGINNING, 90), False, 90, id="the first"),
        pytest.param(60, (60, 90), False, 90, id="on"),
        pytest.param(60, (0, 45), False, 60, id="never backwards"),
        pytest.param(60, (0, 45), True, 60, id="never backwards by hand"),
        pytest.param(60, (0, 90), True, 90, id="by hand, from before the mark"),
        pytest.param(60, (60, 90), True, 90, id="by hand, from the mark"),
        pytest.param(60, (75, 90), True, 60, id="by hand, from after the mark"),
        pytest.param(None, (0, 90), True, None, id="by hand, before any mark"),
        pytest.param(60, (0, 100), True, 90, id="by hand, to within a granule"),
        pytest.param(60, (0, 10**6), True, 300, id="by hand, to the end of days"),
        pytest.param(60, (45, 305), True, 300, id="by hand, to within what is incomplete"),
        pytest.param(315, (0, 10**6), True, 315, id="by hand, to the end of days and not back"),
    ],
)
def test_the_mark(mark, frame, by_hand, moved) -> None:
    assert moved_mark(mark, Frame(*frame), by_hand, 15, 307) == moved


def test_the_days_of_the_source() -> None:
    """Analysed up to Thursday, three mutable days: Friday's job begins at Tuesday."""
    tuesday, thursday, friday = 2, 4, 5

    assert scheduled_frame(thursday, friday, 1, 0, 3) == Frame(tuesday, friday)


def test_an_empty_frame_is_refused() -> None:
    with pytest.raises(ValueError, match=r"the frame \[30, 30\) is empty"):
        Frame(30, 30)
