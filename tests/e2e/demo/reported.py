"""The report that the demo has written, as its data."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

MEGABYTE = 1_000_000


class Reported:
    """The data of a report, by the names of what it shows."""

    def __init__(self, file: Path) -> None:
        page = file.read_text(encoding="utf-8")
        self.megabytes = len(page.encode()) / MEGABYTE
        found = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
        assert found is not None
        self.data: dict[str, Any] = json.loads(found[1])

    def named(self, kind: str) -> dict[str, Any]:
        """All of one kind by name."""
        return {one["name"]: one for one in self.data[kind]}

    def rows(self, series: str, duration: str, measure: str) -> dict[tuple[object, ...], float]:
        """A measure by the values of the key and the start in Unix milliseconds."""
        [table] = [
            each for each in self.named("series")[series]["tables"] if each["duration"] == duration
        ]
        [values] = [each["v"] for each in table["measures"] if each["name"] == measure]
        keys = [tuple(key.values()) for key in table["keys"]]
        return {
            (*keys[key], t): value
            for key, t, value in zip(table["key"], table["t"], values, strict=True)
        }
