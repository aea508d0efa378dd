"""A file of JSON in the home that may be lost at any time: what it says saves work, no more."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any


def read_kept(file: Path) -> dict[str, Any]:
    """The object in a file; empty if there is none, or a damaged one."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def write_kept(file: Path, content: dict[str, Any]) -> None:
    """Replaces a file as a whole. A full disk is no error: the run has ended well without it."""
    written = file.with_suffix(f".{os.getpid()}")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        written.write_text(json.dumps(content, indent=1, sort_keys=True), encoding="utf-8")
        written.replace(file)
    except OSError:
        with suppress(OSError):
            written.unlink()
