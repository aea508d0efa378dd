"""What the check of rendered SQL finds."""

from __future__ import annotations

import pytest
from scripts.rendering.check import faults_of


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("select __x.a from (select 1 as a) as __x", []),
        ("select x.a from (select 1 as a) as x", ["the alias x lacks the reserved prefix __"]),
        ("with x as (select 1 as a) select a from x", ["the alias x lacks the reserved prefix __"]),
        ("select o.a from shop.orders as o", ["the alias o lacks the reserved prefix __"]),
        ("with __x as (select 1 as a) select 2 as a", ["the CTE __x is not used"]),
        ("select 1 as a, 2 as a", ["a select names a twice"]),
        ("SELECT 1 as a", ["line 1: SELECT is not in lower case"]),
        ("explain select 1", ["is not one statement that can be parsed"]),
    ],
)
def test_what_is_wrong_with_a_text(text: str, faults: list[str]) -> None:
    assert faults_of(text) == faults
