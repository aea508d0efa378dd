"""No page, script or comment names a file or folder of the repository that does not exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = (
    "bench", "demo", "docs", "macros", "models", "profiles", "requirements", "scripts", "seeds",
    "snapshots", "src", "tests",
)  # fmt: skip
ROOMS = tuple(path.name for path in (ROOT / "macros").iterdir() if path.is_dir())
WORD = re.compile(rf"(?<![\w/.~>*-])(?:{'|'.join((*FOLDERS, *ROOMS))})/[\w.*<>/-]*")
LINK = re.compile(r"\]\((?!https?:)([^)#]+)")

# Files of a user's own project, in examples.
EXAMPLES = {
    "macros/trade_aggregation.sql",
    "models/sensor_detections.py",
    "models/signal_hours.sql",
    "models/trade_aggregation_hours.sql",
}
# What `strandline init` writes into the project of the tutorial.
OF_TUTORIAL = ("macros/readings_", "models/readings/", "macros/ships_", "models/ships")
# What a command makes, and a pair of words that is no path.
MADE = {"src/strandline.egg-info"}

PAGES = [
    *ROOT.glob("*.md"),
    *ROOT.glob("docs/**/*.md"),
    *ROOT.glob("bench/**/*.md"),
    *ROOT.glob("scripts/*.*"),
    *ROOT.glob("*.yml"),
    *ROOT.glob(".*.yaml"),
    *(path for folder in FOLDERS for path in ROOT.glob(f"{folder}/**/*.yml")),
    ROOT / "Makefile",
    ROOT / "pyproject.toml",
]


def missing(path: Path, text: str) -> list[str]:
    """The paths in a text that do not exist. `<name>` stands for any name."""
    words = {word.rstrip("./") for word in WORD.findall(text)} - EXAMPLES - MADE
    found = [
        word
        for word in sorted(words)
        if not word.startswith(OF_TUTORIAL)
        and not any(
            list(folder.glob(re.sub(r"<\w+>", "*", word))) for folder in (ROOT, ROOT / "macros")
        )
    ]
    links = LINK.findall(text) if path.suffix == ".md" else []
    return found + [link for link in links if not (path.parent / link).exists()]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_paths_exist(path):
    assert missing(path, path.read_text(encoding="utf-8")) == []


def test_a_path_that_is_missing_would_be_found():
    text = "`tests/nowhere`, `macros/core/`, `aggregation/table.sql`, `aggregation/gone.sql`, [a](b.md)"
    page = ROOT / "docs" / "page.md"
    assert missing(page, text) == ["aggregation/gone.sql", "tests/nowhere", "b.md"]
