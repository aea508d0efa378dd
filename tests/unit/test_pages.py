"""Pages for people: every link leads somewhere, and every macro that is named exists."""

from __future__ import annotations

import re
from inspect import signature
from pathlib import Path

import pytest
import yaml
from tests.unit.jinja_macros import MACROS, described_arguments

from strandline.detection import detect

ROOT = MACROS.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\(([^)\s]+)\)")
MACRO = re.compile(r"\bstrandline\.([a-z]\w*)")


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", FENCED.sub("", page.read_text()), re.MULTILINE)
    plain = [re.sub(r"[^\w\- ]", "", heading.lower()) for heading in headings]
    return {heading.strip().replace(" ", "-") for heading in plain}


def dead_links(page: Path) -> list[str]:
    dead = []
    for link in LINK.findall(FENCED.sub("", page.read_text())):
        path, _, anchor = link.partition("#")
        if "://" in path or path.startswith("mailto:"):
            continue
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            dead.append(link)
    return dead


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    assert dead_links(page) == []


def test_a_dead_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# One: `two`, three\n[a](page.md#one-two-three) [b](#four) [c](no.md)\n"
        "```\n[d](no.md)\n```\n[e](https://example.com)\n"
    )
    assert dead_links(page) == ["#four", "no.md"]


OURS = [  # the last cell of each row: what we have for a construct of another engine
    line.rstrip(" |").rpartition(" | ")[2]
    for line in (ROOT / "docs/coming_from.md").read_text().splitlines()
    if line.startswith("| ")
]


def test_every_macro_beside_a_construct_of_another_engine_exists() -> None:
    named = {name for cell in OURS for name in MACRO.findall(cell)}
    assert len(named) > 20
    assert named - set(described_arguments()) == set()


def test_every_argument_beside_a_construct_of_another_engine_exists() -> None:
    named = {name for cell in OURS for name in re.findall(r"\b([a-z_]+)=", cell)}
    arguments = set().union(*described_arguments().values()) | set(signature(detect).parameters)
    assert len(named) > 20
    assert named - arguments == set()


def test_the_unit_test_of_the_page_is_one_of_the_demo() -> None:
    page = (ROOT / "docs/tests.md").read_text()
    [text] = re.findall(r"```yaml\n(unit_tests:.*?)```", page, re.DOTALL)
    [shown] = yaml.safe_load(text)["unit_tests"]
    properties = yaml.safe_load((ROOT / "models/nyc/correlation/_correlation.yml").read_text())
    [run] = [test for test in properties["unit_tests"] if test["name"] == shown["name"]]
    assert shown["model"] == run["model"]
    [given], [given_of_run] = shown["given"], run["given"]
    assert given["input"] == given_of_run["input"]
    assert all(row in given_of_run["rows"] for row in given["rows"])
    assert all(
        any(row.items() <= whole.items() for whole in run["expect"]["rows"])
        for row in shown["expect"]["rows"]
    )
