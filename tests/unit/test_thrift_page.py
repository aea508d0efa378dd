"""docs/profiles.md says what works through a Thrift server: of each public macro, and of each window."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from tests.unit.jinja_macros import macros

ROOT = Path(__file__).parents[2]


def rows() -> list[list[str]]:
    """The rows of the table: what, works, why not, instead, run."""
    page = (ROOT / "docs" / "profiles.md").read_text(encoding="utf-8")
    section = page.partition("## A Thrift server")[2].partition("\n## ")[0]
    table = re.findall(r"^\| (.*) \|$", section, re.M)
    return [[cell.strip() for cell in row.split("|")] for row in table][2:]


def named(works: str) -> set[str]:
    return {name for row in rows() if row[1] == works for name in re.findall(r"`([^`]+)`", row[0])}


def test_each_row_says_whether_it_works_and_if_not_why_and_what_to_take():
    assert len(rows()) > 15
    for what, works, why, instead, run in rows():
        assert (works, bool(why), bool(instead), bool(run)) in [
            ("yes", False, False, True), ("no", True, True, True),
        ], what  # fmt: skip


def test_each_public_macro_is_in_a_row():
    public = {
        macro["name"]
        for room in ("aggregation", "anomalies", "detectors", "points", "windows")
        for macro in yaml.safe_load((ROOT / "macros" / room / "_macros.yml").read_text())["macros"]
        if room != "points" or macro["name"].endswith(("_table", "_late", "_ledger"))
    }
    # `aggregation` only says what its tables are; `interpolated_table` is a query, as `average` is.
    public -= {"aggregation", "interpolated_table"}
    assert public - named("yes") == {"seasonal_table"} <= named("no")


@pytest.mark.parametrize("works", ["yes", "no"])
def test_a_window_works_if_it_is_not_computed_row_after_row(works: str):
    stores = sorted(
        name for name in named(works) if re.match("(last|latest|random|highest|lowest) ", name)
    )
    assert len(stores) >= 4
    for store in stores:
        faults: list[str] = []
        read = macros()._read_store(store, faults)
        assert faults == []
        assert macros()._is_folded(read) is (works == "no"), store
