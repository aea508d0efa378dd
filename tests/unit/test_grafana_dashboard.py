"""The dashboard of Grafana is of metrics that `strandline status --prometheus` writes."""

from __future__ import annotations

import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
BOARD = json.loads((ROOT / "docs" / "grafana_dashboard.json").read_text())
PAGE = (ROOT / "docs" / "schedules.md").read_text()
METRIC = re.compile(r"strandline_[a-z_]+")


def expressions() -> list[str]:
    return [each["expr"] for panel in BOARD["panels"] for each in panel.get("targets", [])]


def test_every_metric_is_on_the_page():
    used = {name for each in expressions() for name in METRIC.findall(each)}
    assert len(used) > 10
    assert used <= set(METRIC.findall(PAGE))


def test_panels_do_not_overlap():
    taken = [
        (x, y)
        for panel in BOARD["panels"]
        for x in range(panel["gridPos"]["x"], panel["gridPos"]["x"] + panel["gridPos"]["w"])
        for y in range(panel["gridPos"]["y"], panel["gridPos"]["y"] + panel["gridPos"]["h"])
    ]
    assert len(taken) == len(set(taken))
    assert max(x for x, _ in taken) == 23
