"""The messages that the pages explain are those of the product.

A message stands in code; `…` is what differs. Each other part of it must stand in a macro, in the
library or in a test that expects it.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ("macros/**/*.sql", "src/**/*.py", "tests/**/*.py")
# The end of one literal and the beginning of the next, in Jinja and in Python.
JOINT = re.compile(r"""(["'])\s*~?\s*\n\s*~?\s*f?(["'])""")
ROW = re.compile(r"^\| (`+) ?(.+?) ?\1 \|", re.MULTILINE)


@functools.cache
def product() -> str:
    own = Path(__file__)
    texts = [p.read_text() for each in SOURCES for p in ROOT.glob(each) if p != own]
    return "\n".join(JOINT.sub("", text).replace("\\'", "'").replace('\\"', '"') for text in texts)


def messages() -> list[tuple[str, str]]:
    found = []
    for page in sorted((ROOT / "docs").glob("*.md")):
        sections = re.split(r"^## ", page.read_text(), flags=re.MULTILINE)
        for section in sections:
            if section.startswith(("Errors", "If something goes wrong")):
                found += [(page.name, text) for _, text in ROW.findall(section)]
    return found


@pytest.mark.parametrize(("page", "message"), messages())
def test_a_message(page: str, message: str) -> None:  # noqa: ARG001
    parts = [part.strip(" :;'") for part in message.split("…")]
    assert [part for part in parts if part and part not in product()] == []


def test_there_are_many() -> None:
    assert len(messages()) > 20
