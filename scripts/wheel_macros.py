"""hatchling's hook: a wheel has the macros; an editable install reads those of the clone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "strandline/package"
WITHOUT = "demo"


class WheelMacros(BuildHookInterface[Any]):
    """Adds what strandline.starter.package copies from a clone."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "standard":
            return
        rooms = [room for room in Path(self.root, "macros").iterdir() if room.name != WITHOUT]
        parts = ["dbt_project.yml", "models/columns.md", "tests/generic"]
        for part in [*parts, *(f"macros/{room.name}" for room in rooms)]:
            build_data["force_include"][str(Path(self.root, part))] = f"{PACKAGE}/{part}"
