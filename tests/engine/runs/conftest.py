"""The harness as a fixture: `project = runs("splits", definition, …)`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.engine.aggregation.conftest import small, small_project
from tests.engine.anomalies.conftest import consolidated
from tests.engine.runs.definition import Definition
from tests.engine.runs.harness import Runs
from tests.engine.windows.conftest import windows

__all__ = ["consolidated", "small", "small_project", "windows"]


@pytest.fixture(scope="session")
def runs_home(tmp_path_factory: Any) -> Path:
    return tmp_path_factory.mktemp("runs")


@pytest.fixture
def runs(spark: Any, tmp_path: Path, runs_home: Path) -> Iterator[Callable[..., Runs]]:
    """Makes projects, each in a schema of its own; their tables go when the test ends.

    The first project of a test, if it takes the package as it is, stands in a folder that all
    tests of a process share: dbt parses the package once.
    """
    made: list[Runs] = []

    def make(schema: str, *definitions: Definition, **options: Any) -> Runs:
        is_shared = not made and not options
        folder, name = (runs_home, "runs") if is_shared else (tmp_path, schema)
        made.append(Runs(spark, folder, name, definitions, **options))
        return made[-1]

    yield make
    for project in made:
        project.drop()
