"""Security and reliability: each claim names a test that is there; each hostile input is in the list."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
CLAIMS = PAGE.split("## What each could try")[1].split("## What is not defended")[0]
TRIED = (ROOT / "docs" / "reliability.md").read_text().split("## What was tried")[1]


@pytest.mark.parametrize(("page", "least"), [(CLAIMS, 12), (TRIED, 8)], ids=["threats", "tried"])
def test_each_claim_names_tests_that_exist(page: str, least: int) -> None:
    rows = [line.strip("|").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    claims = rows[2:]
    assert len(claims) > least
    for claim in claims:
        named = re.findall(r"`([\w/]+\.py)`", claim[-1])
        assert named, claim
        assert [name for name in named if not (ROOT / "tests" / name).is_file()] == []


def test_each_module_of_hostile_texts_is_named() -> None:
    found = [path for path in (ROOT / "tests").rglob("test_*.py") if path.name != Path(__file__).name
             and "tests.hostile import" in path.read_text(encoding="utf-8")]  # fmt: skip
    assert len(found) > 5
    assert [path.name for path in found if path.name not in CLAIMS] == []


def test_no_registry_is_named() -> None:
    text = PAGE + (ROOT / "scripts" / "audit.py").read_text(encoding="utf-8")
    assert re.findall(r"https?://", text) == []
