"""The settings of target `local` that are worth comparing, one change at a time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from strandline.spark.settings import SHORT_RUN_JAVA_OPTIONS

VARIANTS: dict[str, dict[str, Any]] = {
    "as delivered": {},
    "all compiler tiers": {"java_options": ""},
    "class data sharing": {
        "java_options": f"{SHORT_RUN_JAVA_OPTIONS} -XX:SharedArchiveFile={{archive}}"
    },
    "shuffle.partitions 200": {
        "server_side_parameters": {"spark.sql.shuffle.partitions": "200"},
    },
    "snapshotPartitions 50": {
        "server_side_parameters": {"spark.databricks.delta.snapshotPartitions": "50"},
    },
}

# Writes the archive that "class data sharing" reads; its own time is of no interest.
ARCHIVING = {"java_options": f"{SHORT_RUN_JAVA_OPTIONS} -XX:ArchiveClassesAtExit={{archive}}"}


def write_profile(source: Path, folder: Path, changes: dict[str, Any], archive: Path) -> None:
    """Writes the project's profiles.yml with changes to its target `local`."""
    profiles = yaml.safe_load(source.read_text())
    filled = {
        key: value.format(archive=archive) if isinstance(value, str) else value
        for key, value in changes.items()
    }
    profiles["strandline_demo"]["outputs"]["local"] |= filled
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "profiles.yml").write_text(yaml.safe_dump(profiles))
