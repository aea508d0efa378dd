"""Hides what `strandline[spark]` installs from this Python, as if it were not there.

For a process of its own: that of the tests has imported it already.
"""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType

MODULES = ("dbt.adapters.spark", "dbt.include.spark", "grpc", "py4j", "pyspark")
PACKAGES = ("dbt-spark", "grpcio", "py4j", "pyspark")


class Hiding(PathFinder):
    """Python's own finder without some modules."""

    @classmethod
    def find_spec(
        cls, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if f"{fullname}.".startswith(tuple(f"{name}." for name in MODULES)):
            return None
        return super().find_spec(fullname, path, target)


def hide() -> None:
    """From now on they are not there; what is imported already stays."""
    version = importlib.metadata.version

    def without(name: str) -> str:
        if name in PACKAGES:
            raise importlib.metadata.PackageNotFoundError(name)
        return version(name)

    importlib.metadata.version = without
    sys.meta_path[sys.meta_path.index(PathFinder)] = Hiding
