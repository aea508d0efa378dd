"""The picture of the detectors shows what they find."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import pytest
from tests.unit.jinja_macros import described

script = runpy.run_path(str(Path(__file__).parents[3] / "scripts" / "draw_detectors.py"))
MORE, LESS = [*script["MORE"]], [*script["LESS"]]
END = (script["FIRST"].timestamp() + script["HOURS"] * 3_600) * 1_000
# The hours that are found, from the end of the series. A threshold finds quiet nights as well, and
# a change the way back; the mean of a day's hours moves with the incident, and weekends have few.
FOUND = {
    "threshold_detector": [*MORE, -47, -46, -44, *LESS, -21, -20],
    "percentage_change_detector": MORE + LESS,
    "absolute_change_detector": [-86, -83],
    "mean_variance_detector": [*MORE, -35, -34, -21],
    "median_detector": MORE + LESS,
    "quantile_detector": MORE,
    "seasonal_detector": MORE + LESS,
    "peer_detector": [*script["ODD"]],
    "missing_data_detector": [*script["GAP"]][2:],
    "flat_line_detector": [*script["FLAT"]][5:],
}


@pytest.fixture(scope="module")
def prepared(spark: Any) -> Any:
    script["prepare"](spark)
    return spark


@pytest.mark.parametrize(("title", "series", "macro", "call"), script["PANELS"])
def test_a_panel_shows_what_its_detector_finds(
    prepared: Any, title: str, series: str, macro: str, call: dict[str, Any]
) -> None:
    rows = script["evaluated"](prepared, series, macro, call)
    assert [round((row["t"] - END) / 3_600_000) for row in rows if row["found"]] == FOUND[macro]
    assert title.startswith(macro)
    assert script["panel"](title, series, rows).to_dict()["title"] == title


def test_every_detector_has_a_panel() -> None:
    detectors = {each["name"] for each in described("detectors")}
    assert {macro for _, _, macro, _ in script["PANELS"]} == {
        name for name in detectors if name.endswith("_detector")
    }
