"""One page a feature, by one template: what, example, how it works with a drawing, choices, errors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"
FEATURES = (
    "aggregation", "anomalies", "correlation", "detection", "detectors", "landing", "notifications", "report",
    "retention", "retrieval", "tests", "time_weights", "windows",
)  # fmt: skip
DRAWING = re.compile(r"^```\n[^`]*[─│►▼][^`]*^```|^!\[.*\]\(images/", re.MULTILINE)


@pytest.mark.parametrize("feature", FEATURES)
def test_a_page(feature: str) -> None:
    page = (DOCS / f"{feature}.md").read_text()
    head, *sections = re.split(r"^## ", page, flags=re.MULTILINE)
    titles = [section.partition("\n")[0] for section in sections]

    assert re.match(r"# [^\n]+\n\n\*[^*]+\*\n", head), "a title, and what it is in one sentence"
    assert titles[0] == "Example"
    assert titles[1] == "How it works"
    assert DRAWING.search("".join(sections[:2])), "how it works is drawn"
    assert titles[-2:] == ["Choices", "Errors"]
