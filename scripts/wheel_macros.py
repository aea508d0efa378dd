"""hatchling's hook: a wheel has the macros; an editable install reads those of the clone."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WheelMacros(BuildHookInterface[Any]):
    """Adds the files that `strandline init` writes into a project."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version != "standard":
            return
        root = Path(self.root)
        sys.path.insert(0, str(root / "src"))  # the build's own environment has no strandline
        from strandline.starter.package import package_files

        for path in package_files(root):
            build_data["force_include"][str(root / path)] = f"strandline/package/{path.as_posix()}"
