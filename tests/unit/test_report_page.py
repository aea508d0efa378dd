"""The page of a report: one file, in which no text of the data can become a script."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from typing import Any

import pytest

from strandline.report.page import page_of
from strandline.report.values import key_sql, short

HOSTILE = "</script><script>alert(1)</script><!--\u2028 ${env:HOME} {{ 1 }} \" onload='x' &amp;"
EMPTY: dict[str, Any] = {
    "project": "plant", "target": "local", "read_at": "2026-11-25 12:00 UTC", "zone": "UTC",
    "series": [], "evaluations": [], "unread": [], "states": [], "windows": [], "anomalies": [],
    "notifications": [], "engines": [], "consolidations": [], "rejected": [], "run": None, "runs": [],
    "read": 1_795_608_000_000,
}  # fmt: skip


class Parts(HTMLParser):
    """The scripts of a page and their types, its policy, and every address it has."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.scripts: list[tuple[str | None, str]] = []
        self.policy = ""
        self.addresses: list[str] = []
        self.texts: list[str] = []
        self._in_script: str | None = ""
        self._is_script = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self._is_script = tag == "script"
        if self._is_script:
            self.scripts.append((given.get("type"), ""))
        if given.get("http-equiv") == "Content-Security-Policy":
            self.policy = given["content"] or ""
        self.addresses += [given[name] or "" for name in ("src", "href", "action") if name in given]

    def handle_endtag(self, _tag: str) -> None:
        self._is_script = False

    def handle_data(self, data: str) -> None:
        if self._is_script:
            kind, text = self.scripts[-1]
            self.scripts[-1] = (kind, text + data)
        else:
            self.texts.append(data)


def test_the_data_are_in_the_page_and_nothing_is_loaded() -> None:
    report = EMPTY | {"rejected": [{"table": HOSTILE, "rows": 1, "reasons": [[HOSTILE, 1]]}]}
    parts = Parts(page_of(report))
    kinds = [kind for kind, _ in parts.scripts]
    assert kinds == ["application/json", "application/json", "module", "module"]
    assert json.loads(parts.scripts[0][1]) == report
    assert set(json.loads(parts.scripts[1][1])) == {
        "series", "evaluated", "small", "known", "states", "days", "runs",
    }  # fmt: skip
    assert parts.addresses == ["#main"]
    assert parts.policy.startswith("default-src 'none'; ")


def test_its_own_scripts_are_allowed_by_their_hashes_and_no_other() -> None:
    parts = Parts(page_of(EMPTY))
    hashes = [
        base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        for kind, script in parts.scripts
        if kind == "module"
    ]
    [allowed] = [part for part in parts.policy.split("; ") if part.startswith("script-src")]
    assert allowed == "script-src " + " ".join(f"'sha256-{each}'" for each in hashes)


@pytest.mark.parametrize("name", ["project", "target", "read_at"])
def test_a_hostile_name_is_a_text(name: str) -> None:
    page = page_of(EMPTY | {name: HOSTILE})
    parts = Parts(page)
    assert len(parts.scripts) == 4
    assert any(HOSTILE in text for text in parts.texts)
    assert "<script>alert" not in page


def test_a_page_without_data_is_small() -> None:
    assert len(page_of(EMPTY).encode()) < 1_100_000


def test_our_own_script_reads_no_html() -> None:
    """Nothing of it makes elements from texts."""
    own = Parts(page_of(EMPTY)).scripts[-1][1]
    assert re.findall(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(", own) == []


def test_keys_are_json_in_the_order_of_their_columns() -> None:
    assert key_sql([]) == "'{}'"
    assert key_sql(["b", "a"]) == (
        "to_json(named_struct('b', string(`b`), 'a', string(`a`)), map('ignoreNullFields', 'false'))"
    )


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (None, None),
        (float("nan"), None),
        (float("inf"), None),
        (3.0, 3),
        (1_234.567_89, 1_234.568),
        (0.000_123_456_789, 0.000_123_456_8),
        (12_345_678_912.0, 12_345_680_000),
    ],
)
def test_numbers_have_seven_digits(value: float | None, number: float | None) -> None:
    assert short(value) == number
