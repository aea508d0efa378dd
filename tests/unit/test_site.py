"""What `make site` changes in a page, and that the menu has every page."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from scripts.site_hooks import on_page_markdown

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("page", "text", "shown"),
    [
        ("a.md", "[the model](../models/nyc/a.sql)", "the model (`models/nyc/a.sql`)"),
        ("a.md", "[`models/nyc/a.sql`](../models/nyc/a.sql)", "`models/nyc/a.sql`"),
        ("decisions/a.md", "[what](../aggregation.md#late)", "[what](../aggregation.md#late)"),
        ("decisions/a.md", "[what](../../README.md#plans)", "what (`README.md`)"),
        ("a.md", "[there](b.md), [far](https://example.com)", "[there](b.md), [far](https://example.com)"),
        ("a.md", "```jinja too_few\nx\n```", '```jinja title="too_few"\nx\n```'),
        ("a.md", "```sql\nx\n```", "```sql\nx\n```"),
    ],
)  # fmt: skip
def test_a_page(page: str, text: str, shown: str) -> None:
    assert on_page_markdown(text, SimpleNamespace(file=SimpleNamespace(src_uri=page))) == shown


def test_the_menu_has_every_page() -> None:
    def pages(menu: list) -> set[str]:
        found = set()
        for entry in menu:
            if isinstance(entry, str):
                found.add(entry)
            else:
                found |= pages(next(iter(entry.values())))
        return found

    menu = yaml.safe_load((ROOT / "mkdocs.yml").read_text())["nav"]
    docs = ROOT / "docs"
    assert pages(menu) == {str(path.relative_to(docs)) for path in docs.rglob("*.md")}
